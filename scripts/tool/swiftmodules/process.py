"""Runs one program in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psutil

from swiftmodules.interrupts import deferred
from swiftmodules.swiftpm.toolchain import output_of

# Often enough for the shortest build (a third of a second), and a few per cent of one core.
MEMORY_INTERVAL_SECONDS = 0.05
# Noted while programs may run that are in no noted session: one that was just started, or one that reads the package.
_UNKNOWN = "session unknown"
# Of `ru_maxrss`: bytes on macOS, and 1024 bytes elsewhere.
_MAXIMUM_UNIT = 1 if sys.platform == "darwin" else 1024

Words = Sequence[str | Path]


@dataclass(frozen=True)
class Finished:
    """A program that ended.

    `cpu_seconds` includes every descendant that was waited for, as compilers are. `largest_process_bytes` is the
    most memory that the largest of them had, None where it was not more than this program's own. `peak_memory_bytes`
    is the most that all had together, None where the program ended before it could be seen.
    """

    exit_code: int
    seconds: float
    cpu_seconds: float
    largest_process_bytes: int | None
    peak_memory_bytes: int | None


def run(arguments: Words, environment: Mapping[str, str], folder: Path, log: Path) -> Finished:
    """Runs a program to its end, with its output and errors in `log`.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    with log.open("wb") as output:
        start = time.perf_counter()
        with _session(arguments, environment, folder, output, subprocess.STDOUT) as process:
            with MemorySampler(process.pid) as memory:
                _, status, usage = os.wait4(process.pid, 0)
                seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
    # A process inherits the maximum of the one that started it, which shows nothing of its own until that is larger.
    largest, inherited = usage.ru_maxrss, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Finished(
        exit_code=process.returncode,
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        largest_process_bytes=largest * _MAXIMUM_UNIT if largest > inherited else None,
        peak_memory_bytes=memory.peak_bytes,
    )


def read(arguments: Words, environment: Mapping[str, str], folder: Path) -> bytes:
    """Returns what a short program writes to standard output."""
    with _session(arguments, environment, folder, subprocess.PIPE, subprocess.PIPE) as process:
        output, errors = process.communicate()
    return output_of(arguments, process.returncode, output, errors)


def run_with_files(
    arguments: Words,
    environment: Mapping[str, str],
    folder: Path,
    streams: tuple[Path, Path, Path],
    seconds: float,
) -> int | None:
    """Runs a program with files as its standard input, output and errors.

    Returns its exit code, which is the negative number of a signal that ended it, or None where it had not ended
    after so many seconds and was killed.
    """
    with (
        streams[0].open("rb") as given,
        streams[1].open("wb") as output,
        streams[2].open("wb") as errors,
        _session(arguments, environment, folder, output, errors, given) as process,
    ):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


@dataclass(frozen=True)
class SessionNotes:
    """Notes in an open file, below its first line, which session runs, so that it can be ended when this program was
    killed. Programs that are started meanwhile have `environment` added to theirs."""

    file: IO[str]
    heading: str
    environment: Mapping[str, str] = field(default_factory=dict)

    def is_unknown(self) -> bool:
        self.file.seek(0)
        return _UNKNOWN in self.file.read().splitlines()

    def write(self, *lines: str) -> None:
        """Replaces the notes by these."""
        self.file.seek(0)
        self.file.writelines(f"{line}\n" for line in (self.heading, *lines))
        self.file.truncate()
        self.file.flush()


def end_noted(notes: str, folder: Path) -> int:
    """Kills what still runs of the session in the notes of a run whose programs worked in a folder; returns how many
    processes that were."""
    for line in notes.splitlines():
        match line.split():
            case ["session", "unknown"]:
                sessions = {_session_of(each) for each in psutil.pids() if _works_in(each, folder)}
                return sum(kill_session(each, folder) for each in sessions if each is not None)
            case ["session", number, start] if number.isdigit():
                session, now = int(number), started(int(number))
                if now is not None and f"{now}" != start:
                    return 0
                # Where its leader has ended, the session may be a later one of the same number.
                return kill_session(session, None if now else folder)
    return 0


_notes: SessionNotes | None = None


@contextmanager
def noted(notes: SessionNotes) -> Iterator[None]:
    """Notes every program that is started meanwhile."""
    global _notes
    _notes = notes
    notes.write(_UNKNOWN)
    try:
        yield
    finally:
        _notes = None
        if notes.is_unknown():
            notes.write()


