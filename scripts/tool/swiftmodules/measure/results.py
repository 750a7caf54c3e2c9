"""What the numbers of a record mean: medians, ratios to the baseline, and the A/A control.

Every number is calculated once, when it is first requested.

An interval is that between two samples: the k-th smallest and the k-th largest. It holds the median of what was sampled
with a probability that follows from the binomial distribution alone, whatever the samples' own distribution is
(H. A. David and H. N. Nagaraja, "Order Statistics", section 7.1). Too few samples for 95% have none.
"""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import comb
from typing import NamedTuple, get_args

from msgspec.structs import replace

from swiftmodules.measure.record import CLEAN, Axis, Cell, Rebuilt, Record, Sample

# Builds of the same package in two folders differ by this much where nothing is wrong.
CONTROL_WITHIN = 0.05
CONFIDENCE = 0.95
# The range of six samples holds the median in 96.9% of cases (1 − 2 × 2⁻⁶), that of five in 93.8%.
LEAST_SAMPLES = 6


@dataclass(frozen=True)
class Estimate:
    """The median of samples and its range: an interval of at least 95%, or with too few samples for one, from the
    lowest sample to the highest. As text such as `1.05 (1.0004–1.11)`: an end has as many digits as show on which side
    of 1 it lies."""

    count: int
    median: float
    low: float
    high: float

    @property
    def is_interval(self) -> bool:
        return self.count >= LEAST_SAMPLES

    def __str__(self) -> str:
        return f"{self.median:.2f}" + (f" ({_end(self.low)}–{_end(self.high)})" if self.count > 1 else "")


def estimate(values: Sequence[float]) -> Estimate | None:
    """The median of samples, with the narrowest interval of order statistics that holds it with at least 95%; None
    where there are no samples."""
    if not values:
        return None
    ordered, left_out = sorted(values), _left_out(len(values))
    return Estimate(len(values), statistics.median(values), ordered[left_out], ordered[-1 - left_out])


