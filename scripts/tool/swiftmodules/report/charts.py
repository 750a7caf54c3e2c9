"""The contents of the charts and their axes: box plots, heat maps, growth curves, timelines, ranges."""

from __future__ import annotations

import math
import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import CellSummary, FileCounts, RunAnalysis, in_rows
from swiftmodules.analysis.scale import Growth, ScaleAnalysis
from swiftmodules.analysis.stats import Interval, Ratio
from swiftmodules.observed import Job
from swiftmodules.records.kinds import Rebuild
from swiftmodules.records.model import CONTROL, Cell, place_name

_MOST_STEPS = 5


@dataclass(frozen=True)
class Axis:
    """From 0 to `end`, with a mark at every `step`."""

    end: float
    step: float

    @property
    def marks(self) -> tuple[float, ...]:
        return tuple(index * self.step for index in range(round(self.end / self.step) + 1))

    def percent(self, value: float) -> float:
        """The place of a value, from 0 to 100."""
        return round(100 * value / self.end, 2)

    def place(self, value: float, length: float) -> float:
        """The place of a value on an axis of a length."""
        return round(length * value / self.end, 1)

    def below(self, value: float, length: float) -> float:
        """The distance of a value from the end of an axis that points upwards."""
        return round(length - length * value / self.end, 1)


def axis_to(most: float) -> Axis:
    """An axis with round numbers that reaches the largest value."""
    if most <= 0:
        return Axis(1, 1)
    magnitude = 10.0 ** math.floor(math.log10(most / _MOST_STEPS))
    # 10 in any case, because a logarithm just below a whole number may be rounded up to it.
    step = next(size * magnitude for size in (1, 2, 5, 10, 20) if math.ceil(most / (size * magnitude)) <= _MOST_STEPS)
    return Axis(math.ceil(most / step) * step, step)


@dataclass(frozen=True)
class BoxPlots:
    """The plots of an edit, by module, on one axis of seconds. The module is None for an edit in none."""

    edit: str
    axis: Axis
    groups: list[tuple[str | None, list[CellSummary]]]


def box_plots(analysis: RunAnalysis) -> list[BoxPlots]:
    """For each edit that has samples, with those of the control."""
    options, summaries = analysis.record.options, analysis.summaries
    plots: list[BoxPlots] = []
    for edit in options.edits:
        rows = [(edit, module) for module in (None, *options.modules)]
        cells = in_rows(rows, (*options.layouts, CONTROL), summaries)
        groups = [(row[1], found) for row, each in cells.items() if (found := [cell for cell in each.values() if cell])]
        if groups:
            plots.append(BoxPlots(edit, axis_to(max(cell.slowest for _, found in groups for cell in found)), groups))
    return plots


@dataclass(frozen=True)
class Heat:
    """One cell: the number of files as it is shown, how hot the cell is, from 0 to 100, and whether the program that
    was built is wrong."""

    files: str
    percent: int
    is_unsound: bool


@dataclass(frozen=True)
class HeatTable:
    """The rows of one edit, by module; or of all edits that are made once and not in every module."""

    title: str
    kind: str
    rows: tuple[tuple[str, tuple[Heat | None, ...]], ...]


@dataclass(frozen=True)
class HeatMap:
    """A table for each edit, with a column for each layout: how many files each edit compiles."""

    layouts: tuple[str, ...]
    tables: tuple[HeatTable, ...]
    most: int


def heat_map(analysis: RunAnalysis | MatrixAnalysis) -> HeatMap:
    """From the samples of a run, without the control; or from a matrix, which has more edits and each build once."""
    options, verification = analysis.record.options, analysis.record.verification
    if isinstance(analysis, MatrixAnalysis):
        counts = {cell: FileCounts.of([len(each.compiled)]) for cell, each in analysis.cells.items()}
    else:
        counts = {cell: each.files for cell, each in analysis.summaries.items() if cell.layout in options.layouts}
    unsound = verification.unsound_cells if verification else frozenset()
    most = max((files.most for files in counts.values()), default=0)
    present = {(cell.edit, cell.module) for cell in counts}

    def heat(cell: Cell) -> Heat | None:
        if cell not in counts:
            return None
        # On a logarithmic scale, on which the difference between 1 and 5 files can be seen beside one of 50.
        percent = round(100 * math.log1p(counts[cell].median) / math.log1p(most)) if most else 0
        return Heat(str(counts[cell]), percent, cell in unsound)

    def heats(edit: str, module: str | None) -> tuple[Heat | None, ...]:
        return tuple(heat(Cell(layout, edit, module)) for layout in options.layouts)

    tables = [
        HeatTable(edit, "module", tuple((module, heats(edit, module)) for module in found))
        for edit in options.edits
        if (found := [module for module in options.modules if (edit, module) in present])
    ]
    if once := tuple((edit, heats(edit, None)) for edit in options.edits if (edit, None) in present):
        tables.append(HeatTable("in no module", "edit", once))
    return HeatMap(tuple(options.layouts), tuple(tables), most)


@dataclass(frozen=True)
class Chart:
    """The axes of a chart of `seconds` or `files`, its `unit`, against the number of modules."""

    unit: str
    modules: Axis
    values: Axis


@dataclass(frozen=True)
class GrowthCurves:
    """One edit: the growth of each layout, on the axes of its charts."""

    edit: str
    charts: tuple[Chart, Chart]
    series: tuple[Growth, ...]


