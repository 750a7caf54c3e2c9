"""What a record says about the machine."""

from __future__ import annotations

import os
import platform
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Machine:
    """The hardware and the operating system. `cores` are those that this process may use."""

    cores: int
    processor: str
    memory_bytes: int
    system: str

    @property
    def summary(self) -> str:
        memory = f"{self.memory_bytes / 2**30:.0f} GiB of memory"
        return f"{self.cores} cores, {self.processor}, {memory}, {self.system}"


def usable_cores() -> int:
    """How many cores this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def this_machine() -> Machine:
    """Describes the machine that runs this."""
    return Machine(
        cores=usable_cores(),
        processor=_processor(),
        memory_bytes=os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES"),
        system=_system(),
    )


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


def _system() -> str:
    try:
        name = platform.freedesktop_os_release()["PRETTY_NAME"]
    except OSError:
        name = f"macOS {platform.mac_ver()[0]}" if platform.mac_ver()[0] else platform.system()
    return f"{name} ({platform.system()} {platform.release()}, {platform.machine()})"
