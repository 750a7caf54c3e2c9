"""The chart of a report as SVG: bars with ranges.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape

from swiftmodules.measure.results import Results, labels

CHART = "chart.svg"
# Distinct on white and on black, also for readers who see few colours; bars have names besides.
_COLORS = ("#3b82d6", "#d97706", "#8b6fd1", "#d6336c", "#2f9e44", "#0c8599")
_FILES = "compiled files"


def chart(results: Results) -> str | None:
    """The chart that stands beside a report, the same bytes for the same record; None where nothing can be
    drawn, and for a history, whose totals are a table."""
    rows = {} if results.record.commits else _by_edits(results)
    if not rows:
        return None
    template = environment().get_template("bars.svg")
    return template.render(
        rows=rows,
        # A bar may be of no file.
        longest=max(bar.high for own in rows.values() for bar in own) or 1,
        description=description(results),
        quantity="times as long; 1 at the line" if results.is_timed else _FILES,
        is_ratio=results.is_timed,
    )


def description(results: Results) -> str:
    """A description of the chart, for readers who do not see it."""
    if results.is_timed:
        return f"times as long as `{results.baseline}`, with the ranges"
    return f"{_FILES} after each edit"


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


@dataclass(frozen=True)
class Bar:
    """A value between the ends of its range, with the name of what stands side by side."""

    name: str
    color: str
    low: float
    value: float
    high: float


def _by_edits(results: Results) -> Mapping[str, Sequence[Bar]]:
    """The bars of each edit and module, one for each value that is compared: the ratio to the baseline; or where
    nothing was timed, the compiled files, and the files of a cache by interface."""
    axis, found = results.axis, dict[str, list[Bar]]()
    for cell, summary in results.summaries.items():
        name = getattr(cell, axis) if axis else ""
        number = results.record.values(axis).index(name) if axis else 0
        color = _COLORS[number % len(_COLORS)]
        own = found.setdefault(" ".join(filter(None, labels(cell, ("edit", "module")).values())), [])
        if results.is_timed:
            ratio = summary.ratio
            own += [Bar(name, color, ratio.low, ratio.median, ratio.high)] if ratio else []
        else:
            own.append(Bar(name, color, *summary.files))
            if (files := summary.by_interface) is not None:
                own[-1] = replace(own[-1], name=f"{name} by source".lstrip())
                own.append(Bar(f"{name} by interface".lstrip(), color, files, files, files))
    return {row: bars for row, bars in found.items() if bars}
