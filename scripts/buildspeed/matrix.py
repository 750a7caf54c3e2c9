"""What each edit compiles in each module and layout, and why: the record that is kept and compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from buildspeed.plan import Cell
from buildspeed.record_file import json_text, read_versioned, write_atomically

# Grows by one when a reader of older records would misread newer ones.
SCHEMA_VERSION = 1


@dataclass(frozen=True)
class MatrixCell:
    """The build after one edit. `compiled` gives the reason for each file, by its original path."""

    edit: str
    module: str | None
    layout: str
    compiled: Mapping[str, str]
    emitted_modules: int
    linked: tuple[str, ...]

    @property
    def key(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)


@dataclass(frozen=True)
class Matrix:
    """Everything that was found. Holds no time and no place, so that the same code gives the same record."""

    package: str
    command: str
    toolchain: str
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    # By `edit` or `edit module`.
    placements: Mapping[str, str]
    missing: Mapping[str, str]
    cells: tuple[MatrixCell, ...]

    def as_json(self) -> dict[str, Any]:
        return {"schema_version": SCHEMA_VERSION} | asdict(self)


@dataclass(frozen=True)
class Difference:
    """How a cell differs from what it was."""

    cell: Cell
    more: tuple[str, ...]
    fewer: tuple[str, ...]

    def __str__(self) -> str:
        parts = [f"compiles {', '.join(self.more)}, which it did not"] if self.more else []
        parts += [f"no longer compiles or links {', '.join(self.fewer)}"] if self.fewer else []
        return f"{self.cell.name}: {'; '.join(parts)}"


def differences(before: Matrix, after: Matrix) -> list[Difference]:
    """The cells of both that compile or link something else than they did."""
    earlier = {cell.key: _work(cell) for cell in before.cells}
    found = []
    for cell in after.cells:
        if cell.key in earlier:
            was, now = earlier[cell.key], _work(cell)
            if was != now:
                found.append(Difference(cell.key, tuple(sorted(now - was)), tuple(sorted(was - now))))
    return found


def write_matrix(matrix: Matrix, path: Path) -> None:
    """Writes a record."""
    write_atomically(path, json_text(matrix.as_json()))


def read_matrix(path: Path) -> Matrix:
    """Reads a record."""
    return read_versioned(path, Matrix, (SCHEMA_VERSION,), "scripts/measure matrix")


def _work(cell: MatrixCell) -> set[str]:
    return {*cell.compiled, *(f"the product {name}" for name in cell.linked)}
