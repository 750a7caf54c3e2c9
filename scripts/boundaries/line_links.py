"""Keeps links to lines of Swift files where the declaration is that their text names.

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift#L10-L14)

The lines are those from the declaration's attributes to its end. Functions may be named without their labels where
that is clear.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from boundaries.declarations import Declaration, with_owners
from boundaries.sources import SwiftFile, read_sources
from buildspeed.code_blocks import fence_after
from buildspeed.failures import MeasurementError
from buildspeed.toolchain import Toolchain

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>[^()\s#:]+\.swift)#(?P<lines>L\d+(?:-L\d+)?)\)")
_NAME = re.compile(r"`([^`]+)`")

# As the manifest has it; regular expressions between slashes depend on it.
_OPTIONS = ("-swift-version", "6")

Read = Callable[[Path], SwiftFile]


@dataclass(frozen=True)
class LineLink:
    """A link in a document: its line, where its own lines stand in the text, and what they have to be."""

    line: int
    source: Path
    start: int
    present: str
    expected: str


def source_reader(repository: Path, toolchain: Callable[[], Toolchain]) -> Read:
    """Reads each file once, when a link needs it."""
    return cache(lambda path: read_sources(repository, {path: _OPTIONS}, toolchain())[path])


def line_links(text: str, document: Path, repository: Path, read: Read) -> list[LineLink]:
    """The links of a document's text to lines of Swift files; `document` is its path in the repository."""
    found = []
    for line, match in _links(text):
        place = f"{document}:{line}"
        source = _source(match["path"], document, repository, place)
        lines = _lines_of(match["text"], read(source), place)
        found.append(LineLink(line, source, match.start("lines"), match["lines"], lines))
    return found


def with_line_links(text: str, links: Sequence[LineLink]) -> str:
    """A document's text with links to the lines that they have to name."""
    for link in reversed(links):
        text = text[: link.start] + link.expected + text[link.start + len(link.present) :]
    return text


def _links(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """The links outside of fenced blocks, each with its line."""
    fenced = []
    fence: str | None = None
    for line in text.split("\n"):
        fence, is_fenced = fence_after(line, fence), fence is not None
        fenced.append(is_fenced)
    for match in _LINK.finditer(text):
        line = text.count("\n", 0, match.start("lines")) + 1
        if not fenced[line - 1]:
            yield line, match


def _source(path: str, document: Path, repository: Path, place: str) -> Path:
    source = Path(os.path.normpath(document.parent / path))
    if not (repository / source).is_file():
        raise MeasurementError(f"{place}: There is no file '{source}'. Correct the link, or remove it.")
    return source


def _lines_of(text: str, file: SwiftFile, place: str) -> str:
    if file.problem:
        raise MeasurementError(f"{place}: {file.path} cannot be read, line {file.problem[0]}: {file.problem[1]}.")
    name = _NAME.fullmatch(text)
    if name is None:
        raise MeasurementError(
            f"{place}: The link '{text}' leads to lines of {file.path}, and nothing tells which these should be. "
            "Let its text be the name of a declaration in backquotes, or link to the file."
        )
    found = [each for path, each in _named(file).items() if _is_meant(name[1], path)]
    if len(found) != 1:
        others = ", ".join(path for path in _named(file) if _is_meant(name[1], path))
        raise MeasurementError(
            f"{place}: {file.path} has no declaration {name[1]}. Correct the name, or link to the file."
            if not found
            else f"{place}: In {file.path}, {name[1]} may be any of {others}. Name one of them."
        )
    first = file.lines.at(found[0].start)
    return f"L{first}" if found[0].last_line == first else f"L{first}-L{found[0].last_line}"


def _named(file: SwiftFile) -> Mapping[str, Declaration]:
    """The file's declarations by their full names."""
    return {
        ".".join([*(owner.name for owner in owners), each.title]): each
        for each, owners in with_owners(file.declarations)
        if each.kind != "extension"
    }


def _is_meant(name: str, path: str) -> bool:
    """Whether a full name ends with a name, whose labels may be left out."""
    full = path if "(" in name else path.partition("(")[0]
    return full == name or full.endswith(f".{name}")
