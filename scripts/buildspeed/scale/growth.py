"""What each added module costs: straight lines through the sizes, for each edit in each layout and shape."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from buildspeed.inference import Interval, slope_interval
from buildspeed.plan import Cell, cells
from buildspeed.scale.record import ScaleRecord, ScaleSample
from buildspeed.summary import Row

# With two, every line fits, and nothing tells how well.
LEAST_SIZES = 3


@dataclass(frozen=True)
class Line:
    """A straight line through points, by least squares. `interval` is that of the slope, None where there are too few
    rounds for one. `explained` is the share of the variance that the line explains (R²), None below `LEAST_SIZES`."""

    slope: float
    intercept: float
    interval: Interval | None
    explained: float | None


@dataclass(frozen=True)
class Point:
    """A cell at one size: medians of its samples."""

    size: int
    seconds: float
    files: float
    samples: int


@dataclass(frozen=True)
class Growth:
    """How a cell grows with the size. A line is None where there are not two sizes."""

    cell: Cell
    points: tuple[Point, ...]
    seconds: Line | None
    files: Line | None


def rows_of(record: ScaleRecord) -> list[Row]:
    """The edits with their modules, without those that have no place."""
    options = record.options
    found = dict.fromkeys((cell.edit, cell.module) for cell in cells(options.layouts, options.edits, options.modules))
    return [row for row in found if " ".join(filter(None, row)) not in record.missing]


def growths(record: ScaleRecord, shape: str) -> dict[Cell, Growth]:
    """The growth of every cell of a shape that has samples."""
    by_cell: dict[Cell, dict[int, list[ScaleSample]]] = {}
    for measured in record.sizes:
        if measured.shape == shape:
            for sample in measured.samples:
                by_cell.setdefault(sample.cell, {}).setdefault(measured.size, []).append(sample)
    return {cell: _growth(cell, dict(sorted(sizes.items())), record.options.seed) for cell, sizes in by_cell.items()}


def line_through(values: Mapping[int, Mapping[int, float]], seed: int) -> Line | None:
    """The line of least squares through the medians of the sizes; None where there are not two. `values` are by size
    and round.

    Each size is one point, and not as many as it has samples. The interval tells how well the slope repeats, by drawing
    among the rounds that have all sizes; how straight the growth is, `explained` tells.
    """
    if len(values) < 2:
        return None
    # Takes a second to load, which only those who ask for a line should wait.
    from scipy.stats import linregress

    medians = [statistics.median(by_round.values()) for by_round in values.values()]
    fit = linregress(list(values), medians)
    # Where nothing varies, scipy tells nothing.
    explained = float(fit.rvalue**2) if len(set(medians)) > 1 else 1.0
    complete = sorted(set.intersection(*(set(by_round) for by_round in values.values())))
    rounds = [[by_round[number] for by_round in values.values()] for number in complete]
    return Line(
        slope=float(fit.slope),
        intercept=float(fit.intercept),
        interval=slope_interval(list(values), rounds, seed),
        explained=explained if len(values) >= LEAST_SIZES else None,
    )


def _growth(cell: Cell, sizes: Mapping[int, Sequence[ScaleSample]], seed: int) -> Growth:
    return Growth(
        cell=cell,
        points=tuple(_point(size, samples) for size, samples in sizes.items()),
        seconds=line_through({size: {each.round: each.seconds for each in own} for size, own in sizes.items()}, seed),
        files=line_through(
            {size: {each.round: each.compiled_files for each in own} for size, own in sizes.items()}, seed
        ),
    )


def _point(size: int, samples: Sequence[ScaleSample]) -> Point:
    return Point(
        size=size,
        seconds=statistics.median(sample.seconds for sample in samples),
        files=statistics.median(sample.compiled_files for sample in samples),
        samples=len(samples),
    )
