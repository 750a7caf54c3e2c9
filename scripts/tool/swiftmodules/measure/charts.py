"""The chart of a report as SVG: bars with ranges.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import cycle
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from swiftmodules.measure.results import Axis, Results, Summary, title_of
from swiftmodules.measure.tables import by_interface, files_of, kinds_of, of_commits, pivot_of, seconds_of

CHART = "chart.svg"
# Distinct on white and on black, also for readers who see few colours; bars have names besides.
_COLORS = ("#3b82d6", "#d97706", "#8b6fd1", "#d6336c", "#2f9e44", "#0c8599")
_MOST_STEPS = 5


def chart(results: Results) -> str | None:
    """The chart that stands beside a report, the same bytes for the same record; None where nothing can be drawn."""
    rows = _by_kinds(results) if results.record.commits else _by_edits(results)
    if not rows:
        return None
    return (
        environment()
        .get_template("bars.svg")
        .render(
            rows=rows,
            axis=axis_to(max(bar.high for own in rows.values() for bar in own)),
            description=description(results),
            quantity="compiled files"
            if not results.is_timed
            else "seconds"
            if results.record.commits
            else "times as long",
            is_ratio=results.is_timed and not results.record.commits,
        )
    )


def description(results: Results) -> str:
    """What the chart shows, for those who do not see it."""
    if results.record.commits:
        return f"{'seconds' if results.is_timed else 'compiled files'} of all commits of each kind"
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


def _by_edits(results: Results) -> Mapping[str, Sequence[Bar]]:
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


def _by_kinds(results: Results) -> Mapping[str, Sequence[Bar]]:
    """By kind of commit, a bar for each variant: the seconds of the commits that all variants have, or where nothing
    was timed, the compiled files, and those of a cache by interface."""
    found: dict[str, list[Bar]] = {}
    variants = of_commits(results)
    for words, commits in kinds_of(results.record).items():
        names = [name for name in commits if all(name in summaries for summaries in variants.values())]
        for color, (variant, summaries) in zip(cycle(_COLORS), variants.items() if names else (), strict=False):
            own = [summaries[name] for name in names]
            costs = {variant.name: sum(map(seconds_of if results.is_timed else files_of, own))}
            counts = [count for each in own if (count := by_interface(each)) is not None]
            if not results.is_timed and counts and len(counts) == len(own):
                costs[f"{variant.name} by interface"] = sum(counts)
            found.setdefault(words, []).extend(Bar(name, color, cost, cost, cost) for name, cost in costs.items())
    return found
