"""The command line of `scripts/measure floor`."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from buildspeed.arguments import add_run_options, package_folder, results_folder
from buildspeed.command_line import REPOSITORY, Parser, names, positive
from buildspeed.edits import MUTATORS, mutator
from buildspeed.floor.phases import PHASES
from buildspeed.floor.record import FloorRecord, Options, read_record, write_record
from buildspeed.floor.run import FloorRun, Request
from buildspeed.floor.settings import SETTINGS, require_usable, usable_settings
from buildspeed.machine import usable_cores
from buildspeed.record_file import write_atomically
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import require_writable, showable

_DEFAULT_MODULE, _DEFAULT_EDIT, _DEFAULT_ROUNDS, _DEFAULT_CLEAN_ROUNDS = "Profile", "body", 20, 3

_DESCRIPTION = """\
Tells how close `swift build` comes to the limit after an edit in one file: the compiler's job for that file, the job
for its module, and the link, done by hand. Compares settings that may bring it closer."""

_EPILOG = """\
settings:
{settings}
  The first of --settings is what the others are compared with. Each has a build folder of its own, because SwiftPM
  plans anew when flags change.

how it works:
  The package is copied to .build/measure/work and never changed itself; where its manifest chooses a linker, the
  copy does not. Each setting is built from nothing --clean-rounds times. Then in each of --rounds rounds, with the
  settings in random order: a build with nothing to do is timed, the edit is made, `swift build` is timed, and while
  the edit is in force its unavoidable jobs are run again by hand, with the arguments that the build gave them. Then
  the edit is undone. A recorder in place of the compiler notes when each job began and finished, so that the time
  divides into phases:
{phases}

results:
  A table on standard output; results.md and results.json (docs/ResultsFormat.md) in the output folder.
  For trustworthy times leave the machine alone meanwhile.

exit codes:
  as in `scripts/measure --help`

examples:
  scripts/measure floor --rounds 6 --clean-rounds 1 --settings default,lld
  scripts/measure floor --output docs/results/floor
  scripts/measure floor --report docs/results/floor/results.json
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    if options.report is not None:
        sys.stdout.write(_markdown(read_record(options.report)))
        return 0
    package = package_folder(options.package)
    require_usable(options.settings)
    chosen = Options(
        settings=options.settings,
        edit=options.edit,
        module=options.module if mutator(options.edit).is_per_module else None,
        rounds=options.rounds,
        clean_rounds=options.clean_rounds,
        seed=secrets.randbelow(2**32) if options.seed is None else options.seed,
        jobs=options.jobs or usable_cores(),
    )
    measure = scratch_folder(package, options.scratch_path)
    output = results_folder(options.output, measure, "floor")
    require_writable(output)
    unfinished = showable(output, "floor", write_record, _samples, "samples")
    unfinished.require_none()
    toolchain = find_toolchain()
    floor: FloorRun | None = None
    with unfinished.until_done(lambda: floor and floor.record):
        with run_folder(measure) as folder:
            floor = FloorRun(Request(package, chosen), toolchain, folder, lambda text: print(text, flush=True))
            record = floor.run(_command(chosen, options), unfinished.keep)
        _write(record, output)
    _show(record, output)
    return 0


def _parser() -> argparse.ArgumentParser:
    usable = usable_settings()
    epilogue = _EPILOG.format(
        settings="\n".join(f"  {name:<14}{setting.meaning}" for name, setting in SETTINGS.items()),
        phases="\n".join(f"    {name:<13}{meaning}" for name, meaning in PHASES.items()),
    )
    parser = Parser("scripts/measure floor", _DESCRIPTION, epilogue)
    parser.add_argument(
        "--settings",
        type=names("setting", SETTINGS),
        default=usable,
        metavar="A,B",
        help=f"default: all of this platform ({','.join(usable)})",
    )
    parser.add_argument(
        "--edit", choices=list(MUTATORS), default=_DEFAULT_EDIT, metavar="EDIT", help=f"default: {_DEFAULT_EDIT}"
    )
    parser.add_argument("--module", default=_DEFAULT_MODULE, metavar="MODULE", help=f"default: {_DEFAULT_MODULE}")
    parser.add_argument(
        "--rounds",
        type=positive("rounds"),
        default=_DEFAULT_ROUNDS,
        metavar="N",
        help=f"rounds with an edit (default: {_DEFAULT_ROUNDS})",
    )
    parser.add_argument(
        "--clean-rounds",
        type=positive("rounds"),
        default=_DEFAULT_CLEAN_ROUNDS,
        metavar="N",
        help=f"rounds of builds from nothing (default: {_DEFAULT_CLEAN_ROUNDS}; two or more to see a filled cache)",
    )
    add_run_options(parser)
    parser.add_argument("--package", type=Path, default=REPOSITORY, metavar="DIR", help="default: this repository")
    parser.add_argument(
        "--report", type=Path, metavar="RECORD", help="measures nothing; renders the report of a record again"
    )
    return parser


def _command(chosen: Options, options: argparse.Namespace) -> str:
    """The command that repeats the run."""
    words = ["scripts/measure", "floor", "--rounds", str(chosen.rounds), "--clean-rounds", str(chosen.clean_rounds)]
    words += ["--seed", str(chosen.seed)]
    if chosen.settings != usable_settings():
        words += ["--settings", ",".join(chosen.settings)]
    if chosen.edit != _DEFAULT_EDIT:
        words += ["--edit", chosen.edit]
    if chosen.module not in (None, _DEFAULT_MODULE):
        words += ["--module", str(chosen.module)]
    if options.jobs is not None:
        words += ["--jobs", str(options.jobs)]
    if options.package != REPOSITORY:
        words += ["--package", str(options.package)]
    if options.scratch_path is not None:
        words += ["--scratch-path", str(options.scratch_path)]
    return shlex.join(words)


def _samples(record: FloorRecord) -> int:
    return len(record.samples) + len(record.clean_samples)


def _write(record: FloorRecord, output: Path) -> None:
    write_record(record, output / "results.json")
    write_atomically(output / "results.md", _markdown(record))


def _markdown(record: FloorRecord) -> str:
    # Only when it is needed: it takes a second, and memory that would count as that of the builds.
    from buildspeed.floor.report import markdown

    return markdown(record)


def _show(record: FloorRecord, output: Path) -> None:
    from buildspeed.floor.report import terminal_table

    console = Console(width=None if sys.stdout.isatty() else 140)
    console.print(terminal_table(record))
    console.print(f"\nWrote {output / 'results.json'} and results.md.", highlight=False, soft_wrap=True)
