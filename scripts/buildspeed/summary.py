"""What the samples of a cell say together."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace

from buildspeed.inference import Interval, median_interval, signed_rank_p_value
from buildspeed.plan import Cell, cells
from buildspeed.record import Record, Sample

BASELINE = "interface"

Row = tuple[str, str | None]


@dataclass(frozen=True)
class Ratio:
    """How wall seconds compare with those of another cell in the same rounds. `interval` and `p_value` are None
    where there are too few pairs."""

    pairs: int
    median: float
    interval: Interval | None
    p_value: float | None


@dataclass(frozen=True)
class CellSummary:
    """The samples of a cell, as medians with extremes and 95% intervals.

    `ratio` is None for the baseline itself; `memory_bytes` and `noisy` are None where they were not recorded.
    `is_unsound` tells that the program is wrong whose build was timed.
    """

    cell: Cell
    samples: int
    fewest_files: int
    median_files: float
    most_files: int
    fastest: float
    median_seconds: float
    slowest: float
    seconds_interval: Interval | None
    median_cpu_seconds: float
    memory_bytes: float | None
    noisy: int | None
    ratio: Ratio | None
    is_unsound: bool = False


def summary_rows(record: Record) -> list[tuple[Row, list[tuple[str, CellSummary | None]]]]:
    """For each edit and module a summary for each layout, in the order of the report; None where there are no
    samples."""
    options = record.options
    all_cells = cells(options.layouts, options.edits, options.modules)
    summaries = summarize(record, all_cells)
    rows = dict.fromkeys(
        (cell.edit, cell.module)
        for cell in all_cells
        if " ".join(filter(None, (cell.edit, cell.module))) not in record.missing
    )
    return [(row, [(layout, summaries.get(Cell(layout, *row))) for layout in options.layouts]) for row in rows]


def summarize(record: Record, cells: Sequence[Cell]) -> dict[Cell, CellSummary]:
    """A summary for each cell that has samples."""
    samples = samples_by_cell(record)
    seed = record.options.seed
    summaries = {}
    unsound = record.verification.unsound_cells if record.verification else frozenset()
    for cell in cells:
        own = samples.get(cell)
        if own:
            baseline = samples.get(Cell(BASELINE, cell.edit, cell.module), [])
            ratio = None if cell.layout == BASELINE else ratio_of(paired_ratios(own, baseline), seed)
            summaries[cell] = replace(_summary(cell, own, ratio, seed), is_unsound=cell in unsound)
    return summaries


def samples_by_cell(record: Record) -> dict[Cell, list[Sample]]:
    """The samples of each cell, in the order in which they were taken."""
    samples: dict[Cell, list[Sample]] = {}
    for sample in record.samples:
        samples.setdefault(sample.cell, []).append(sample)
    return samples


def paired_ratios(samples: Sequence[Sample], baseline: Sequence[Sample]) -> list[float]:
    """The ratios of wall seconds to those of the baseline in the same round.

    Within a round, because what slows the machine for a while slows both.
    """
    seconds = {sample.round: sample.seconds for sample in baseline}
    return [sample.seconds / seconds[sample.round] for sample in samples if sample.round in seconds]


def ratio_of(ratios: Sequence[float], seed: int) -> Ratio | None:
    """What paired ratios say together; None where there are none."""
    if not ratios:
        return None
    return Ratio(
        pairs=len(ratios),
        median=statistics.median(ratios),
        interval=median_interval(ratios, seed),
        p_value=signed_rank_p_value(ratios),
    )


def _summary(cell: Cell, samples: Sequence[Sample], ratio: Ratio | None, seed: int) -> CellSummary:
    files = [len(sample.compiled) for sample in samples]
    seconds = [sample.seconds for sample in samples]
    memory = [each for each in (memory_of(sample) for sample in samples) if each is not None]
    noisy = [sample.conditions.noisy for sample in samples if sample.conditions is not None]
    return CellSummary(
        cell=cell,
        samples=len(samples),
        fewest_files=min(files),
        median_files=statistics.median(files),
        most_files=max(files),
        fastest=min(seconds),
        median_seconds=statistics.median(seconds),
        slowest=max(seconds),
        seconds_interval=median_interval(seconds, seed),
        median_cpu_seconds=statistics.median(sample.cpu_seconds for sample in samples),
        memory_bytes=statistics.median(memory) if memory else None,
        noisy=None if None in noisy or not noisy else sum(map(bool, noisy)),
        ratio=ratio,
    )


def memory_of(sample: Sample) -> int | None:
    """The memory of the whole process tree, or where that could not be seen, of the largest process.

    The tree has at least what its largest process has, which the system counts exactly, while a peak of the tree
    may fall between two looks.
    """
    known = [each for each in (sample.peak_memory_bytes, sample.largest_process_bytes) if each is not None]
    return max(known, default=None)
