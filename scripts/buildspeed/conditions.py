"""What else the machine did while a build ran, and the rule by which a sample counts as noisy."""

from __future__ import annotations

import os
import time
from dataclasses import dataclass
from pathlib import Path

from buildspeed.processes import Finished

# A sample is noisy when other programs used more than this share of one core while it was taken. Judged by the
# conditions and never by the time itself, so that marking a sample favours no result.
NOISY_ABOVE = 0.1
# /proc/stat counts in steps of this on each core, so less cannot be told from nothing.
_RESOLUTION = 0.05

_PRESSURE = Path("/proc/pressure/cpu")
_STATISTICS = Path("/proc/stat")


@dataclass(frozen=True)
class Conditions:
    """The conditions of one sample. What the system does not tell is None.

    `load_average` is that of the last minute before the build, to which the builds before contributed.
    `cpu_pressure` is the share of the time in which some process waited for a core; a build's own compilers
    wait for one another, so it compares samples of one cell only. `other_cpu_seconds` is the time that the
    machine's cores spent on programs other than the build and the measurement.
    """

    load_average: float
    cpu_pressure: float | None
    other_cpu_seconds: float | None
    noisy: bool | None


class ConditionsWatch:
    """Watches from its creation on."""

    def __init__(self) -> None:
        self._load_average = os.getloadavg()[0]
        self._pressure = waiting_seconds(_PRESSURE)
        self._busy = busy_seconds(_STATISTICS)
        self._own = time.process_time()
        self._start = time.perf_counter()

    def conditions(self, build: Finished) -> Conditions:
        """What happened since, while `build` ran."""
        seconds = time.perf_counter() - self._start
        pressure, busy = waiting_seconds(_PRESSURE), busy_seconds(_STATISTICS)
        known = busy is not None and self._busy is not None
        own = time.process_time() - self._own
        other = max(0.0, busy - self._busy - build.cpu_seconds - own) if known else None
        return Conditions(
            load_average=self._load_average,
            cpu_pressure=None
            if pressure is None or self._pressure is None
            else min(1.0, (pressure - self._pressure) / seconds),
            other_cpu_seconds=other,
            noisy=None if other is None else is_noisy(other, seconds),
        )


def is_noisy(other_cpu_seconds: float, seconds: float) -> bool:
    """The rule, for a build that took so long."""
    return other_cpu_seconds > max(NOISY_ABOVE * seconds, _RESOLUTION)


def waiting_seconds(file: Path) -> float | None:
    """For how long some process waited for a core, since the system started."""
    try:
        lines = file.read_text().splitlines()
    # Reading it fails as well where the kernel was started without it.
    except OSError:
        return None
    for line in lines:
        kind, *fields = line.split()
        if kind == "some":
            values = dict(field.split("=", 1) for field in fields)
            return int(values["total"]) / 1_000_000
    return None


def busy_seconds(file: Path) -> float | None:
    """What all cores together did not idle, since the system started, with what a host took from a virtual
    machine."""
    try:
        line = file.read_text().partition("\n")[0]
    except OSError:
        return None
    # user nice system idle iowait irq softirq steal (guest and guest_nice are part of user and nice).
    user, nice, system, _, _, interrupts, soft_interrupts, stolen = (int(field) for field in line.split()[1:9])
    ticks = user + nice + system + interrupts + soft_interrupts + stolen
    return ticks / os.sysconf("SC_CLK_TCK")
