"""The command line of `scripts/measure verify`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from buildspeed.arguments import add_jobs, add_scratch_path, edit_names, package_folder, results_folder
from buildspeed.command_line import REPOSITORY, Parser, names
from buildspeed.edits import MUTATORS
from buildspeed.layouts import LAYOUTS
from buildspeed.program_session import SESSION
from buildspeed.record_file import write_atomically
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.soundness import NOT_VERIFIED, UNSOUND, counted
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import require_writable, showable
from buildspeed.verification_text import reason_lines
from buildspeed.verify_record import VerifyRecord, read_verify_record, write_verify_record
from buildspeed.verify_report import markdown, summary, verdict_table
from buildspeed.verify_run import VerifyRequest, VerifyRun

# Of what tests do, the program shows nothing.
_DEFAULT_EDITS = tuple(name for name, mutator in MUTATORS.items() if not mutator.needs_tests)

_DESCRIPTION = """\
Compares the program after an incremental build with that of a clean build of the same sources, for every edit, module
and layout: a fast build that is wrong is not fast."""

_EPILOG = f"""\
how it works:
  The edit is made, the package is built incrementally, and the program is run as the session says. A clean build of
  the same sources in another folder is run in the same way. Exit code, signal, standard output and standard error
  must be equal. Then the edit is undone, and the package, built incrementally once more, must behave as it did in the
  beginning. After an unsound build the layout is built from nothing, so that each cell stands for itself.
  Sources that are equal to the byte are built from nothing once only; other edits cost one clean build per module and
  layout. Only a package with exactly one executable can be verified; the program is run twice first, and where it
  does not behave the same each time, the cells are not verified. In a package whose targets are not called
  XInterface and XImplementation, each library target is a module.

session:
  A text file. A line '$ App --check' runs the program with these arguments, and the lines after it, up to the next
  such line, are its input. All runs share one folder, which is empty in the beginning and is the home folder too. A
  run ends after 60 seconds. The default is {SESSION} in the package, or else one run without arguments and input.

results:
  A table on standard output, and in the output folder results.md (the same, with what was done) and results.json
  (docs/ResultsFormat.md).

exit codes:
  0 sound; 1 something is unsound, nothing could be verified, or a build failed; others as in `scripts/measure --help`

examples:
  scripts/measure verify --edits interface-stored-property --layouts interface
  scripts/measure verify --package scripts/tests/fixtures/Chain --edits interface-stored-property
  scripts/measure verify --output docs/results/verify
  scripts/measure verify --report docs/results/verify/results.json
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    console = Console(width=None if sys.stdout.isatty() else 140)
    if options.report:
        sys.stdout.write(markdown(read_verify_record(options.report)))
        return 0
    package = package_folder(options.package)
    request = VerifyRequest(
        package=package,
        layouts=options.layouts,
        edits=options.edits,
        modules=options.modules,
        session=options.session,
        jobs=options.jobs,
        command=shlex.join(["scripts/measure", "verify", *arguments]),
    )
    measure = scratch_folder(package, options.scratch_path)
    output = results_folder(options.output, measure, "verify")
    require_writable(output)
    unfinished = showable(output, "verify", write_verify_record, lambda record: len(record.verdicts), "cells")
    unfinished.require_none()
    toolchain = find_toolchain()
    verify_run: VerifyRun | None = None
    with unfinished.until_done(lambda: verify_run and verify_run.record):
        with run_folder(measure, takes_times=False) as folder:
            verify_run = VerifyRun(request, toolchain, folder, lambda text: print(text, file=sys.stderr, flush=True))
            record = verify_run.run(unfinished.keep)
        _write(record, output)
    console.print(verdict_table(record))
    for line in [*reason_lines(record.verdicts), summary(record)]:
        console.print(line.replace("`", "'"), highlight=False, markup=False, soft_wrap=True)
    console.print(f"\nWrote {output / 'results.json'} and results.md.", highlight=False, soft_wrap=True)
    counts = counted(record.verdicts)
    return 1 if counts[UNSOUND] or counts[NOT_VERIFIED] == len(record.verdicts) else 0


def _write(record: VerifyRecord, output: Path) -> None:
    write_verify_record(record, output / "results.json")
    write_atomically(output / "results.md", markdown(record))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/measure verify", _DESCRIPTION, _EPILOG)
    parser.add_argument(
        "--edits",
        type=edit_names,
        default=_DEFAULT_EDITS,
        metavar="A,B",
        help="'all', or default: every edit but test-body",
    )
    parser.add_argument("--modules", type=names("module"), default=(), metavar="A,B", help="default: all")
    parser.add_argument(
        "--layouts", type=names("layout", LAYOUTS), default=tuple(LAYOUTS), metavar="A,B", help="default: all"
    )
    parser.add_argument("--session", type=Path, metavar="FILE", help="how the program is run (default: see below)")
    add_jobs(parser)
    result = parser.add_mutually_exclusive_group()
    result.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="where the results go (default: a new folder in .build/measure/results)",
    )
    result.add_argument(
        "--report", type=Path, metavar="FILE", help="renders the report of a record again, and verifies nothing"
    )
    parser.add_argument("--package", type=Path, default=REPOSITORY, metavar="DIR", help="default: this repository")
    add_scratch_path(parser)
    return parser
