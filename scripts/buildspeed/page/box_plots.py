"""The box plots: for each edit, module and layout all samples, with their quartiles and their median."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from buildspeed.control import control_verdict
from buildspeed.findings import Verdict, verdict_of
from buildspeed.page.axis import Axis, axis_to
from buildspeed.plan import CONTROL, Cell
from buildspeed.record import Record, Sample
from buildspeed.soundness import UNSOUND
from buildspeed.summary import CellSummary, Ratio, Row, samples_by_cell, summarize
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
        found = [
            (module, shown)
            for module in (None, *record.options.modules)
            if (shown := [cell for layout in layouts if (cell := Cell(layout, edit, module)) in summaries])
        ]
        if found:
            axis = axis_to(max(summaries[cell].slowest for _, shown in found for cell in shown))
            groups = (
                (module, tuple(_box(samples[cell], summaries[cell], controls, axis) for cell in shown))
                for module, shown in found
            )
            plots.append(BoxPlots(edit, axis, tuple(groups)))
    return plots


def _box(samples: Sequence[Sample], summary: CellSummary, controls: Mapping[Row, Ratio], axis: Axis) -> Box:
    first, median, third = (float(each) for each in np.quantile([each.seconds for each in samples], [0.25, 0.5, 0.75]))
    cell = summary.cell
    is_control = cell.layout == CONTROL
    ratio = controls.get((cell.edit, cell.module)) if is_control else summary.ratio
    seconds = f"{with_interval(summary.median_seconds, summary.seconds_interval)} s"
    verdict = "" if ratio is None or is_control else _WORDS[verdict_of(ratio)]
    # However fast it was, the program is wrong.
    if summary.is_unsound:
        verdict = UNSOUND
    count = len(samples)
    return Box(
        layout=cell.layout,
        points=tuple(_point(sample, index, count, axis) for index, sample in enumerate(samples)),
        fastest=axis.percent(summary.fastest),
        quartiles=(axis.percent(first), axis.percent(median), axis.percent(third)),
        slowest=axis.percent(summary.slowest),
        seconds=seconds,
        ratio=f"×{ratio_text(ratio)}" if ratio else "",
        verdict=verdict,
        description=f"{cell.layout}: {count} samples from {summary.fastest:.2f} to {summary.slowest:.2f} s, "
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
