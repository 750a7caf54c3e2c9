"""The base of all analyses, and the analysis of a record of `run`: cells, ratios and the A/A control."""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Generic, NamedTuple, TypeAlias, TypeVar

import numpy as np
from msgspec.structs import replace

from swiftmodules.analysis.stats import Median, Ratio, median_of, ratio_of
from swiftmodules.records.kinds import Rebuild, RunRecord, ScaleRecord
from swiftmodules.records.model import BASELINE, CONTROL, Cell, Record, Sample, Verification, place_name

# An edit and its module.
Row: TypeAlias = tuple[str, str | None]
_Record = TypeVar("_Record", bound=Record)
_Timed = TypeVar("_Timed", RunRecord, ScaleRecord)
_Found = TypeVar("_Found")


class Pair(NamedTuple):
    """A ratio within a round, and the machine that took the round."""

    ratio: float
    machine: str | None


class Analysis(Generic[_Record]):
    """The analysis of a record; every number is calculated once, when it is first requested."""

    def __init__(self, record: _Record) -> None:
        self.record = record

    @property
    def warnings(self) -> list[str]:
        """The warnings that a reader must see before any number."""
        return [f"**Incomplete:** {self.record.incomplete}"] if self.record.incomplete else []

    @property
    def rebuilds(self) -> Mapping[str, Rebuild]:
        """One build for each layout or setting, job by job."""
        return {}


class FileCounts(NamedTuple):
    """The number of files that the samples of a cell compiled; as text such as `2 (1–3)`."""

    fewest: int
    median: float
    most: int

    @classmethod
    def of(cls, files: Sequence[int]) -> FileCounts:
        return cls(min(files), statistics.median(files), max(files))

    def __str__(self) -> str:
        return str(self.most) if self.fewest == self.most else f"{self.median:g} ({self.fewest}–{self.most})"


@dataclass(frozen=True)
class CellSummary:
    """The samples of a cell, as medians with extremes and 95% intervals.

    On several machines, `ratio` is of the pairs of all, and all other numbers but `files` are of the `samples` of one,
    as seconds of different machines are not comparable.
    `ratio` is to the baseline, and None for the baseline itself; that of the control is to the layout that it repeats.
    `memory_bytes` and `noisy` are None where they were not recorded.
    `is_unsound` means that the timed build made a program that is wrong.
    """

    cell: Cell
    samples: Sequence[Sample]
    files: FileCounts
    fastest: float
    seconds: Median
    slowest: float
    cpu_seconds: float
    memory_bytes: float | None
    noisy: int | None
    ratio: Ratio | None
    is_unsound: bool

    @property
    def quartiles(self) -> list[float]:
        """The quartiles of the seconds: the first, the median, and the third."""
        return list(map(float, np.quantile([sample.seconds for sample in self.samples], [0.25, 0.5, 0.75])))


# By layout; None where there are no samples.
Rows: TypeAlias = Mapping[Row, Mapping[str, CellSummary | None]]


@dataclass(frozen=True)
class ControlVerdict:
    """The ratio of the control to the layout that it repeats: of each edit in each module, and of all pairs.

    The pairs of all edits are pooled. That is right for a layout and itself: within a round, which of the two came
    first was drawn again for each edit, so the pairs are independent and as likely above 1 as below.
    """

    layout: str
    rows: dict[Row, Ratio]
    overall: Ratio
    # Where there are several.
    machines: Mapping[str, Ratio]

    @property
    def drifting(self) -> list[str]:
        """The machines on which the interval of the ratio does not hold 1."""
        return drifting(self.machines)

    @property
    def trusted(self) -> bool | None:
        """Whether the interval of the overall ratio contains 1; None where there are too few pairs to judge."""
        return self.overall.holds_one

    @property
    def rows_excluding_one(self) -> int:
        """The number of edits that have an interval without 1; one in twenty has by chance."""
        return sum(ratio.holds_one is False for ratio in self.rows.values())


