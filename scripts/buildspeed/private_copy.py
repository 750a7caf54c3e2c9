"""Copies a package to a private folder, so that the measured one is only ever read."""

from __future__ import annotations

import os
import shutil
import stat
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError

_LEFT_OUT = {".git", ".build", ".swiftpm"}


@dataclass(frozen=True)
class Revision:
    """The commit that was measured, and whether the files differ from it. Both are None outside of git."""

    commit: str | None
    has_changes: bool | None


def copy_package(package: Path, destination: Path) -> None:
    """Copies the files that git tracks or would track, or every file where git does not know the package.

    The copy refers to nothing of the package: where a link leads out of it, what it leads to is copied.
    """
    if not (package / "Package.swift").is_file():
        raise MeasurementError(f"{package} is no Swift package: it has no Package.swift.")
    _copy_files(package, package_files(package), destination)


def package_files(package: Path) -> list[Path]:
    """The files that git tracks or would track, those of submodules too, or every file where git does not know the
    package."""
    found = _git_files(package)
    # A package in an ignored folder of another checkout is not what git describes.
    return found if found and Path("Package.swift") in found else _all_files(package)


def revision(package: Path) -> Revision:
    """The revision of a package that is a git checkout."""
    commit = _git(package, "rev-parse", "HEAD")
    status = _git(package, "status", "--porcelain", "--", ".")
    if commit is None or status is None:
        return Revision(None, None)
    return Revision(commit.strip(), bool(status.strip()))


def _git_files(folder: Path) -> list[Path] | None:
    output = _git(folder, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    if output is None:
        return None
    paths: list[Path] = []
    for name in dict.fromkeys(output.split("\0")):
        path = Path(name)
        if not name or ".build" in path.parts:
            continue
        # Git names a submodule, or another checkout inside, and not its files.
        if (folder / path).is_dir() and not (folder / path).is_symlink():
            inner = _git_files(folder / path) if (folder / path / ".git").exists() else None
            paths += [path / each for each in inner or ()]
        else:
            paths.append(path)
    return paths


def _all_files(package: Path) -> list[Path]:
    paths: list[Path] = []
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        links = [name for name in folders if (Path(folder) / name).is_symlink()]
        paths += [(Path(folder) / name).relative_to(package) for name in sorted([*files, *links])]
    return paths


def _copy_files(folder: Path, paths: Iterable[Path], destination: Path) -> None:
    for path in paths:
        source, target = folder / path, destination / path
        if source.is_symlink() and not _stays_inside(source, folder):
            source = source.resolve()
            if folder.is_relative_to(source):
                # It would hold itself.
                continue
            if source.is_dir():
                _copy_files(source, _all_files(source), target)
                continue
        # A tracked file may be deleted.
        if source.is_symlink() or source.is_file():
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)
            if not target.is_symlink():
                # Edits are made in the copy, also where the package is write-protected.
                target.chmod(target.stat().st_mode | stat.S_IWUSR)


def _stays_inside(link: Path, folder: Path) -> bool:
    return not link.readlink().is_absolute() and link.resolve().is_relative_to(folder.resolve())


def _git(package: Path, *arguments: str) -> str | None:
    """What git says, or None where there is no git or no checkout. Takes no locks: the checkout is only read."""
    command = ["git", "--no-optional-locks", "-C", str(package), *arguments]
    try:
        result = subprocess.run(command, capture_output=True)
    except FileNotFoundError:
        return None
    return os.fsdecode(result.stdout) if result.returncode == 0 else None
