"""The folder in which a run works, and the locks that only one run holds."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import IO

from swiftmodules.process import SessionNotes, end_noted, end_reading, noted
from swiftmodules.errors import BusyError, ToolError, UsageError
from swiftmodules.interrupts import deferred
from swiftmodules.swiftpm.cache import user_folder

_LOCK = "lock"
# Of all packages, for runs that take times.
_MACHINE_LOCK = "swiftmodules-times.lock"
# The beginning of a lock file.
_HOLDER = "process "


def scratch_folder(package: Path, chosen: Path | None) -> Path:
    """The folder where a run keeps its lock, its work and its results: the chosen one, `.build/measure` of a package
    where git ignores that, or else one in the user's caches, as the package is only read.

    Raises `UsageError` for a folder that is not safe to clear: one of the package itself, or one that holds other
    files.
    """
    usual = package / ".build" / "measure"
    if chosen is None:
        if _is_ignored(usual):
            return usual
        return user_folder() / f"{package.resolve().name}-{_digest(package.resolve())}"
    # As it is cleared at the beginning of each run.
    folder = chosen.resolve()
    if folder.is_relative_to(package.resolve()) and not folder.is_relative_to(usual.parent.resolve()):
        raise UsageError(f"{folder} is in the package, which is only read. Choose a folder outside of it.")
    if folder.exists() and not folder.is_dir():
        raise UsageError(f"{folder} is not a folder.")
    if folder.is_dir() and any(folder.iterdir()) and not _is_lock(folder / _LOCK):
        raise UsageError(f"{folder} holds files that are not from a run. Choose an empty or a new folder.")
    return folder


def _is_ignored(folder: Path) -> bool:
    """Whether git ignores a folder of a checkout."""
    command = ["git", "-C", str(folder.parent.parent), "check-ignore", "--quiet", f"{folder}/"]
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def _digest(path: Path) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:8]


@contextmanager
def run_folder(measure: Path, takes_times: bool = True) -> Iterator[Path]:
    """An empty folder `work`, cleared of what a killed run left there, and removed in the end.

    Two runs of one package at once would change each other's work, and two runs on one machine that take times would
    disturb each other's, so the second is refused. The system frees the locks when their holder ends, however it
    ends. The programs that it was running may outlive it; they are ended before the folder is cleared.
    """
    # The compiler reports paths without symbolic links.
    measure = measure.resolve()
    why, remedy = "two runs would change each other's work", "Name another folder for the work with --scratch-path."
    with (
        locked(measure / _LOCK, "measuring this package", why, remedy) as (notes, before),
        only_one_that_takes_times() if takes_times else nullcontext(),
    ):
        work, temporary = measure / "work", measure / "temporary"
        end_noted(before, work)
        notes.write()
        if not str(temporary).isascii():
            # Where each `swift build` leaves empty folders. SwiftPM of Swift 6.3.1 does not start where its path holds
            # letters beyond ASCII.
            temporary = Path(tempfile.gettempdir()) / f"swiftmodules-{_digest(measure)}"
        _remove(work, temporary)
        try:
            work.mkdir()
            temporary.mkdir()
            with noted(replace(notes, environment={"TMPDIR": str(temporary)})):
                yield work
        finally:
            with deferred():
                end_reading(work)
                _remove(work, temporary)


def only_one_that_takes_times() -> AbstractContextManager[object]:
    """Refuses a second run on this machine, of any package, as far as runs have the same temporary folder."""
    path = Path(tempfile.gettempdir()) / _MACHINE_LOCK
    remedy = "Without this lock another run may disturb the times unnoticed; TMPDIR names another folder."
    return locked(path, "taking times on this machine", "two runs would disturb each other's times", remedy)


@contextmanager
def locked(path: Path, doing: str, why: str, remedy: str) -> Iterator[tuple[SessionNotes, str]]:
    """Holds the lock of this file, which the system frees when its holder ends, and yields what the file held.

    Raises `BusyError`, which names the holder, what it is `doing` and `why` no other run may do so meanwhile, and
    `ToolError` with the `remedy` where the file cannot be written.
    """
    with ExitStack() as held:
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            found = held.enter_context(_held(path, doing, why))
        except OSError as error:
            raise ToolError(f"cannot write to {path.parent}: {error.strerror}. {remedy}") from error
        yield found


@contextmanager
def _held(path: Path, doing: str, why: str) -> Iterator[tuple[SessionNotes, str]]:
    with _opened(path) as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = lock.readline().strip() or "another process"
            raise BusyError(
                f"{holder} is {doing} already (the lock is {path}), and {why}. Wait for it, or end it."
            ) from None
        now = datetime.now(UTC).isoformat(timespec="seconds")
        before = lock.read()
        notes = SessionNotes(lock, f"{_HOLDER}{os.getpid()}, which began at {now},")
        # The notes of an earlier run are kept until its session is ended.
        notes.write(*before.splitlines()[1:])
        yield notes, before


def _is_lock(path: Path) -> bool:
    """Whether a file is one that was written by `locked`."""
    try:
        return path.read_text(encoding="utf-8").startswith(_HOLDER)
    except (OSError, UnicodeDecodeError):
        return False


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
