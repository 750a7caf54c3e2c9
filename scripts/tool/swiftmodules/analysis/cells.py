"""The analysis of a record of `run`: each cell in numbers, each layout against the baseline, and the A/A control."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeAlias

from swiftmodules.analysis.stats import Median, Ratio, median_of, paired_ratios, ratio_of
from swiftmodules.records.kinds import RunRecord
from swiftmodules.records.model import BASELINE, CONTROL, Cell, Record, Sample, Verification, place_name

# An edit and its module.
Row: TypeAlias = tuple[str, str | None]


@dataclass(frozen=True)
class CellSummary:
    """The samples of a cell, as medians with extremes and 95% intervals.

    `ratio` is None for the baseline itself; `memory_bytes` and `noisy` are None where they were not recorded.
    `is_unsound` means that the timed build made a program that is wrong.
    """

    cell: Cell
    samples: tuple[Sample, ...]
    fewest_files: int
    median_files: float
    most_files: int
    fastest: float
    seconds: Median
    slowest: float
    cpu_seconds: float
    memory_bytes: float | None
    noisy: int | None
    ratio: Ratio | None
    is_unsound: bool


@dataclass(frozen=True)
class RowSummary:
    """One edit in one module, with a summary for each layout of the report; None where there are no samples."""

    edit: str
    module: str | None
    cells: dict[str, CellSummary | None]

    @property
    def row(self) -> Row:
        return self.edit, self.module

    @property
    def present(self) -> list[CellSummary]:
        return [cell for cell in self.cells.values() if cell]


@dataclass(frozen=True)
class ControlVerdict:
    """The ratio of the control to the layout that it repeats: of each edit in each module, and of all pairs.

    The pairs of all edits are pooled. That is right for a layout and itself: within a round, which of the two came
    first was drawn again for each edit, so the pairs are independent and as likely above 1 as below.
    """

    layout: str
    rows: dict[Row, Ratio]
    overall: Ratio

    @property
    def trusted(self) -> bool | None:
        """Whether the interval of the overall ratio holds 1; None where there are too few pairs to judge."""
        return self.overall.holds_one

    @property
    def rows_excluding_one(self) -> int:
        """How many edits have an interval without 1; one in twenty has by chance."""
        return sum(ratio.holds_one is False for ratio in self.rows.values())


class RunAnalysis:
    """What a record of `run` means; every number is calculated once, when it is first asked for."""

    def __init__(self, record: RunRecord) -> None:
        self.record = record

    @cached_property
    def samples(self) -> dict[Cell, list[Sample]]:
        """The samples of each cell, in the order in which they were taken."""
        return by_cell(self.record.samples)

    @cached_property
    def summaries(self) -> dict[Cell, CellSummary]:
        """A summary for each cell that has samples, those of the control too."""
        seed, verification = self.record.options.seed, self.record.verification
        unsound = verification.unsound_cells if verification else frozenset()
        found = {}
        for cell, own in self.samples.items():
            baseline = self.samples.get(cell._replace(layout=BASELINE), [])
            ratio = None if cell.layout == BASELINE else ratio_of(ratios_of(own, baseline), seed)
            found[cell] = _summary(cell, own, ratio, seed, cell in unsound)
        return found

    @cached_property
    def rows(self) -> list[RowSummary]:
        """Each edit and module of the report in its order, with those that have a place but no samples yet."""
        return [
            RowSummary(
                edit,
                module,
                {name: self.summaries.get(Cell(name, edit, module)) for name in self.record.options.layouts},
            )
            for edit, module in rows_in(self.record)
        ]

    @cached_property
    def control(self) -> ControlVerdict | None:
        """The verdict of the A/A control, or None where the run has none."""
        options = self.record.options
        if options.control is None:
            return None
        pooled: list[float] = []
        rows: dict[Row, Ratio] = {}
        for edit, module in rows_in(self.record):
            repeated = self.samples.get(Cell(options.control, edit, module), [])
            ratios = ratios_of(self.samples.get(Cell(CONTROL, edit, module), []), repeated)
            ratio = ratio_of(ratios, options.seed)
            if ratio is not None:
                rows[edit, module] = ratio
                pooled += ratios
        overall = ratio_of(pooled, options.seed)
        return None if overall is None else ControlVerdict(options.control, rows, overall)

    @cached_property
    def has_intervals(self) -> bool:
        """Whether every cell of the report has enough samples for an interval."""
        return all(cell.seconds.interval is not None for row in self.rows for cell in row.present)

    @property
    def noise(self) -> tuple[int, int] | None:
        return noise_of(self.record.samples)

    @property
    def warnings(self) -> list[str]:
        """What a reader must know before any number."""
        found = incomplete_warning(self.record)
        if self.control is not None and self.control.trusted is False:
            found.append(
                f"**This run cannot be trusted:** `{self.control.layout}`, measured a second time in a build directory "
                f"of its own, took {self.control.overall} times as long as itself, and the 95% interval does not hold "
                "1. So something other than the layouts made a difference. Measure again while nothing else uses the "
                "machine."
            )
        return found + unsound_warning(self.record.verification)

    def chosen(self, edits: Sequence[str] = (), modules: Sequence[str] = ()) -> list[RowSummary]:
        """The rows of some edits and modules, where they are named."""
        return [row for row in self.rows if (not edits or row.edit in edits) and (not modules or row.module in modules)]


def by_cell(samples: Iterable[Sample]) -> dict[Cell, list[Sample]]:
    """The samples of each cell, in the order in which they were taken."""
    found: dict[Cell, list[Sample]] = {}
    for sample in samples:
        found.setdefault(sample.cell, []).append(sample)
    return found


def rows_in(record: RunRecord) -> list[Row]:
    """Each edit and module that was or will be measured, in the order of the report."""
    return rows_of(record.options.edits, record.options.modules, record.samples, record.placements, record.missing)


def rows_of(
    edits: Iterable[str],
    modules: Iterable[str],
    samples: Iterable[Sample],
    placements: Iterable[str],
    missing: Iterable[str],
) -> list[Row]:
    """Each edit in each module, or in none, that has samples or a place; `noop` and the like need no place."""
    found = {(sample.edit, sample.module) for sample in samples}
    placed, known = {*placements}, {key.partition(" ")[0] for key in (*placements, *missing)}
    places = (None, *modules)
    rows = []
    for edit in edits:
        own = [each for each in places if (edit, each) in found or place_name(edit, each) in placed]
        rows += [(edit, each) for each in own or ([] if edit in known else [None])]
    return rows


def ratios_of(samples: Iterable[Sample], baseline: Iterable[Sample]) -> list[float]:
    """The ratios of wall seconds to those of the baseline in the same round."""
    return paired_ratios(
        {each.round: each.seconds for each in samples}, {each.round: each.seconds for each in baseline}
    )


def noisy_samples(samples: Sequence[Sample]) -> tuple[int, int]:
    """How many samples are known to be noisy, and how many there are."""
    return sum(1 for sample in samples if sample.is_noisy), len(samples)


def noise_of(samples: Iterable[Sample]) -> tuple[int, int] | None:
    """How many samples are noisy, and how many there are; None where the system did not report it for each."""
    marks = [sample.is_noisy for sample in samples if sample.conditions is not None]
    return None if not marks or None in marks else (sum(map(bool, marks)), len(marks))


def incomplete_warning(record: Record) -> list[str]:
    """A warning for the top of a report, where the run ended early."""
    return [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []


def unsound_warning(verification: Verification | None) -> list[str]:
    """A warning for the top of a report, where a build is wrong."""
    unsound = verification.unsound if verification else []
    if not unsound:
        return []
    names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
    return [
        f"**Unsound builds:** after these edits the incremental build makes a program that does something else than "
        f"that of a clean build, so their times are those of a wrong result: {names}."
    ]


def _summary(cell: Cell, samples: Sequence[Sample], ratio: Ratio | None, seed: int, is_unsound: bool) -> CellSummary:
    files = [sample.files for sample in samples]
    seconds = [sample.seconds for sample in samples]
    memory = [sample.memory_bytes for sample in samples if sample.memory_bytes is not None]
    noise = noise_of(samples)
    median = median_of(seconds, seed)
    assert median is not None
    return CellSummary(
        cell=cell,
        samples=tuple(samples),
        fewest_files=min(files),
        median_files=statistics.median(files),
        most_files=max(files),
        fastest=min(seconds),
        seconds=median,
        slowest=max(seconds),
        cpu_seconds=statistics.median(sample.cpu_seconds for sample in samples),
        memory_bytes=statistics.median(memory) if memory else None,
        noisy=noise[0] if noise else None,
        ratio=ratio,
        is_unsound=is_unsound,
    )
