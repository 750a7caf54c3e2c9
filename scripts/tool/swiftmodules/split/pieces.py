"""The pieces of a source: what can be moved to another file, each with the comments above it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swiftmodules.split.declarations import Declarations, Node
from swiftmodules.swiftpm.reader import Declaration, SourceFile, pairs

_MAIN = "main.swift"


@dataclass(frozen=True, eq=False)
class Piece:
    """A range of a file: a top-level declaration, a whole `#if`, or other code such as an operator's declaration."""

    file: Path
    start: int
    end: int
    line: int
    # All declarations in it.
    nodes: tuple[Node, ...]

    @cached_property
    def declarations(self) -> list[Declaration]:
        """Its declarations at the top level."""
        return [each.declaration for each in self.nodes if not each.around]

    @property
    def types(self) -> list[Declaration]:
        return [each for each in self.declarations if each.is_type]

    @property
    def title(self) -> str:
        """The name of its first type, or else of its first declaration."""
        titles = [each.title for each in self.nodes if not each.around]
        return next(iter([*(each.title for each in self.types), *titles]), f"{self.file.name}:{self.line}")

    @property
    def is_program(self) -> bool:
        """Whether a program begins in it, so that it stays in its target."""
        return self.file.name == _MAIN or any("main" in each.attributes for each in self.declarations)


def pieces_of(file: Path, declarations: Declarations) -> Iterator[Piece]:
    """The pieces of a file in their order. All of `main.swift` is one, as its statements run in order."""
    source, nodes = declarations.sources[file], declarations.of([file])
    for start, end in [(0, len(source.text))] if file.name == _MAIN else _with_comments(source):
        own = tuple(each for each in nodes if start <= each.declaration.start < end)
        yield Piece(file, start, end, own[0].line if own else source.line_at(start), own)


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
