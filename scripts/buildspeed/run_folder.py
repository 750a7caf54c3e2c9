"""The folder of a run below `.build/measure`, and the locks that only one run holds."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

from buildspeed import interrupts
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.journal import Journal, noting_in
from buildspeed.locks import is_lock, locked

_LOCK = "lock"
# Of all packages, for runs that take times.
_MACHINE_LOCK = "buildspeed-times.lock"


def scratch_folder(package: Path, chosen: Path | None) -> Path:
    """Where a run keeps its lock, its work and its results: `.build/measure` of the package, or the folder that the
    person has chosen.

    Raises `UsageError` for a folder in which something else would be changed: one of the package itself, or one
    that holds other things.
    """
    usual = package / ".build" / "measure"
    if chosen is None:
        return usual
    # As it is cleared at the beginning of each run.
    folder = chosen.resolve()
    if folder.is_relative_to(package.resolve()) and not folder.is_relative_to(usual.parent.resolve()):
        raise UsageError(f"{folder} is in the package, which is only read. Choose a folder outside of it.")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is no folder.")
    if folder.is_dir() and any(folder.iterdir()) and not is_lock(folder / _LOCK):
        raise UsageError(f"{folder} holds other things than the work of a run. Choose an empty or a new folder.")
    return folder


@contextmanager
def run_folder(measure: Path, takes_times: bool = True) -> Iterator[Path]:
    """An empty folder `work`, cleared of what a killed run left there, and removed in the end.

    Two runs of one package at once would change each other's work, and two runs on one machine that take times would
    disturb each other's, so the second is refused. The system frees the locks when their holder ends, however it
    ends. The programs that it was running may outlive it; they are ended before the folder is cleared.
    """
    with ExitStack() as held:
        try:
            # The compiler reports paths without symbolic links.
            measure = measure.resolve()
            measure.mkdir(parents=True, exist_ok=True)
            held.enter_context(
                locked(measure / _LOCK, "measuring this package", "two runs would change each other's work")
            )
        except OSError as error:
            raise MeasurementError(
                f"cannot write to {measure}: {error.strerror}. Name another folder for the work with --scratch-path."
            ) from error
        if takes_times:
            held.enter_context(only_one_that_takes_times())
        work = measure / "work"
        temporary = measure / "temporary"
        journal = Journal(measure / "running.json", temporary)
        journal.end_leftovers()
        _remove(work, temporary)
        try:
            work.mkdir()
            temporary.mkdir()
            with noting_in(journal):
                yield work
        finally:
            with interrupts.deferred():
                _remove(work, temporary)


@contextmanager
def only_one_that_takes_times() -> Iterator[None]:
    """Refuses a second run on this machine, of any package, as far as runs have the same temporary folder."""
    path = Path(tempfile.gettempdir()) / _MACHINE_LOCK
    with ExitStack() as held:
        try:
            held.enter_context(
                locked(path, "taking times on this machine", "two runs would disturb each other's times")
            )
        except OSError as error:
            raise MeasurementError(
                f"cannot lock {path}: {error.strerror}. Without this lock nobody knows whether another run disturbs "
                "the times; TMPDIR names another folder."
            ) from error
        yield


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
