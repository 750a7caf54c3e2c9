"""Links to files, to their headings, and to lines of Swift files: those of the declaration that the link's text names,
or that have the code.

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift#L10-L14)
    [`registrar.adapt(`](../App/AppModule.swift#L34)

The lines are those from the declaration's attributes to its end. Functions may be named without their labels where
that is clear. Code that no declaration is named stands in one line of the file.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from urllib.parse import unquote

from swiftmodules.swiftpm.reader import SourceFile

from repo.docs.markdown import anchors, links, unfenced
from repo.docs.parts import Generated

_SCHEME = re.compile(r"[a-zA-Z][\w+.-]*:|//")
_LINK = re.compile(r"\[(?P<text>`[^`\n]+`|[^\]]*)\]\((?P<path>[^()\s#:]+\.swift)#(?P<lines>L\d+(?:-L\d+)?)\)")
_NAME = re.compile(r"`([^`]+)`")


def broken_links(repository: Path, document: Path, text: str) -> Iterator[tuple[int, str]]:
    """The links of a document's text that lead to no file, folder or heading of the repository, each with its line."""
    for line, link in links(text):
        if _SCHEME.match(link):
            continue
        name, _, anchor = unquote(link).partition("#")
        target = Path(os.path.normpath(document.parent / name)) if name else document
        if target.is_absolute() or ".." in target.parts:
            yield line, f"The link leads out of the repository, to {target}. Link to its address, or remove it."
        elif not (repository / target).exists():
            yield line, f"The link leads to {target}, which does not exist. Correct the link, or remove it."
        elif anchor and target.suffix == ".md":
            there = anchors(text if target == document else (repository / target).read_text(encoding="utf-8"))
            if anchor.removeprefix("user-content-") not in there:
                yield line, f"{target} has no heading '#{anchor}'. Correct the link, or remove it."


def line_links(text: str, document: Path, sources: Mapping[Path, SourceFile]) -> Iterator[Generated]:
    """The lines in links of a document's text to Swift files, of which `sources` has those that exist."""
    for line, match in _links(text):
        source, name = _source(match["path"], document), _NAME.fullmatch(match["text"])
        expected, problem = match["lines"], ""
        file = sources.get(source)
        if file is None:
            # A link that leads nowhere, which is found as such.
            continue
        if file.problem:
            problem = f"{source} cannot be read, line {file.problem[0]}: {file.problem[1]}. Correct the file."
        elif name is None:
            problem = (
                f"The link '{match['text']}' leads to lines of {source}, but its text names no declaration. Make its "
                "text the name of a declaration in backquotes, or link to the file."
            )
        else:
            lines = _lines(name[1], file) or _quoted(name[1], file)
            if len(lines) == 1:
                (expected,) = lines.values()
            elif lines:
                problem = f"In {source}, {name[1]} may be any of {', '.join(lines)}. Name one of them."
            else:
                problem = f"{source} has no declaration and no code {name[1]}. Correct the name, or link to the file."
        yield Generated(line, str(source), *match.span("lines"), expected, problem)


def linked_files(text: str, document: Path) -> set[Path]:
    """The Swift files to whose lines a document's text links, whether they exist or not."""
    return {_source(match["path"], document) for _, match in _links(text)}


def _links(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """The links outside of fenced blocks, each with its line."""
    numbers = {number for number, _, _ in unfenced(text)}
    for match in _LINK.finditer(text):
        number = text.count("\n", 0, match.start("lines")) + 1
        if number in numbers:
            yield number, match


def _source(path: str, document: Path) -> Path:
    return Path(os.path.normpath(document.parent / path))


def _lines(name: str, file: SourceFile) -> dict[str, str]:
    """The lines of each declaration whose full name ends with a name; its labels may be left out."""
    found = {}
    for declaration, owners in file.walk():
        full = ".".join([*(owner.name for owner in owners), declaration.title])
        compared = full if "(" in name else full.partition("(")[0]
        if declaration.kind != "extension" and f".{compared}".endswith(f".{name}"):
            first, last = file.line_at(declaration.start), file.line_at(declaration.end)
            found[full] = f"L{first}" if last == first else f"L{first}-L{last}"
    return found


def _quoted(code: str, file: SourceFile) -> dict[str, str]:
    """Each line with some code, which is more than a name."""
    if code.replace(".", "").isidentifier():
        return {}
    lines = enumerate(file.text.decode().splitlines(), 1)
    return {f"line {number}": f"L{number}" for number, line in lines if code in line}
