"""The record of `scripts/measure simulate`, written as `results.json`. docs/ResultsFormat.md tells the fields.

It holds what was measured; predictions are calculated from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.job_times import Job
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.record_file import json_text, read_versioned, write_atomically
from buildspeed.simulation.build_graph import GraphCommand

# Grows by one when a reader of older records would misread newer ones.
SCHEMA_VERSION = 2


@dataclass(frozen=True)
class Wave:
    """Files that the driver sent to be compiled together, and the seconds of one process that compiled them all."""

    files: tuple[str, ...]
    seconds: float


@dataclass(frozen=True)
class CommandCosts:
    """The seconds of one command of the engine, with one job at a time. Of a target: the driver before its first
    job (`plan`), emitting the module, where that was done, each wave, wrapping the module, and the rest of the
    driver. Of others everything is `plan`."""

    kind: str
    target: str
    plan: float
    emit: float | None = None
    waves: tuple[Wave, ...] = ()
    wrap: float | None = None
    rest: float = 0


@dataclass(frozen=True)
class BuildCosts:
    """A build with one job at a time. `start` is the time before the first command, `end` that after the last, and
    `gap` that between two, in seconds."""

    start: float
    end: float
    gap: float
    commands: tuple[CommandCosts, ...]


@dataclass(frozen=True)
class SharedWork:
    """What the first process to need it does once in a build from nothing: reading modules of the toolchain for the
    first time. `target` and `kind` tell the process that did it; processes of `not_needed_by` ended before."""

    target: str
    kind: str
    seconds: float
    not_needed_by: tuple[str, ...]


@dataclass(frozen=True)
class FileCosts:
    """What splits a wave among processes: the seconds of each file, and those that every process of a target takes
    before the first file."""

    files: Mapping[str, float]
    fixed: Mapping[str, float]


@dataclass(frozen=True)
class MeasuredBuild:
    """What was measured of one build: from nothing where `edit` is None. `costs` are those of each time
    it was made, and `checks` the wall seconds of real builds right after them, by the number of jobs, which the
    prediction does not know."""

    edit: str | None
    module: str | None
    costs: tuple[BuildCosts, ...]
    shared: tuple[SharedWork, ...]
    checks: Mapping[str, tuple[float, ...]]
    # The jobs of the last of these real builds with most jobs.
    timeline: tuple[Job, ...]

    @property
    def name(self) -> str:
        return " ".join(filter(None, (self.edit or "clean", self.module)))


@dataclass(frozen=True)
class MeasuredLayout:
    """A layout of a package. `null_seconds` are builds with nothing to do."""

    package: str
    layout: str
    targets: int
    files: int
    graph: tuple[GraphCommand, ...]
    file_costs: FileCosts
    null_seconds: tuple[float, ...]
    builds: tuple[MeasuredBuild, ...]


@dataclass(frozen=True)
class ContentionSample:
    """A compiler job by itself, and as many at once as there are cores, in wall seconds."""

    alone: float
    together: float


@dataclass(frozen=True)
class Options:
    """The choices of the run. `jobs` are those of the real builds that predictions are checked against."""

    packages: tuple[str, ...]
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    rounds: int
    seed: int
    jobs: tuple[int, ...]


@dataclass
class SimulationRecord:
    """Everything that predictions and their check need."""

    command: str
    started: str
    machine: Machine
    toolchain: str
    revision: Revision
    options: Options
    contention: tuple[ContentionSample, ...] = ()
    layouts: list[MeasuredLayout] = field(default_factory=list)
    seconds: float = 0
    # Why the run ended early.
    incomplete: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION, "kind": "simulate"} | asdict(self)


def write_record(record: SimulationRecord, path: Path) -> None:
    """Writes the record."""
    write_atomically(path, json_text(record.as_json()))


def read_record(path: Path) -> SimulationRecord:
    """Reads a record."""
    return read_versioned(path, SimulationRecord, (SCHEMA_VERSION,), "scripts/measure simulate")
