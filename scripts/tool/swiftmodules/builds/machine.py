"""The machine: its description, its cores, and the space on its disks."""

from __future__ import annotations

import os
import platform
import shutil
from pathlib import Path

import psutil

from swiftmodules.errors import DiskFullError
from swiftmodules.process import captured

# The last files of a build, or its records, may be missing or cut off where less is free.
_LEAST_FREE_BYTES = 2**20


def usable_cores() -> int:
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def this_machine() -> str:
    """The cores that a run may use, the processor, the memory, the operating system and its kernel."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = f"macOS {platform.mac_ver()[0]}" if platform.mac_ver()[0] else platform.system()
    system = f"{name} ({platform.system()} {platform.release()}, {platform.machine()})"
    memory = f"{psutil.virtual_memory().total / 2**30:.0f} GiB of memory"
    return f"{usable_cores()} cores, {_processor()}, {memory}, {system}"


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        return captured(["sysctl", "-n", "machdep.cpu.brand_string"]).stdout.decode().strip()
    return platform.machine()


def require_space(folder: Path, work: str) -> None:
    """Raises `DiskFullError` where the disk of a folder is full, on which builds fail with all kinds of messages,
    or seem to succeed; `work` is what has just been done there."""
    free = shutil.disk_usage(folder).free
    if free < _LEAST_FREE_BYTES:
        raise DiskFullError(
            f"the disk of {folder} is full ({free // 1024} KiB are free), so {work} cannot be trusted. Make space, "
            "or work with a copy of the package on another disk."
        )
