"""Writes what a run leaves: its record, whole or unfinished, the report and the plots."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from buildspeed.record_file import write_atomically
from buildspeed.scale.record import ScaleRecord, write_scale_record
from buildspeed.unfinished import UNFINISHED


def keep(record: ScaleRecord, output: Path) -> None:
    """Saves what there is while the run goes on, for the case that it is killed."""
    unfinished = replace(record, incomplete=f"the run was killed after {_samples(record)} samples or later.")
    write_scale_record(unfinished, output / UNFINISHED)


def keep_interrupted(record: ScaleRecord, reason: BaseException, output: Path) -> None:
    """Saves what there is when the run has ended before its time, and tells where."""
    first_line = str(reason).partition("\n")[0]
    record.incomplete = f"the run ended after {_samples(record)} samples ({first_line})."
    try:
        write_scale_record(record, output / UNFINISHED)
    except OSError as error:
        print(f"The samples so far could not be kept: {error}.", file=sys.stderr)
        return
    print(
        f"The {_samples(record)} samples so far are in {output / UNFINISHED}; --report makes a report of them.",
        file=sys.stderr,
    )


def write_report(record: ScaleRecord, output: Path) -> None:
    """Writes `results.md` and the plots."""
    # Only now: they take a second to load, and memory that would count as that of the builds.
    from buildspeed.scale.plots import QUANTITIES, plot
    from buildspeed.scale.report import plot_name, scale_markdown

    write_atomically(output / "results.md", scale_markdown(record))
    for shape in dict.fromkeys(each.shape for each in record.sizes):
        for quantity in QUANTITIES:
            write_atomically(output / plot_name(shape, quantity), plot(record, shape, quantity))


def _samples(record: ScaleRecord) -> int:
    return sum(len(each.samples) for each in record.sizes)
