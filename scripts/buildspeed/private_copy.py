"""Copies a package to a private folder, so that the measured one is only ever read."""

from __future__ import annotations

import os
import shutil
import subprocess
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
    """Copies the files that git tracks or would track, or every file where git does not know the package."""
    if not (package / "Package.swift").is_file():
        raise MeasurementError(f"{package} is no Swift package: it has no Package.swift.")
    for path in package_files(package):
        source = package / path
        # A tracked file may be deleted, and a submodule is a folder.
        if source.is_file() or source.is_symlink():
            target = destination / path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, target, follow_symlinks=False)


def package_files(package: Path) -> list[Path]:
    """The files that git tracks or would track, or every file where git does not know the package."""
    return _git_files(package) or _all_files(package)


def revision(package: Path) -> Revision:
    """The revision of a package that is a git checkout."""
    commit = _git(package, "rev-parse", "HEAD")
    status = _git(package, "status", "--porcelain", "--", ".")
    if commit is None or status is None:
        return Revision(None, None)
    return Revision(commit.strip(), bool(status.strip()))


def _git_files(package: Path) -> list[Path] | None:
    output = _git(package, "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", ".")
    if output is None:
        return None
    paths = [Path(name) for name in output.split("\0") if name]
    # A package in an ignored folder of another checkout is not what git describes.
    return paths if Path("Package.swift") in paths else None


def _all_files(package: Path) -> list[Path]:
    paths: list[Path] = []
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(set(folders) - _LEFT_OUT)
        paths += [(Path(folder) / name).relative_to(package) for name in sorted(files)]
    return paths


def _git(package: Path, *arguments: str) -> str | None:
    """What git says, or None where there is no git or no checkout. Takes no locks: the checkout is only read."""
    command = ["git", "--no-optional-locks", "-C", str(package), *arguments]
    try:
        result = subprocess.run(command, capture_output=True)
    except FileNotFoundError:
        return None
    return os.fsdecode(result.stdout) if result.returncode == 0 else None
