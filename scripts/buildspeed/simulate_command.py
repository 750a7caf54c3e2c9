"""The command line of `scripts/measure simulate`."""

from __future__ import annotations

import argparse
import secrets
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from buildspeed.arguments import add_run_options, edit_names, layout_names, package_folder, results_folder
from buildspeed.command_line import REPOSITORY, Parser, names, positive
from buildspeed.edits import needs_tests
from buildspeed.failures import UsageError
from buildspeed.layouts import LAYOUTS
from buildspeed.machine import usable_cores
from buildspeed.record_file import write_atomically
from buildspeed.run_folder import run_folder, scratch_folder
from buildspeed.scale.generated_package import CLIENT, EDITED_COPY
from buildspeed.scale.package_layout import PACKAGES, SCALE_LAYOUTS
from buildspeed.scale.shapes import SHAPES
from buildspeed.simulation.record import Options, SimulationRecord, read_record, write_record
from buildspeed.simulation.run import SimulationRun
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import require_writable, showable

_DEFAULT_EDITS = ("body", "private-top", "interface-extension-member")
_DEFAULT_MODULES = ("HTTPClient", "Profile")
_DEFAULT_ROUNDS = 3
_DEFAULT_SHAPE = "star"

_DESCRIPTION = """\
Predicts builds from nothing and after edits on 1, 2, 4, 8, 16, 64 and unlimited cores, for each layout, and names
the critical path. Checks the predictions for this machine against real builds."""

