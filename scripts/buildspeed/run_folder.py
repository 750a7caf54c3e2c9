"""The folder of a run below `.build/measure`, and the lock that only one run holds."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from buildspeed.failures import BusyError, MeasurementError


@contextmanager
def run_folder(measure: Path) -> Iterator[Path]:
    """An empty folder `work`, cleared of what a killed run left there, and removed in the end.

    Two runs at once would disturb each other's timings, so the second is refused. The system frees the lock
    when its holder ends, however it ends.
    """
    try:
        measure.mkdir(parents=True, exist_ok=True)
        lock = (measure / "lock").open("a+")
    except OSError as error:
        raise MeasurementError(f"cannot write to {measure}: {error.strerror}.") from error
    with lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise BusyError(
                f"process {lock.read().strip()} is measuring this package already, and two runs would "
                "disturb each other's timings. Wait for it, or end it."
            ) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        # The compiler reports paths without symbolic links.
        work = measure.resolve() / "work"
        _remove(work)
        try:
            work.mkdir()
            yield work
        finally:
            _remove(work)


def _remove(folder: Path) -> None:
    shutil.rmtree(folder, ignore_errors=True)
