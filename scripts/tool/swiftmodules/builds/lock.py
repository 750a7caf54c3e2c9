"""The locks that only one run holds."""

from __future__ import annotations

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import UTC, datetime
from pathlib import Path

from swiftmodules.errors import BusyError
from swiftmodules.files import failed_write


def building(takes_times: bool) -> AbstractContextManager[None]:
    """Refuses to time builds while another run of this user builds on this machine, whatever its package, and to build
    while another run is timing. Runs see each other where they have the same temporary folder."""
    file = Path(tempfile.gettempdir()) / f"swiftmodules-times-{os.getuid()}.lock"
    return locked(file, "building on this machine", is_shared=not takes_times)


@contextmanager
def locked(path: Path, doing: str, is_shared: bool = False) -> Iterator[None]:
    """Holds the lock of a file, which the system frees however its holder ends; the file stays. Several runs may hold a
    shared lock.

    Raises `BusyError`, which names the holder and what it is `doing`.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = os.fdopen(os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW, 0o600), "r+", errors="replace")
    except OSError as error:
        raise failed_write(path, error) from error
    with lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.readline().strip() or "another process"
            raise BusyError(f"{holder} is {doing} already (the lock is {path}). Wait for it, or end it.") from None
        try:
            lock.truncate(0)
            lock.write(f"process {os.getpid()}, which began at {datetime.now(UTC).isoformat(timespec='seconds')},\n")
            lock.flush()
        except OSError as error:
            raise failed_write(path, error) from error
        yield