def growth_curves(analysis: ScaleAnalysis) -> list[GrowthCurves]:
    """The curves of each edit, in their order."""
    curves = []
    for row, growths in in_rows(analysis.rows, analysis.record.options.layouts, analysis.growths).items():
        if series := tuple(growth for growth in growths.values() if growth):
            charts = (_chart("seconds", series), _chart("files", series))
            curves.append(GrowthCurves(place_name(*row), charts, series))
    return curves


def _chart(unit: str, series: Sequence[Growth]) -> Chart:
    sizes, values = zip(*(point for growth in series for point in growth.medians[unit].items()), strict=True)
    return Chart(unit, axis_to(max(sizes)), axis_to(max(values)))


@dataclass(frozen=True)
class Timelines:
    """The jobs of each layout or setting, in lanes in which one follows another. All are on one axis of seconds, so
    that their lengths compare."""

    axis: Axis
    kinds: list[str]
    timelines: list[tuple[str, Rebuild, list[list[Job]]]]


def timelines(rebuilds: Mapping[str, Rebuild]) -> Timelines | None:
    """The timelines of rebuilds; None where no rebuild was recorded."""
    if not rebuilds:
        return None
    ends = [end for each in rebuilds.values() for end in (each.seconds, *(job.finished for job in each.jobs))]
    kinds = dict.fromkeys(job.kind for each in rebuilds.values() for job in each.jobs)
    drawn = [(name, each, _lanes(each)) for name, each in rebuilds.items()]
    return Timelines(axis_to(max(ends)), list(kinds), drawn)


def _lanes(rebuild: Rebuild) -> list[list[Job]]:
    """Each job in the first lane that is free when it begins."""
    lanes: list[list[Job]] = []
    for job in sorted(rebuild.jobs, key=lambda job: (job.began, job.finished)):
        free = next((lane for lane in lanes if lane[-1].finished <= job.began), None)
        if free is None:
            lanes.append(free := [])
        free.append(job)
    return lanes


class Range(NamedTuple):
    """A value between its extremes, or the ends of its interval."""

    low: float
    middle: float
    high: float

    @classmethod
    def of(cls, ratio: Ratio) -> Range:
        interval = ratio.interval or Interval(ratio.median, ratio.median)
        return cls(interval.low, ratio.median, interval.high)


@dataclass(frozen=True)
class LogAxis:
    """A logarithmic axis from the first to the last of its marks, which are 1, 2 and 5 times powers of ten."""

    marks: Sequence[float]

    def place(self, value: float, length: float) -> float:
        """The place of a value on an axis of a length."""
        start, end = math.log(self.marks[0]), math.log(self.marks[-1])
        return round(length * (math.log(value) - start) / (end - start), 1)


def log_axis(values: Collection[float]) -> LogAxis:
    """A logarithmic axis that holds values above 0."""
    low, high = math.log10(min(values)), math.log10(max(values))
    steps = [size * 10.0**power for power in range(math.floor(low), math.ceil(high) + 2) for size in (1, 2, 5)]
    start = max(step for step in steps if math.log10(step) <= low)
    end = next(step for step in steps if step > start and math.log10(step) >= high)
    return LogAxis([step for step in steps if start <= step <= end])


@dataclass(frozen=True)
class RangeChart:
    """Ranges of a quantity on one logarithmic axis, found by panel, row and layout: panels are side by side, and each
    has a mark for each layout in each row."""

    quantity: str
    axis: LogAxis
    panels: Sequence[str]
    rows: Sequence[str]
    layouts: Sequence[str]
    ranges: Mapping[tuple[str, str, str], Range]


def range_chart(analysis: RunAnalysis | MatrixAnalysis | FloorAnalysis) -> RangeChart | None:
    """The ratios of a run for each edit and module, those of the settings of a floor for each build, or the files that
    each edit of a matrix compiles, of all modules together. None where there are none."""
    match analysis:
        case RunAnalysis():
            quantity, ranges = "ratio", _ratio_ranges(analysis)
        case MatrixAnalysis():
            quantity, ranges = "files", _file_ranges(analysis)
        case FloorAnalysis():
            quantity, ranges = "ratio", _setting_ranges(analysis)
    if not ranges:
        return None
    panels, rows, layouts = (list(dict.fromkeys(names)) for names in zip(*ranges, strict=True))
    axis = log_axis([value for each in ranges.values() for value in each])
    return RangeChart(quantity, axis, panels, rows, layouts, ranges)


def _ratio_ranges(analysis: RunAnalysis) -> dict[tuple[str, str, str], Range]:
    return {
        (module, edit, layout): Range.of(cell.ratio)
        for (edit, module), cells in analysis.rows.items()
        for layout, cell in cells.items()
        if module and cell and cell.ratio
    }


def _file_ranges(analysis: MatrixAnalysis) -> dict[tuple[str, str, str], Range]:
    counts: dict[tuple[str, str, str], list[int]] = {}
    for cell, found in analysis.cells.items():
        if cell.module and found.compiled:
            counts.setdefault(("", cell.edit or "", cell.layout), []).append(len(found.compiled))
    return {key: Range(min(each), statistics.median(each), max(each)) for key, each in counts.items()}


def _setting_ranges(analysis: FloorAnalysis) -> dict[tuple[str, str, str], Range]:
    return {
        (build, advice.setting, advice.layout): Range.of(effect.ratio)
        for advice in analysis.advice
        for build, effect in advice.effects.items()
        if effect.ratio
    }
