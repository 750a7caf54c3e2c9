"""What each added module costs: straight lines through the sizes, for each edit in each layout and shape."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.inference import CONFIDENCE, Interval
from buildspeed.plan import Cell, cells
from buildspeed.scale.record import ScaleRecord, ScaleSample
from buildspeed.summary import Row

# With two, every line fits, and nothing tells how well.
LEAST_SIZES = 3


@dataclass(frozen=True)
class Line:
    """A straight line through points, by least squares. The interval is that of the slope, by Student's t; None
    below `LEAST_SIZES`. `explained` is the share of the variance that the line explains (R²)."""

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
    return {
        cell: _growth(cell, [_point(size, samples) for size, samples in sorted(sizes.items())])
        for cell, sizes in by_cell.items()
    }


def line_through(points: Sequence[tuple[float, float]]) -> Line | None:
    """The line of least squares; None where the points do not have two sizes.

    Each size is one point, its median, and not as many as it has samples: what moves all samples of a size together
    (how its files happen to be spread over jobs, for one) is part of the error then, as it should be.
    """
    sizes, values = [size for size, _ in points], [value for _, value in points]
    if len(set(sizes)) < 2:
        return None
    # Takes a second to load, which only those who ask for a line should wait.
    from scipy.stats import linregress, t

    fit = linregress(sizes, values)
    degrees = len(points) - 2
    if degrees < LEAST_SIZES - 2:
        return Line(float(fit.slope), float(fit.intercept), None, None)
    # Where nothing varies, scipy tells neither.
    error, explained = (float(fit.stderr), float(fit.rvalue**2)) if len(set(values)) > 1 else (0.0, 1.0)
    half = float(t.ppf((1 + CONFIDENCE) / 2, degrees)) * error
    return Line(
        float(fit.slope), float(fit.intercept), Interval(float(fit.slope) - half, float(fit.slope) + half), explained
    )


def _growth(cell: Cell, points: list[Point]) -> Growth:
    return Growth(
        cell=cell,
        points=tuple(points),
        seconds=line_through([(point.size, point.seconds) for point in points]),
        files=line_through([(point.size, point.files) for point in points]),
    )


def _point(size: int, samples: Sequence[ScaleSample]) -> Point:
    return Point(
        size=size,
        seconds=statistics.median(sample.seconds for sample in samples),
        files=statistics.median(sample.compiled_files for sample in samples),
        samples=len(samples),
    )
