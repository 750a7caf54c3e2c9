"""Swift code as text, where the compiler's parser reports nothing: comments, literals, conditions and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass

_COMMENT_OR_LITERAL = re.compile(rb'//[^\n]*|/\*|(?P<hashes>#*)(?P<quotes>"""|")')
_COMMENT_EDGE = re.compile(rb"/\*|\*/")
_PARENTHESIS = re.compile(rb"[()]")
_NOT_NEWLINE = re.compile(rb"[^\n]")
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif|error|warning)\b(?:[^\n]*(?:&&|\|\|)[ \t]*\n)*[^\n]*", re.M)
_CLAUSE = re.compile(rb"^[ \t]*#(?P<word>if|elseif|else|endif)\b(?P<condition>[^\n]*)", re.M)
_BEGIN_OR_END = re.compile(rb"^[ \t]*#(?P<word>if|endif)\b", re.M)

Ranges = tuple[tuple[int, int], ...]


class Lines:
    """The lines of a text, counted from 1."""

    def __init__(self, text: bytes) -> None:
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", text))]

    def at(self, position: int) -> int:
        return bisect_right(self._starts, position)

    def start(self, line: int) -> int:
        return self._starts[line - 1]


@dataclass(frozen=True)
class Replacement:
    """Replaces the bytes from `start` up to `end`; an insertion where they are equal."""

    start: int
    end: int
    text: bytes


def rewrite(text: bytes, replacements: Iterable[Replacement]) -> bytes:
    """The text with all replacements made. Positions refer to the original text; ranges must not overlap."""
    parts = []
    position = 0
    for replacement in sorted(replacements, key=lambda each: (each.start, each.end)):
        if replacement.start < position:
            raise ValueError(f"replacements overlap at byte {replacement.start}")
        parts += [text[position : replacement.start], replacement.text]
        position = replacement.end
    return b"".join([*parts, text[position:]])


def masked(text: bytes) -> bytes:
    """The text with spaces for comments and for the insides of string literals; every position stays.

    Code that is interpolated into a literal is code. A quote in a regular expression masks the rest of its line.
    """
    return blanked(text, hidden_ranges(text))


def hidden_ranges(text: bytes) -> Ranges:
    """The comments and the insides of string literals, in their order."""
    hidden: list[tuple[int, int]] = []
    _read_code(text, 0, hidden, ends_with_parenthesis=False)
    return tuple(hidden)


def blanked(text: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """The text with spaces in the ranges, but for line breaks."""
    pieces = []
    position = 0
    for start, end in ranges:
        pieces += [text[position:start], _NOT_NEWLINE.sub(b" ", text[start:end])]
        position = end
    return b"".join([*pieces, text[position:]])


def without_conditions(text: bytes, mask: bytes) -> bytes:
    """The text with spaces for the lines `#if`, `#elseif`, `#else` and `#endif`, so that a parser reads the code of
    all branches. `#error` and `#warning`, which are meant for one branch, go too."""
    return blanked(text, (match.span() for match in _DIRECTIVE.finditer(mask)))


def conditional_ranges(mask: bytes) -> Ranges:
    """From where to where the outermost `#if … #endif` reach."""
    ranges = []
    depth, start = 0, 0
    for match in _BEGIN_OR_END.finditer(mask):
        if match["word"] == b"if":
            start = match.start() if depth == 0 else start
            depth += 1
        elif depth > 0:
            depth -= 1
            if depth == 0:
                ranges.append((start, match.end()))
    return tuple(ranges)


def conditions_at(mask: bytes, position: int) -> list[str]:
    """The conditions of the clauses that a position stands in, outermost first; that of `#else` is empty."""
    clauses: list[str] = []
    for match in _CLAUSE.finditer(mask, 0, position):
        word = match["word"].decode()
        if word != "if" and clauses:
            clauses.pop()
        if word != "endif":
            clauses.append(match["condition"].decode(errors="replace").strip())
    return clauses


def _read_code(text: bytes, position: int, hidden: list[tuple[int, int]], ends_with_parenthesis: bool) -> int:
    """Notes what is to be hidden, up to the end of the text or the parenthesis that ends an interpolation."""
    depth = 0
    while True:
        found = _COMMENT_OR_LITERAL.search(text, position)
        if ends_with_parenthesis:
            parenthesis = _PARENTHESIS.search(text, position)
            if parenthesis and (not found or parenthesis.start() < found.start()):
                depth += 1 if parenthesis[0] == b"(" else -1
                position = parenthesis.end()
                if depth < 0:
                    return position
                continue
        if not found:
            return len(text)
        if found["quotes"]:
            position = _read_literal(text, found, hidden)
            continue
        position = found.end() if found[0] != b"/*" else _end_of_comment(text, found.end())
        hidden.append((found.start(), position))


def _end_of_comment(text: bytes, position: int) -> int:
    depth = 1
    for edge in _COMMENT_EDGE.finditer(text, position):
        depth += 1 if edge[0] == b"/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def _read_literal(text: bytes, begin: re.Match[bytes], hidden: list[tuple[int, int]]) -> int:
    """Reads a string literal, whose quotes and escapes carry as many `#` as it began with."""
    hashes, quotes = begin["hashes"], begin["quotes"]
    ends = re.escape(quotes + hashes) + (b"" if len(quotes) == 3 else rb"|\n")
    # Without `#`, a backslash escapes the character behind it; with `#`, one without them is a character.
    step = re.compile(rb"(?P<escape>\\%b(?P<escaped>[\s\S]))|(?P<end>%b)" % (hashes, ends))
    start = position = begin.end()
    while found := step.search(text, position):
        if found["end"] is not None:
            hidden.append((start, found.start()))
            return found.end()
        position = found.end()
        if found["escaped"] == b"(":
            hidden.append((start, found.start("escaped")))
            start = position = _read_code(text, position, hidden, ends_with_parenthesis=True)
    hidden.append((start, len(text)))
    return len(text)
