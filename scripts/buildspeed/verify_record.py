"""The record of `scripts/measure verify`. Holds no time and no place, so that the same code gives the same record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from buildspeed.program_session import ProgramRun
from buildspeed.record_file import json_text, read_versioned, write_atomically
from buildspeed.soundness import Verdict

# Grows by one when a reader of older records would misread newer ones. docs/ResultsFormat.md tells the fields.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class VerifyRecord:
    """Every verdict, and what it rests on. `placements` and `missing` are by `edit` or `edit module`, and `gaps` tells
    for each layout which targets reach others that they do not name. `incomplete` says why the run ended before its
    last cell."""

    package: str
    command: str
    toolchain: str
    program: str | None
    session: tuple[ProgramRun, ...]
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    placements: Mapping[str, str]
    missing: Mapping[str, str]
    gaps: Mapping[str, Mapping[str, tuple[str, ...]]]
    verdicts: tuple[Verdict, ...]
    incomplete: str | None = None

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION} | asdict(self)


def write_verify_record(record: VerifyRecord, path: Path) -> None:
    """Writes a record."""
    write_atomically(path, json_text(record.as_json()))


def read_verify_record(path: Path) -> VerifyRecord:
    """Reads a record."""
    return read_versioned(path, VerifyRecord, (SCHEMA_VERSION,), "scripts/measure verify")
