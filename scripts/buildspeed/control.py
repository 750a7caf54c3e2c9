"""Judges a run by its A/A control: the same layout twice must take the same time."""

from __future__ import annotations

from dataclasses import dataclass

from buildspeed.plan import CONTROL, Cell, cells
from buildspeed.record import Record
from buildspeed.summary import Ratio, Row, paired_ratios, ratio_of, samples_by_cell


@dataclass(frozen=True)
class ControlVerdict:
    """The ratio of the control to the layout that it repeats: of each edit in each module, and of all pairs."""

    layout: str
    rows: dict[Row, Ratio]
    overall: Ratio

    @property
    def trusted(self) -> bool | None:
        """Whether the interval of the overall ratio holds 1; None where there are too few pairs to tell."""
        return None if self.overall.interval is None else 1 in self.overall.interval

    @property
    def rows_excluding_one(self) -> int:
        """How many edits have an interval without 1; one in twenty has by chance."""
        return sum(ratio.interval is not None and 1 not in ratio.interval for ratio in self.rows.values())


def control_verdict(record: Record) -> ControlVerdict | None:
    """The verdict, or None where the run has no control.

    The pairs of all edits are pooled. That is right for a layout and itself: within a round, which of the two came
    first was drawn anew for each edit, so the pairs are independent and as likely above 1 as below.
    """
    options = record.options
    if options.control is None:
        return None
    samples = samples_by_cell(record)
    pooled: list[float] = []
    rows: dict[Row, Ratio] = {}
    for cell in cells([CONTROL], options.edits, options.modules):
        row = (cell.edit, cell.module)
        repeated = samples.get(Cell(options.control, *row), [])
        ratios = paired_ratios(samples.get(cell, []), repeated)
        ratio = ratio_of(ratios, options.seed)
        if ratio is not None:
            rows[row] = ratio
            pooled += ratios
    overall = ratio_of(pooled, options.seed)
    return None if overall is None else ControlVerdict(options.control, rows, overall)
