"""The heat map: how many files each edit compiles, in each module and layout."""

from __future__ import annotations

import math
import statistics
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from buildspeed.matrix import Matrix
from buildspeed.plan import Cell
from buildspeed.record import Record
from buildspeed.summary import Row, samples_by_cell


@dataclass(frozen=True)
class Heat:
    """One cell: the number of files as it is shown, how hot the cell is, from 0 to 100, and whether the program that
    was built is wrong."""

    files: str
    percent: int
    is_unsound: bool = False


@dataclass(frozen=True)
class HeatTable:
    """The rows of one edit, by module; or of all edits that are made once and not in every module."""

    title: str
    kind: str
    rows: tuple[tuple[str, tuple[Heat | None, ...]], ...]


@dataclass(frozen=True)
class HeatMap:
    """A table for each edit, with a column for each layout."""

    layouts: tuple[str, ...]
    tables: tuple[HeatTable, ...]
    most: int


# Of the samples of a cell: fewest, median and most.
_Counts = Mapping[Cell, tuple[int, float, int]]


def heat_of_record(record: Record) -> HeatMap:
    """From the samples of a run, without the control."""
    unsound = record.verification.unsound_cells if record.verification else frozenset()
    counts = {
        cell: (min(files), statistics.median(files), max(files))
        for cell, samples in samples_by_cell(record).items()
        if cell.layout in record.options.layouts
        for files in [[len(sample.compiled) for sample in samples]]
    }
    return _heat_map(counts, record.options.layouts, record.options.edits, record.options.modules, unsound)


def heat_of_matrix(matrix: Matrix) -> HeatMap:
    """From a record of `scripts/measure matrix`, which has more edits and each build once."""
    counts = {cell.key: (len(cell.compiled),) * 3 for cell in matrix.cells}
    return _heat_map(counts, matrix.layouts, matrix.edits, matrix.modules)


def _heat_map(
    counts: _Counts,
    layouts: Sequence[str],
    edits: Sequence[str],
    modules: Sequence[str],
    unsound: AbstractSet[Cell] = frozenset(),
) -> HeatMap:
    most = max((files[2] for files in counts.values()), default=0)
    present = {(cell.edit, cell.module) for cell in counts}

    def heats(row: Row) -> tuple[Heat | None, ...]:
        return tuple(
            _heat(counts[cell], most, cell in unsound) if (cell := Cell(layout, *row)) in counts else None
            for layout in layouts
        )

    tables = [
        HeatTable(edit, "module", tuple((module, heats((edit, module))) for module in found))
        for edit in edits
        if (found := [module for module in modules if (edit, module) in present])
    ]
    once = tuple((edit, heats((edit, None))) for edit in edits if (edit, None) in present)
    if once:
        tables.append(HeatTable("in no module", "edit", once))
    return HeatMap(tuple(layouts), tuple(tables), most)


def _heat(files: tuple[int, float, int], most: int, is_unsound: bool) -> Heat:
    fewest, median, highest = files
    text = str(fewest) if fewest == highest else f"{median:g} ({fewest}–{highest})"
    # On a logarithmic scale, on which the difference between 1 and 5 files can be seen beside one of 50.
    return Heat(text, round(100 * math.log1p(median) / math.log1p(most)) if most else 0, is_unsound)