class RunAnalysis(Analysis[RunRecord]):
    """The analysis of a record of `run`."""

    @cached_property
    def samples(self) -> dict[Cell, list[Sample]]:
        """The samples of each cell, in the order in which they were taken."""
        return by_cell(self.record.samples)

    @cached_property
    def summaries(self) -> dict[Cell, CellSummary]:
        """A summary for each cell that has samples, those of the control too."""
        return {cell: self._summary(cell, samples) for cell, samples in self.samples.items()}

    @cached_property
    def rows(self) -> Rows:
        """Each edit and module of the report in its order, with those that have a place but no samples yet."""
        return in_rows(rows_of(self.record), self.record.options.layouts, self.summaries)

    @cached_property
    def control(self) -> ControlVerdict | None:
        """The verdict of the A/A control, or None where the run has none."""
        options = self.record.options
        if options.control is None:
            return None
        cells = in_rows(self.rows, [CONTROL], self.summaries)
        rows = {row: ratio for row, cell in cells.items() if (own := cell[CONTROL]) and (ratio := own.ratio)}
        pooled = [pair for row in rows for pair in self._pairs(Cell(CONTROL, *row), options.control)]
        overall = pooled_ratio(pooled, options.seed)
        if overall is None:
            return None
        return ControlVerdict(options.control, rows, overall, machine_ratios(pooled, options.seed))

    @cached_property
    def machine(self) -> str | None:
        """The machine whose seconds are shown, where there are several."""
        return machine_of(self.record.samples)

    @cached_property
    def without_drifting(self) -> RunAnalysis | None:
        """The same without the machines whose control misses 1; None where there are none, or no others."""
        record = without_machines(self.record, self.control.drifting if self.control else [])
        return RunAnalysis(record) if record else None

    @cached_property
    def has_intervals(self) -> bool:
        """Whether every cell of the report has enough samples for an interval."""
        if self.machine is not None:
            return all(cell.ratio is None or cell.ratio.interval is not None for cell in present(self.rows))
        return all(cell.seconds.interval is not None for cell in present(self.rows))

    @property
    def noise(self) -> tuple[int, int] | None:
        return noise_of(self.record.samples)

    @property
    def warnings(self) -> list[str]:
        found = super().warnings
        if self.control is not None and self.control.trusted is False:
            found.append(
                f"**This run cannot be trusted:** `{self.control.layout}`, measured a second time in a build directory "
                f"of its own, took {self.control.overall} times as long as itself, and the 95% interval does not "
                f"contain 1. So something other than the layouts made a difference. Measure again while nothing else "
                "uses the machine."
            )
        found += drifting_warnings(self.control.machines if self.control else {})
        return found + unsound_warning(self.record.verification)

    @property
    def rebuilds(self) -> Mapping[str, Rebuild]:
        return self.record.rebuilds

    def _pairs(self, cell: Cell, baseline: str) -> list[Pair]:
        return pairs_of(self.samples.get(cell, ()), self.samples.get(cell._replace(layout=baseline), ()))

    def _summary(self, cell: Cell, samples: Sequence[Sample]) -> CellSummary:
        seed, verification = self.record.options.seed, self.record.verification
        files = FileCounts.of([sample.files for sample in samples])
        samples = on_machine(samples, self.machine)
        seconds = [sample.seconds for sample in samples]
        memory = [sample.memory_bytes for sample in samples if sample.memory_bytes is not None]
        noise, median = noise_of(samples), median_of(seconds, seed)
        compared = {BASELINE: None, CONTROL: self.record.options.control}.get(cell.layout, BASELINE)
        assert median is not None
        return CellSummary(
            cell=cell,
            samples=samples,
            files=files,
            fastest=min(seconds),
            seconds=median,
            slowest=max(seconds),
            cpu_seconds=statistics.median(sample.cpu_seconds for sample in samples),
            memory_bytes=statistics.median(memory) if memory else None,
            noisy=noise[0] if noise else None,
            ratio=pooled_ratio(self._pairs(cell, compared), seed) if compared else None,
            is_unsound=verification is not None and cell in verification.unsound_cells,
        )


def by_cell(samples: Iterable[Sample]) -> dict[Cell, list[Sample]]:
    """The samples of each cell, in the order in which they were taken."""
    found: dict[Cell, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.cell, []).append(sample)
    return found


def rows_of(record: RunRecord | ScaleRecord) -> list[Row]:
    """Each edit and module that was or will be measured, in the order of the report: those that have samples or a
    place; `noop` and the like need no place."""
    found = {(sample.edit, sample.module) for sample in record.samples}
    known = {key.partition(" ")[0] for key in (*record.placements, *record.missing)}
    rows: list[Row] = []
    for edit in record.options.edits:
        places = [(edit, module) for module in (None, *record.options.modules)]
        own = [row for row in places if row in found or place_name(*row) in record.placements]
        rows += own or ([] if edit in known else [(edit, None)])
    return rows