_EPILOG = """\
how it works:
  The package is copied to .build/measure/work and never changed itself. A recorder in place of the compiler notes
  when each job began and finished, in builds with --jobs 1: with one process for all files of a target, and with one
  for each file. Their difference is what a process costs before its first file. SwiftPM's own manifest for its build
  engine tells which command waits for which. A build is then played on any number of cores:
    - the engine runs as many commands at once as there are jobs; a command waits for whole commands, so a target
      waits until the last file of those that it depends on is compiled;
    - the compiler's driver divides the files of a target into as many processes as there are jobs, emits the module
      meanwhile, and compiles in a second wave what the first one made necessary;
    - processes share the cores evenly. How they slow each other down is measured with one on each core of this
      machine, and taken to be the same on larger ones;
    - what the first process reads from the toolchain, the others do not read again but wait for.
  The same builds are made with the jobs of --jobs, without looking at them for the prediction: the error is printed.
  A round makes each layout's build from nothing once and each edit twice. Each time, it is predicted, and compared with
  builds made right afterwards; the median of all times counts.

sizes:
  With --sizes, packages are measured that are made from the modules of this repository, as `scripts/measure scale
  --help` tells of them, of their shapes, and of the layout `packages`, which there is only with --sizes.

results:
  Tables on standard output; results.md and results.json (docs/ResultsFormat.md) in the output folder. Predictions
  are calculated from the record, so --report makes them again.
  For trustworthy times leave the machine alone meanwhile.

exit codes:
  as in `scripts/measure --help`

examples:
  scripts/measure simulate --rounds 1 --layouts interface --edits body --modules Profile
  scripts/measure simulate --output docs/results/simulate
  scripts/measure simulate --sizes 10,40 --edits private-top --layouts interface,fused --rounds 1
  scripts/measure simulate --report docs/results/simulate/results.json
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    options = _parser().parse_args(arguments)
    if options.report is not None:
        sys.stdout.write(_markdown(read_record(options.report)))
        return 0
    package = package_folder(options.package)
    if needs_tests(options.edits):
        raise UsageError("builds with tests cannot be predicted; leave out 'test-body'.")
    if options.sizes and options.modules:
        raise UsageError(f"with --sizes, edits are made in {CLIENT} and {EDITED_COPY}; leave out --modules.")
    if options.shape and not options.sizes:
        raise UsageError("--shape is that of generated packages; name their --sizes too.")
    if PACKAGES in options.layouts and not options.sizes:
        raise UsageError(f"'{PACKAGES}' is a layout of generated packages; name their --sizes too.")
    shape = options.shape or _DEFAULT_SHAPE
    default = (CLIENT, EDITED_COPY) if options.sizes else _DEFAULT_MODULES if package == REPOSITORY else ()
    chosen = Options(
        packages=tuple(f"{shape} of {size}" for size in options.sizes) or (package.name,),
        layouts=options.layouts or _layouts(options),
        edits=options.edits,
        modules=options.modules or default,
        rounds=options.rounds,
        seed=secrets.randbelow(2**32) if options.seed is None else options.seed,
        jobs=tuple(sorted(options.jobs or {1, usable_cores()})),
    )
    measure = scratch_folder(package, options.scratch_path)
    output = results_folder(options.output, measure, "simulate")
    require_writable(output)
    unfinished = showable(output, "simulate", write_record, lambda record: len(record.layouts), "layouts")
    unfinished.require_none()
    toolchain = find_toolchain()

    simulation: SimulationRun | None = None
    with unfinished.until_done(lambda: simulation and simulation.record):
        with run_folder(measure) as folder:
            simulation = SimulationRun(package, chosen, toolchain, folder, lambda text: print(text, flush=True))
            simulation.record.command = _command(chosen, options)
            if options.sizes:
                simulation.measure_copies(shape, options.sizes, unfinished.keep)
            else:
                simulation.measure(unfinished.keep)
        _write(simulation.record, output)
    sys.stdout.write(f"\n{_markdown(simulation.record)}\nWrote {output / 'results.json'} and results.md.\n")
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/measure simulate", _DESCRIPTION, _EPILOG)
    parser.add_argument(
        "--layouts",
        type=layout_names(SCALE_LAYOUTS),
        default=(),
        metavar="A,B",
        help=f"default: {','.join(LAYOUTS)}, and with --sizes {PACKAGES}",
    )
    parser.add_argument(
        "--edits",
        type=edit_names,
        default=_DEFAULT_EDITS,
        metavar="A,B",
        help=f"default: {','.join(_DEFAULT_EDITS)}; the build from nothing is always there",
    )
    parser.add_argument(
        "--modules",
        type=names("module"),
        default=(),
        metavar="A,B",
        help=f"default: {','.join(_DEFAULT_MODULES)}, or all modules of another package",
    )
    parser.add_argument(
        "--sizes",
        type=_numbers("copies"),
        default=(),
        metavar="A,B",
        help="in the place of the package itself, packages with so many copies of its module Profile",
    )
    parser.add_argument("--shape", choices=list(SHAPES), help=f"of their graph (default: {_DEFAULT_SHAPE})")
    parser.add_argument(
        "--rounds",
        type=positive("rounds"),
        default=_DEFAULT_ROUNDS,
        metavar="N",
        help=f"how often everything is measured (default: {_DEFAULT_ROUNDS}); medians count",
    )
    parser.add_argument(
        "--jobs",
        type=_numbers("jobs"),
        default=(),
        metavar="N,M",
        help="the jobs of the real builds (default: 1 and as many as there are cores)",
    )
    add_run_options(parser, jobs=False)
    parser.add_argument("--package", type=Path, default=REPOSITORY, metavar="DIR", help="default: this repository")
    parser.add_argument("--report", type=Path, metavar="RECORD", help="measures nothing; predicts from a record again")
    return parser


def _numbers(of_what: str) -> Callable[[str], tuple[int, ...]]:
    return lambda text: tuple(dict.fromkeys(positive(of_what)(word) for word in text.split(",")))


def _layouts(options: argparse.Namespace) -> tuple[str, ...]:
    """Those that are measured when the person has chosen none."""
    return tuple(SCALE_LAYOUTS if options.sizes else LAYOUTS)


def _command(chosen: Options, options: argparse.Namespace) -> str:
    """The command that repeats the run."""
    words = ["scripts/measure", "simulate", "--rounds", str(chosen.rounds), "--seed", str(chosen.seed)]
    if chosen.layouts != _layouts(options):
        words += ["--layouts", ",".join(chosen.layouts)]
    if chosen.edits != _DEFAULT_EDITS:
        words += ["--edits", ",".join(chosen.edits)]
    if options.modules:
        words += ["--modules", ",".join(options.modules)]
    if options.sizes:
        words += ["--sizes", ",".join(map(str, options.sizes))]
    if options.shape:
        words += ["--shape", options.shape]
    if options.jobs:
        words += ["--jobs", ",".join(map(str, options.jobs))]
    if options.package != REPOSITORY:
        words += ["--package", str(options.package)]
    if options.scratch_path is not None:
        words += ["--scratch-path", str(options.scratch_path)]
    return shlex.join(words)


def _write(record: SimulationRecord, output: Path) -> None:
    write_record(record, output / "results.json")
    write_atomically(output / "results.md", _markdown(record))


def _markdown(record: SimulationRecord) -> str:
    from buildspeed.simulation.report import markdown

    return markdown(record)
