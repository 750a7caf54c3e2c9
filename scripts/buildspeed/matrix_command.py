"""The command line of `scripts/measure matrix`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from buildspeed.arguments import add_scratch_path, edit_names, layout_names
from buildspeed.command_line import REPOSITORY, Parser, names
from buildspeed.edits import MUTATORS
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.layouts import LAYOUTS
from buildspeed.matrix import Matrix, differences, read_matrix, write_matrix
from buildspeed.matrix_run import MatrixRun
from buildspeed.plan import Cell
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.toolchain import find_toolchain

RECORD = Path("docs") / "results" / "matrix.json"
# Tests would be part of every build.
_DEFAULT_EDITS = tuple(name for name, mutator in MUTATORS.items() if not mutator.needs_tests)

_DESCRIPTION = """\
Tells which files `swift build` compiles after each edit, in each module and layout, which products it links, and why,
without a stopwatch: the answer does not depend on the machine."""

_EPILOG = f"""\
The reasons are the words of the compiler's driver (-driver-show-incremental), in an untimed build with one job.

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
    package: Path = options.package.resolve()
    if not (package / "Package.swift").is_file():
        raise UsageError(f"{package} is no Swift package: it has no Package.swift.")
    before = read_matrix(package / RECORD) if options.check else None
    toolchain = find_toolchain()
    if before is not None and before.toolchain != toolchain.version:
        raise MeasurementError(
            f"{RECORD} was made with {before.toolchain}, and this is {toolchain.version}; another compiler may "
            "compile other files. Make a new record with --output."
        )
    measure = scratch_folder(package, options.scratch_path)
    layouts = options.layouts or (before.layouts if before else tuple(LAYOUTS))
    edits = options.edits or (before.edits if before else _DEFAULT_EDITS)
    modules = options.modules or (before.modules if before else ())
    with run_folder(measure, takes_times=False) as folder:
        matrix_run = MatrixRun(toolchain, folder, lambda text: print(text, file=sys.stderr, flush=True))
        matrix = matrix_run.run(package, layouts, edits, modules, shlex.join(["scripts/measure", "matrix", *arguments]))
    if before is not None:
        return tell_differences(before, matrix)
    output: Path = options.output or measure / "results" / "matrix.json"
    write_matrix(matrix, output)
    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(matrix_table(matrix))
    console.print(f"\nWrote {output}.", highlight=False, soft_wrap=True)
    return 0


def matrix_table(matrix: Matrix) -> Table:
    """Edit × module, with the numbers of compiled files in each layout."""
    found = {cell.key: cell for cell in matrix.cells}
    table = Table(
        caption="compiled files, and linked products", caption_justify="left", pad_edge=False, box=SIMPLE_HEAD
    )
    table.add_column("edit")
    table.add_column("module")
    for layout in matrix.layouts:
        table.add_column(layout, justify="right")
    for edit, module in dict.fromkeys((cell.edit, cell.module) for cell in matrix.cells):
        row = [found.get(Cell(layout, edit, module)) for layout in matrix.layouts]
        table.add_row(
            edit, module or "", *(f"{len(cell.compiled)}, {len(cell.linked)}" if cell else "–" for cell in row)
        )
    return table


def tell_differences(before: Matrix, after: Matrix) -> int:
    """Says what differs, and returns the exit code: only what grew is a failure."""
    found = differences(before, after)
    for difference in found:
        print(difference, file=sys.stderr if difference.more else sys.stdout)
    grown = [difference for difference in found if difference.more]
    if grown:
        print(f"error: more is compiled or linked than {RECORD} says, in {len(grown)} cells.", file=sys.stderr)
        return 1
    remark = f" Less is in {len(found)} cells; --output {RECORD} records it." if found else ""
    print(f"No edit compiles or links more than {RECORD} says.{remark}")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/measure matrix", _DESCRIPTION, _EPILOG)
    parser.add_argument(
        "--edits", type=edit_names, default=(), metavar="A,B", help="'all', or default: every edit but test-body"
    )
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
