"""Runs programs, each in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from swiftmodules.interrupts import deferred

Words = Sequence[str | Path]


@dataclass(frozen=True)
class Finished:
    """A program that ended. The exit code is the negative number of a signal that ended it, and None where it had not
    ended in time and was killed."""

    exit_code: int | None
    seconds: float


def captured(
    arguments: Words, environment: Mapping[str, str] | None = None, folder: Path | None = None, given: bytes = b""
) -> subprocess.CompletedProcess[bytes]:
    """Runs a program that prints little to its end; bytes may be given to it as input."""
    streams: dict[str, Any] = dict.fromkeys(("stdin", "stdout", "stderr"), subprocess.PIPE)
    with started(arguments, environment, folder, may_leave_some=False, **streams) as process:
        output, errors = process.communicate(given)
        return subprocess.CompletedProcess(process.args, process.returncode, output, errors)


def run(
    arguments: Words,
    environment: Mapping[str, str],
    folder: Path,
    log: Path,
    limit: float | None = None,
) -> Finished:
    """Runs a program to its end, or for so many seconds, with its output and its errors in `log`.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    streams: dict[str, Any] = {"stdin": subprocess.DEVNULL, "stderr": subprocess.STDOUT}
    start = time.perf_counter()
    with log.open("wb") as output, started(arguments, environment, folder, stdout=output, **streams) as process:
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
    try:
        import psutil  # noqa: F401
    except ModuleNotFoundError:
        # Only `measure` and `live` install psutil. Git, SwiftPM and compilers end what they have started when
        # interrupted.
        with suppress(ProcessLookupError):
            os.killpg(session, signal.SIGINT)
        return
    # Processes may have started others meanwhile, so the loop ends when none is left.
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and (found := session_members(session)):
        for member in found:
            with suppress(ProcessLookupError):
                os.kill(member, signal.SIGKILL)
        time.sleep(0.01)


def session_members(session: int) -> list[int]:
    """The processes of a session that still run (zombies do not).

    By session and not by process group, because SwiftPM gives each compiler a group of its own.
    """
    import psutil

    def is_member(process: int) -> bool:
        try:
            return os.getsid(process) == session and psutil.Process(process).status() != psutil.STATUS_ZOMBIE
        except (OSError, psutil.Error):
            return False

    return [process for process in psutil.pids() if is_member(process)]
