"""The command line of `scripts/measure compare`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from buildspeed.command_line import Parser, share
from buildspeed.comparison import CellChange, Comparison, compare, refuse_unlike
from buildspeed.inference import LEAST_SAMPLES
from buildspeed.record import Record, read_record
from buildspeed.report import warnings

_FAIL_ABOVE = "10%"

_DESCRIPTION = """\
Tells what has changed from record A to record B, for each edit, module and layout, and finds regressions."""

_EPILOGUE = f"""\
how it judges:
  The change is that of the median seconds, with its 95% bootstrap interval. A cell is slower where the lower end
  of the interval is above the limit of --fail-above, faster where the upper end is below no change. The limit is
  there because two runs are never made under quite the same conditions, which no interval knows of. Cells with
  fewer than {LEAST_SAMPLES} samples in one of the records are shown and not judged. Compiled files are told and not
  judged.

exit codes:
  0 no cell is slower; 1 one is; 64 a wrong option; 65 a file is no record, or the two cannot be compared

examples:
  scripts/measure compare docs/results/layouts/results.json .build/measure/results/2026-01-31-120000/results.json
  scripts/measure compare before/results.json after/results.json --fail-above 5%
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    parser = Parser("scripts/measure compare", _DESCRIPTION, _EPILOGUE)
    parser.add_argument("older", type=Path, metavar="A.json", help="the older record")
    parser.add_argument("newer", type=Path, metavar="B.json", help="the newer record")
    parser.add_argument(
        "--fail-above",
        type=share,
        default=share(_FAIL_ABOVE),
        metavar="PERCENT",
        help=f"how much longer a build may take (default: {_FAIL_ABOVE.replace('%', '%%')})",
    )
    parser.add_argument(
        "--different-machines",
        action="store_true",
        help="compare also records of different machines, toolchains or numbers of jobs",
    )
    options = parser.parse_args(arguments)
    older, newer = read_record(options.older), read_record(options.newer)
    refuse_unlike(older, newer, options.different_machines)
    comparison = compare(older, newer)
    console = Console(width=None if sys.stdout.isatty() else 140)
    for line in _notes(older, newer, comparison):
        console.print(line, highlight=False, markup=False, soft_wrap=True)
    console.print(_table(comparison, options.fail_above))
    slower = [change for change in comparison.changes if change.is_regression(options.fail_above)]
    console.print(_verdict(comparison, slower, options.fail_above), highlight=False, markup=False, soft_wrap=True)
    return 1 if slower else 0


def _notes(older: Record, newer: Record, comparison: Comparison) -> list[str]:
    """What makes a comparison weaker than it looks."""
    notes = [
        f"{name}: {text.replace('**', '').replace('`', chr(39))}"
        for name, record in (("A", older), ("B", newer))
        for text in warnings(record)
    ]
    for name, missing in (("A", comparison.only_older), ("B", comparison.only_newer)):
        if missing:
            notes.append(f"Only in {name}: {', '.join(missing)}")
    if comparison.moved_edits:
        notes.append(f"Made at another place in B: {', '.join(comparison.moved_edits)}")
    return notes


def _table(comparison: Comparison, fail_above: float) -> Table:
    table = Table(pad_edge=False, box=SIMPLE_HEAD)
    for title in ("layout", "edit", "module"):
        table.add_column(title)
    for title in ("A: seconds", "B: seconds", "change", "95% interval", "files"):
        table.add_column(title, justify="right")
    table.add_column("")
    for change in comparison.changes:
        interval = change.interval
        table.add_row(
            change.cell.layout,
            change.cell.edit,
            change.cell.module or "",
            f"{change.older_seconds:.2f}",
            f"{change.newer_seconds:.2f}",
            _percent(change.ratio),
            f"{_percent(interval.low)} to {_percent(interval.high)}" if interval else "too few samples",
            _files(change),
            _judgement(change, fail_above),
        )
    return table


def _percent(ratio: float) -> str:
    return f"{ratio - 1:+.1%}"


def _files(change: CellChange) -> str:
    if change.older_files == change.newer_files:
        return f"{change.newer_files:g}"
    return f"{change.older_files:g} → {change.newer_files:g}"


def _judgement(change: CellChange, fail_above: float) -> str:
    if change.is_regression(fail_above):
        return "slower"
    return "faster" if change.is_improvement else ""


def _verdict(comparison: Comparison, slower: Sequence[CellChange], fail_above: float) -> str:
    judged = [change for change in comparison.changes if change.interval is not None]
    if slower:
        names = ", ".join(change.cell.name for change in slower)
        return f"Slower by more than {fail_above * 100:g}%: {names}."
    if not judged:
        return f"No cell can be judged: it takes {LEAST_SAMPLES} samples in both records."
    return f"None of the {len(judged)} cells that can be judged is slower by more than {fail_above * 100:g}%."
