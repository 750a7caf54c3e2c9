"""The chart of a report as SVG: bars with ranges, or the waiting of a history.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from swiftmodules.measure.results import Axis, Results, Summary, title_of
from swiftmodules.measure.tables import by_interface, cumulative, pivot_of

CHART = "chart.svg"
# Distinct on white and on black, also for readers who see few colours; bars have names, and lines dashes besides.
_COLORS = ("#3b82d6", "#d97706", "#8b6fd1", "#d6336c", "#2f9e44", "#0c8599")
_DASHES = ("none", "6 3", "2 3", "9 3 2 3", "1 2", "5 2 1 2")
_MOST_STEPS = 5


def chart(results: Results) -> str | None:
    """The chart that stands beside a report, the same bytes for the same record; None where nothing can be drawn."""
    if results.record.commits:
        return _waiting(results)
    rows = bars(results)
    if not rows:
        return None
    axis = axis_to(max(bar.high for own in rows.values() for bar in own))
    return _drawn("bars.svg", rows=rows, axis=axis, description=description(results), is_ratio=results.is_timed)


def description(results: Results) -> str:
    """What the chart shows, for those who do not see it."""
    if results.record.commits:
        return f"{'seconds of waiting' if results.is_timed else 'compiled files'} after so many commits"
    axis = _ratio_axis(results)
    if not results.is_timed or axis is None:
        return "compiled files after each edit"
    return f"times as long as `{axis.label(axis.baseline_of(results.record))}`, with the ranges"


@cache
def environment() -> Environment:
    """The templates of reports and charts."""
    return Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=select_autoescape(["svg"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )


class ChartAxis(NamedTuple):
    """From 0 to `end`, with a mark at every `step`."""

    end: float
    step: float

    @property
    def marks(self) -> tuple[float, ...]:
        return tuple(index * self.step for index in range(round(self.end / self.step) + 1))

    def place(self, value: float, length: float) -> float:
        """The place of a value on an axis of a length."""
        return round(length * value / self.end, 1)


def axis_to(most: float) -> ChartAxis:
    """An axis with round numbers that reaches the largest value."""
    if most <= 0:
        return ChartAxis(1, 1)
    magnitude = 10.0 ** math.floor(math.log10(most / _MOST_STEPS))
    # 10 in any case, because a logarithm just below a whole number may be rounded up to it.
    step = next(size * magnitude for size in (1, 2, 5, 10, 20) if math.ceil(most / (size * magnitude)) <= _MOST_STEPS)
    return ChartAxis(math.ceil(most / step) * step, step)


@dataclass(frozen=True)
class Bar:
    """A value between the ends of its range, with the name of what stands side by side."""

    name: str
    color: str
    low: float
    value: float
    high: float


def bars(results: Results) -> Mapping[str, Sequence[Bar]]:
    """By edit and module, a bar for each value that stands side by side: the ratio to the baseline of the axis with the
    most values; or where nothing was timed, the compiled files, and those of a cache by interface."""
    pivot, axis = pivot_of(results), _ratio_axis(results)
    found: dict[str, list[Bar]] = {}
    for cell, summary in results.summaries.items():
        if (ends := _ends(results, summary, axis)) is None:
            continue
        number = pivot.values(results.record).index(getattr(cell, pivot.name)) if pivot else 0
        name = pivot.of(cell) if pivot else ""
        row = title_of(cell, results.record, [pivot] if pivot else [])
        own = found.setdefault(row, [])
        own.append(Bar(name, _COLORS[number], *ends))
        if not results.is_timed and (files := by_interface(summary)) is not None:
            own[-1] = replace(own[-1], name=f"{name} by source".lstrip())
            own.append(Bar(f"{name} by interface".lstrip(), _COLORS[number], files, files, files))
    return found


def _ratio_axis(results: Results) -> Axis | None:
    return max(results.axes, key=lambda axis: len(axis.values(results.record)), default=None)


def _ends(results: Results, summary: Summary, axis: Axis | None) -> tuple[float, float, float] | None:
    if not results.is_timed:
        return summary.files
    ratio = summary.ratios.get(axis.name) if axis else None
    return (ratio.low, ratio.median, ratio.high) if ratio else None


class Line(NamedTuple):
    """The waiting in a variant until each commit."""

    name: str
    color: str
    dashes: str
    values: Sequence[float]


def _waiting(results: Results) -> str:
    """The waiting in each variant, against the commits."""
    found = cumulative(results)
    # Variants beyond the colours are those of several settings or sizes: the table has them.
    lines = [Line(*each) for each in zip(found, _COLORS, _DASHES, found.values(), strict=False)]
    last = max((len(line.values) for line in lines), default=0)
    return _drawn(
        "waiting.svg",
        quantity="seconds of waiting, in all" if results.is_timed else "compiled files, in all",
        description=description(results),
        commits=ChartAxis(max(last, 1), 1),
        numbers=sorted({1, last // 2, last} - {0}) or [1],
        axis=axis_to(max((line.values[-1] for line in lines if line.values), default=0)),
        lines=lines,
    )


def _drawn(template: str, **values: object) -> str:
    return environment().get_template(template).render(values)