@contextmanager
def _session(
    arguments: Words,
    environment: Mapping[str, str],
    folder: Path,
    output: IO[bytes] | int,
    errors: IO[bytes] | int,
    given: IO[bytes] | int = subprocess.DEVNULL,
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a program as the leader of a session, and ends whatever is left of the session."""
    process: subprocess.Popen[bytes] | None = None
    try:
        with deferred():
            process = subprocess.Popen(
                list(arguments),
                cwd=folder,
                env=dict(environment) | (dict(_notes.environment) if _notes else {}),
                stdin=given,
                stdout=output,
                stderr=errors,
                start_new_session=True,
            )
            if _notes:
                _notes.write(f"session {process.pid} {started(process.pid)}")
        yield process
    finally:
        if process is not None:
            with deferred():
                process.poll()
                # Builds write to a temporary folder, so they need no time to clean up.
                kill_session(process.pid)
                if _notes and not session_members(process.pid):
                    # Otherwise it stays noted for the next run.
                    _notes.write(_UNKNOWN)


def kill_session(session: int, folder: Path | None = None) -> int:
    """Kills the processes of a session, where a folder is given those that work below it, and returns how many that
    were."""
    killed: set[int] = set()
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        members = [each for each in session_members(session) if folder is None or _works_in(each, folder)]
        if not members:
            break
        for member in members:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
                killed.add(member)
        time.sleep(0.01)
    return len(killed)


def end_reading(folder: Path) -> None:
    """Kills what works in a folder in this program's own session, as SwiftPM does where reading is interrupted."""
    kill_session(os.getsid(0), folder)


def _works_in(process: int, folder: Path) -> bool:
    """Whether a process works below a folder, other than this program and those that it was started from."""
    with suppress(psutil.Error):
        if Path(psutil.Process(process).cwd()).is_relative_to(folder):
            own = psutil.Process()
            return process not in {each.pid for each in (own, *own.parents())}
    return False


def session_members(session: int) -> list[int]:
    """The processes of a session that still run (zombies do not).

    By session and not by process group, because SwiftPM gives each compiler a group of its own.
    """
    return [process for process in psutil.pids() if _session_of(process) == session and started(process) is not None]


def started(process: int) -> float | None:
    """When a process was started, which distinguishes it from a later one of its number; None where it ended."""
    try:
        found = psutil.Process(process)
        return None if found.status() == psutil.STATUS_ZOMBIE else found.create_time()
    except psutil.Error:
        return None


def _session_of(process: int) -> int | None:
    try:
        return os.getsid(process)
    except OSError:
        return None


class MemorySampler:
    """Samples the memory of all processes of a session, from a thread. `peak_bytes` is None until it saw any."""

    def __init__(self, session: int) -> None:
        self.peak_bytes: int | None = None
        self._session = session
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> MemorySampler:
        self._thread.start()
        return self

    def __exit__(self, *error: object) -> None:
        self._ended.set()
        self._thread.join()

    def _watch(self) -> None:
        # Processes of other sessions, which are many and never join this one.
        strangers: set[int] = set()
        while True:
            known = set(psutil.pids()) - strangers
            members = {process for process in known if _session_of(process) == self._session}
            strangers |= known - members
            sizes = [size for process in members if (size := _resident_and_shared(process)) is not None]
            if sizes:
                self.peak_bytes = max(tree_bytes(sizes), self.peak_bytes or 0)
            if self._ended.wait(MEMORY_INTERVAL_SECONDS):
                return


def tree_bytes(sizes: Sequence[tuple[int, int]]) -> int:
    """The memory of processes of which the resident and the shared bytes are known.

    The private pages of all, and the shared pages of the process that has most: what they share is the same
    toolchain and its libraries, which would otherwise count once for each compiler.
    """
    return sum(resident - shared for resident, shared in sizes) + max((shared for _, shared in sizes), default=0)


def _resident_and_shared(process: int) -> tuple[int, int] | None:
    """In bytes; None for a process that has just ended. macOS does not report the shared ones."""
    try:
        memory = psutil.Process(process).memory_info()
    except psutil.Error:
        return None
    return memory.rss, getattr(memory, "shared", 0)
