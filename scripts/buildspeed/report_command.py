"""The command line of `scripts/measure report`."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from buildspeed.command_line import Parser
from buildspeed.record import read_record
from buildspeed.report import markdown, print_report

_DESCRIPTION = """\
Renders the report of a record, as results.md, on standard output. Reads records of every version."""

_EPILOGUE = """\
exit codes:
  0 done; 64 a wrong option; 65 the file is no record

examples:
  scripts/measure report docs/results/layouts/results.json
  scripts/measure report --table .build/measure/results/2026-01-31-120000/results.json
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    parser = Parser("scripts/measure report", _DESCRIPTION, _EPILOGUE)
    parser.add_argument("record", type=Path, metavar="RECORD", help="a results.json")
    parser.add_argument("--table", action="store_true", help="only the table, as it is shown after a run")
    options = parser.parse_args(arguments)
    record = read_record(options.record)
    if options.table:
        print_report(record, Console(width=None if sys.stdout.isatty() else 140))
    else:
        sys.stdout.write(markdown(record))
    return 0
