"""The box plots: for each edit, module and layout all samples, with their quartiles and their median."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from buildspeed.control import control_verdict
from buildspeed.findings import Verdict, verdict_of
from buildspeed.page.axis import Axis, axis_to
from buildspeed.plan import CONTROL, Cell
from buildspeed.record import Record, Sample
from buildspeed.summary import CellSummary, Ratio, Row, samples_by_cell, summarize, summary_rows
from buildspeed.tables import ratio_text, with_interval

_WORDS = {
    Verdict.LONGER: "slower",
    Verdict.EQUAL: "equal",
    Verdict.LESS: "faster",
    Verdict.UNDECIDED: "undecided",
}


@dataclass(frozen=True)
class Point:
    """A sample. `x` is its place on the axis in percent, `y` its place in the order of the rounds."""

    x: float
    y: float
    noisy: bool
    title: str


@dataclass(frozen=True)
class Box:
    """The samples of one cell. Places are in percent of the axis."""

    layout: str
    points: tuple[Point, ...]
    fastest: float
    quartiles: tuple[float, float, float]
    slowest: float
    seconds: str
    ratio: str
    verdict: str
    description: str


@dataclass(frozen=True)
class BoxPlots:
    """The plots of an edit, by module, on one axis of seconds. The module is None for an edit in none."""

    edit: str
    axis: Axis
    groups: tuple[tuple[str | None, tuple[Box, ...]], ...]


def box_plots(record: Record) -> list[BoxPlots]:
    """For each edit that has samples, with those of the control."""
    samples = samples_by_cell(record)
    layouts = [*record.options.layouts, CONTROL]
    summaries = summarize(record, list(samples))
    verdict = control_verdict(record)
    controls = verdict.rows if verdict else {}
    plots = []
    for edit in record.options.edits:
        rows = [row for row, _ in summary_rows(record) if row[0] == edit]
        slowest = [summaries[cell].slowest for row in rows for cell in _cells(layouts, row) if cell in summaries]
        if slowest:
            axis = axis_to(max(slowest))
            groups = [
                (
                    row[1],
                    tuple(
                        _box(samples[cell], summaries[cell], _ratio(summaries[cell], controls.get(row)), axis)
                        for cell in _cells(layouts, row)
                        if cell in summaries
                    ),
                )
                for row in rows
            ]
            plots.append(BoxPlots(edit, axis, tuple(groups)))
    return plots


def _cells(layouts: Sequence[str], row: Row) -> list[Cell]:
    return [Cell(layout, *row) for layout in layouts]


def _ratio(summary: CellSummary, control: Ratio | None) -> Ratio | None:
    return control if summary.cell.layout == CONTROL else summary.ratio


def _box(samples: Sequence[Sample], summary: CellSummary, ratio: Ratio | None, axis: Axis) -> Box:
    first, median, third = (float(each) for each in np.quantile([each.seconds for each in samples], [0.25, 0.5, 0.75]))
    is_control = summary.cell.layout == CONTROL
    seconds = f"{with_interval(summary.median_seconds, summary.seconds_interval)} s"
    verdict = "" if ratio is None or is_control else _WORDS[verdict_of(ratio)]
    count = len(samples)
    return Box(
        layout=summary.cell.layout,
        points=tuple(_point(sample, index, count, axis) for index, sample in enumerate(samples)),
        fastest=axis.percent(summary.fastest),
        quartiles=(axis.percent(first), axis.percent(median), axis.percent(third)),
        slowest=axis.percent(summary.slowest),
        seconds=seconds,
        ratio=f"×{ratio_text(ratio)}" if ratio else "",
        verdict=verdict,
        description=f"{summary.cell.layout}: {count} samples from {summary.fastest:.2f} to {summary.slowest:.2f} s, "
        f"quartiles {first:.2f}, {median:.2f} and {third:.2f} s",
    )


def _point(sample: Sample, index: int, count: int, axis: Axis) -> Point:
    noisy = sample.conditions is not None and bool(sample.conditions.noisy)
    return Point(
        x=axis.percent(sample.seconds),
        y=round(100 * (index + 0.5) / count, 1),
        noisy=noisy,
        title=f"round {sample.round}: {sample.seconds:.3f} s{', noisy' if noisy else ''}",
    )
