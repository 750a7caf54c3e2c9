"""An edit with its place: what is inserted, added or touched, and where. Layouts apply it to their files."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.errors import ToolError

# Stands for a new file in the lists of compiled files, as its name differs each time.
NEW_FILE = "NewFile.swift"


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


class NoPlaceError(ToolError):
    """A module, or a package, has nothing that the edit could change; the message says what is missing."""


@dataclass(frozen=True)
class Insertion:
    """Text at a position of the original file; `{n}` in it becomes a number."""

    offset: int
    text: str

    def numbered(self, number: int) -> Replacement:
        return Replacement(self.offset, self.offset, numbered(self.text, number))


@dataclass(frozen=True)
class ChangedDeclaration:
    """A declaration that is there before an edit and means something else after it.

    `line` is that of its name, from 1. `has_members` is whether users of its members depend on it too, as they do
    where the layout of a type in memory changes, or the requirements of a protocol.
    """

    file: Path
    line: int
    name: str
    has_members: bool


@dataclass(frozen=True)
class Placement:
    """The place of an edit, in words (`description`) and in fact.

    `file` is the original path of the file that gets `insertions`; where there are none, the file beside which one
    with the text `added` is made, or else a file that gets another modification time: `Package.swift` where there is
    no file either. An edit that only adds declarations, or leaves all as they are, has no `declaration`.
    """

    edit: str
    module: str | None
    description: str
    file: Path | None
    insertions: tuple[Insertion, ...] = ()
    added: str | None = None
    declaration: ChangedDeclaration | None = None

    @property
    def rewritten(self) -> Path | None:
        """The original path of the file whose text is another, if there is one."""
        return self.file if self.insertions else self._shown

    def compiled(self, after_undoing: bool) -> Path | None:
        """The original path of a file that the next build compiles in any case, if there is one."""
        if self.added is None:
            return self.file
        return None if after_undoing else self._shown

    @property
    def _shown(self) -> Path | None:
        return self.file.with_name(NEW_FILE) if self.file and self.added is not None else None


def numbered(text: str, number: int) -> bytes:
    """The text of an edit with its number."""
    return text.replace("{n}", str(number)).encode()
