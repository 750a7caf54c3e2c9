"""The charts of a report as SVG: ratios with their intervals, and the waiting of a history.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import hashlib
import math
import statistics
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple, TypeAlias

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from swiftmodules.measure.analysis import Analysis, Summary
from swiftmodules.measure.axes import AXES, Axis, several
from swiftmodules.measure.record import CLEAN, Cell, Record
from swiftmodules.measure.statistics import Interval
from swiftmodules.measure.store import record_bytes
from swiftmodules.measure.waiting import cumulative

# Distinct on white and on black, also for readers who see few colours; their marks differ besides.
_STYLES = {
    "interface": ("#3b82d6", "circle"),
    "fused": ("#d97706", "square"),
    "monolith": ("#8b6fd1", "triangle"),
    "live": ("#d6336c", "diamond"),
}
_OTHERS = tuple(_STYLES.values())
_MOST_STEPS, _MOST_MARKS = 5, 5
_TEMPLATES = Path(__file__).with_name("templates")
_Styles: TypeAlias = dict[str, tuple[str, str]]


def charts(analysis: Analysis) -> dict[str, str]:
    """Every chart that stands beside a report, by the name of its file. The same record gives the same bytes."""
    if analysis.record.commits:
        return {"waiting.svg": _waiting(analysis)}
    chart = range_chart(analysis)
    values = {"chart": chart, "styles": _styles(chart.marks)} if chart else {}
    return {f"{chart.quantity}.svg": _drawn("ranges.svg", analysis.record, values)} if chart else {}


def description(analysis: Analysis, name: str) -> str:
    """What a chart shows, for those who do not see it."""
    if analysis.record.commits:
        return f"{'seconds of waiting' if analysis.is_timed else 'compiled files'} after so many commits"
    if name == "files.svg":
        modules = "in the module with the fewest, in the middle one and in that with the most"
        return f"compiled files after each edit: {modules}"
    axis = _ratio_axis(analysis)
    baseline = axis.label(axis.baseline_of(analysis.record)) if axis else ""
    return f"times as long as `{baseline}`{', with 95% intervals' if analysis.has_intervals else ''}"


def fingerprint(record: Record) -> str:
    """Returns the text in a chart that shows whether it is that of a record."""
    return f"record {hashlib.sha256(record_bytes(record)).hexdigest()}"


@cache
def environment() -> Environment:
    """The templates of reports, pages and charts."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(["html", "svg"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"number": "{:.6g}".format}
    return made


class LinearAxis(NamedTuple):
    """From 0 to `end`, with a mark at every `step`."""

    end: float
    step: float

    @property
    def marks(self) -> tuple[float, ...]:
        return tuple(index * self.step for index in range(round(self.end / self.step) + 1))

    def place(self, value: float, length: float) -> float:
        """The place of a value on an axis of a length."""
        return round(length * value / self.end, 1)

    def below(self, value: float, length: float) -> float:
        """The distance of a value from the end of an axis that points upwards."""
        return round(length - length * value / self.end, 1)


def axis_to(most: float) -> LinearAxis:
    """An axis with round numbers that reaches the largest value."""
    if most <= 0:
        return LinearAxis(1, 1)
    magnitude = 10.0 ** math.floor(math.log10(most / _MOST_STEPS))
    # 10 in any case, because a logarithm just below a whole number may be rounded up to it.
    step = next(size * magnitude for size in (1, 2, 5, 10, 20) if math.ceil(most / (size * magnitude)) <= _MOST_STEPS)
    return LinearAxis(math.ceil(most / step) * step, step)


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


class Range(NamedTuple):
    """A value between its extremes, or the ends of its interval."""

    low: float
    middle: float
    high: float


_Ranges: TypeAlias = dict[tuple[str, str, str], Range]


@dataclass(frozen=True)
class RangeChart:
    """Ranges of a quantity on one logarithmic axis, found by panel, row and mark: panels are side by side, and each has
    a place for each mark in each row."""

    quantity: str
    axis: LogAxis
    panels: Sequence[str]
    rows: Sequence[str]
    marks: Sequence[str]
    ranges: Mapping[tuple[str, str, str], Range]


