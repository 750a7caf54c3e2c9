"""The record of a run: every batch of every operation, with where and how it was taken."""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.record_file import json_text, read_versioned

# Grows by one when a reader of older records would misread newer ones.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class Batches:
    """What one process measured: a mean of some repetitions for each batch."""

    operation: str
    repetitions: int
    nanoseconds: tuple[float, ...]


@dataclass(frozen=True)
class Timing:
    """All batches of an operation, in nanoseconds for one repetition, in the order in which they were taken."""

    samples: tuple[float, ...]

    @property
    def median(self) -> float:
        return statistics.median(self.samples)

    @property
    def minimum(self) -> float:
        return min(self.samples)


@dataclass(frozen=True)
class Options:
    """The choices of the run."""

    rounds: int
    batches: int
    batch_milliseconds: int


@dataclass
class Record:
    """Everything that a report needs, by operation."""

    command: str
    started: str
    machine: Machine
    toolchain: str
    revision: Revision
    options: Options
    timings: dict[str, Timing] = field(default_factory=dict)
    # Instructions for one repetition, where they were counted, and by what.
    instructions: Mapping[str, float] = field(default_factory=dict)
    counter: str | None = None
    # The names of the bars that do not hold; filled at the end.
    failed_bars: tuple[str, ...] = ()

    def add(self, batches: Batches) -> None:
        earlier = self.timings.get(batches.operation)
        samples = (*(earlier.samples if earlier else ()), *batches.nanoseconds)
        self.timings[batches.operation] = Timing(samples)

    def as_json(self) -> dict[str, Any]:
        fields = {"schema_version": SCHEMA_VERSION} | asdict(self)
        fields["timings"] = {
            name: {"median": timing.median, "minimum": timing.minimum, "samples": timing.samples}
            for name, timing in self.timings.items()
        }
        return fields

    def as_text(self) -> str:
        return json_text(self.as_json())


def read_record(path: Path) -> Record:
    """Reads what `--output` wrote."""
    return read_versioned(path, Record, (SCHEMA_VERSION,), "scripts/bench-router")
