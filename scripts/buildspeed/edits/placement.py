"""An edit with its place, and what it does to a generated package."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from buildspeed.failures import MeasurementError
from buildspeed.layouts import Layout
from buildspeed.rewriting import Replacement

# Stands for a new file in the lists of compiled files, as its name differs each time.
NEW_FILE = "NewFile.swift"


class NoPlaceError(MeasurementError):
    """A module, or a package, has nothing that the edit could change; the message says what is missing."""


@dataclass(frozen=True)
class Insertion:
    """Text at a position of the original file; `{n}` in it becomes a number."""

    offset: int
    text: str

    def numbered(self, number: int) -> Replacement:
        return Replacement(self.offset, self.offset, self.text.replace("{n}", str(number)).encode())


@dataclass(frozen=True)
class Made:
    """An edit that is in force. `undo` takes it back; `originals` names files that the layout does not have."""

    undo: Callable[[], object]
    originals: Mapping[Path, Path] = field(default_factory=dict)


class Change(Protocol):
    """What an edit does to the files of a generated package."""

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        """Makes the edit, with a number that no edit before had, so that nothing can be served from an earlier
        build."""

    def compiled(self, after_undoing: bool) -> Path | None:
        """The original path of a file that the next build compiles in any case, if there is one."""

    @property
    def rewritten(self) -> Path | None:
        """The original path of the file whose text is another, if there is one."""


@dataclass(frozen=True)
class Insertions:
    """Adds text to a file."""

    file: Path
    parts: tuple[Insertion, ...]

    @property
    def rewritten(self) -> Path | None:
        return self.file

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        file = layout.files[self.file]
        path = folder / file.path
        path.write_bytes(file.content([part.numbered(number) for part in self.parts]))
        return Made(lambda: path.write_bytes(file.content()))

    def compiled(self, after_undoing: bool) -> Path | None:
        return self.file


@dataclass(frozen=True)
class FileTouch:
    """Sets the modification time of a file to now, and back."""

    file: Path

    @property
    def rewritten(self) -> Path | None:
        return None

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        return _touch(folder / layout.files[self.file].path)

    def compiled(self, after_undoing: bool) -> Path | None:
        return self.file


@dataclass(frozen=True)
class ManifestTouch:
    """Sets the modification time of the layout's `Package.swift` to now, and back."""

    @property
    def rewritten(self) -> Path | None:
        return None

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        return _touch(folder / "Package.swift")

    def compiled(self, after_undoing: bool) -> Path | None:
        return None


@dataclass(frozen=True)
class FileAddition:
    """Adds a file beside another one, and removes it."""

    beside: Path
    text: str

    @property
    def rewritten(self) -> Path | None:
        return self._shown

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        added = layout.files[self.beside].path.with_name(f"Edit{number}.swift")
        with (folder / added).open("xb") as file:
            file.write(self.text.replace("{n}", str(number)).encode())
        return Made((folder / added).unlink, {added: self._shown})

    def compiled(self, after_undoing: bool) -> Path | None:
        return None if after_undoing else self._shown

    @property
    def _shown(self) -> Path:
        return self.beside.with_name(NEW_FILE)


@dataclass(frozen=True)
class ChangedDeclaration:
    """A declaration that is there before an edit and means something else after it.

    `line` is that of its name, from 1. `has_members` tells whether users of its members depend on it as well, as they
    do where the layout of a type in memory changes, or the requirements of a protocol.
    """

    file: Path
    line: int
    name: str
    has_members: bool


@dataclass(frozen=True)
class Placement:
    """Where an edit goes, in words (`description`) and in fact (`change`). An edit that only adds declarations, or
    leaves all as they are, changes none."""

    edit: str
    module: str | None
    description: str
    change: Change
    declaration: ChangedDeclaration | None = None


def _touch(path: Path) -> Made:
    before = path.stat()
    os.utime(path)
    return Made(lambda: os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns)))
