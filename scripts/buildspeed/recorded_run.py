"""Takes the samples of a run, keeps each at once, and writes and prints what came of all."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from rich.console import Console

from buildspeed.measurement import Measurement
from buildspeed.progress import ProgressView, progress_view
from buildspeed.record import Options, Record, write_record
from buildspeed.record_file import write_atomically
from buildspeed.run_folder import run_folder
from buildspeed.unfinished import Unfinished


def resumable(output: Path, resuming: str) -> Unfinished[Record]:
    """How the samples of a run are kept in the folder of its results; the command `resuming` goes on with them."""
    return Unfinished(
        output, write_record, lambda record: len(record.samples), "samples", f"Go on from there: {resuming}"
    )


def record_run(
    begin: Callable[[Path, ProgressView], Measurement],
    command: Callable[[Options], str],
    measure: Path,
    unfinished: Unfinished[Record],
) -> None:
    """Runs the measurement that `begin` makes in the folder `measure`, and leaves its record and reports where
    `unfinished` keeps the samples meanwhile. `command` tells how to repeat it."""
    output = unfinished.output
    console = Console(width=None if sys.stdout.isatty() else 140)
    measurement: Measurement | None = None
    with unfinished.until_done(lambda: measurement and measurement.record):
        with run_folder(measure) as folder, progress_view(console) as view:
            measurement = begin(folder, view)
            record = measurement.run(command, unfinished.keep)
        _write(record, output)
    # Only now: it takes a second, and memory that would count as that of the builds.
    from buildspeed.report import print_report

    print_report(record, console)
    console.print(f"\nWrote {output / 'results.json'}, results.md and report.html.", highlight=False, soft_wrap=True)


def _write(record: Record, output: Path) -> None:
    from buildspeed.page.rendering import html_page
    from buildspeed.report import markdown

    write_record(record, output / "results.json")
    write_atomically(output / "results.md", markdown(record))
    write_atomically(output / "report.html", html_page(record))