def _left_out(count: int) -> int:
    """How many samples are left out at each end."""
    missed, found = 0.0, 0
    for number in range(count // 2):
        # The median lies beyond one of the ends where at most so many samples lie on its side.
        missed += 2 * comb(count, number) / 2**count
        if missed > 1 - CONFIDENCE:
            break
        found = number
    return found


def _end(value: float) -> str:
    texts = (f"{value:.{digits}f}" for digits in range(2, 7))
    return next((text for text in texts if float(text) != 1), "1.00")


def shown_axes(*records: Record) -> Sequence[str]:
    """The edit, the module, and the axes on which a record has several values."""
    return ["edit", "module", *(axis for axis in get_args(Axis) if any(len(each.values(axis)) > 1 for each in records))]


def labels(cell: Cell, axes: Iterable[str]) -> dict[str, str]:
    """The values of a cell on some axes as reports show them."""
    shown = {"edit": "clean build"} if cell.edit == CLEAN else {}
    return {axis: shown.get(axis, getattr(cell, axis) or "") for axis in axes}


class Counts(NamedTuple):
    """The counts of the samples of a cell, such as files; as text such as `2` or `2 (1–3)`."""

    fewest: int
    median: float
    most: int

    @classmethod
    def of(cls, counts: Sequence[int]) -> Counts:
        return cls(min(counts), statistics.median(counts), max(counts))

    def __str__(self) -> str:
        return str(self.most) if self.fewest == self.most else f"{self.median:g} ({self.fewest}–{self.most})"


@dataclass(frozen=True)
class Summary:
    """The samples of a cell: compiled files, linked products, what caches of targets rebuild, seconds, and the ratio of
    the seconds to the baseline. A value that was not recorded is None."""

    cell: Cell
    samples: Sequence[Sample]
    files: Counts
    links: Counts
    rebuilt: Rebuilt | None
    seconds: Estimate | None
    ratio: Estimate | None
    # The timed build made a program that is wrong.
    is_unsound: bool

    @property
    def median_seconds(self) -> float:
        return self.seconds.median if self.seconds else 0.0

    @property
    def by_interface(self) -> int | None:
        """The files that a cache by interface rebuilds; None where no build has shown them."""
        return self.rebuilt.by_interface if self.rebuilt else None


class Results:
    def __init__(self, record: Record) -> None:
        self.record = record

    @cached_property
    def axis(self) -> Axis | None:
        """The axis whose values are compared with the first one."""
        return next((axis for axis in get_args(Axis) if len(self.record.values(axis)) > 1), None)

    @property
    def baseline(self) -> str | None:
        """The value with which the others are compared."""
        return self.record.values(self.axis)[0] if self.axis else None

    @cached_property
    def is_timed(self) -> bool:
        return any(sample.seconds is not None for sample in self.record.samples)

    @cached_property
    def samples(self) -> Mapping[Cell, Sequence[Sample]]:
        """The samples of each cell, in the order in which they were taken."""
        return _by_cell(self.record.samples, control=False)

    @cached_property
    def summaries(self) -> Mapping[Cell, Summary]:
        """A summary for each cell that has samples, in the order of the report."""
        return {cell: self._summary(cell, self.samples[cell]) for cell in sorted(self.samples, key=self._place)}

    @cached_property
    def control(self) -> Estimate | None:
        """The ratio of the second build of the baseline to the first (A/A control), of each round the median of its
        edits, as these share two folders; None where there are no pairs.

        Clean builds are left out, as the first of a run begins with nothing in the system's caches.
        """
        again = _by_cell((sample for sample in self.record.samples if sample.edit != CLEAN), control=True)
        found: dict[int, list[float]] = {}
        for cell, own in again.items():
            for number, ratio in _pairs(own, self.samples.get(cell, ())):
                found.setdefault(number, []).append(ratio)
        return estimate(list(map(statistics.median, found.values())))

    @property
    def is_untrustworthy(self) -> bool:
        """Whether the whole interval of the control is further from 1 than `CONTROL_WITHIN`."""
        found = self.control
        is_within = found is not None and found.low <= 1 + CONTROL_WITHIN and found.high >= 1 - CONTROL_WITHIN
        return found is not None and found.is_interval and not is_within

    def _ratio(self, cell: Cell) -> Estimate | None:
        """The ratio of the seconds of a cell to the seconds of the baseline in the same rounds."""
        baseline = replace(cell, **{self.axis: self.baseline}) if self.axis else cell
        if baseline == cell:
            return None
        return estimate([ratio for _, ratio in _pairs(self.samples[cell], self.samples.get(baseline, ()))])

    def _place(self, cell: Cell) -> tuple[int, int]:
        return self.record.rows.index(cell.row), self.record.variants.index(cell.variant)

    def _summary(self, cell: Cell, samples: Sequence[Sample]) -> Summary:
        verification = self.record.verification
        return Summary(
            cell=cell,
            samples=samples,
            files=Counts.of([sample.files for sample in samples]),
            links=Counts.of([len(sample.linked) for sample in samples]),
            rebuilt=samples[0].rebuilt,
            seconds=estimate([sample.seconds for sample in samples if sample.seconds is not None]),
            ratio=self._ratio(cell),
            is_unsound=verification is not None and any(each.cell == cell for each in verification.unsound),
        )


def title_of(cell: Cell, record: Record) -> str:
    """The name of a cell in a report: its edit and module, and its values on the axes on which the record has
    several."""
    return " ".join(filter(None, labels(cell, shown_axes(record)).values()))


def _by_cell(samples: Iterable[Sample], control: bool) -> dict[Cell, list[Sample]]:
    found: dict[Cell, list[Sample]] = {}
    for sample in samples:
        if sample.control == control:
            found.setdefault(sample.cell, []).append(sample)
    return found


def _pairs(samples: Iterable[Sample], baseline: Iterable[Sample]) -> list[tuple[int, float]]:
    """The rounds, each with the ratio of the wall seconds to the baseline's in the same round: what slows the machine
    for a while slows both."""
    paired = {each.round: each.seconds for each in baseline}
    return [
        (each.round, each.seconds / other) for each in samples if each.seconds and (other := paired.get(each.round))
    ]
