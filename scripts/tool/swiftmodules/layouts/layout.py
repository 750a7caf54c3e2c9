"""A package of the same code, grouped into targets in one way: its files, and the edits that are made in them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

from swiftmodules.steps.placement import Placement, Replacement, rewrite
from swiftmodules.swiftpm.package import MANIFEST, Package
from swiftmodules.swiftpm.reader import SourceFile
from swiftmodules.swiftpm.target import Target


@dataclass(frozen=True)
class GeneratedFile:
    """A file of a layout: the original with its imports rewritten."""

    path: Path
    original: SourceFile
    replacements: tuple[Replacement, ...] = ()

    def content(self, edits: Iterable[Replacement] = ()) -> bytes:
        """The file's bytes, with edits whose positions refer to the original file."""
        return rewrite(self.original.text, [*self.replacements, *edits])


@dataclass(frozen=True)
class Layout:
    """A package as it is built, at one state of its sources. `files` are its Swift files by the path of the original,
    `package` has its targets, and `groups` names the layout's target for each target of the original."""

    name: str
    # None where the package is a copy with a manifest of its own.
    manifest: str | None
    files: Mapping[Path, GeneratedFile]
    package: Package
    groups: Mapping[str, str] = field(default_factory=dict)
    # Where the package is in the folder that is written, and what is copied into that folder.
    place: Path = Path()
    copies: Mapping[Path, Path] = field(default_factory=dict)
    # The file of the edit that is in force, as it is written.
    edited: Mapping[Path, bytes] = field(default_factory=dict)

    @property
    def program(self) -> str | None:
        """The only executable, where there is one."""
        found = self.package.application
        return found.name if found else None

    def rebuilt(self, changed: Iterable[str]) -> list[Target]:
        """What a cache by source rebuilds where these targets of the original have changed: their targets here, and
        all that depend on them."""
        names = (self.groups.get(each, each) for each in changed)
        return self.package.above(name for name in names if self.package.target(name))

    @cached_property
    def contents(self) -> Mapping[Path, bytes | Path]:
        """The files by their paths in the folder that is written: their bytes, or the file that is copied."""
        found: dict[Path, bytes | Path] = dict(self.copies)
        if self.manifest is not None:
            found[self.place / MANIFEST] = self.manifest.encode()
            found |= {self.place / file.path: file.content() for file in self.files.values()}
        return found | {self.place / path: content for path, content in self.edited.items()}

    @cached_property
    def originals(self) -> Mapping[Path, Path]:
        """The original path of each Swift file, relative to the package as it is written."""
        copied = [Path(os.path.relpath(path, self.place)) for path in self.copies if path.suffix == ".swift"]
        return {path: path for path in copied} | {file.path: original for original, file in self.files.items()}

    def with_edit(self, placement: Placement, number: int) -> Layout:
        """The package with an edit, in which a number stands."""
        file = self.files[placement.file]
        text = file.content(each.numbered(number) for each in placement.insertions)
        made = replace(self, edited={file.path: text})
        # The other contents are those of this layout.
        made.__dict__["contents"] = {**self.contents, self.place / file.path: text}
        return made
