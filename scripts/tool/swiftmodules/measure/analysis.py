"""What the numbers of a record mean: medians, ratios along the axes, noise and the A/A control.

Every number is calculated once, when it is first requested.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, NamedTuple, TypeAlias

from msgspec.structs import asdict

from swiftmodules.measure.axes import AXES, Axis, several
from swiftmodules.measure.record import BUILT, BY_HAND, CLEAN, Cell, Record, Sample, Variant
from swiftmodules.measure.statistics import Median, Ratio, median_of, ratio_of

# An edit and its module.
Row: TypeAlias = tuple[str, str | None]
End: TypeAlias = Literal["built", "screen", "by-hand"]
_Samples: TypeAlias = Mapping[Cell, Sequence[Sample]]
# Builds of the same package in two folders differ by this much where nothing is wrong.
CONTROL_WITHIN = 0.05


class Pair(NamedTuple):
    """A ratio within a round, and the machine that took the round."""

    ratio: float
    machine: str | None


class FileCounts(NamedTuple):
    """The number of files that the samples of a cell compiled; as text such as `2 (1–3)`."""

    fewest: int
    median: float
    most: int

    @classmethod
    def of(cls, samples: Iterable[Sample]) -> FileCounts | None:
        counts = [sample.files for sample in samples if sample.files is not None]
        return cls(min(counts), statistics.median(counts), max(counts)) if counts else None

    def __str__(self) -> str:
        return str(self.most) if self.fewest == self.most else f"{self.median:g} ({self.fewest}–{self.most})"


@dataclass(frozen=True)
class Summary:
    """The samples of a cell.

    On several machines, `ratios` are of the pairs of all, and all other numbers but `files` are of the `samples` of
    one, as seconds of different machines are not comparable. `ratios` are those to the baseline of an axis, by its
    name. What was not recorded is None.
    """

    cell: Cell
    samples: Sequence[Sample]
    files: FileCounts | None
    seconds: Median | None
    ratios: Mapping[str, Ratio]
    # The timed build made a program that is wrong.
    is_unsound: bool

    @property
    def extremes(self) -> tuple[float, float]:
        """The fastest and the slowest sample."""
        seconds = seconds_of(self.samples)
        return min(seconds), max(seconds)

    @property
    def phases(self) -> Mapping[str, float]:
        """The median of each phase alone."""
        found = [sample.phases for sample in self.samples if sample.phases]
        names = dict.fromkeys(name for phases in found for name in phases)
        return {name: statistics.median(phases.get(name, 0.0) for phases in found) for name in names}

    @property
    def is_stale(self) -> bool:
        """Whether files that mention what has changed were not compiled."""
        return any(sample.stale for sample in self.samples)


@dataclass(frozen=True)
class Control:
    """The ratio of the second build of the baselines to the first, of all pairs; `machines` where there are several.

    The pairs of all cells are pooled. That is right for a build and itself: within a round, which of the two came first
    was drawn again for each edit, so the pairs are independent and as likely above 1 as below.
    """

    overall: Ratio
    machines: Mapping[str, Ratio]

    @property
    def is_untrustworthy(self) -> bool:
        """Whether the whole interval is further from 1 than `CONTROL_WITHIN`."""
        return _misses_one(self.overall)

    @property
    def drifting(self) -> list[str]:
        """The machines of which that is true."""
        return [name for name, ratio in self.machines.items() if _misses_one(ratio)]


class Analysis:
    """The analysis of a record."""

    def __init__(self, record: Record) -> None:
        self.record = record

    @cached_property
    def axes(self) -> Sequence[Axis]:
        """The axes with several values on which values are compared."""
        return [axis for axis in several(self.record) if axis.role == "compare"]

    @property
    def end(self) -> End:
        """Where the time of builds ends; what is done by hand is a limit, and no build."""
        return next((each for each in self.record.values("until") if each != BY_HAND), BUILT)

    @cached_property
    def is_timed(self) -> bool:
        return any(sample.seconds is not None for sample in self.record.samples)

    @cached_property
    def rows(self) -> list[Row]:
        """Each edit and module that was or will be measured, in the order of the report."""
        known = {sample.row for sample in self.record.samples} | {
            (place.edit, place.module) for place in self.record.placements
        }
        modules = (None, *self.record.values("module"))
        return [(edit, each) for edit in self.record.values("edit") for each in modules if (edit, each) in known]

    @cached_property
    def summaries(self) -> Mapping[Cell, Summary]:
        """A summary for each cell that has samples, in the order of the report."""
        return {cell: self._summary(cell, self.samples[cell]) for cell in sorted(self.samples, key=self._place)}

    @cached_property
    def control(self) -> Control | None:
        """The A/A control; None where there are no pairs for one."""
        cells = [cell for variant in self.record.control for cell in self._controlled(variant)]
        controls = _by_cell(self.record.samples, control=True)
        pooled = [pair for cell in cells for pair in _pairs(controls.get(cell, ()), self.samples.get(cell, ()))]
        overall = self._pooled(pooled)
        return Control(overall, self._by_machine(pooled)) if overall else None

    @cached_property
    def machine(self) -> str | None:
        """The machine whose seconds are shown, where there are several."""
        return machine_of(self.record.samples)

    @cached_property
    def has_intervals(self) -> bool:
        """Whether every cell has enough samples for an interval."""
        timed = [each for each in self.summaries.values() if each.seconds and each.cell.edit != CLEAN]
        return all(
            ratio.interval is not None
            for each in timed
            for ratio in (each.ratios.values() if self.machine else (each.seconds,))
            if ratio is not None
        )

    @property
    def noise(self) -> tuple[int, int] | None:
        return noise_of(self.record.samples)

    def ratio(self, cell: Cell, axis: Axis) -> Ratio | None:
        """The ratio of the seconds of a cell to those of its axis's baseline in the same rounds."""
        baseline = axis.at(cell, axis.baseline_of(self.record))
        if baseline == cell:
            return None
        return self._pooled(_pairs(self.samples.get(cell, ()), self.samples.get(baseline, ())))

    @cached_property
    def samples(self) -> _Samples:
        """The samples of each cell that did not fail, in the order in which they were taken."""
        found = _by_cell(self.record.samples, control=False)
        return {cell: self._comparable(cell, samples) for cell, samples in found.items()}

    def _comparable(self, cell: Cell, samples: Sequence[Sample]) -> Sequence[Sample]:
        """Without the first clean build of a setting that keeps results, which has none to use."""
        setting = self.record.settings.get(cell.setting)
        keeps = cell.edit == CLEAN and setting is not None and setting.keeps_results
        return samples[1:] if keeps and len(samples) > 1 else samples

    def _place(self, cell: Cell) -> tuple[int, ...]:
        """The place of a cell in a report: by row, then by the other axes from the last."""
        names = ["edit", "module", *(name for name in reversed([*AXES]) if name not in ("edit", "module"))]
        return tuple(_index(self.record.values(name), getattr(cell, name)) for name in names)

    def _controlled(self, variant: Variant) -> list[Cell]:
        """The cells of a variant."""
        return [Cell(edit=edit, module=module, until=self.end, **asdict(variant)) for edit, module in self.rows]

    def _summary(self, cell: Cell, samples: Sequence[Sample]) -> Summary:
        own = on_machine(samples, self.machine)
        verification = self.record.verification
        ratios = {axis.name: ratio for axis in self.axes if (ratio := self.ratio(cell, axis))}
        return Summary(
            cell=cell,
            samples=own,
            files=FileCounts.of(samples),
            seconds=median_of(seconds_of(own)),
            ratios=ratios,
            is_unsound=verification is not None and any(each.cell == cell for each in verification.unsound),
        )

    def _pooled(self, pairs: Sequence[Pair]) -> Ratio | None:
        """Summarises the pairs of all machines; None where there are none."""
        return ratio_of([pair.ratio for pair in pairs])

    def _by_machine(self, pairs: Sequence[Pair]) -> dict[str, Ratio]:
        names = sorted({pair.machine for pair in pairs if pair.machine is not None})
        found = {name: self._pooled([pair for pair in pairs if pair.machine == name]) for name in names}
        return {name: ratio for name, ratio in found.items() if ratio} if len(names) > 1 else {}


