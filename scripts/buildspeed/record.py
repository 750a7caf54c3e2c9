"""The record of a run: what was measured, where, and every sample. Written as `results.json`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.conditions import Conditions
from buildspeed.machine import Machine
from buildspeed.plan import Cell
from buildspeed.private_copy import Revision
from buildspeed.rebuild import Rebuild
from buildspeed.record_file import json_text, read_versioned, write_atomically
from buildspeed.soundness import Verification

# Grows by one when a reader of older records would misread newer ones. docs/ResultsFormat.md tells the fields.
SCHEMA_VERSION = 2
_READ_VERSIONS = (1, 2)
# Stands in `missing` for an edit that nobody wanted in that file.
NOT_ASKED_FOR = "it was not asked for"


@dataclass(frozen=True)
class Sample:
    """One timed build after one edit.

    `seconds` is wall-clock time and `cpu_seconds` that of all processes, both of the whole `swift build`;
    `settling_seconds` is that of the untimed build after the edit was undone (None where nothing was edited).
    The layout of a sample of the control is `CONTROL`. The last three fields are None in records of version 1.
    """

    round: int
    position: int
    layout: str
    edit: str
    module: str | None
    seconds: float
    cpu_seconds: float
    compiled: tuple[str, ...]
    emitted_modules: int
    links: int
    settling_seconds: float | None
    largest_process_bytes: int | None = None
    peak_memory_bytes: int | None = None
    conditions: Conditions | None = None

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)


@dataclass(frozen=True)
class CleanBuild:
    """The first build of a layout, from nothing; timed once, so an orientation and no measurement."""

    targets: int
    files: int
    seconds: float
    cpu_seconds: float


@dataclass(frozen=True)
class ModuleFacts:
    """How many files of how many other modules import a module's interface.

    `target` is the one that is edited, where that is no module with an interface: any target, or a single file of it.
    """

    importing_files: int
    importing_modules: int
    target: str | None = None


@dataclass(frozen=True)
class Options:
    """The choices of the run. `rounds` is the number planned before the first sample, `control` the layout that
    was measured twice, and `jobs` how many processes a build starts at once."""

    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    rounds: int
    quick: bool
    seed: int
    control: str | None = None
    jobs: int | None = None


@dataclass(frozen=True)
class Instruments:
    """How the conditions of the samples were read, and by which rule a sample counts as noisy: other programs used
    more than this share of one core. An interval of None means that the memory of all processes together could
    not be seen."""

    memory_interval_seconds: float | None
    noisy_above: float


@dataclass(frozen=True)
class Resumption:
    """A run that had ended before its time went on: when, from which round on, and why it had ended. `torn` are the
    samples of that round from before; they were taken anew and count in no summary."""

    moment: str
    round: int
    reason: str
    torn: tuple[Sample, ...]


@dataclass
class Record:
    """Everything that a report needs."""

    package: str
    command: str
    started: str
    machine: Machine
    toolchain: str
    revision: Revision
    options: Options
    # By `edit` or `edit module`.
    placements: Mapping[str, str]
    modules: Mapping[str, ModuleFacts]
    clean_builds: Mapping[str, CleanBuild]
    samples: list[Sample] = field(default_factory=list)
    # Why an edit was not made in a module; keys as in `placements`.
    missing: Mapping[str, str] = field(default_factory=dict)
    seconds: float = 0
    # Why the run ended before its last sample.
    incomplete: str | None = None
    instruments: Instruments | None = None
    # A digest of the code that the builds read.
    contents: str | None = None
    resumptions: tuple[Resumption, ...] = ()
    # By layout: one more build, whose jobs were timed.
    rebuilds: Mapping[str, Rebuild] = field(default_factory=dict)
    # Whether each cell's program is that of a clean build. None in records that are older than the question.
    verification: Verification | None = None
    # Whether the first layout is a copy of the package with its own manifest, and no generated package.
    is_copy: bool = False
    # Why a layout was not measured.
    refused_layouts: Mapping[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION} | asdict(self)


def write_record(record: Record, path: Path) -> None:
    """Writes `results.json`."""
    write_atomically(path, json_text(record.as_json()))


def read_record(path: Path) -> Record:
    """Reads `results.json`, of this version or an older one."""
    return read_versioned(path, Record, _READ_VERSIONS, "scripts/measure")
