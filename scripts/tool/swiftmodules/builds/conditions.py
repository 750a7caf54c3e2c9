"""The machine, what else it did while a build ran, and the rule by which a sample counts as noisy."""

from __future__ import annotations

import os
import platform
import shutil
import subprocess
import time
from pathlib import Path

import psutil

from swiftmodules.errors import DiskFullError
from swiftmodules.observed import Conditions, Machine
from swiftmodules.process import Finished

# A sample is noisy when other programs used more than this share of one core while it was taken. Judged by the
# conditions and never by the time itself, so that marking a sample favours no result.
NOISY_ABOVE = 0.1
# The system counts in steps of this on each core, so it cannot see less.
_RESOLUTION = 0.05
# Not idle, and not waiting for a disk. `steal` is what a host took from a virtual machine.
_BUSY = ("user", "nice", "system", "irq", "softirq", "steal")
# With less than this, what a build or its records wrote last may be missing or cut off.
_LEAST_FREE_BYTES = 2**20


class ConditionsWatch:
    """Watches the machine from its creation on."""

    def __init__(self) -> None:
        self._busy = busy_seconds()
        self._own = time.process_time()
        self._start = time.perf_counter()

    def conditions(self, build: Finished) -> Conditions:
        """Returns what happened since, while `build` ran."""
        seconds = time.perf_counter() - self._start
        own = time.process_time() - self._own
        other = max(0.0, busy_seconds() - self._busy - build.cpu_seconds - own)
        return Conditions(other_cpu_seconds=other, noisy=is_noisy(other, seconds))


def is_noisy(other_cpu_seconds: float, seconds: float) -> bool:
    """The rule, for a build that took so long."""
    return other_cpu_seconds > max(NOISY_ABOVE * seconds, _RESOLUTION)


def busy_seconds() -> float:
    """Returns the seconds that all cores together were not idle since the system started."""
    times = psutil.cpu_times()
    return float(sum(getattr(times, name, 0.0) for name in _BUSY))


def usable_cores() -> int:
    """Returns the number of cores that this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def this_machine() -> Machine:
    """Describes the machine that runs this."""
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = f"macOS {platform.mac_ver()[0]}" if platform.mac_ver()[0] else platform.system()
    system = f"{name} ({platform.system()} {platform.release()}, {platform.machine()})"
    return Machine(usable_cores(), _processor(), psutil.virtual_memory().total, system)


def _processor() -> str:
    information = Path("/proc/cpuinfo")
    if information.exists():
        for line in information.read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    if platform.system() == "Darwin":
        command = ["sysctl", "-n", "machdep.cpu.brand_string"]
        return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()
    return platform.machine()


def require_space(folder: Path, work: str, least: int | None = None) -> None:
    """Raises `DiskFullError` where the disk of a folder is full, on which builds fail with all kinds of messages,
    or seem to succeed; `work` is what has just been done there, or needs so many bytes."""
    free = shutil.disk_usage(folder).free
    if free < (least or _LEAST_FREE_BYTES):
        raise DiskFullError(
            f"the disk of {folder} is full ({free // 1024} KiB are free), so {work} cannot be trusted. Make space, "
            "or name a folder on another disk with --scratch-path."
        )