def in_rows(
    rows: Iterable[Row], layouts: Sequence[str], cells: Mapping[Cell, _Found]
) -> dict[Row, dict[str, _Found | None]]:
    """Arranges what was found by edit and module, then by layout; None where a cell is missing."""
    return {row: {layout: cells.get(Cell(layout, *row)) for layout in layouts} for row in rows}


def present(rows: Rows) -> list[CellSummary]:
    """The cells that have samples."""
    return [cell for cells in rows.values() for cell in cells.values() if cell]


def ratios_of(samples: Iterable[Sample], baseline: Iterable[Sample]) -> list[float]:
    """The ratios of wall seconds to those of the baseline in the same round, because what slows the machine for a while
    slows both."""
    return [pair.ratio for pair in pairs_of(samples, baseline)]


def pairs_of(samples: Iterable[Sample], baseline: Iterable[Sample]) -> list[Pair]:
    """The same, with the machines. A round, of which one is the other, was taken on one machine."""
    paired = {(each.round, each.machine): each.seconds for each in baseline}
    keys = [(each, (each.round, each.machine)) for each in samples]
    return [Pair(each.seconds / paired[key], each.machine) for each, key in keys if key in paired]


def pooled_ratio(pairs: Sequence[Pair], seed: int) -> Ratio | None:
    """Summarises the pairs of all machines; None where there are none."""
    return ratio_of([pair.ratio for pair in pairs], seed, [pair.machine for pair in pairs])


def machine_ratios(pairs: Sequence[Pair], seed: int) -> dict[str, Ratio]:
    """Summarises the pairs of each machine, where there are several."""
    names = sorted({pair.machine for pair in pairs if pair.machine is not None})
    own = {name: ratio_of([pair.ratio for pair in pairs if pair.machine == name], seed) for name in names}
    return {name: ratio for name, ratio in own.items() if ratio} if len(names) > 1 else {}


def machine_of(samples: Iterable[Sample]) -> str | None:
    """The machine that took most samples; None where not several took any."""
    counts = Counter(sample.machine for sample in samples)
    return max(sorted(map(str, counts)), key=counts.__getitem__) if len(counts) > 1 else None


def on_machine(samples: Sequence[Sample], machine: str | None) -> Sequence[Sample]:
    """The samples that one machine took: the given one, or else that which took most of them."""
    own = [sample for sample in samples if sample.machine == machine]
    other = None if own else machine_of(samples)
    return own or (on_machine(samples, other) if other else samples)


def drifting(machines: Mapping[str, Ratio]) -> list[str]:
    """The machines whose control misses 1."""
    return [name for name, ratio in machines.items() if ratio.holds_one is False]


def without_machines(record: _Timed, machines: Sequence[str]) -> _Timed | None:
    """A record without the samples of some machines; None where there are none of these, or no others."""
    samples = [each for each in record.samples if each.machine not in machines]
    return replace(record, samples=samples) if machines and samples else None


def drifting_warnings(machines: Mapping[str, Ratio]) -> list[str]:
    """A warning for each machine whose control misses 1."""
    return [
        f"**The machine `{name}` cannot be trusted:** a layout, measured a second time there in a build directory of "
        f"its own, took {ratio} times as long as itself, and the 95% interval does not hold 1, which "
        "happens by chance on one machine in twenty. The report shows the ratios with it and without it."
        for name, ratio in ((name, machines[name]) for name in drifting(machines))
    ]


def noisy_samples(samples: Sequence[Sample]) -> tuple[int, int]:
    """Counts the samples that are known to be noisy, and all of them."""
    return sum(1 for sample in samples if sample.is_noisy), len(samples)


def noise_of(samples: Iterable[Sample]) -> tuple[int, int] | None:
    """Counts the noisy samples, and all of them; None where the system did not report it for each."""
    marks = [sample.is_noisy for sample in samples if sample.conditions is not None]
    return None if not marks or None in marks else (sum(map(bool, marks)), len(marks))


def unsound_warning(verification: Verification | None) -> list[str]:
    """A warning for the top of a report, where a build is wrong."""
    unsound = verification.unsound if verification else []
    if not unsound:
        return []
    names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
    return [
        f"**Unsound builds:** after these edits the incremental build makes a program that behaves differently from "
        f"that of a clean build, so these are times of a wrong result: {names}."
    ]
