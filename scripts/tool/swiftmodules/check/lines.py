"""Links to lines of Swift files, which are those of the declaration that the link's text names.

    [`LoginModule.register(in:)`](../Modules/Login/Implementation/LoginModule.swift#L10-L14)

The lines are those from the declaration's attributes to its end. Functions may be named without their labels where
that is clear.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.swiftpm.declarations import Declaration
from swiftmodules.swiftpm.syntax import SourceFile, read_files
from swiftmodules.swiftpm.toolchain import Toolchain

_LINK = re.compile(r"\[(?P<text>[^\]]*)\]\((?P<path>[^()\s#:]+\.swift)#(?P<lines>L\d+(?:-L\d+)?)\)")
_NAME = re.compile(r"`([^`]+)`")
_FENCE = re.compile(r"\s*(?P<fence>`{3,}|~{3,})(?P<rest>.*)")
# Of files that are read for links alone; regular expressions between slashes depend on it.
OPTIONS = ("-swift-version", "6")


@dataclass(frozen=True)
class LineLink:
    """A link in a document: its line, where its own lines stand in the text, and what they have to be.

    Where nothing says what they have to be, `problem` says why, and `fix` what to do; they are to stay as they are.
    """

    line: int
    source: Path
    start: int
    present: str
    expected: str
    problem: str = ""
    fix: str = ""
    # Whether the link's text is a name in backquotes.
    is_named: bool = True


def line_links(
    text: str, document: Path, folder: Path, sources: Mapping[Path, SourceFile], toolchain: Toolchain
) -> list[LineLink]:
    """The links of a document's text to lines of Swift files; paths are relative to the folder of the package.

    `sources` are files that were read before; others are read when a link needs them.
    """
    matches = [(line, match, _source(match["path"], document)) for line, match in _links(text)]
    missing = {source for _, _, source in matches if source not in sources and (folder / source).is_file()}
    known = {**sources, **(read_files(folder, dict.fromkeys(missing, OPTIONS), toolchain) if missing else {})}
    return [_line_link(line, match, source, known.get(source)) for line, match, source in matches]


def linked_files(text: str, document: Path) -> set[Path]:
    """The Swift files to whose lines a document's text links, whether they exist or not."""
    return {_source(match["path"], document) for _, match in _links(text)}


def unfenced(text: str) -> Iterator[tuple[int, int, str]]:
    """Each line of a document outside of fenced blocks: its number, its offset, and its text."""
    fence: str | None = None
    offset = 0
    for number, line in enumerate(text.split("\n"), start=1):
        before, fence = fence, _fence_after(line, fence)
        if before is None:
            yield number, offset, line
        offset += len(line) + 1


def _fence_after(line: str, fence: str | None) -> str | None:
    """The fence that is open after a line, as CommonMark has it."""
    match = _FENCE.fullmatch(line)
    if match is None:
        return fence
    if fence is None:
        # Backquotes later in the line make it inline code.
        return None if match["fence"][0] == "`" and "`" in match["rest"] else match["fence"]
    return None if match["fence"].startswith(fence) and not match["rest"].strip() else fence


def _links(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """The links outside of fenced blocks, each with its line."""
    numbers = {number for number, _, _ in unfenced(text)}
    for match in _LINK.finditer(text):
        number = text.count("\n", 0, match.start("lines")) + 1
        if number in numbers:
            yield number, match


def _source(path: str, document: Path) -> Path:
    return Path(os.path.normpath(document.parent / path))


def _line_link(line: int, match: re.Match[str], source: Path, file: SourceFile | None) -> LineLink:
    found = _lines_of(match["text"], source, file)
    problem, fix = ("", "") if isinstance(found, str) else found
    expected = found if isinstance(found, str) else match["lines"]
    is_named = _NAME.fullmatch(match["text"]) is not None
    return LineLink(line, source, match.start("lines"), match["lines"], expected, problem, fix, is_named)


def _lines_of(text: str, source: Path, file: SourceFile | None) -> str | tuple[str, str]:
    """The lines of the declaration that a link's text names, or why there are none and what to do."""
    if file is None:
        return f"there is no file '{source}'.", "Correct the link, or remove it."
    if file.problem:
        return f"{source} cannot be read, line {file.problem[0]}: {file.problem[1]}.", "Correct the file."
    name = _NAME.fullmatch(text)
    if name is None:
        return (
            f"the link '{text}' leads to lines of {source}, and nothing says which these should be.",
            "Let its text be the name of a declaration in backquotes, or link to the file.",
        )
    named = _named(file)
    found = [path for path in named if _is_meant(name[1], path)]
    if not found:
        return f"{source} has no declaration {name[1]}.", "Correct the name, or link to the file."
    if len(found) > 1:
        return f"in {source}, {name[1]} may be any of {', '.join(found)}.", "Name one of them."
    declaration = named[found[0]]
    first = file.lines.at(declaration.start)
    return f"L{first}" if declaration.last_line == first else f"L{first}-L{declaration.last_line}"


def _named(file: SourceFile) -> Mapping[str, Declaration]:
    """The file's declarations by their full names."""
    return {
        ".".join([*(owner.name for owner in owners), each.title]): each
        for each, owners in file.walk()
        if each.kind != "extension"
    }


def _is_meant(name: str, path: str) -> bool:
    """Whether a full name ends with a name, whose labels may be left out."""
    full = path if "(" in name else path.partition("(")[0]
    return full == name or full.endswith(f".{name}")
