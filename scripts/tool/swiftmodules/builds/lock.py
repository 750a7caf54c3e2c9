"""The folder in which a run works, and the locks that only one run holds."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from swiftmodules.errors import BusyError
from swiftmodules.files import cache_folder, failed_write, nearest_there
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
    """The empty folder of a run's work, and that of the temporary files of its programs, which is `TMPDIR` to them."""

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


def building(takes_times: bool, waits: bool = False) -> AbstractContextManager[None]:
    """Refuses to take times beside another run on this machine, of any package, and any run beside one that takes
    times, as far as runs have the same temporary folder; or waits for the end of the other."""
    file = Path(tempfile.gettempdir()) / "swiftmodules-times.lock"
    return locked(file, "building on this machine", waits, is_shared=not takes_times)


@contextmanager
def locked(path: Path, doing: str, waits: bool = False, is_shared: bool = False) -> Iterator[None]:
    """Holds the lock of a file, which the system frees when its holder ends, however that is; the file stays. Several
    may hold one that is shared.

    Raises `BusyError`, which names the holder and what it is `doing`, unless it waits for its end.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        lock = _opened(path)
    except OSError as error:
        raise failed_write(path, error) from error
    with lock:
        try:
            fcntl.flock(lock, (fcntl.LOCK_SH if is_shared else fcntl.LOCK_EX) | (0 if waits else fcntl.LOCK_NB))
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


def _opened(path: Path) -> IO[str]:
    """The file for reading and writing, created where it is missing; any user may lock it."""
    flags = os.O_RDWR | os.O_NOFOLLOW
    try:
        descriptor = os.open(path, flags | os.O_CREAT | os.O_EXCL, 0o666)
        os.fchmod(descriptor, 0o666)
    except FileExistsError:
        # Without O_CREAT, with which Linux refuses a file of another user in a folder such as /tmp.
        descriptor = os.open(path, flags)
    return os.fdopen(descriptor, "r+", encoding="utf-8", errors="replace")


def _remove(*folders: Path) -> None:
    for folder in folders:
        shutil.rmtree(folder, ignore_errors=True)
