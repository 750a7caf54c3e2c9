"""Runs one program in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

import psutil

from swiftmodules.interrupts import deferred
from swiftmodules.swiftpm.toolchain import output_of
from swiftmodules.tasks import Progress, following

Words = Sequence[str | Path]


@dataclass(frozen=True)
class Finished:
    """A program that ended."""

    exit_code: int
    seconds: float


def run(
    arguments: Words, environment: Mapping[str, str], folder: Path, log: Path, progress: Progress | None = None
) -> Finished:
    """Runs a program to its end, with its output and errors in `log`, whose tasks are passed on where it is a build.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    with log.open("wb") as output:
        start = time.perf_counter()
        with (
            following(log, progress),
            started(arguments, environment, folder, stdout=output, stderr=subprocess.STDOUT) as process,
        ):
            exit_code = process.wait()
            seconds = time.perf_counter() - start
    return Finished(exit_code, seconds)


def read(arguments: Words, environment: Mapping[str, str], folder: Path) -> bytes:
    """Returns what a short program writes to standard output."""
    pipe = subprocess.PIPE
    with started(arguments, environment, folder, stdout=pipe, stderr=pipe) as process:
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
        started(arguments, environment, folder, stdin=given, stdout=output, stderr=errors) as process,
    ):
        try:
            return process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None


@contextmanager
def started(
    arguments: Words,
    environment: Mapping[str, str],
    folder: Path,
    stdin: IO[bytes] | int = subprocess.DEVNULL,
    **streams: Any,  # noqa: ANN401  as `Popen` takes them
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a program as the leader of a session, and in the end kills whatever is left of the session."""
    process: subprocess.Popen[bytes] | None = None
    try:
        with deferred():
            process = subprocess.Popen(
                list(arguments), cwd=folder, env=environment, stdin=stdin, start_new_session=True, **streams
            )
        yield process
    finally:
        if process is not None:
            with deferred():
                process.poll()
                # Builds write to a temporary folder, so they need no time to clean up.
                kill_session(process.pid)


def kill_session(session: int) -> None:
    """Kills the processes of a session."""
    _kill_all(lambda: session_members(session))


def kill_left_by(temporary: Path) -> None:
    """Kills the processes that a run has started, and left when it was killed itself: those whose folder for temporary
    files is that of the run, or in it."""
    _kill_all(lambda: [each for each in psutil.pids() if _temporary_of(each).is_relative_to(temporary)])


def _kill_all(members: Callable[[], list[int]]) -> None:
    """Kills processes until none is left, as some may have started others meanwhile."""
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (found := members()):
        for member in found:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        time.sleep(0.01)


def session_members(session: int) -> list[int]:
    """The processes of a session that still run (zombies do not).

    By session and not by process group, because SwiftPM gives each compiler a group of its own.
    """
    return [process for process in psutil.pids() if _session_of(process) == session and is_running(process)]


def is_running(process: int) -> bool:
    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _temporary_of(process: int) -> Path:
    """The folder for temporary files of a process that still runs, as far as the user may know it."""
    try:
        found = psutil.Process(process)
        return Path(found.environ().get("TMPDIR", "") if found.status() != psutil.STATUS_ZOMBIE else "")
    except (psutil.Error, OSError):
        return Path()


def _session_of(process: int) -> int | None:
    try:
        return os.getsid(process)
    except OSError:
        return None
