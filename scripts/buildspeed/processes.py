"""Runs one program in a session of its own, so that it can be ended with all its descendants."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed import interrupts
from buildspeed.failures import MeasurementError


@dataclass(frozen=True)
class Finished:
    """How a program ended. `cpu_seconds` includes every descendant that was waited for, as compilers are."""

    exit_code: int
    seconds: float
    cpu_seconds: float


def run(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path, log: Path) -> Finished:
    """Runs a program to its end, with its output and errors in `log`.

    When an exception (an interrupt) comes meanwhile, the program and all its descendants are killed first.
    """
    with log.open("wb") as output:
        process: subprocess.Popen[bytes] | None = None
        try:
            with interrupts.deferred():
                start = time.perf_counter()
                process = subprocess.Popen(
                    list(arguments),
                    cwd=folder,
                    env=dict(environment),
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.perf_counter() - start
            process.returncode = os.waitstatus_to_exitcode(status)
        finally:
            if process is not None:
                _end_session(process)
    return Finished(process.returncode, seconds, usage.ru_utime + usage.ru_stime)


def read(arguments: Sequence[str | Path], environment: Mapping[str, str], folder: Path) -> bytes:
    """What a short program writes to standard output."""
    process: subprocess.Popen[bytes] | None = None
    try:
        with interrupts.deferred():
            process = subprocess.Popen(
                list(arguments),
                cwd=folder,
                env=dict(environment),
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                start_new_session=True,
            )
        output, errors = process.communicate()
    finally:
        if process is not None:
            _end_session(process)
    if process.returncode != 0:
        command = " ".join(str(argument) for argument in arguments)
        message = errors.decode(errors="replace").strip()
        raise MeasurementError(f"'{command}' failed with exit code {process.returncode}:\n{message}")
    return output


def _end_session(leader: subprocess.Popen[bytes]) -> None:
    """Kills what is left of the leader's session.

    By session and not by process group, because SwiftPM gives each compiler a group of its own. Builds
    write to a folder that is thrown away, so nobody needs the time to clean up.
    """
    if leader.returncode is not None and not session_members(leader.pid):
        return
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline:
        members = session_members(leader.pid)
        for member in members:
            try:
                os.kill(member, signal.SIGKILL)
            except ProcessLookupError:
                continue
        leader.poll()
        if not members:
            return
        time.sleep(0.01)


def session_members(session: int) -> list[int]:
    """The processes of a session that still run (zombies do not)."""
    if Path("/proc/self/stat").exists():
        return [int(entry.name) for entry in Path("/proc").iterdir() if _is_member(entry, session)]
    listing = subprocess.run(["ps", "-A", "-o", "pid=,stat="], capture_output=True, text=True, check=True).stdout
    rows = [line.split() for line in listing.splitlines()]
    return [int(row[0]) for row in rows if not row[1].startswith("Z") and _session(int(row[0])) == session]


def _is_member(entry: Path, session: int) -> bool:
    if not entry.name.isdigit():
        return False
    try:
        # `pid (name) state ppid group session …`, where the name may hold anything.
        fields = (entry / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return False
    return fields[0] != "Z" and int(fields[3]) == session


def _session(process: int) -> int | None:
    try:
        return os.getsid(process)
    except OSError:
        return None
