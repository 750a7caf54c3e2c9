"""Locks that the system frees when their holder ends, however it ends."""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path
from typing import IO

from buildspeed.failures import BusyError

# What a lock file begins with.
_HOLDER = "process "


@contextmanager
def locked(path: Path, doing: str, why: str) -> Iterator[None]:
    """Holds the lock of this file, or raises `BusyError`, which names the holder, what it is `doing` and `why` nobody
    else may do so meanwhile."""
    with _opened(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.read().strip() or "another process"
            raise BusyError(
                f"{holder} is {doing} already (the lock is {path}), and {why}. Wait for it, or end it."
            ) from None
        lock.truncate(0)
        now = datetime.now(timezone.utc).isoformat(timespec="seconds")
        lock.write(f"{_HOLDER}{os.getpid()}, which began at {now},")
        lock.flush()
        yield


def is_lock(path: Path) -> bool:
    """Whether a file is one that was written by `locked`."""
    try:
        return path.read_text(encoding="utf-8").startswith(_HOLDER)
    except (OSError, UnicodeDecodeError):
        return False


def _opened(path: Path) -> IO[str]:
    """The file for reading and writing, made where it is missing; everybody may lock it."""
    flags = os.O_RDWR | os.O_NOFOLLOW
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        os.fchmod(descriptor, 0o666)
    except FileExistsError:
        # Without O_CREAT, with which Linux refuses a file of somebody else in a folder such as /tmp.
        descriptor = os.open(path, flags)
    return os.fdopen(descriptor, "r+", encoding="utf-8")
