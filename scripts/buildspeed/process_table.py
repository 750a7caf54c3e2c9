"""What the system tells about other processes: from /proc, or from `ps` where there is none."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

_PROCESSES = Path("/proc")
_BOOT = _PROCESSES / "sys/kernel/random/boot_id"


def session_members(session: int) -> list[int]:
    """The processes of a session that still run (zombies do not)."""
    if _has_process_files():
        return [process for process in _processes() if _is_member(process, session)]
    rows = [line.split() for line in _ps("-A", "-o", "pid=,stat=").splitlines()]
    return [int(row[0]) for row in rows if not row[1].startswith("Z") and _session(int(row[0])) == session]


def started(process: int) -> str | None:
    """When a process was started, in words that no other process of the same number ever has; None where it does
    not run any more."""
    if _has_process_files():
        fields = _fields(process)
        if fields is None or fields[0] == "Z":
            return None
        # Counted from the start of the system, which the rest identifies.
        return f"{fields[19]} {_BOOT.read_text().strip()}"
    return _ps("-p", str(process), "-o", "lstart=").strip() or None


def environment(variable: str) -> dict[int, bytes]:
    """The value of a variable in every process of this person that was started with it; nothing where there is
    no /proc."""
    if not _has_process_files():
        return {}
    values = {}
    prefix = os.fsencode(variable) + b"="
    for process in _processes():
        try:
            assignments = (_PROCESSES / str(process) / "environ").read_bytes().split(b"\0")
        # It has ended, or is somebody else's.
        except OSError:
            continue
        for assignment in assignments:
            if assignment.startswith(prefix):
                values[process] = assignment.removeprefix(prefix)
    return values


def _has_process_files() -> bool:
    return (_PROCESSES / "self" / "stat").exists()


def _processes() -> list[int]:
    return [int(entry.name) for entry in _PROCESSES.iterdir() if entry.name.isdigit()]


def _is_member(process: int, session: int) -> bool:
    fields = _fields(process)
    return fields is not None and fields[0] != "Z" and int(fields[3]) == session


def _fields(process: int) -> list[str] | None:
    """The fields of `stat` from the state on: `pid (name) state ppid group session …`, where the name may hold
    anything."""
    try:
        return (_PROCESSES / str(process) / "stat").read_text(errors="replace").rpartition(")")[2].split()
    except OSError:
        return None


def _session(process: int) -> int | None:
    try:
        return os.getsid(process)
    except OSError:
        return None


def _ps(*arguments: str) -> str:
    # It fails where the process that it is asked for does not run.
    return subprocess.run(["ps", *arguments], capture_output=True, text=True, check=False).stdout