def _misses_one(ratio: Ratio) -> bool:
    found = ratio.interval
    return found is not None and not (found.low <= 1 + CONTROL_WITHIN and found.high >= 1 - CONTROL_WITHIN)


def seconds_of(samples: Iterable[Sample]) -> list[float]:
    return [sample.seconds for sample in samples if sample.seconds is not None]


def noise_of(samples: Iterable[Sample]) -> tuple[int, int] | None:
    """Counts the noisy samples, and all of them; None where the system did not report it for each."""
    marks = [sample.is_noisy for sample in samples if sample.conditions is not None]
    return None if not marks or None in marks else (sum(map(bool, marks)), len(marks))


def machine_of(samples: Iterable[Sample]) -> str | None:
    """The machine that took most samples; None where not several took any."""
    counts = Counter(sample.machine for sample in samples)
    return max(sorted(map(str, counts)), key=counts.__getitem__) if len(counts) > 1 else None


def on_machine(samples: Sequence[Sample], machine: str | None) -> Sequence[Sample]:
    """The samples that one machine took: the given one, or else that which took most of them."""
    own = [sample for sample in samples if sample.machine == machine]
    other = None if own else machine_of(samples)
    return own or (on_machine(samples, other) if other else samples)


def _by_cell(samples: Iterable[Sample], control: bool) -> dict[Cell, list[Sample]]:
    found: dict[Cell, list[Sample]] = {}
    for sample in samples:
        if sample.control == control and sample.failure is None:
            found.setdefault(sample.cell, []).append(sample)
    return found


def _pairs(samples: Iterable[Sample], baseline: Iterable[Sample]) -> list[Pair]:
    """The ratios of wall seconds to those of the baseline in the same round, because what slows the machine for a while
    slows both. A round, of which one is the other, was taken on one machine."""
    paired = {(each.round, each.machine): each.seconds for each in baseline}
    found = [(each, paired.get((each.round, each.machine))) for each in samples]
    return [Pair(each.seconds / other, each.machine) for each, other in found if each.seconds and other]


def _index(values: Sequence[object], value: object) -> int:
    """The place of a value; what is none of them, such as no module, comes first."""
    return values.index(value) if value in values else -1
