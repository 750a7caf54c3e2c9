"""The analysis of a record of `scale`: what each added copy of a module costs, in each layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from statistics import median

from swiftmodules.analysis.run import (
    Analysis,
    Pair,
    Row,
    by_cell,
    drifting,
    drifting_warnings,
    machine_of,
    machine_ratios,
    noisy_samples,
    on_machine,
    pairs_of,
    pooled_ratio,
    rows_of,
    unsound_warning,
    without_machines,
)
from swiftmodules.analysis.stats import Line, Ratio, line_through
from swiftmodules.records.kinds import MeasuredSize, ScaleRecord
from swiftmodules.records.model import BASELINE, CONTROL, Cell, Sample


@dataclass(frozen=True)
class Growth:
    """The growth of a cell with size. For `seconds` and `files`: the medians by size, from the smallest to the largest,
    and the line through them, None where there are not two sizes."""

    cell: Cell
    medians: Mapping[str, Mapping[int, float]]
    lines: Mapping[str, Line | None]

    def ends(self, quantity: str) -> list[tuple[int, float]]:
        """The smallest and the largest size, each with its place on the line; empty where there is no line."""
        line, sizes = self.lines[quantity], list(self.medians[quantity])
        return [(size, max(0.0, line.intercept + line.slope * size)) for size in (sizes[0], sizes[-1])] if line else []


class ScaleAnalysis(Analysis[ScaleRecord]):
    """The analysis of a record of `scale`."""

    # The layout that the others are compared with.
    baseline = BASELINE
    # The meaning of `seconds`.
    clock = "seconds of swift build"

    @cached_property
    def rows(self) -> list[Row]:
        """The edits with their modules, without those that have no place."""
        return rows_of(self.record)

    @cached_property
    def sizes(self) -> list[MeasuredSize]:
        """The measured sizes, from the smallest to the largest."""
        return sorted(self.record.sizes, key=lambda each: each.size)

    @cached_property
    def growths(self) -> dict[Cell, Growth]:
        """The growth of every cell that has samples; the control is left out."""
        sizes = {each.size: self._samples[each.size] for each in self.sizes}
        cells = dict.fromkeys(cell for samples in sizes.values() for cell in samples if cell.layout != CONTROL)
        return {
            cell: self._growth(cell, {size: own[cell] for size, own in sizes.items() if cell in own}) for cell in cells
        }

    @cached_property
    def comparisons(self) -> dict[Cell, dict[int, Ratio]]:
        """The ratio to the baseline in the same rounds, which lie minutes apart, by cell and size."""
        found: dict[Cell, dict[int, Ratio]] = {}
        for measured in self.record.sizes:
            for layout in self.record.options.layouts:
                for row in self.rows if layout != self.baseline else ():
                    cell = Cell(layout, *row)
                    pairs = self._pairs(measured, cell, Cell(self.baseline, *row))
                    ratio = pooled_ratio(pairs, self.record.options.seed)
                    if ratio is not None:
                        found.setdefault(cell, {})[measured.size] = ratio
        return found

    @cached_property
    def control(self) -> Ratio | None:
        """The ratio of a layout to itself, from all pairs of all sizes at which it was measured twice."""
        return pooled_ratio(self._control, self.record.options.seed)

    @cached_property
    def controls(self) -> Mapping[str, Ratio]:
        """The same of each machine, where there are several."""
        return machine_ratios(self._control, self.record.options.seed)

    @cached_property
    def machine(self) -> str | None:
        """The machine whose seconds are shown, where there are several."""
        return machine_of(self.record.samples)

    @cached_property
    def without_drifting(self) -> ScaleAnalysis | None:
        """The same without the machines whose control misses 1; None where there are none, or no others."""
        record = without_machines(self.record, drifting(self.controls))
        return type(self)(record) if record else None

    @cached_property
    def noise(self) -> tuple[int, int]:
        """The number of noisy samples, and of all samples."""
        return noisy_samples(self.record.samples)

    @property
    def warnings(self) -> list[str]:
        found = super().warnings
        if self.control is not None and self.control.holds_one is False:
            found.append(
                "**This run cannot be trusted:** a layout, measured a second time in a build directory of its own, "
                f"took {self.control} times as long as itself, and the 95% interval does not contain 1. Measure again "
                "while nothing else uses the machine."
            )
        found += drifting_warnings(self.controls)
        for measured in self.record.sizes:
            found += [f"{text} ({measured.size} copies)" for text in unsound_warning(measured.verification)]
        noisy, samples = self.noise
        if noisy > samples / 2:
            found.append(
                f"**Noisy:** other programs used the machine during {noisy} of {samples} samples. The seconds mean "
                "little; the compiled files do not depend on it."
            )
        return found

    @cached_property
    def _samples(self) -> dict[int, dict[Cell, list[Sample]]]:
        """The samples of each cell, by size."""
        found: dict[int, list[Sample]] = {each.size: [] for each in self.record.sizes}
        for sample in self.record.samples:
            # Those of a size that was interrupted before its facts were known belong to no point.
            if sample.size in found:
                found[sample.size].append(sample)
        return {size: by_cell(samples) for size, samples in found.items()}

    @cached_property
    def _control(self) -> list[Pair]:
        return [
            pair
            for measured in self.record.sizes
            for row in (self.rows if measured.control else ())
            for pair in self._pairs(measured, Cell(CONTROL, *row), Cell(str(measured.control), *row))
        ]

    def _pairs(self, measured: MeasuredSize, cell: Cell, baseline: Cell) -> list[Pair]:
        samples = self._samples[measured.size]
        return pairs_of(samples.get(cell, ()), samples.get(baseline, ()))

    def _growth(self, cell: Cell, sizes: Mapping[int, Sequence[Sample]]) -> Growth:
        timed = {size: on_machine(own, self.machine) for size, own in sizes.items()}
        values: dict[str, dict[int, dict[int, float]]] = {
            "seconds": {size: {each.round: each.seconds for each in own} for size, own in timed.items()},
            "files": {size: {each.round: each.files for each in own} for size, own in sizes.items()},
        }
        return Growth(
            cell,
            {name: {size: median(own.values()) for size, own in each.items()} for name, each in values.items()},
            {name: line_through(each, self.record.options.seed) for name, each in values.items()},
        )
