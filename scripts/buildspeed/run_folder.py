"""The folder of a run below `.build/measure`, and the lock that only one run holds."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

from buildspeed.failures import BusyError, MeasurementError
from buildspeed.journal import Journal, noting_in


@contextmanager
def run_folder(measure: Path) -> Iterator[Path]:
    """An empty folder `work`, cleared of what a killed run left there, and removed in the end.

    Two runs at once would disturb each other's timings, so the second is refused. The system frees the lock
    when its holder ends, however it ends. The programs that it was running may outlive it; they are ended
    before the folder is cleared.
    """
    try:
        # The compiler reports paths without symbolic links.
        measure = measure.resolve()
        measure.mkdir(parents=True, exist_ok=True)
        lock = (measure / "lock").open("a+")
    except OSError as error:
        raise MeasurementError(f"cannot write to {measure}: {error.strerror}.") from error
    with lock:
        _hold(lock, measure)
        journal = Journal(measure / "running.json")
        journal.end_leftovers()
        work = measure / "work"
        _remove(work)
        try:
            work.mkdir()
            with noting_in(journal):
                yield work
        finally:
            _remove(work)


def _hold(lock: IO[str], measure: Path) -> None:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        lock.seek(0)
        raise BusyError(
            f"{lock.read().strip() or 'another process'} is measuring this package already (the lock is "
            f"{measure / 'lock'}), and two runs would disturb each other's timings. Wait for it, or end it."
        ) from None
    lock.truncate(0)
    now = datetime.now(timezone.utc).isoformat(timespec="seconds")
    lock.write(f"process {os.getpid()}, which began at {now},")
    lock.flush()


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
