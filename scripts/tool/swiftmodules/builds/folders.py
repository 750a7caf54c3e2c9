"""The folders in which a run works, and what a killed run has left there."""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from uuid import uuid4

from swiftmodules.builds.lock import building, locked
from swiftmodules.files import cache_folder, remove_folder
from swiftmodules.swiftpm.git import git_output
from swiftmodules.swiftpm.toolchain import Toolchain

_LOCK, _WORK = "lock", "work-"


def scratch_folder(package: Path) -> Path:
    """The folder where a run keeps its lock, its work and its results: `.build/measure` of a package where git ignores
    that and it can be written, or else one in the user's caches, as the package is only read."""
    usual = package / ".build" / "measure"
    # A folder that is not there yet is made in the nearest one above.
    there = next(each for each in (usual, *usual.parents) if each.exists())
    is_ignored = git_output(package, "check-ignore", "--quiet", f"{usual}/") is not None
    if is_ignored and os.access(there, os.W_OK):
        return usual
    digest = hashlib.sha256(os.fsencode(package.resolve())).hexdigest()[:8]
    return cache_folder() / f"{package.resolve().name}-{digest}"


@contextmanager
def run_folder(measure: Path, toolchain: Toolchain, takes_times: bool = True) -> Iterator[tuple[Path, Toolchain]]:
    """The empty folder of a run's work, which is removed in the end; the toolchain with a folder for temporary files in
    it; and the locks that go with them.

    Two runs of one package at once would change each other's work, and a run that takes times would be disturbed by any
    other on the same machine, so the second is refused. What a run that was killed has left there is removed when the
    next begins.
    """
    with ExitStack() as held:
        held.enter_context(locked(measure / _LOCK, "measuring this package"))
        held.enter_context(building(takes_times))
        for left in measure.glob(f"{_WORK}*"):
            remove_folder(left)
        # A name of its own: what a killed run has started fails when its folder is gone, and does not write here.
        work = measure / f"{_WORK}{uuid4().hex}"
        # SwiftPM of Swift 6.3.1 does not start where the path of its temporary files holds letters beyond ASCII.
        temporary = (work if str(work).isascii() else Path(tempfile.gettempdir())) / f"temporary-{work.name}"
        for folder in (work, temporary):
            held.callback(remove_folder, folder)
            folder.mkdir()
        yield work, toolchain.keeping(TMPDIR=str(temporary))