def range_chart(analysis: Analysis) -> RangeChart | None:
    """The ratios to the baseline of the axis with the most values; or where nothing was timed, the files that each edit
    compiles, of all modules together. None where there are none."""
    quantity, ranges = ("ratio", _ratio_ranges(analysis)) if analysis.is_timed else ("files", _file_ranges(analysis))
    if not ranges:
        return None
    panels, rows, marks = (list(dict.fromkeys(names)) for names in zip(*ranges, strict=True))
    axis = log_axis([value for each in ranges.values() for value in each])
    return RangeChart(quantity, axis, panels, rows, marks, ranges)


def _ratio_axis(analysis: Analysis) -> Axis | None:
    return max(analysis.axes, key=lambda axis: len(axis.values(analysis.record)), default=None)


def _ratio_ranges(analysis: Analysis) -> _Ranges:
    axis = _ratio_axis(analysis)
    if axis is None:
        return {}
    record = analysis.record
    # Too many values for a mark of each are rows.
    many = len(axis.values(record)) > _MOST_MARKS
    other = next((each for each in AXES.values() if many and each.role == "compare" and each != axis), axis)

    def key(cell: Cell) -> tuple[str, str, str]:
        value, mark = axis.label(getattr(cell, axis.name)), other.label(getattr(cell, other.name))
        edit, module = (AXES[name].label(getattr(cell, name)) for name in ("edit", "module"))
        if AXES["copies"] in several(record) and axis.name != "copies":
            module = " ".join(filter(None, [module, AXES["copies"].label(cell.copies)]))
        return (" ".join(filter(None, [edit, module])), value, mark) if many else (module, edit, value)

    return {
        key(cell): _range(ratio.median, ratio.interval)
        for cell, summary in _by_value(analysis, axis if many else None)
        if (ratio := summary.ratios.get(axis.name))
        and (cell.module or cell.edit == CLEAN)
        and cell.until == analysis.end
    }


def _by_value(analysis: Analysis, axis: Axis | None) -> Iterable[tuple[Cell, Summary]]:
    """The cells in the order of a chart."""
    items = list(analysis.summaries.items())
    if axis is None:
        return items
    values = axis.values(analysis.record)
    return sorted(items, key=lambda each: values.index(getattr(each[0], axis.name)))


def _range(middle: float, interval: Interval | None) -> Range:
    return Range(interval.low, middle, interval.high) if interval else Range(middle, middle, middle)


def _file_ranges(analysis: Analysis) -> _Ranges:
    counts: dict[tuple[str, str, str], list[float]] = {}
    mark = analysis.axes[0] if analysis.axes else AXES["layout"]
    for cell, summary in analysis.summaries.items():
        if cell.module and summary.files and summary.files.median:
            key = ("", AXES["edit"].label(cell.edit), mark.label(getattr(cell, mark.name)))
            counts.setdefault(key, []).append(summary.files.median)
    return {key: Range(min(each), statistics.median(each), max(each)) for key, each in counts.items()}


class Curve(NamedTuple):
    """The waiting in a variant after each commit."""

    name: str
    points: Sequence[tuple[int, float]]


def _waiting(analysis: Analysis) -> str:
    """The waiting in each variant, against the commits."""
    curves = [Curve(name, points) for name, points in cumulative(analysis).items()]
    last = max((len(curve.points) for curve in curves), default=0)
    most = max((curve.points[-1][1] for curve in curves if curve.points), default=0)
    values = {
        "quantity": "seconds of waiting, in all" if analysis.is_timed else "compiled files, in all",
        "commits": LinearAxis(max(last, 1), 1),
        "numbers": sorted({1, last // 2, last} - {0}) or [1],
        "values": axis_to(most),
        "curves": curves,
        "styles": _styles(curve.name for curve in curves),
    }
    return _drawn("waiting.svg", analysis.record, values)


def _styles(names: Iterable[str]) -> _Styles:
    return {name: _STYLES.get(name, _OTHERS[index % len(_OTHERS)]) for index, name in enumerate(names)}


def _drawn(template: str, record: Record, values: Mapping[str, object]) -> str:
    return environment().get_template(template).render(fingerprint=fingerprint(record), **values)
