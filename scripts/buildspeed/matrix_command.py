"""The command line of `scripts/measure matrix`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rich.console import Console

from buildspeed.arguments import add_scratch_path, edit_names, layout_names, package_folder
from buildspeed.command_line import REPOSITORY, Parser, names
from buildspeed.edits import MUTATORS
from buildspeed.failures import InterruptedRunError, MeasurementError
from buildspeed.layouts import LAYOUTS
from buildspeed.matrix import RECORD, Matrix, read_matrix, write_matrix
from buildspeed.matrix_check import arrivals, departures, differences
from buildspeed.matrix_report import matrix_table
from buildspeed.matrix_run import MatrixRun
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.toolchain import find_toolchain

_DESCRIPTION = """\
Tells which files `swift build` compiles after each edit, in each module and layout, which products it links, and why,
without a stopwatch: the answer does not depend on the machine."""

_EPILOG = f"""\
how it works:
  Untimed builds with one job, in which the compiler's driver tells the reasons (-driver-show-incremental): what
  changed, and, after an arrow, what depends on it and is used by the file. An edit of tests is built with the tests
  (`swift build --build-tests`), all others without. Before each edit the package and its build folder are brought
  back to the same state, as what the compiler records of a file depends on what else it compiled at once.

smallest set:
  Beside the compiled files stand those that any build would have to compile, as far as names tell: the file with
  the edit, and the files that mention what the edit changes, from the compiler's index.
    nothing is changed in a file (noop, touch, manifest-touch)   no file
    a body, a comment, a declaration that is added               the file: nobody mentions what is new
    signature                                                    also who mentions the function or initialiser
    stored-property, interface-stored-property, interface-route-field
                                                                 also who mentions the type or one of its members
    interface-requirement                                        also who mentions the protocol or one of its members
  ratio is compiled : smallest. A file that comes by a value of a changed type without any such name (by inference,
  or inside of another type) is not in the set, so a ratio above 1 need not be waste; 1 is as good as can be. A file of
  the set that was not compiled is marked with "!": it may be stale.

check:
  Fails exactly where an edit compiles or links what the record does not have, and names the edit and the files. Less, a
  module that came or went, and an edit that found or lost its place are told, and are no failure.

results:
  The record, and while the run goes on or where it has ended early what there is so far, in a file beside it whose name
  begins with "unfinished-". docs/ResultsFormat.md tells what a record holds.

exit codes:
  0 done; 1 with --check, an edit compiles or links more than the record says, or a build failed; others as in
  `scripts/measure --help`

examples:
  scripts/measure matrix --edits private-top,interface-top --modules Login
  scripts/measure matrix --output {RECORD}
  scripts/measure matrix --check
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    package = package_folder(options.package)
    before = read_matrix(package / RECORD) if options.check else None
    toolchain = find_toolchain()
    if before is not None and before.toolchain != toolchain.version:
        raise MeasurementError(
            f"{RECORD} was made with {before.toolchain}, and this is {toolchain.version}; another compiler may "
            "compile other files. Make a new record with --output."
        )
    measure = scratch_folder(package, options.scratch_path)
    layouts = options.layouts or (before.layouts if before else tuple(LAYOUTS))
    edits = options.edits or (before.edits if before else tuple(MUTATORS))
    output: Path = options.output or measure / "results" / "matrix.json"
    command = shlex.join(["scripts/measure", "matrix", *arguments])
    with run_folder(measure, takes_times=False) as folder, _kept(None if before else output) as keep:
        matrix_run = MatrixRun(toolchain, folder, lambda text: print(text, file=sys.stderr, flush=True), keep)
        matrix = matrix_run.run(package, layouts, edits, options.modules, command)
    if before is not None:
        return tell_differences(before, matrix, options.modules)
    write_matrix(matrix, output)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(matrix_table(matrix))
    console.print(f"\nWrote {output}.", highlight=False, soft_wrap=True)
    return 0


@contextmanager
def _kept(output: Path | None) -> Iterator[Callable[[Matrix], None]]:
    """Keeps what a run has found so far in a file beside its output, for the case that it ends before its time."""
    unfinished = output.with_name(f"unfinished-{output.name}") if output else None
    count = 0

    def keep(matrix: Matrix) -> None:
        nonlocal count
        count = len(matrix.cells)
        if unfinished:
            write_matrix(matrix, unfinished)

    try:
        yield keep
    except (InterruptedRunError, MeasurementError):
        if unfinished and count:
            print(f"The {count} cells so far are in {unfinished}.", file=sys.stderr)
        raise
    if unfinished:
        unfinished.unlink(missing_ok=True)


def tell_differences(before: Matrix, after: Matrix, modules: Sequence[str] = ()) -> int:
    """Says what differs, and returns the exit code: only what grew is a failure. `modules` are those that were named
    where not all are meant."""
    found = differences(before, after)
    other = [*arrivals(before, after), *departures(before, after, modules)]
    for difference in found:
        print(difference, file=sys.stderr if difference.more else sys.stdout)
    for each in other:
        print(each)
    grown = [difference for difference in found if difference.more]
    if grown:
        print(f"error: more is compiled or linked than {RECORD} says, in {len(grown)} cells.", file=sys.stderr)
        return 1
    count = len(found) + len(other)
    remark = f" {count} cells are not as there; --output {RECORD} records them." if count else ""
    print(f"No edit compiles or links more than {RECORD} says.{remark}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/measure matrix", _DESCRIPTION, _EPILOG)
    parser.add_argument("--edits", type=edit_names, default=(), metavar="A,B", help="default: all")
    parser.add_argument("--modules", type=names("module"), default=(), metavar="A,B", help="default: all")
    parser.add_argument("--layouts", type=layout_names(LAYOUTS), default=(), metavar="A,B", help="default: all")
    result = parser.add_mutually_exclusive_group()
    result.add_argument(
        "--output", type=Path, metavar="FILE", help="the record (default: .build/measure/results/matrix.json)"
    )
    result.add_argument(
        "--check",
        action="store_true",
        help=f"compares with {RECORD} and fails where an edit compiles or links more; what is not named is as there",
    )
    parser.add_argument("--package", type=Path, default=REPOSITORY, metavar="DIR", help="default: this repository")
    add_scratch_path(parser)
    return parser
