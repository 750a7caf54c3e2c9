"""Copies a package to a private folder, so that the measured one is only ever read."""

from __future__ import annotations

import os
import shutil
import stat
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.errors import ToolError
from swiftmodules.observed import Revision
from swiftmodules.swiftpm.description import dump_manifest, package_folder
from swiftmodules.swiftpm.facts import local_paths
from swiftmodules.swiftpm.git import git_output
from swiftmodules.swiftpm.package import BUILDS, LEFT_OUT, MANIFEST
from swiftmodules.swiftpm.toolchain import Toolchain


@dataclass(frozen=True)
class PackageCopy:
    """A private copy of a package together with the local packages that it needs, so that relative paths still hold.

    Copies are below `root`, each at its own path: that of `/home/me/Shop` is `root/home/me/Shop`."""

    root: Path
    package: Path
    others: tuple[Path, ...]

    @property
    def folder(self) -> Path:
        return self.copy_of(self.package)

    @property
    def place(self) -> Path:
        """The place of the package, relative to the innermost folder that holds all of them."""
        return self.package.relative_to(self._common)

    def copy_of(self, original: Path) -> Path:
        return self.root / original.relative_to("/")

    def original_names(self, message: str) -> str:
        return message.replace(str(self.root), "")

    def files(self, only_others: bool = False) -> dict[Path, Path]:
        """The files of all copies, by their paths relative to the innermost folder that holds all of them."""
        found = {}
        packages = (self.package, *self.others)
        for original in (Path("/") / file for each in packages for file in files_below(self.copy_of(each), self.root)):
            # A package may be inside another one.
            owner = max(filter(original.is_relative_to, packages), key=lambda each: len(each.parts))
            if not only_others or owner != self.package:
                found[original.relative_to(self._common)] = self.copy_of(original)
        return found

    @property
    def _common(self) -> Path:
        # Each keeps its folder's name, which SwiftPM knows it by.
        return Path(os.path.commonpath([each.parent for each in (self.package, *self.others)]))


def copy_with_local_packages(package: Path, root: Path, toolchain: Toolchain) -> PackageCopy:
    """Copies a package and the local packages that it and they depend on.

    Those that a manifest names by an absolute path stay where they are: SwiftPM only reads them.
    """

    def copied(next_package: Path) -> Iterator[Path]:
        """Copies a package, and yields the local packages that it depends on."""
        copy = PackageCopy(root, next_package, ())
        try:
            copy_package(next_package, copy.folder)
            dump = dump_manifest(copy.folder, toolchain)
        except ToolError as error:
            need = "" if next_package == package else f"{package} needs a local package that cannot be used: "
            raise ToolError(need + copy.original_names(str(error))) from error
        for dependency in dump["dependencies"]:
            sources = (each["location"] for each in dependency.get("sourceControl", ()))
            for path in (Path(name) for location in sources for name in location.get("local", ())):
                if path.is_relative_to(root) and not path.exists():
                    # SwiftPM makes a clone of a repository on this machine.
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.symlink_to(Path("/") / path.relative_to(root))
            yield from (
                Path("/") / each.relative_to(root) for each in local_paths(dependency) if each.is_relative_to(root)
            )

    return PackageCopy(root, package, tuple(reached([package], copied))[1:])


def copy_package(package: Path, destination: Path) -> None:
    """Copies the files that git tracks or would track, or every file where git does not know the package.

    The copy refers to nothing of the package: where a link leads out of it, what it leads to is copied.
    """
    package_folder(package)
    _copy_files(package, package_files(package), destination)


def package_files(package: Path) -> list[Path]:
    """The files that git tracks or would track, those of submodules too, or every file where git does not know the
    package."""
    found = _git_files(package)
    # A package in an ignored folder of another checkout is not what git describes.
    return found if found and Path(MANIFEST) in found else files_below(package, package, LEFT_OUT)


def revision(package: Path) -> Revision:
    commit = git_output(package, "rev-parse", "HEAD")
    status = git_output(package, "status", "--porcelain", "--", ".")
    if commit is None or status is None:
        return Revision()
    return Revision(commit.strip(), bool(status.strip()))


def _git_files(folder: Path) -> list[Path] | None:
    output = git_output(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    if output is None:
        return None
    paths: list[Path] = []
    for path in dict.fromkeys(Path(name) for name in output.split("\0") if name):
        if BUILDS in path.parts:
            continue
        # Git names a submodule, or another checkout inside, and not its files.
        if (folder / path).is_dir() and not (folder / path).is_symlink():
            inner = _git_files(folder / path) if (folder / path / ".git").exists() else None
            paths += [path / each for each in inner or ()]
        else:
            paths.append(path)
    return paths


def _copy_files(folder: Path, paths: Iterable[Path], destination: Path) -> None:
    for path in paths:
        source, target = folder / path, destination / path
        if _leads_out(source, folder):
            source = source.resolve()
            if folder.is_relative_to(source):
                # It would hold itself.
                continue
            if source.is_dir():
                _copy_files(source, files_below(source, source, LEFT_OUT), target)
                continue
        # A tracked file may be deleted.
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
            if not target.is_symlink():
                # Edits are made in the copy, also where the package is write-protected.
                target.chmod(target.stat().st_mode | stat.S_IWUSR)


def _leads_out(path: Path, folder: Path) -> bool:
    """Whether a path is a link to something outside of a folder, or to an absolute path."""
    try:
        target = path.resolve()
    except RuntimeError:
        # A loop of links leads to nothing.
        return False
    return path.is_symlink() and (path.readlink().is_absolute() or not target.is_relative_to(folder.resolve()))


def files_below(folder: Path, relative_to: Path, without: Collection[str] = ()) -> list[Path]:
    """The files and links below a folder, but for those in folders of some names."""
    found = []
    for parent, folders, files in os.walk(folder):
        folders[:] = sorted(set(folders).difference(without))
        links = [name for name in folders if Path(parent, name).is_symlink()]
        found += [Path(parent, name).relative_to(relative_to) for name in sorted([*files, *links])]
    return found
