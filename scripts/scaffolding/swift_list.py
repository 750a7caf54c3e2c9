"""Reads and edits the array literals in which the manifest and the composition list modules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from scaffolding.failures import RefusedError

_CLOSING = {"(": ")", "[": "]", "{": "}"}
# A comment, a string of one line without interpolated strings, or any other character.
_TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|.', re.DOTALL)


@dataclass(frozen=True)
class Entry:
    """An entry without its comma. `start` and `end` are those of its lines, line end included."""

    text: str
    start: int
    end: int


@dataclass(frozen=True)
class SwiftList:
    """An array literal whose entries stand on lines of their own, each with a comma behind it."""

    source: str
    # Just behind the line of the opening bracket.
    start: int
    entries: tuple[Entry, ...]

    def inserting(self, text: str, at: int) -> str:
        """The source with one more entry, which becomes the entry of an index.

        It stands directly behind the one before, so that a comment above the next one stays with that.
        """
        position = self.entries[at - 1].end if at > 0 else self.start
        following = self.entries[0].start if self.entries else self.start
        indentation = re.match(r"[ \t]*", self.source[following:])
        margin = indentation[0] if indentation else ""
        return f"{self.source[:position]}{margin}{text},\n{self.source[position:]}"

    def removing(self, entry: Entry) -> str:
        """The source without an entry."""
        return self.source[: entry.start] + self.source[entry.end :]


def read_list(source: str, opening: re.Pattern[str], what: str) -> SwiftList:
    """Reads the only list that begins where a pattern ends, which is just behind the opening bracket.

    Raises `RefusedError` where there is none, or several, or one that is laid out in another way.
    """
    found = list(opening.finditer(source))
    if len(found) != 1:
        raise RefusedError(f"{what} has {'several lists' if found else 'no list'} of modules that can be read.")
    begin = found[0].end()
    line_end = source.find("\n", begin)
    if source[begin:line_end].strip() or line_end < 0:
        raise RefusedError(
            f"{_place(what, source, begin)}: the first entry of the list must stand on a line of its own."
        )
    entries = tuple(_entries(source, line_end + 1, what))
    return SwiftList(source, line_end + 1, entries)


def _entries(source: str, start: int, what: str) -> Iterator[Entry]:
    begin: int | None = None
    code = ""
    open_brackets: list[str] = []
    for token in _TOKEN.finditer(source, start):
        text = token[0]
        if not open_brackets and text == "]":
            if begin is not None:
                raise RefusedError(f"{_place(what, source, begin)}: put a comma behind the last entry of the list.")
            return
        if not open_brackets and text == ",":
            if begin is None:
                break
            yield _entry(source, begin, token.end(), code, what)
            begin, code = None, ""
            continue
        if text.startswith(("//", "/*")):
            continue
        is_wrong_bracket = text in (")", "]", "}") and (not open_brackets or open_brackets.pop() != text)
        if is_wrong_bracket or text in ('"', "#"):
            raise RefusedError(f"{_place(what, source, token.start())}: this cannot be read as a list of entries.")
        if text in _CLOSING:
            open_brackets.append(_CLOSING[text])
        if begin is None and not text.isspace():
            begin = token.start()
        if begin is not None:
            code += text
    raise RefusedError(f"{_place(what, source, start)}: the list that begins here cannot be read to its end.")


def _entry(source: str, begin: int, end: int, code: str, what: str) -> Entry:
    line_start = source.rfind("\n", 0, begin) + 1
    line_end = source.find("\n", end) + 1
    # A comment behind the entry belongs to it.
    rest = source[end:line_end].strip()
    if source[line_start:begin].strip() or line_end == 0 or (rest and not rest.startswith("//")):
        raise RefusedError(f"{_place(what, source, begin)}: each entry of the list must stand on lines of its own.")
    return Entry(code.strip(), line_start, line_end)


def place_among(keys: list[str], key: str, what: str) -> int:
    """The index at which a key keeps keys in alphabetical order, upper and lower case alike.

    Raises `RefusedError` where they are not in that order now.
    """
    for earlier, later in pairwise(keys):
        if later.casefold() < earlier.casefold():
            raise RefusedError(f"{what} is not alphabetical: '{later}' stands behind '{earlier}'. Sort it first.")
    return len([each for each in keys if each.casefold() < key.casefold()])


def _place(what: str, source: str, position: int) -> str:
    return f"{what}:{source.count(chr(10), 0, position) + 1}"
