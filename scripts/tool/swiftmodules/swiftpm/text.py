"""Swift code as text, where the compiler's parser reports nothing: comments, literals, conditions and lines."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import msgspec

_CODE = re.compile(rb'//[^\n]*|/\*|[()]|(?P<hashes>#*)(?P<quotes>"""|")')
_COMMENT_EDGE = re.compile(rb"/\*|\*/")
_BLANKS = bytes(byte if byte == ord("\n") else ord(" ") for byte in range(256))
_DIRECTIVE = re.compile(rb"^[ \t]*#(?:if|elseif|else|endif|error|warning)\b(?:[^\n]*(?:&&|\|\|)[ \t]*\n)*[^\n]*", re.M)
_CLAUSE = re.compile(rb"^[ \t]*#(?P<word>if|elseif|else|endif)\b(?P<condition>[^\n]*)", re.M)
# Attributes of declarations begin a line, or stand behind one another.
_TYPE_ATTRIBUTES = re.compile(rb"(?:[(\[<,:=&]|->)\s*(?P<attributes>(?:@\w+(?:\([^()\n]*\))?\s+)+)")

Ranges = tuple[tuple[int, int], ...]


class Lines:
    """The lines of a text, counted from 1."""

    def __init__(self, text: bytes) -> None:
        self._starts = [0, *(match.end() for match in re.finditer(rb"\n", with_line_feeds(text)))]

    def at(self, position: int) -> int:
        return bisect_right(self._starts, position)


class Source(msgspec.Struct, frozen=True, dict=True):
    """A file in the forms that its readers need; positions are the same in all of them. The path is relative to the
    package. `mask` has spaces for comments and the insides of string literals, and a line feed for each line;
    `conditions` are the ranges of the outermost `#if … #endif`."""

    path: Path
    text: bytes
    mask: bytes
    conditions: Ranges

    @staticmethod
    def of(path: Path, text: bytes) -> Source:
        """Finds the ranges of a file."""
        mask = masked(text)
        return Source(path, text, mask, conditional_ranges(mask))

    @cached_property
    def lines(self) -> Lines:
        return Lines(self.text)

    @cached_property
    def unconditional(self) -> bytes:
        """The text with spaces for conditions, so that the code of all branches is read."""
        return without_conditions(self.text, self.mask)


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


def with_line_feeds(text: bytes) -> bytes:
    """The text with a line feed where a carriage return alone ends a line, as on old Macs."""
    return re.sub(rb"\r(?!\n)", b"\n", text) if b"\r" in text else text


def masked(text: bytes) -> bytes:
    """The text with spaces for comments and for the insides of string literals; every position stays.

    Code that is interpolated into a literal is code. A quote in a regular expression masks the rest of its line.
    """
    text = with_line_feeds(text)
    return blanked(text, _hidden_ranges(text))


def _hidden_ranges(text: bytes) -> Ranges:
    """The comments and the insides of string literals, in their order."""
    hidden: list[tuple[int, int]] = []
    position = depth = 0
    # The literals around an interpolation, each with the parentheses that were open before it.
    around: list[tuple[re.Pattern[bytes], int]] = []
    while found := _CODE.search(text, position):
        position = found.end()
        literal = _inside(found["hashes"], found["quotes"]) if found["quotes"] else None
        if found[0] == b"(":
            depth += 1
        elif found[0] == b")":
            depth -= 1
            if around and depth < 0:
                literal, depth = around.pop()
        elif literal is None:
            position = _end_of_comment(text, position) if found[0] == b"/*" else position
            hidden.append((found.start(), position))
        if literal is not None:
            inside = literal.match(text, position)
            assert inside is not None
            if inside["stop"].endswith(b"("):
                hidden.append((position, inside.end() - 1))
                around.append((literal, depth))
                depth = 0
            else:
                hidden.append((position, inside.start("stop")))
            position = inside.end()
    return tuple(hidden)


def _inside(hashes: bytes, quotes: bytes) -> re.Pattern[bytes]:
    """A literal up to its end or an interpolation. Its quotes and escapes carry as many `#` as it began with."""
    end = re.escape(quotes + hashes) + (b"" if len(quotes) == 3 else rb"|\n")
    escape = rb"\\" + hashes
    # Most of a literal in one step: each step takes memory until the end is found.
    plain = rb'[^\\"]+' if len(quotes) == 3 else rb'[^\\"\n]+'
    other = rb"%b[^(]|(?!%b|%b\()[\s\S]" % (escape, end, escape)
    return re.compile(rb"(?:%b|%b)*(?P<stop>%b|%b\(|\Z)" % (plain, other, end, escape))


def _end_of_comment(text: bytes, position: int) -> int:
    depth = 1
    for edge in _COMMENT_EDGE.finditer(text, position):
        depth += 1 if edge[0] == b"/*" else -1
        if depth == 0:
            return edge.end()
    return len(text)


def blanked(text: bytes, ranges: Iterable[tuple[int, int]]) -> bytes:
    """The text with spaces in the ranges, but for line breaks."""
    pieces = []
    position = 0
    for start, end in ranges:
        pieces += [text[position:start], text[start:end].translate(_BLANKS)]
        position = end
    return b"".join([*pieces, text[position:]])


def without_conditions(text: bytes, mask: bytes) -> bytes:
    """The text with spaces for the lines `#if`, `#elseif`, `#else` and `#endif`, so that a parser reads the code of
    all branches. `#error` and `#warning`, which are meant for one branch, go too."""
    return blanked(text, (match.span() for match in _DIRECTIVE.finditer(mask)))


def without_type_attributes(text: bytes, mask: bytes) -> bytes:
    """The text with spaces for the attributes of types, such as `@escaping` and `@MainActor`."""
    return blanked(text, (match.span("attributes") for match in _TYPE_ATTRIBUTES.finditer(mask)))


def conditional_ranges(mask: bytes) -> Ranges:
    """The ranges of the outermost `#if … #endif`."""
    ranges = []
    depth, start = 0, 0
    for match in _CLAUSE.finditer(mask):
        if match["word"] == b"if":
            start = match.start() if depth == 0 else start
            depth += 1
        elif match["word"] == b"endif" and depth > 0:
            depth -= 1
            if depth == 0:
                ranges.append((start, match.end("word")))
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
