"""A private copy of a package together with the local packages that it needs, so that relative paths still hold."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from buildspeed.failures import MeasurementError
from buildspeed.package_graph import read_manifest
from buildspeed.private_copy import copy_package
from buildspeed.toolchain import Toolchain


@dataclass(frozen=True)
class PackageCopy:
    """Copies of packages below `root`, each at its own path: that of `/home/me/Shop` is `root/home/me/Shop`."""

    root: Path
    package: Path
    others: tuple[Path, ...]

    @property
    def folder(self) -> Path:
        """The copy of the package."""
        return self.copy_of(self.package)

    @property
    def place(self) -> Path:
        """Where the package is, relative to the innermost folder that holds all of them."""
        return self.package.relative_to(self._common)

    def copy_of(self, original: Path) -> Path:
        return self.root / original.relative_to("/")

    def original_names(self, message: str) -> str:
        """A message with the paths of the originals."""
        return message.replace(str(self.root), "")

    def files(self, only_others: bool = False) -> dict[Path, Path]:
        """The files of all copies, by their paths relative to the innermost folder that holds all of them."""
        found = {}
        packages = self.others if only_others else (self.package, *self.others)
        for package in sorted(packages):
            for file in files_below(self.copy_of(package)):
                original = Path("/") / file.relative_to(self.root)
                if not only_others or self._is_of_another(original):
                    found[original.relative_to(self._common)] = file
        return found

    def _is_of_another(self, file: Path) -> bool:
        """Whether a file belongs to the package only as part of another one inside of it, or not at all."""
        inner = [each for each in self.others if each != self.package and each.is_relative_to(self.package)]
        return not file.is_relative_to(self.package) or any(file.is_relative_to(each) for each in inner)

    @property
    def _common(self) -> Path:
        # Each keeps its folder's name, which SwiftPM knows it by.
        return Path(os.path.commonpath([each.parent for each in (self.package, *self.others)]))


def copy_with_local_packages(package: Path, root: Path, toolchain: Toolchain, scratch: Path) -> PackageCopy:
    """Copies a package and the local packages that it and they depend on.

    Those that a manifest names by an absolute path stay where they are: SwiftPM only reads them.
    """
    copied: list[Path] = []
    waiting = [package]
    while waiting:
        next_package = waiting.pop()
        copied.append(next_package)
        copy = PackageCopy(root, next_package, ())
        try:
            copy_package(next_package, copy.folder)
            dump = read_manifest(copy.folder, toolchain, scratch)
        except MeasurementError as error:
            need = "" if next_package == package else f"{package} needs a local package that cannot be used: "
            raise MeasurementError(need + copy.original_names(str(error))) from error
        for path, is_repository in _local_paths(dump):
            if not path.is_relative_to(root):
                continue
            original = Path("/") / path.relative_to(root)
            if is_repository:
                # SwiftPM makes a clone of it.
                _link(path, original)
            elif original not in (*copied, *waiting):
                waiting.append(original)
    return PackageCopy(root, package, tuple(copied[1:]))


def _local_paths(dump: dict[str, Any]) -> Iterator[tuple[Path, bool]]:
    """The folders that a manifest depends on, and whether each is a repository from which a version is taken."""
    for dependency in dump["dependencies"]:
        for each in dependency.get("fileSystem", ()):
            yield Path(each["path"]), False
        for each in dependency.get("sourceControl", ()):
            for path in each["location"].get("local", ()):
                yield Path(path), True


def _link(path: Path, original: Path) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    if not path.exists():
        path.symlink_to(original)


def files_below(folder: Path) -> Iterator[Path]:
    """The files and links below a folder."""
    for parent, folders, files in os.walk(folder):
        links = [name for name in folders if (Path(parent) / name).is_symlink()]
        for name in sorted([*files, *links]):
            yield Path(parent) / name
