"""What the samples of a cell say together."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.plan import Cell
from buildspeed.record import Record, Sample

BASELINE = "interface"


@dataclass(frozen=True)
class CellSummary:
    """The samples of a cell, as extremes and medians. `ratio` is None for the baseline itself."""

    cell: Cell
    samples: int
    fewest_files: int
    median_files: float
    most_files: int
    fastest: float
    median_seconds: float
    slowest: float
    median_cpu_seconds: float
    ratio: float | None


def summarize(record: Record, cells: Sequence[Cell]) -> dict[Cell, CellSummary]:
    """A summary for each cell that has samples."""
    samples: dict[Cell, list[Sample]] = {}
    for sample in record.samples:
        samples.setdefault(sample.cell, []).append(sample)
    summaries = {}
    for cell in cells:
        own = samples.get(cell)
        if own:
            baseline = samples.get(Cell(BASELINE, cell.edit, cell.module), [])
            ratio = None if cell.layout == BASELINE else paired_ratio(own, baseline)
            summaries[cell] = _summary(cell, own, ratio)
    return summaries


def paired_ratio(samples: Sequence[Sample], baseline: Sequence[Sample]) -> float | None:
    """The median of the ratios of wall seconds to those of the baseline in the same round.

    Within a round, because what slows the machine for a while slows both.
    """
    seconds = {sample.round: sample.seconds for sample in baseline}
    ratios = [sample.seconds / seconds[sample.round] for sample in samples if sample.round in seconds]
    return statistics.median(ratios) if ratios else None


def _summary(cell: Cell, samples: Sequence[Sample], ratio: float | None) -> CellSummary:
    files = [len(sample.compiled) for sample in samples]
    seconds = [sample.seconds for sample in samples]
    return CellSummary(
        cell=cell,
        samples=len(samples),
        fewest_files=min(files),
        median_files=statistics.median(files),
        most_files=max(files),
        fastest=min(seconds),
        median_seconds=statistics.median(seconds),
        slowest=max(seconds),
        median_cpu_seconds=statistics.median(sample.cpu_seconds for sample in samples),
        ratio=ratio,
    )
