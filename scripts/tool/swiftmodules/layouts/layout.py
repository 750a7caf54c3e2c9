"""A package of the same code, grouped into targets in one way: its files, and the edits that are made in them."""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from swiftmodules.edits.placement import Placement, Replacement, numbered, rewrite
from swiftmodules.swiftpm.package import MANIFEST
from swiftmodules.swiftpm.reader import SourceFile


@dataclass(frozen=True)
class GeneratedFile:
    """A file of a layout: the original with its imports rewritten. `target` is the one that it is part of."""

    path: Path
    original: SourceFile
    target: str
    replacements: tuple[Replacement, ...] = ()

    def content(self, edits: Iterable[Replacement] = ()) -> bytes:
        """The file's bytes, with edits whose positions refer to the original file."""
        return rewrite(self.original.text, [*self.replacements, *edits])


@dataclass(frozen=True)
class MadeEdit:
    """An edit that is in force. `undo` takes it back; `originals` names files that the layout does not have."""

    undo: Callable[[], object]
    originals: Mapping[Path, Path] = field(default_factory=dict)


@dataclass(frozen=True)
class Layout:
    """A package as it is built. `files` are its Swift files by the path of the original, `dependencies` the targets
    that each target names, and `program` is the only executable, where there is one."""

    name: str
    # None where the package is a copy with a manifest of its own.
    manifest: str | None
    files: Mapping[Path, GeneratedFile]
    has_tests: bool = False
    dependencies: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    program: str | None = None
    # Where the package is in the folder that is written, and what is copied into that folder.
    place: Path = Path()
    copies: Mapping[Path, Path] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Writes the package, and what it needs beside it, into an empty folder."""
        package = folder / self.place
        package.mkdir(parents=True)
        for path, source in self.copies.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, folder / path, follow_symlinks=False)
        if self.manifest is None:
            return
        contents = {Path(MANIFEST): self.manifest.encode()}
        contents |= {file.path: file.content() for file in self.files.values()}
        for path, content in contents.items():
            (package / path).parent.mkdir(parents=True, exist_ok=True)
            (package / path).write_bytes(content)

    def originals(self) -> dict[Path, Path]:
        """The original path of each Swift file, relative to the package as it is written."""
        copied = [Path(os.path.relpath(path, self.place)) for path in self.copies if path.suffix == ".swift"]
        return {path: path for path in copied} | {file.path: original for original, file in self.files.items()}

    def apply(self, package: Path, placement: Placement, number: int) -> MadeEdit:
        """Makes an edit in the package as it was written to a folder, with a number that stands in what it adds."""
        file = self.files[placement.file] if placement.file else None
        path = package / (file.path if file else MANIFEST)
        if placement.insertions and file:
            path.write_bytes(file.content(each.numbered(number) for each in placement.insertions))
            return MadeEdit(lambda: path.write_bytes(file.content()))
        if placement.added is not None:
            new = path.with_name(f"Edit{number}.swift")
            with new.open("xb") as output:
                output.write(numbered(placement.added, number))
            shown = placement.compiled(after_undoing=False)
            return MadeEdit(new.unlink, {new.relative_to(package): shown} if shown else {})
        before = path.stat()
        os.utime(path)
        return MadeEdit(lambda: os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns)))


def digest(layouts: Iterable[Layout]) -> str:
    """A digest (SHA-256) of all files that the builds of these layouts read."""
    found = hashlib.sha256()
    for layout in layouts:
        files = {file.path.as_posix(): file.content() for file in layout.files.values()}
        for path, source in layout.copies.items():
            files[path.as_posix()] = os.fsencode(source.readlink()) if source.is_symlink() else source.read_bytes()
        if layout.manifest is not None:
            files[MANIFEST] = layout.manifest.encode()
        for name, content in sorted(files.items()):
            # With the lengths, so that no two sets of files have the same bytes.
            found.update(f"{layout.name} {name} {len(content)}\n".encode() + content)
    return found.hexdigest()
