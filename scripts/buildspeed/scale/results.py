"""Writes what a run leaves beside its record: the report and the plots."""

from __future__ import annotations

from pathlib import Path

from buildspeed.record_file import write_atomically
from buildspeed.scale.record import ScaleRecord


def write_report(record: ScaleRecord, output: Path) -> None:
    """Writes `results.md` and the plots."""
    # Only now: they take a second to load, and memory that would count as that of the builds.
    from buildspeed.scale.plots import QUANTITIES, plot
    from buildspeed.scale.report import plot_name, scale_markdown

    write_atomically(output / "results.md", scale_markdown(record))
    for shape in dict.fromkeys(each.shape for each in record.sizes):
        for quantity in QUANTITIES:
            write_atomically(output / plot_name(shape, quantity), plot(record, shape, quantity))


def samples_in(record: ScaleRecord) -> int:
    """How many samples of all sizes there are."""
    return sum(len(each.samples) for each in record.sizes)
