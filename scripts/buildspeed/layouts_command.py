"""The command line of `scripts/measure layouts`, the default command."""

from __future__ import annotations

import argparse
import secrets
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path

from buildspeed.arguments import add_run_options, edit_names, layout_names, package_folder, results_folder
from buildspeed.command_line import REPOSITORY, Parser, names, positive
from buildspeed.commands import COMMANDS
from buildspeed.conditions import NOISY_ABOVE
from buildspeed.edits import ALIASES, DEFAULT_EDITS, MUTATORS
from buildspeed.layouts import LAYOUTS
from buildspeed.machine import usable_cores
from buildspeed.measurement import DEFAULT_MODULES, DEFAULT_ROUNDS, Measurement, Request
from buildspeed.plan import LEAST_ROUNDS, MOST_ROUNDS
from buildspeed.program_session import read_session
from buildspeed.record import Options
from buildspeed.recorded_run import record_run, resumable
from buildspeed.resume_options import resume_command, resuming_request
from buildspeed.run_folder import scratch_folder
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import read_unfinished, require_writable

_DESCRIPTION = """\
Times `swift build` after edits, for several layouts of the same code, and tells which files were compiled."""

_EPILOG = """\
commands:
{commands}
  `scripts/measure COMMAND --help` tells of each.

layouts:
{layouts}

edits:
{edits}
  noop, app-body and manifest-touch are made once per round, the others in every module. Where exactly an edit
  goes is chosen with the compiler's parser and told in the report. An edit that has no place in a module (no
  class, no route, no protocol) is left out there, and the report says why. With test-body every build includes
  the tests (`swift build --build-tests`). Earlier names still work: {aliases}.

how it works:
  The package is copied to .build/measure/work and never changed itself. From the copy, one package for each
  layout is generated, built from nothing, and then built again and again: in each round all combinations of
  layout, edit and module in random order. A sample is: make the edit, time `swift build` (debug), undo the
  edit, build again untimed. Test targets are left out but for test-body, as `swift build` does not
  compile them. Modules are told by the names of their targets: XInterface and XImplementation. The builds'
  environment, locale and jobs are fixed. The number of rounds is fixed before the first sample.
  The first layout is measured a second time, in a build directory of its own (A/A control): where it differs
  from itself, the report says that the run cannot be trusted.
  Other programs' use of the machine is recorded with each sample; a sample during which they used more than
  {noisy:.0%} of one core is marked as noisy, and counts like the others.
  After the samples, each cell is verified once: the program after the incremental build must do what it does after
  a clean build of the same sources (`scripts/measure verify --help`). The report marks a cell where it does not.
  This takes a clean build for each edit, module and layout; --quick and --no-verify leave it out.
  Only one run takes times on a machine, and only one works on a package; a second one is refused. A run that
  was killed leaves nothing behind that the next run does not end or remove.

interrupted and killed runs:
  Every sample is kept at once in the output folder, in unfinished.json; results.json is only ever that of a
  complete run. --resume goes on where the run ended, with its options, seed and order, and takes the samples of
  the round that was torn anew, so that pairs are of one session; the report tells when that happened. It is
  refused when the code, the toolchain or the machine is another one. Without --resume a run begins anew.
  `scripts/measure report` shows an unfinished record, too.

results:
  A table on standard output, and in the output folder results.md (the same, with all conditions), report.html
  (a page with plots, which opens anywhere) and results.json (machine, toolchain, seed, and every sample with its
  compiled files; docs/ResultsFormat.md). `scripts/measure report` makes each of them again from results.json.
  For trustworthy times leave the machine alone meanwhile; the lists of compiled files do not depend on it.

exit codes:
  0 done; 1 a build or something else failed; 64 a wrong option or name; 65 a record cannot be read, compared
  or resumed; 69 Swift or Python is missing; 75 another run holds the package or the machine (the message names
  its process); 130, 143 interrupted. Whatever ends a run, the samples so far are kept.

examples:
  scripts/measure --quick
  scripts/measure --rounds 20 --output docs/results/layouts
  scripts/measure --resume docs/results/layouts
  scripts/measure --edits private-top,interface-top --modules HTTPClient --layouts interface,fused
  scripts/measure compare before/results.json after/results.json --fail-above 10%
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    return _measure(_parser().parse_args(arguments))


def _parser() -> argparse.ArgumentParser:
    epilogue = _EPILOG.format(
        commands=_listed(COMMANDS),
        layouts=_listed(LAYOUTS),
        edits=_listed(_edit_phrases()),
        aliases=", ".join(ALIASES),
        noisy=NOISY_ABOVE,
    )
    parser = Parser("scripts/measure", _DESCRIPTION, epilogue)
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick",
        action="store_true",
        help=f"as many rounds as fit into about 5 minutes, from {LEAST_ROUNDS} to {MOST_ROUNDS}; where not even "
        f"{LEAST_ROUNDS} fit, without the edit 'public-top' and the last modules, unless these were "
        "named",
    )
    effort.add_argument(
        "--rounds",
        type=positive("rounds"),
        metavar="N",
        help=f"rounds (default: {DEFAULT_ROUNDS})",
    )
    parser.add_argument(
        "--edits",
        type=edit_names,
        default=(),
        metavar="A,B",
        help=f"'all', or default: {','.join(DEFAULT_EDITS)}",
    )
    parser.add_argument(
        "--modules",
        type=names("module"),
        default=(),
        metavar="A,B",
        help=f"default: {','.join(DEFAULT_MODULES)}, or all modules of a package that has none of these",
    )
    parser.add_argument(
        "--layouts",
        type=layout_names(LAYOUTS),
        default=(),
        metavar="A,B",
        help="default: all",
    )
    parser.add_argument(
        "--no-verify",
        action="store_true",
        help="does not compare the program of each cell with that of a clean build; nor does --quick",
    )
    add_run_options(parser)
    parser.add_argument(
        "--resume",
        type=Path,
        metavar="RECORD",
        help="goes on with the run of an unfinished.json, or of the folder that holds one, with its options",
    )
    parser.add_argument(
        "--package",
        type=Path,
        default=REPOSITORY,
        metavar="DIR",
        help="the package (default: this repository)",
    )
    return parser


def _measure(options: argparse.Namespace) -> int:
    package = package_folder(options.package)
    measure = scratch_folder(package, options.scratch_path)
    if options.resume:
        earlier, output = read_unfinished(options.resume)
        request = resuming_request(earlier, options, package)
    else:
        output = results_folder(options.output, measure)
        resumable(output, resume_command(output, options)).require_none()
        request = _request(options, package)
    if options.output or options.resume:
        require_writable(output)
    toolchain = find_toolchain()
    print(f"seed {request.seed}", flush=True)
    record_run(
        lambda folder, view: Measurement(request, toolchain, folder, view),
        lambda chosen: _command(chosen, options),
        measure,
        resumable(output, resume_command(output, options)),
    )
    return 0


def _request(options: argparse.Namespace, package: Path) -> Request:
    return Request(
        package=package,
        layouts=options.layouts or tuple(LAYOUTS),
        edits=options.edits,
        modules=options.modules,
        rounds=None if options.quick else options.rounds or DEFAULT_ROUNDS,
        seed=secrets.randbelow(2**32) if options.seed is None else options.seed,
        jobs=options.jobs or usable_cores(),
        session=() if _unverified(options) else read_session(None, package, None),
        unverified=_unverified(options),
        times_rebuilds=not options.quick,
    )


def _command(chosen: Options, options: argparse.Namespace) -> str:
    """The command that repeats the run, with as many rounds as it had."""
    words = ["scripts/measure", "--rounds", str(chosen.rounds), "--seed", str(chosen.seed)]
    for name, chosen_names, default in (
        ("--edits", chosen.edits, DEFAULT_EDITS),
        ("--modules", chosen.modules, DEFAULT_MODULES),
        ("--layouts", chosen.layouts, tuple(LAYOUTS)),
    ):
        if chosen_names != default:
            words += [name, ",".join(chosen_names)]
    if options.jobs is not None:
        words += ["--jobs", str(options.jobs)]
    if _unverified(options):
        words.append("--no-verify")
    if options.package != REPOSITORY:
        words += ["--package", str(options.package)]
    return shlex.join(words)


def _unverified(options: argparse.Namespace) -> str | None:
    """Why nothing is verified, where nothing is."""
    chosen = [name for name, given in (("--quick", options.quick), ("--no-verify", options.no_verify)) if given]
    return f"{chosen[0]} leaves it out." if chosen else None


def _edit_phrases() -> dict[str, str]:
    return {name: mutator.changes for name, mutator in MUTATORS.items()}


def _listed(descriptions: Mapping[str, str]) -> str:
    width = max(map(len, descriptions))
    return "\n".join(f"  {name:<{width}}  {text}" for name, text in descriptions.items())
