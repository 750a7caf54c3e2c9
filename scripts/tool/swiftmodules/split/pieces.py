"""The pieces of a source: what can be moved to another file, each with the comments above it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.swiftpm.outlines import declarations
from swiftmodules.swiftpm.reader import Declaration, SourceFile, pairs

_MAIN = "main.swift"


@dataclass(frozen=True, eq=False)
class Piece:
    """A range of a file: a top-level declaration, a whole `#if`, or other code such as an operator's declaration."""

    file: Path
    start: int
    end: int
    declarations: tuple[Declaration, ...]
    # The full names of all declarations in it.
    names: frozenset[str]
    line: int

    @property
    def title(self) -> str:
        """The name of its first type, or else of its first declaration."""
        found = sorted(self.declarations, key=lambda each: not each.is_type)
        names = (f"{'extension ' * (each.kind == 'extension')}{each.title}" for each in found)
        return next(names, f"{self.file.name}:{self.line}")

    @property
    def is_program(self) -> bool:
        """Whether a program begins in it, so that it stays in its target."""
        return self.file.name == _MAIN or any("main" in each.attributes for each in self.declarations)


def pieces_of(source: SourceFile) -> list[Piece]:
    """The pieces of a file in their order. All of `main.swift` is one, as its statements run in order."""
    ranges = [(0, len(source.text))] if source.path.name == _MAIN else _with_comments(source)
    titled = [(each.start, name) for name, each, _ in declarations(source)]
    return [_piece(source, each, titled) for each in ranges]


def _piece(source: SourceFile, around: tuple[int, int], titled: Iterable[tuple[int, str]]) -> Piece:
    start, end = around
    own = tuple(each for each in source.declarations if start <= each.start < end)
    line = source.line_of(own[0]) if own else source.line_at(start)
    names = frozenset(name for position, name in titled if start <= position < end)
    return Piece(source.path, start, end, own, names, line)


def _with_comments(source: SourceFile) -> list[tuple[int, int]]:
    """The statements as ranges of whole lines, each with the lines of comments right above it; those of a line are
    one."""
    text, mask = source.text, source.mask
    found: list[tuple[int, int]] = []
    for start, end in pairs(source.statements):
        former = found[-1][1] if found else 0
        first, last = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end) + 1 or len(text)
        if first < former:
            found[-1] = found[-1][0], max(last, former)
            continue
        while first > former:
            above = text.rfind(b"\n", 0, first - 1) + 1
            if not text[above:first].strip() or mask[above:first].strip():
                break
            first = above
        found.append((first, last))
    return found
