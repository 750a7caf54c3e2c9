"""The command line of `scripts/measure scale`."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from buildspeed.arguments import add_run_options, edit_names, layout_names, package_folder, results_folder
from buildspeed.command_line import REPOSITORY, Parser, names, positive
from buildspeed.edits import DEFAULT_EDITS, needs_tests
from buildspeed.failures import UsageError
from buildspeed.machine import usable_cores
from buildspeed.progress import progress_view
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.scale.generated_package import CLIENT, EDITED_COPY, MODULE
from buildspeed.scale.package_layout import SCALE_LAYOUTS
from buildspeed.scale.record import ScaleOptions, ScaleRecord, read_scale_record, write_scale_record
from buildspeed.scale.results import samples_in, write_report
from buildspeed.scale.run import ScaleRun, VerifiedSizes
from buildspeed.scale.shapes import SHAPES
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import require_writable, showable

_SIZES = (5, 10, 20, 40, 80, 160)
_ROUNDS = 3
_BUDGET = 60

_VERIFY_OPTIONS = {
    VerifiedSizes.NONE: ("--no-verify", "verify no cell, which takes a clean build each"),
    VerifiedSizes.ALL: ("--verify-all", "verify every cell at every size, not only at the smallest"),
}

_DESCRIPTION = f"""\
Times `swift build` after edits in packages of growing size, and tells what each added module costs.

The packages are made from this repository: the files of the module {MODULE} as often as the size says, with names of
their own, beside all other modules, in the App that lists them. Each is a program that runs."""

_EPILOG = """\
shapes:
{shapes}

layouts (`direct` is another name of `fused`):
{layouts}

how it works:
  Sizes are begun from the smallest, each in all shapes before the next: the layouts are built, each in a build
  folder of its own, and a first round is taken. The other rounds follow when all sizes are begun, each of all sizes
  before the next, so that a machine that grows slower favours no size. So all build folders stay until the end: several
  GB with the default options. A round of a size is one of `scripts/measure layouts`: all combinations of layout, edit
  and module in random order. Edits are made in {copy}, which other copies use where the shape has them do so, and in
  {client}, which all use. The first size is measured with an A/A control.
  At the end, every cell is verified once at the smallest size of each shape, as `scripts/measure verify --help`
  tells, and at each size with --verify-all. How long a size will take is judged by those before it; what would not
  fit into the budget is skipped, and the report says so. The first size is always measured. With the default
  options, the first three sizes take more than an hour on two cores.

results:
  A table on standard output, and in the output folder results.md, results.json (every sample;
  docs/ResultsFormat.md), and for each shape plots of seconds and of compiled files as SVG. What there is of a
  run that does not come to its end is in unfinished.json.

exit codes:
  as in `scripts/measure --help`

examples:
  scripts/measure scale --shapes star --sizes 5,10,20 --budget 30
  scripts/measure scale --rounds 6 --budget 480 --output docs/results/scale
  scripts/measure scale --report docs/results/scale/results.json --output here
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    if needs_tests(options.edits):
        raise UsageError("test-body is made in tests, and the copies have none.")
    console = Console(width=None if sys.stdout.isatty() else 160)
    if options.report is not None:
        record = read_scale_record(options.report)
        output: Path = options.output or options.report.parent
    else:
        package = package_folder(options.package)
        measure = scratch_folder(package, options.scratch_path)
        output = results_folder(options.output, measure, "scale")
        record = _measure(options, package, measure, output, console)
    # Only now: it takes a second, and memory that would count as that of the builds.
    from buildspeed.scale.report import print_scale_report

    write_report(record, output)
    print_scale_report(record, console)
    console.print(f"\nWrote the report and its plots to {output}.", highlight=False, soft_wrap=True)
    return 0


