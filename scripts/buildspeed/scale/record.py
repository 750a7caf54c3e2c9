"""The record of `scripts/measure scale`: every sample at every size."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.machine import Machine
from buildspeed.plan import Cell
from buildspeed.private_copy import Revision
from buildspeed.record import CleanBuild, Instruments, Record, Sample
from buildspeed.record_file import json_text, read_versioned, write_atomically
from buildspeed.soundness import Verification

# Grows by one when a reader of older records would misread newer ones. docs/ResultsFormat.md tells the fields.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class ScaleSample:
    """One timed build after one edit: a `Sample` with the number of compiled files instead of their paths, of which
    there are thousands."""

    round: int
    position: int
    layout: str
    edit: str
    module: str | None
    seconds: float
    cpu_seconds: float
    compiled_files: int
    emitted_modules: int
    links: int
    settling_seconds: float | None
    peak_memory_bytes: int | None
    noisy: bool | None

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)


@dataclass(frozen=True)
class MeasuredSize:
    """One size of one shape. `seconds` is what it took as a whole, without the others in between."""

    shape: str
    size: int
    # The layout that was measured twice, where one was.
    control: str | None
    clean_builds: Mapping[str, CleanBuild]
    samples: tuple[ScaleSample, ...]
    seconds: float
    verification: Verification | None = None


@dataclass(frozen=True)
class SkippedSize:
    """A size that was not measured, because it would not have fitted into the budget."""

    shape: str
    size: int
    estimated_seconds: float
    seconds_left: float


@dataclass(frozen=True)
class ScaleOptions:
    """The choices of the run."""

    shapes: tuple[str, ...]
    sizes: tuple[int, ...]
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    rounds: int
    seed: int
    jobs: int
    budget_minutes: float


@dataclass
class ScaleRecord:
    """Everything that a report needs."""

    package: str
    command: str
    started: str
    machine: Machine
    toolchain: str
    revision: Revision
    options: ScaleOptions
    instruments: Instruments | None = None
    # By `edit` or `edit module`, the same at every size.
    placements: Mapping[str, str] = field(default_factory=dict)
    missing: Mapping[str, str] = field(default_factory=dict)
    sizes: list[MeasuredSize] = field(default_factory=list)
    skipped: list[SkippedSize] = field(default_factory=list)
    seconds: float = 0
    # Why the run ended before its last sample.
    incomplete: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION} | asdict(self)


def measured_size(shape: str, size: int, record: Record, seconds: float) -> MeasuredSize:
    """What is kept of the record of one size."""
    return MeasuredSize(
        shape=shape,
        size=size,
        control=record.options.control,
        clean_builds=record.clean_builds,
        samples=tuple(map(_sample, record.samples)),
        seconds=seconds,
        verification=record.verification,
    )


def write_scale_record(record: ScaleRecord, path: Path) -> None:
    """Writes `results.json`."""
    write_atomically(path, json_text(record.as_json()))


def read_scale_record(path: Path) -> ScaleRecord:
    """Reads `results.json`."""
    return read_versioned(path, ScaleRecord, (SCHEMA_VERSION,), "scripts/measure scale")


def _sample(sample: Sample) -> ScaleSample:
    return ScaleSample(
        round=sample.round,
        position=sample.position,
        layout=sample.layout,
        edit=sample.edit,
        module=sample.module,
        seconds=sample.seconds,
        cpu_seconds=sample.cpu_seconds,
        compiled_files=len(sample.compiled),
        emitted_modules=sample.emitted_modules,
        links=sample.links,
        settling_seconds=sample.settling_seconds,
        peak_memory_bytes=sample.peak_memory_bytes,
        noisy=sample.conditions.noisy if sample.conditions else None,
    )
