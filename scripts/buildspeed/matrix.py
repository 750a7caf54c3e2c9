"""What each edit compiles in each module and layout, and why: the record that is kept and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from buildspeed.plan import Cell
from buildspeed.record_file import json_text, read_versioned, write_atomically

# In the package.
RECORD = Path("docs/results/matrix.json")

# Grows by one when a reader of older records would misread newer ones.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class MatrixCell:
    """The build after one edit. `compiled` gives the reason for each file, by its original path; `smallest` has the
    files that a build must compile at least, as far as names tell."""

    edit: str
    module: str | None
    layout: str
    compiled: Mapping[str, str]
    smallest: tuple[str, ...]
    emitted_modules: int
    linked: tuple[str, ...]

    @property
    def key(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)

    @property
    def ratio(self) -> float | None:
        """Compiled files to those of the smallest set; None where that is empty."""
        return round(len(self.compiled) / len(self.smallest), 2) if self.smallest else None

    @property
    def stale(self) -> tuple[str, ...]:
        """Files that mention what has changed, and were not compiled."""
        return tuple(file for file in self.smallest if file not in self.compiled)

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"ratio": self.ratio}


@dataclass(frozen=True)
class Matrix:
    """Everything that was found. Holds no time and no place, so that the same code gives the same record."""

    package: str
    command: str
    toolchain: str
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    # The folder of each target.
    targets: Mapping[str, str]
    # By `edit` or `edit module`.
    placements: Mapping[str, str]
    missing: Mapping[str, str]
    cells: tuple[MatrixCell, ...]

    def as_json(self) -> dict[str, Any]:
        fields = {"schema_version": SCHEMA_VERSION} | asdict(self)
        return fields | {"cells": [cell.as_json() for cell in self.cells]}


def write_matrix(matrix: Matrix, path: Path) -> None:
    """Writes a record."""
    write_atomically(path, json_text(matrix.as_json()))


def read_matrix(path: Path) -> Matrix:
    """Reads a record."""
    return read_versioned(path, Matrix, (SCHEMA_VERSION,), "scripts/measure matrix")


def place_name(edit: str, module: str | None) -> str:
    """The key of an edit in `placements` and `missing`."""
    return f"{edit} {module}" if module else edit
