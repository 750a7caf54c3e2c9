"""The command line of `scripts/measure report`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from buildspeed.command_line import Parser
from buildspeed.csv_text import csv_text
from buildspeed.failures import UsageError
from buildspeed.growth import read_growth
from buildspeed.matrix import read_matrix
from buildspeed.rebuild import read_rebuilds
from buildspeed.record import Record, read_record
from buildspeed.record_file import json_text, write_atomically
from buildspeed.report import markdown, print_report

_DESCRIPTION = """\
Renders the report of a record again, in every form that there is. Reads records of every version."""

_EPILOGUE = """\
forms:
  --markdown is what results.md holds, and what is written when no form is named. --html is report.html: one file
  that needs nothing from elsewhere, with plots and all samples. --csv has a line for each sample. --json is the
  record itself, in the present version. Several forms may be named; FILE may be - for standard output.

exit codes:
  0 done; 64 a wrong option; 65 the file is no record

examples:
  scripts/measure report docs/results/layouts/results.json
  scripts/measure report docs/results/layouts/results.json --html .build/report.html
  scripts/measure report docs/results/layouts/results.json --html .build/report.html --matrix docs/results/matrix.json
  scripts/measure report docs/results/layouts/results.json --csv - | cut -d, -f3-6
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    if (options.matrix or options.scale or options.simulate) and not options.html:
        raise UsageError("--matrix, --scale and --simulate are shown by --html only; name a file with it.")
    record = read_record(options.record)
    if options.html:
        _write(options.html, _page(record, options))
    if options.csv:
        _write(options.csv, csv_text(record))
    if options.table:
        print_report(record, Console(width=None if sys.stdout.isatty() else 140))
    if options.json:
        sys.stdout.write(json_text(record.as_json()))
    if options.markdown or not (options.html or options.csv or options.table or options.json):
        sys.stdout.write(markdown(record))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/measure report", _DESCRIPTION, _EPILOGUE)
    parser.add_argument("record", type=Path, metavar="RECORD", help="a results.json")
    parser.add_argument("--markdown", action="store_true", help="the report, on standard output (the default)")
    parser.add_argument("--html", type=Path, metavar="FILE", help="the page with plots")
    parser.add_argument("--csv", type=Path, metavar="FILE", help="every sample as a line")
    parser.add_argument("--json", action="store_true", help="the record, on standard output")
    parser.add_argument("--table", action="store_true", help="only the table, as it is shown after a run")
    parser.add_argument(
        "--matrix", type=Path, metavar="FILE", help="with --html: takes the heat map from this record of 'matrix'"
    )
    parser.add_argument(
        "--scale", type=Path, metavar="FILE", help="with --html: shows the growth curves of this record of 'scale'"
    )
    parser.add_argument(
        "--simulate", type=Path, metavar="FILE", help="with --html: shows the timelines of this record of 'simulate'"
    )
    return parser


def _page(record: Record, options: argparse.Namespace) -> str:
    from buildspeed.page.rendering import html_page

    return html_page(
        record,
        read_matrix(options.matrix) if options.matrix else None,
        read_growth(options.scale) if options.scale else (),
        read_rebuilds(options.simulate) if options.simulate else None,
    )


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        write_atomically(path, text)
