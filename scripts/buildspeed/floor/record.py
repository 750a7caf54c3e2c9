"""The record of `scripts/measure floor`, written as `results.json`. docs/ResultsFormat.md tells the fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.conditions import Conditions
from buildspeed.job_times import Job
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.record_file import json_text, read_versioned, write_atomically

# Grows by one when a reader of older records would misread newer ones.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class EditSample:
    """One edit with one setting, all in wall seconds: `swift build` with nothing to do, `swift build` after the edit
    with its phases, and the unavoidable work done by hand, everything and each step alone."""

    round: int
    position: int
    setting: str
    null_seconds: float
    seconds: float
    cpu_seconds: float
    phases: Mapping[str, float]
    by_hand_seconds: float
    steps: Mapping[str, float]
    compiled: tuple[str, ...]
    conditions: Conditions | None


@dataclass(frozen=True)
class CleanSample:
    """One build from nothing. `kept_results` tells whether results of earlier builds were there to be taken, as
    with the compile cache from the second build on."""

    round: int
    position: int
    setting: str
    seconds: float
    cpu_seconds: float
    kept_results: bool
    product_bytes: int
    conditions: Conditions | None


@dataclass(frozen=True)
class Options:
    """The choices of the run. The numbers of rounds were fixed before the first sample."""

    settings: tuple[str, ...]
    edit: str
    module: str | None
    rounds: int
    clean_rounds: int
    seed: int
    jobs: int


@dataclass
class FloorRecord:
    """Everything that a report needs. `meanings` and `words` tell what each setting was, and `timelines` the jobs of
    the last build after an edit with each setting."""

    package: str
    command: str
    started: str
    machine: Machine
    toolchain: str
    revision: Revision
    options: Options
    placement: str
    meanings: Mapping[str, str]
    words: Mapping[str, tuple[str, ...]]
    clean_samples: list[CleanSample] = field(default_factory=list)
    samples: list[EditSample] = field(default_factory=list)
    timelines: dict[str, list[Job]] = field(default_factory=dict)
    seconds: float = 0
    # Why the run ended before its last sample.
    incomplete: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION, "kind": "floor"} | asdict(self)


def write_record(record: FloorRecord, path: Path) -> None:
    """Writes the record."""
    write_atomically(path, json_text(record.as_json()))


def read_record(path: Path) -> FloorRecord:
    """Reads a record."""
    return read_versioned(path, FloorRecord, (SCHEMA_VERSION,), "scripts/measure floor")
