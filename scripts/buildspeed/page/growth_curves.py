"""The growth curves: for each edit seconds and compiled files against the number of modules."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.growth import GrowthPoint, GrowthSeries
from buildspeed.page.axis import Axis, axis_to


@dataclass(frozen=True)
class Curve:
    """A layout's places, in percent of both axes, in the order of the sizes, with a text for each."""

    layout: str
    points: tuple[tuple[float, float, str], ...]

    @property
    def segments(self) -> list[tuple[float, float, float, float]]:
        """The lines from place to place."""
        return [(*first[:2], *second[:2]) for first, second in zip(self.points, self.points[1:], strict=False)]


@dataclass(frozen=True)
class Chart:
    """What is counted in `unit`, against the number of modules."""

    unit: str
    modules: Axis
    values: Axis
    curves: tuple[Curve, ...]


@dataclass(frozen=True)
class GrowthCurves:
    """The charts of one edit in packages of one shape, and the series that they show."""

    shape: str
    edit: str
    charts: tuple[Chart, Chart]
    series: tuple[GrowthSeries, ...]


def growth_curves(growth: Sequence[GrowthSeries]) -> list[GrowthCurves]:
    """Those of each shape and edit, in their order."""
    return [
        _curves(shape, edit, [each for each in growth if (each.shape, each.edit) == (shape, edit)])
        for shape, edit in dict.fromkeys((each.shape, each.edit) for each in growth)
    ]


def _curves(shape: str, edit: str, series: Sequence[GrowthSeries]) -> GrowthCurves:
    points = [point for each in series for point in each.points]
    modules = axis_to(max((point.modules for point in points), default=0))
    seconds = axis_to(max((point.seconds for point in points), default=0))
    files = axis_to(max((point.files for point in points), default=0))

    def place(point: GrowthPoint, value: float, axis: Axis, unit: str) -> tuple[float, float, str]:
        return modules.percent(point.modules), axis.percent(value), f"{point.modules} modules: {value:g} {unit}"

    def chart(unit: str, axis: Axis) -> Chart:
        curves = (
            Curve(each.layout, tuple(place(point, getattr(point, unit), axis, unit) for point in each.points))
            for each in series
        )
        return Chart(unit, modules, axis, tuple(curves))

    return GrowthCurves(shape, edit, (chart("seconds", seconds), chart("files", files)), tuple(series))
