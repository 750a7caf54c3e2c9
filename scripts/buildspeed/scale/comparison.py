"""How layouts compare with one another at each size, by samples of the same round, which lie minutes apart."""

from __future__ import annotations

from collections.abc import Mapping

from buildspeed.plan import CONTROL, Cell
from buildspeed.scale.growth import rows_of
from buildspeed.scale.record import MeasuredSize, ScaleRecord, ScaleSample
from buildspeed.summary import BASELINE, Ratio, paired_ratios, ratio_of


def comparisons(record: ScaleRecord, shape: str) -> Mapping[Cell, Mapping[int, Ratio]]:
    """The ratio of every other layout to `interface`, by size; empty where that was not measured."""
    others = [layout for layout in record.options.layouts if layout != BASELINE]
    found: dict[Cell, dict[int, Ratio]] = {}
    for measured in record.sizes:
        if measured.shape == shape:
            for row in rows_of(record):
                for layout in others:
                    cell = Cell(layout, *row)
                    ratio = ratio_of(_ratios(measured, cell, Cell(BASELINE, *row)), record.options.seed)
                    if ratio is not None:
                        found.setdefault(cell, {})[measured.size] = ratio
    return found


def control_of(record: ScaleRecord) -> Ratio | None:
    """The ratio of a layout to itself, from all pairs of all sizes at which it was measured twice."""
    ratios: list[float] = []
    for measured in record.sizes:
        if measured.control:
            for row in rows_of(record):
                ratios += _ratios(measured, Cell(CONTROL, *row), Cell(measured.control, *row))
    return ratio_of(ratios, record.options.seed)


def _ratios(measured: MeasuredSize, cell: Cell, baseline: Cell) -> list[float]:
    return paired_ratios(_samples(measured, cell), _samples(measured, baseline))


def _samples(measured: MeasuredSize, cell: Cell) -> list[ScaleSample]:
    return [sample for sample in measured.samples if sample.cell == cell]
