"""What the Swift sources of a checkout declare, import and say, as far as a new name can clash with it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

# What is once compiled as a whole, so that its types share one space of names.
PROGRAM = ("App", "Modules")
EVERYTHING = (*PROGRAM, "Tests", "scripts")

# `swift format` puts what stands at the top of a file at the margin.
_TYPE = re.compile(
    r"^(?:@\w+(?:\([^)\n]*\))? )*(?:(?:public|package|internal|private|fileprivate|open|final|indirect|nonisolated) )*"
    r"(?:struct|enum|class|actor|protocol|typealias) (\w+)",
    re.MULTILINE,
)
# Generic parameters stand before the colon, so `RouteContext<Destination: Route>` is no route.
_ROUTE = re.compile(r"^[^\n/\"]*\b(?:struct|enum|class|extension) [\w.]+\s*:[^{]*\bRoute\b", re.MULTILINE)
_IMPORT = re.compile(
    r"^[^\n/\"]*\bimport (?:(?:struct|class|enum|protocol|func|var|let|typealias) )?(\w+)", re.MULTILINE
)
_URL = re.compile(r'\.url\("([^"\n]+)"\)')


def swift_files(checkout: Path, folders: Iterable[str]) -> dict[str, str]:
    """The text of every Swift file in some folders, by its path in the checkout."""
    paths = [path for folder in folders for path in sorted((checkout / folder).rglob("*.swift"))]
    return {
        path.relative_to(checkout).as_posix(): path.read_text(encoding="utf-8", errors="replace")
        for path in paths
        if path.is_file() and ".build" not in path.relative_to(checkout).parts
    }


def declared_types(files: Iterable[tuple[str, str]]) -> dict[str, str]:
    """The types at the top of files, and the path of the file that declares each."""
    return {name: path for path, text in files for name in _TYPE.findall(text)}


def declares_route(texts: Iterable[str]) -> bool:
    """Whether a type in one of some texts is declared to be a route."""
    return any(_ROUTE.search(text) for text in texts)


def importers(files: dict[str, str], targets: Iterable[str]) -> Iterator[tuple[str, str]]:
    """The files that import one of some targets, and the target."""
    wanted = set(targets)
    for path, text in files.items():
        for module in sorted(wanted.intersection(_IMPORT.findall(text))):
            yield path, module


def urls(files: dict[str, str]) -> Iterator[tuple[str, str]]:
    """The URL patterns that sources register, and the path of the file that does."""
    for path, text in files.items():
        for pattern in _URL.findall(text):
            yield pattern, path
