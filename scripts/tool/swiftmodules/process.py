"""Runs programs, each in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swiftmodules.interrupts import deferred
from swiftmodules.progress import Progress, following

Words = Sequence[str | Path]


@dataclass(frozen=True)
class Finished:
    """A program that ended. The exit code is the negative number of a signal that ended it, and None where it had not
    ended in time and was killed."""

    exit_code: int | None
    seconds: float


@dataclass(frozen=True)
class Captured:
    """What a program that ended has printed, and its exit code."""

    exit_code: int
    output: bytes
    errors: bytes


def captured(
    arguments: Words, environment: Mapping[str, str] | None = None, folder: Path | None = None, given: bytes = b""
) -> Captured:
    """Runs a program that prints little to its end; bytes may be given to it as input."""
    streams: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with started(arguments, environment, folder, may_leave_some=False, **streams) as process:
        output, errors = process.communicate(given)
        return Captured(process.returncode, output, errors)


def run(
    arguments: Words,
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    progress: Progress | None = None,
    *,
    given: Path | None = None,
    errors: Path | None = None,
    limit: float | None = None,
) -> Finished:
    """Runs a program to its end, or for so many seconds, with its output and, unless they have a file of their own, its
    errors in `log`; a file may be given to it as input. The tasks of a build are passed on.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    with ExitStack() as opened:
        output = opened.enter_context(log.open("wb"))
        streams: dict[str, Any] = {
            "stdin": opened.enter_context(given.open("rb")) if given else subprocess.DEVNULL,
            "stderr": opened.enter_context(errors.open("wb")) if errors else subprocess.STDOUT,
        }
        opened.enter_context(following(log, progress))
        start = time.perf_counter()
        process = opened.enter_context(started(arguments, environment, folder, stdout=output, **streams))
        try:
            exit_code: int | None = process.wait(limit)
        except subprocess.TimeoutExpired:
            exit_code = None
        return Finished(exit_code, time.perf_counter() - start)


@contextmanager
def started(
    arguments: Words,
    environment: Mapping[str, str] | None,
    folder: Path | None,
    may_leave_some: bool = True,
    **streams: Any,  # noqa: ANN401  as `Popen` takes them
) -> Iterator[subprocess.Popen[Any]]:
    """Starts a program as the leader of a session, and in the end kills the rest of the session. `may_leave_some` is
    false for a program that ends on its own and leaves no process."""
    process: subprocess.Popen[Any] | None = None
    try:
        with deferred():
            process = subprocess.Popen(list(arguments), cwd=folder, env=environment, start_new_session=True, **streams)
        yield process
    finally:
        if process is not None and (process.poll() is None or may_leave_some):
            with deferred():
                # Builds write to a temporary folder, so they need no time to clean up.
                kill_session(process.pid)
                process.wait()


def kill_session(session: int) -> None:
    """Kills the processes of a session."""
    try:
        import psutil  # noqa: F401
    except ModuleNotFoundError:
        # Only measuring and live install it. Git, SwiftPM and compilers end what they have started when interrupted.
        with suppress(ProcessLookupError):
            os.killpg(session, signal.SIGINT)
        return
    _kill_all(lambda: session_members(session))


def kill_left_by(temporary: Path) -> None:
    """Kills the processes that a run has started, and left when it was killed itself: those whose folder for temporary
    files is that of the run, or in it."""
    import psutil

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
    import psutil

    return [process for process in psutil.pids() if _session_of(process) == session and is_running(process)]


def is_running(process: int) -> bool:
    import psutil

    try:
        return psutil.Process(process).status() != psutil.STATUS_ZOMBIE
    except psutil.Error:
        return False


def _temporary_of(process: int) -> Path:
    """The folder for temporary files of a process that still runs, as far as the user may know it."""
    import psutil

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
