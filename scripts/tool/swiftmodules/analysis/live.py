"""The analysis of a record of `live`: how a live session compares with the compiler's own work, and with builds."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from swiftmodules.analysis.run import Row, ratios_of
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.stats import Ratio, ratio_of
from swiftmodules.records.kinds import LIVE
from swiftmodules.records.model import Cell, Sample, place_name

# The limits of a live session.
_MOST_BY_HAND, _MOST_GROWTH, _LEAST_GAIN = 1.25, 1.1, 40.0
# Where the gain is required: an addition in the module that all copies use, in this layout, with so many copies.
_GAIN_EDIT, _GAIN_LAYOUT, _GAIN_SIZE = "private-top", "fused", 40


@dataclass(frozen=True)
class Bar:
    """A ratio with its limit: the most that it may be, or the least."""

    name: str
    ratio: Ratio
    limit: float
    is_least: bool = False

    @property
    def is_met(self) -> bool:
        """Whether the median keeps the limit."""
        return self.ratio.median >= self.limit if self.is_least else self.ratio.median <= self.limit


class LiveAnalysis(ScaleAnalysis):
    """The analysis of a record of `live`."""

    baseline = LIVE
    clock = "seconds to the screen"

    @cached_property
    def copies(self) -> list[int]:
        """The measured sizes, from the smallest to the largest."""
        return [each.size for each in self.sizes]

    @cached_property
    def by_hand(self) -> dict[Row, dict[int, Ratio]]:
        """The ratio of a live session to the same compile and link by hand, right after, by edit and size."""
        found: dict[Row, dict[int, Ratio]] = {}
        for row in self.rows:
            for size in self.copies:
                own = [
                    each.seconds / each.by_hand_seconds
                    for each in self._of(Cell(LIVE, *row), size)
                    if each.by_hand_seconds
                ]
                if ratio := ratio_of(own, self.record.options.seed):
                    found.setdefault(row, {})[size] = ratio
        return found

    @cached_property
    def growth_of_live(self) -> dict[Row, Ratio]:
        """The ratio of a live session at the largest size to one at the smallest, in the same rounds, by edit."""
        found: dict[Row, Ratio] = {}
        for row in self.rows if len(self.copies) > 1 else ():
            smallest, largest = (self._of(Cell(LIVE, *row), size) for size in (self.copies[0], self.copies[-1]))
            if ratio := ratio_of(ratios_of(largest, smallest), self.record.options.seed):
                found[row] = ratio
        return found

    @cached_property
    def phases(self) -> dict[Cell, dict[int, Mapping[str, float]]]:
        """The median seconds of each part, by cell and size."""
        found: dict[Cell, dict[int, Mapping[str, float]]] = {}
        for row in self.rows:
            for layout in self.record.options.layouts:
                for size in self.copies:
                    cell = Cell(layout, *row)
                    parts = [each.phases for each in self._of(cell, size) if each.phases]
                    if parts:
                        medians = {name: statistics.median(each[name] for each in parts) for name in parts[0]}
                        found.setdefault(cell, {})[size] = medians
        return found

    @cached_property
    def bars(self) -> list[Bar]:
        """The limits of a live session, with the measured ratios: for each limit, the edit that comes closest to it."""
        bars = []
        if self.by_hand:
            ratio, row, size = max(
                ((ratio, row, size) for row, own in self.by_hand.items() for size, ratio in own.items()),
                key=lambda each: each[0].median,
            )
            name = f"live to compile and link by hand, {place_name(*row)}, {size} copies"
            bars.append(Bar(name, ratio, _MOST_BY_HAND))
        if self.growth_of_live:
            row, ratio = max(self.growth_of_live.items(), key=lambda each: each[1].median)
            name = f"live with {self.copies[-1]} copies to {self.copies[0]}, {place_name(*row)}"
            bars.append(Bar(name, ratio, _MOST_GROWTH))
        for module in self.record.options.modules[:1]:
            cell = Cell(_GAIN_LAYOUT, _GAIN_EDIT, module)
            if gain := self.comparisons.get(cell, {}).get(_GAIN_SIZE):
                name = f"{cell.name} to live, {_GAIN_SIZE} copies"
                bars.append(Bar(name, gain, _LEAST_GAIN, is_least=True))
        return bars

    def _of(self, cell: Cell, size: int) -> Sequence[Sample]:
        return self._samples[size].get(cell, ())