def _measure(options: argparse.Namespace, package: Path, measure: Path, output: Path, console: Console) -> ScaleRecord:
    chosen = ScaleOptions(
        shapes=options.shapes,
        sizes=options.sizes,
        layouts=options.layouts,
        edits=options.edits,
        modules=(),
        rounds=options.rounds,
        seed=secrets.randbelow(2**32) if options.seed is None else options.seed,
        jobs=options.jobs or usable_cores(),
        budget_minutes=options.budget,
    )
    if options.output is not None:
        require_writable(output)
    unfinished = showable(output, "scale", write_scale_record, samples_in, "samples")
    unfinished.require_none()
    toolchain = find_toolchain()
    console.print(f"seed {chosen.seed}", highlight=False)
    work: ScaleRun | None = None
    with unfinished.until_done(lambda: work and work.record):
        with run_folder(measure) as folder, progress_view(console) as view:
            command = _command(chosen, options)
            work = ScaleRun(package, chosen, command, toolchain, folder, view, options.verified)
            record = work.run(unfinished.keep)
        write_scale_record(record, output / "results.json")
    return record


def _command(chosen: ScaleOptions, options: argparse.Namespace) -> str:
    """The command that repeats the run."""
    words = ["scripts/measure", "scale", "--rounds", str(chosen.rounds), "--seed", str(chosen.seed)]
    words += ["--budget", f"{chosen.budget_minutes:g}"]
    for name, values, default in (
        ("--shapes", chosen.shapes, tuple(SHAPES)),
        ("--sizes", chosen.sizes, _SIZES),
        ("--layouts", chosen.layouts, tuple(SCALE_LAYOUTS)),
        ("--edits", chosen.edits, DEFAULT_EDITS),
    ):
        if values != default:
            words += [name, ",".join(map(str, values))]
    if options.verified is not VerifiedSizes.SMALLEST:
        words.append(_VERIFY_OPTIONS[options.verified][0])
    if options.jobs is not None:
        words += ["--jobs", str(options.jobs)]
    if options.package != REPOSITORY:
        words += ["--package", str(options.package)]
    return shlex.join(words)


def _sizes(text: str) -> tuple[int, ...]:
    parse = positive("copies")
    return tuple(sorted({parse(each) for each in names("size")(text)}))


def _minutes(text: str) -> float:
    try:
        minutes = float(text)
    except ValueError:
        minutes = 0.0
    if not 0 < minutes < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no number of minutes; give more than 0")
    return minutes


def _parser() -> argparse.ArgumentParser:
    epilogue = _EPILOG.format(shapes=_listed(SHAPES), layouts=_listed(SCALE_LAYOUTS), copy=EDITED_COPY, client=CLIENT)
    parser = Parser("scripts/measure scale", _DESCRIPTION, epilogue)
    parser.add_argument(
        "--sizes",
        type=_sizes,
        default=_SIZES,
        metavar="A,B",
        help=f"how many copies (default: {','.join(map(str, _SIZES))})",
    )
    parser.add_argument(
        "--shapes", type=names("shape", SHAPES), default=tuple(SHAPES), metavar="A,B", help="default: all"
    )
    parser.add_argument(
        "--layouts",
        type=layout_names(SCALE_LAYOUTS),
        default=tuple(SCALE_LAYOUTS),
        metavar="A,B",
        help="default: all",
    )
    parser.add_argument(
        "--edits",
        type=edit_names,
        default=DEFAULT_EDITS,
        metavar="A,B",
        help=f"default: {','.join(DEFAULT_EDITS)}; `scripts/measure --help` lists all",
    )
    parser.add_argument(
        "--budget",
        type=_minutes,
        default=float(_BUDGET),
        metavar="MINUTES",
        help=f"what would take longer is skipped (default: {_BUDGET})",
    )
    parser.add_argument(
        "--rounds",
        type=positive("rounds"),
        default=_ROUNDS,
        metavar="N",
        help=f"rounds at each size (default: {_ROUNDS})",
    )
    verified = parser.add_mutually_exclusive_group()
    for value, (name, text) in _VERIFY_OPTIONS.items():
        verified.add_argument(
            name, action="store_const", dest="verified", const=value, default=VerifiedSizes.SMALLEST, help=text
        )
    add_run_options(parser)
    parser.add_argument(
        "--package",
        type=Path,
        default=REPOSITORY,
        metavar="DIR",
        help=f"another checkout, with the modules {MODULE} and {CLIENT} (default: this repository)",
    )
    parser.add_argument(
        "--report", type=Path, metavar="RECORD", help="measures nothing, and makes the report of a record again"
    )
    return parser


def _listed(descriptions: dict[str, str]) -> str:
    width = max(map(len, descriptions))
    return "\n".join(f"  {name:<{width}}  {text}" for name, text in descriptions.items())
