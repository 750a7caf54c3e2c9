"""The pieces of a source: what can be moved to another file, each with the comments above it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.swiftpm.outlines import declarations
from swiftmodules.swiftpm.reader import Declaration, SourceFile, blanked

_MAIN = "main.swift"
_END = re.compile(rb"#endif\b")
_LINES = re.compile(rb"\S[^\n]*(?:\n(?!\s*\n)[^\n]*\S[^\n]*)*")


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
    if source.path.name == _MAIN:
        ranges = [(0, len(source.text))]
    else:
        imports = [(each.start, each.end) for each in source.imports]
        whole = [each for each in conditionals(source) if not _holds_imports_only(source, each, imports)]
        spans = _merged([*((each.start, each.end) for each in source.declarations), *whole])
        headers = [*imports, *(each for each in conditionals(source) if each not in whole)]
        rest = blanked(source.mask, _merged([*spans, *headers]))
        spans = _merged([*spans, *(match.span() for match in _LINES.finditer(rest))])
        ranges = list(_with_comments(source, spans))
    titled = [(each.start, name) for name, each, _ in declarations(source)]
    return [_piece(source, each, titled) for each in ranges]


def _piece(source: SourceFile, around: tuple[int, int], titled: Iterable[tuple[int, str]]) -> Piece:
    start, end = around
    own = tuple(each for each in source.declarations if start <= each.start < end)
    line = source.line_of(own[0]) if own else source.line_at(start)
    names = frozenset(name for position, name in titled if start <= position < end)
    return Piece(source.path, start, end, own, names, line)


def conditionals(source: SourceFile) -> list[tuple[int, int]]:
    """The ranges of each outermost `#if` up to its `#endif`."""
    found: list[tuple[int, int]] = []
    for clause in sorted(source.clauses, key=lambda each: (each.start, -each.end)):
        if found and clause.start < found[-1][1]:
            continue
        if source.mask.startswith(b"#else", clause.start) and found:
            found[-1] = found[-1][0], clause.end
        else:
            found.append((clause.start, clause.end))
    ends = ((start, _END.search(source.mask, max(start, end - len(b"#endif")))) for start, end in found)
    return [(start, match.end()) for start, match in ends if match]


def _holds_imports_only(source: SourceFile, around: tuple[int, int], imports: Iterable[tuple[int, int]]) -> bool:
    start, end = around
    rest = blanked(source.mask, imports)[start:end]
    return not re.sub(rb"(?m)^\s*#(if|elseif|else|endif)\b.*$", b"", rest).strip()


def _merged(ranges: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
    """Ranges in their order, where those that overlap are one."""
    found: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if found and start < found[-1][1]:
            found[-1] = found[-1][0], max(end, found[-1][1])
        else:
            found.append((start, end))
    return found


def _with_comments(source: SourceFile, ranges: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    """Ranges of whole lines, each with the lines of comments right above it; those of a line are one."""
    text, mask, former = source.text, source.mask, 0
    widened: list[tuple[int, int]] = []
    for start, end in ranges:
        first = text.rfind(b"\n", 0, start) + 1
        while first > former:
            above = text.rfind(b"\n", 0, first - 1) + 1
            if not text[above:first].strip() or mask[above:first].strip():
                break
            first = above
        last = text.find(b"\n", end) + 1 or len(text)
        widened.append((first, last))
        former = last
    yield from _merged(widened)
