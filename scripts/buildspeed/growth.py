"""How seconds and compiled files grow with the number of modules: what growth curves show."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.plan import CONTROL
from buildspeed.record_file import read_versioned


@dataclass(frozen=True)
class GrowthPoint:
    """The median seconds of a build, and the files that it compiles, in a package with so many modules."""

    modules: int
    seconds: float
    files: float


@dataclass(frozen=True)
class GrowthSeries:
    """One edit in one layout of packages that differ in size only, from the smallest to the largest. `shape` says how
    their modules use each other, such as `star`; `edit` names the module too, where there is one."""

    shape: str
    edit: str
    layout: str
    points: tuple[GrowthPoint, ...]


@dataclass(frozen=True)
class _Sample:
    layout: str
    edit: str
    module: str | None
    seconds: float
    compiled_files: int


@dataclass(frozen=True)
class _Size:
    shape: str
    size: int
    samples: tuple[_Sample, ...]


@dataclass(frozen=True)
class _Scale:
    """As much of a record of `scripts/measure scale` as curves need."""

    sizes: tuple[_Size, ...]


def read_growth(path: Path) -> tuple[GrowthSeries, ...]:
    """Reads a record of `scripts/measure scale`, without its controls. Raises `RecordError`."""
    found: dict[tuple[str, str, str], dict[int, list[_Sample]]] = {}
    for each in read_versioned(path, _Scale, (1,), "scripts/measure scale").sizes:
        for sample in each.samples:
            if sample.layout != CONTROL:
                edit = " ".join(filter(None, (sample.edit, sample.module)))
                found.setdefault((each.shape, edit, sample.layout), {}).setdefault(each.size, []).append(sample)
    return tuple(
        GrowthSeries(*key, tuple(_point(size, samples) for size, samples in sorted(sizes.items())))
        for key, sizes in found.items()
    )


def _point(size: int, samples: Sequence[_Sample]) -> GrowthPoint:
    return GrowthPoint(
        modules=size,
        seconds=statistics.median(sample.seconds for sample in samples),
        files=statistics.median(sample.compiled_files for sample in samples),
    )
