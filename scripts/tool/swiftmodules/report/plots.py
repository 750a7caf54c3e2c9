"""The SVG plots of a record of `scale` that stand beside its report: small plots, one for each edit, in one picture.

Text is in the colour of the page, dark on a light one and light on a dark one, as far as the viewer reports that.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from swiftmodules.analysis.growth import Growth, ScaleAnalysis
from swiftmodules.records.files import record_bytes
from swiftmodules.records.kinds import ScaleRecord
from swiftmodules.records.model import Cell, place_name
from swiftmodules.report.charts import Axis, growth_axes
from swiftmodules.report.markdown import environment

QUANTITIES = {"seconds": "seconds of swift build", "files": "compiled files"}
# Told apart on white and on black, also by readers who see few colours; by their marks besides.
_STYLES = {
    "interface": ("#3b82d6", "circle"),
    "fused": ("#d97706", "square"),
    "monolith": ("#8b6fd1", "triangle"),
    "packages": ("#17966f", "diamond"),
}
_COLUMNS = 3
_WIDTH, _HEIGHT = 208, 150


@dataclass(frozen=True)
class Series:
    """A layout in a small plot: the places of its medians and the ends of its line, in the units of the picture."""

    layout: str
    color: str
    mark: str
    points: tuple[tuple[float, float], ...]
    line: tuple[float, float, float, float] | None


@dataclass(frozen=True)
class SmallPlot:
    """One edit, at its place in the picture."""

    title: str
    left: float
    top: float
    sizes: Axis
    values: Axis
    series: tuple[Series, ...]

    def x(self, size: float) -> float:
        return round(_WIDTH * size / self.sizes.end, 1)

    def y(self, value: float) -> float:
        return round(_HEIGHT - _HEIGHT * value / self.values.end, 1)


def plot_name(shape: str, quantity: str) -> str:
    """The file of a plot, beside the report."""
    return f"{shape}-{quantity}.svg"


def plots(analysis: ScaleAnalysis) -> dict[str, str]:
    """Every plot by the name of its file."""
    return {
        plot_name(shape, quantity): plot(analysis, shape, quantity)
        for shape in analysis.shapes
        for quantity in QUANTITIES
    }


def fingerprint(record: ScaleRecord) -> str:
    """What stands in a picture and shows whether it is that of a record."""
    return f"record {hashlib.sha256(record_bytes(record)).hexdigest()}"


def plot(analysis: ScaleAnalysis, shape: str, quantity: str) -> str:
    """One picture of `QUANTITIES`; the same record gives the same bytes."""
    layouts = analysis.record.options.layouts
    small: list[SmallPlot] = []
    for edit, module in analysis.rows:
        growths = [found for name in layouts if (found := analysis.growths[shape].get(Cell(name, edit, module)))]
        if growths:
            left, top = 62 + (_WIDTH + 62) * (len(small) % _COLUMNS), 62 + (_HEIGHT + 58) * (len(small) // _COLUMNS)
            small.append(_small_plot(place_name(edit, module), left, top, growths, quantity))
    rows = -(-len(small) // _COLUMNS)
    return (
        environment()
        .get_template("plots.svg")
        .render(
            fingerprint=fingerprint(analysis.record),
            shape=shape,
            quantity=QUANTITIES[quantity],
            plots=small,
            legend=[(layout, *_style(layout)) for layout in layouts],
            width=_WIDTH,
            height=_HEIGHT,
            total_width=62 + (_WIDTH + 62) * _COLUMNS - 40,
            total_height=62 + (_HEIGHT + 58) * rows + 10,
        )
    )


def _small_plot(title: str, left: float, top: float, growths: Sequence[Growth], quantity: str) -> SmallPlot:
    plain = SmallPlot(title, left, top, *growth_axes(growths, quantity), ())
    return replace(plain, series=tuple(_series(plain, growth, quantity) for growth in growths))


def _series(plot: SmallPlot, growth: Growth, quantity: str) -> Series:
    medians, line = growth.medians(quantity), growth.line(quantity)
    ends = None
    if line is not None:
        first, last = medians[0][0], medians[-1][0]
        start, end = (max(0.0, line.intercept + line.slope * size) for size in (first, last))
        ends = (plot.x(first), plot.y(start), plot.x(last), plot.y(end))
    places = tuple((plot.x(size), plot.y(value)) for size, value in medians)
    return Series(growth.cell.layout, *_style(growth.cell.layout), places, ends)


def _style(layout: str) -> tuple[str, str]:
    return _STYLES.get(layout, ("currentColor", "circle"))
