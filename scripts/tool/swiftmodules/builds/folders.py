"""The folders in which a run works, and what a killed run has left there."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.builds.lock import building, locked
from swiftmodules.files import cache_folder, nearest_there
from swiftmodules.process import kill_left_by
from swiftmodules.swiftpm.git import git_output

_LOCK = "lock"


def scratch_folder(package: Path) -> Path:
    """The folder where a run keeps its lock, its work and its results: `.build/measure` of a package where git ignores
    that and it can be written, or else one in the user's caches, as the package is only read."""
    usual = package / ".build" / "measure"
    if _is_ignored(usual) and os.access(nearest_there(usual), os.W_OK):
        return usual
    return cache_folder() / f"{package.resolve().name}-{_digest(package.resolve())}"


def _is_ignored(folder: Path) -> bool:
    """Whether git ignores a folder of a checkout."""
    return git_output(folder.parent.parent, "check-ignore", "--quiet", f"{folder}/") is not None


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:8]


@dataclass(frozen=True)
class RunFolder:
    """The empty folder of a run's work, and the folder of its programs' temporary files, their `TMPDIR`."""

    work: Path
    temporary: Path


@contextmanager
def run_folder(measure: Path, takes_times: bool = True) -> Iterator[RunFolder]:
    """The folders of a run, and the locks that go with them.

    Two runs of one package at once would change each other's work, and a run that takes times would be disturbed by any
    other on the same machine, so the second is refused. What a run that was killed has left there, its programs too, is
    cleared when the next begins. In the end, the folders are removed.
    """
    work, temporary = measure / "work", measure / "temporary"
    if not str(temporary).isascii():
        # Where each `swift build` leaves empty folders. SwiftPM of Swift 6.3.1 does not start where its path holds
        # letters beyond ASCII.
        temporary = Path(tempfile.gettempdir()) / f"swiftmodules-{_digest(measure)}"
    with ExitStack() as held:
        held.enter_context(locked(measure / _LOCK, "measuring this package"))
        held.enter_context(building(takes_times))
        kill_left_by(temporary)
        _remove(work, temporary)
        held.callback(_remove, work, temporary)
        work.mkdir()
        temporary.mkdir()
        yield RunFolder(work, temporary)


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
