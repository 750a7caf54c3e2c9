"""Runs one program in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from buildspeed import interrupts, journal
from buildspeed.failures import MeasurementError
from buildspeed.memory import MemorySampler
from buildspeed.process_table import session_members

# Of `ru_maxrss`: bytes on macOS, and 1024 bytes elsewhere.
_MAXIMUM_UNIT = 1 if sys.platform == "darwin" else 1024


@dataclass(frozen=True)
class Finished:
    """How a program ended.

    `cpu_seconds` includes every descendant that was waited for, as compilers are. `largest_process_bytes` is the
    most memory that the largest of them had, None where it was not more than this program's own. `peak_memory_bytes`
    is the most that all had together, where that could be seen.
    """

    exit_code: int
    seconds: float
    cpu_seconds: float
    largest_process_bytes: int | None
    peak_memory_bytes: int | None


def run(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path, log: Path) -> Finished:
    """Runs a program to its end, with its output and errors in `log`.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    with log.open("wb") as output:
        process: subprocess.Popen[bytes] | None = None
        try:
            with interrupts.deferred():
                start = time.perf_counter()
                process = _start(arguments, environment, folder, output, subprocess.STDOUT)
            with MemorySampler(process.pid) as memory:
                _, status, usage = os.wait4(process.pid, 0)
                seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if process is not None:
                _end_session(process)
    return Finished(
        exit_code=process.returncode,
        seconds=seconds,
        cpu_seconds=usage.ru_utime + usage.ru_stime,
        largest_process_bytes=_beyond_our_own(usage.ru_maxrss),
        peak_memory_bytes=memory.peak_bytes,
    )


def _beyond_our_own(maximum: int) -> int | None:
    """A process inherits the maximum of the one that started it, and until it is larger says nothing of itself."""
    return maximum * _MAXIMUM_UNIT if maximum > resource.getrusage(resource.RUSAGE_SELF).ru_maxrss else None


def read(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path) -> bytes:
    """What a short program writes to standard output."""
    process: subprocess.Popen[bytes] | None = None
    try:
        with interrupts.deferred():
            process = _start(arguments, environment, folder, subprocess.PIPE, subprocess.PIPE)
        output, errors = process.communicate()
    finally:
        if process is not None:
            _end_session(process)
    if process.returncode != 0:
        command = " ".join(str(argument) for argument in arguments)
        message = errors.decode(errors="replace").strip()
        raise MeasurementError(f"'{command}' failed with exit code {process.returncode}:\n{message}")
    return output


def run_with_files(
    arguments: Sequence[str | Path],
    environment: Mapping[str, str],
    folder: Path,
    given: Path,
    output: Path,
    errors: Path,
    seconds: float,
) -> int | None:
    """Runs a program with files as its standard input, output and errors.

    Returns its exit code, which is the negative number of a signal that ended it, or None where it had not ended
    after so many seconds and was killed.
    """
    process: subprocess.Popen[bytes] | None = None
    with given.open("rb") as reading, output.open("wb") as writing, errors.open("wb") as complaining:
        try:
            with interrupts.deferred():
                process = _start(arguments, environment, folder, writing, complaining, reading)
            process.wait(seconds)
            return process.returncode
        except subprocess.TimeoutExpired:
            return None
        finally:
            if process is not None:
                _end_session(process)


def _start(
    arguments: Sequence[str | Path],
    environment: Mapping[str, str],
    folder: Path,
    output: IO[bytes] | int,
    errors: IO[bytes] | int,
    given: IO[bytes] | int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Starts a program as the leader of a session, and notes it in the journal of the run."""
    noted = journal.current()
    process = subprocess.Popen(
        list(arguments),
        cwd=folder,
        env=dict(environment) | (noted.environment if noted else {}),
        stdin=given,
        stdout=output,
        stderr=errors,
        start_new_session=True,
    )
    if noted:
        try:
            noted.note(process.pid)
        except BaseException:
            _end_session(process)
            raise
    return process


def _end_session(leader: subprocess.Popen[bytes]) -> None:
    """Kills what is left of the leader's session.

    By session and not by process group, because SwiftPM gives each compiler a group of its own. Builds
    write to a folder that is thrown away, so nobody needs the time to clean up.
    """
    with interrupts.deferred():
        deadline = time.monotonic() + 10
        while members := _running_members(leader):
            if time.monotonic() > deadline:
                # Still in the journal, for the next run.
                return
            for member in members:
                try:
                    os.kill(member, signal.SIGKILL)
                except ProcessLookupError:
                    continue
            time.sleep(0.01)
        if noted := journal.current():
            noted.forget()


def _running_members(leader: subprocess.Popen[bytes]) -> list[int]:
    leader.poll()
    return session_members(leader.pid)
