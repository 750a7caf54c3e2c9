"""The command line of `scripts/measure package`."""

from __future__ import annotations

import argparse
import secrets
import shlex
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from buildspeed.arguments import add_run_options, package_folder, results_folder
from buildspeed.command_line import Parser, names, positive
from buildspeed.edited_files import FILE_EDITS, edited_file
from buildspeed.edits import DEFAULT_EDITS, MUTATORS
from buildspeed.failures import UsageError
from buildspeed.layouts import LAYOUTS
from buildspeed.machine import usable_cores
from buildspeed.measurement import DEFAULT_ROUNDS
from buildspeed.most_imported import DEFAULT_COUNT
from buildspeed.naming import CONVENTION, Naming
from buildspeed.package_measurement import PackageMeasurement, PackageRequest
from buildspeed.plan import LEAST_ROUNDS, MOST_ROUNDS
from buildspeed.record import Record
from buildspeed.recorded_run import record_run, resumable
from buildspeed.run_folder import scratch_folder
from buildspeed.summary import BASELINE
from buildspeed.toolchain import find_toolchain
from buildspeed.unfinished import read_unfinished, require_writable

_OTHERS = tuple(name for name in LAYOUTS if name != BASELINE)

_DESCRIPTION = """\
Times 'swift build' after edits in any Swift package that builds with 'swift build', and tells which files were
compiled; with --layouts also what the same edits cost without its interfaces."""

_EPILOG = f"""\
edits:
{{edits}}
  FILE is relative to the package, or to where you are. Where in the file the edit goes is chosen with the compiler's
  parser and told in the report. Without --edit, these are made: {", ".join(DEFAULT_EDITS)};
  in the {DEFAULT_COUNT} modules that most files outside of them import. One without a place, or that does not compile,
  is left out, and the report says why. 'interface-…' edits are made in the module's interface, or in the target itself
  where it belongs to no pair; 'body' is enough for a file of a program or of tests. An edit in a test file makes every
  build one of the tests too (swift build --build-tests).

layouts:
  {BASELINE:<9}  the package as it is: a copy, built with its own manifest. It is always measured
{{layouts}}
  Which targets are a module's interface and implementation is told by --interface and --implementation. The last two
  are generated, where that is possible. It is not where a target uses a plugin, is in C, is a macro, a system library
  or binary, depends on something under a condition, where targets that would be one have different settings, types or
  resources of the same name, need one another in a circle, or are several programs. The run says what it found, and
  measures the others.

how it works:
  The package is only read. It is copied, with what git tracks or would track, to PATH/.build/measure/work; local
  packages that it depends on are copied beside it, so that relative paths still hold, and links that lead out of it
  are replaced by what they lead to. Other packages come from where the manifest says, or from SwiftPM's cache. A
  checkout that cannot be written takes --scratch-path and --output.
  First the copy is built and every edit is tried once. Then, as in 'scripts/measure': in each round all combinations
  of layout, edit and file in random order; the layout '{BASELINE}' twice (A/A control). Times, files, processor
  time and memory of each build are recorded, and what other programs did meanwhile.

results:
  A table and a summary in sentences on standard output, and in the output folder results.md, report.html
  and results.json (docs/ResultsFormat.md), from which 'scripts/measure report' and 'compare' work.

exit codes:
  0 done; 1 the package or an edit does not build, or something else failed; 64 a wrong option, file or name; others
  as in 'scripts/measure --help'

examples:
  scripts/measure package ~/Shop --quick
  scripts/measure package ~/Shop --layouts --rounds 10
  scripts/measure package ~/Shop --edit Sources/Cart/Cart.swift --edit Sources/Cart/Prices.swift:signature
  scripts/measure package ~/Shop --layouts fused --interface '{{{{module}}}}API' --implementation '{{{{module}}}}'
"""


def run(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    return _measure(parsed(arguments))


def parsed(arguments: Sequence[str]) -> argparse.Namespace:
    """The options that the words name."""
    return _parser().parse_args(arguments)


def _parser() -> argparse.ArgumentParser:
    edits = "\n".join(f"  {name:<29}  {MUTATORS[name].changes}" for name in FILE_EDITS)
    layouts = "\n".join(f"  {name:<9}  {LAYOUTS[name]}" for name in _OTHERS)
    parser = Parser("scripts/measure package", _DESCRIPTION, _EPILOG.format(edits=edits, layouts=layouts))
    parser.add_argument("package", type=Path, metavar="PATH", help="the folder of the package")
    parser.add_argument(
        "--edit",
        action="append",
        default=[],
        metavar="FILE[:KIND]",
        help="an edit in a file, 'body' unless a kind is named; may be given several times",
    )
    parser.add_argument(
        "--layouts",
        nargs="?",
        type=names("layout", _OTHERS),
        const=_OTHERS,
        default=(),
        metavar="A,B",
        help=f"other layouts to compare with: {', '.join(_OTHERS)}; both where none is named (write it after PATH)",
    )
    parser.add_argument(
        "--interface",
        default=CONVENTION.interface,
        metavar="PATTERN",
        help=f"what targets are called that hold an interface (default: {CONVENTION.interface})",
    )
    parser.add_argument(
        "--implementation",
        default=CONVENTION.implementation,
        metavar="PATTERN",
        help=f"what the target behind an interface is called (default: {CONVENTION.implementation})",
    )
    parser.add_argument(
        "--variable",
        action="append",
        default=[],
        metavar="NAME",
        help="an environment variable that the manifest reads, and that builds are to see; may be given several times",
    )
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--quick",
        action="store_true",
        help=f"as many rounds as fit into about 5 minutes, from {LEAST_ROUNDS} to {MOST_ROUNDS}",
    )
    effort.add_argument(
        "--rounds",
        type=positive("rounds"),
        metavar="N",
        help=f"rounds (default: {DEFAULT_ROUNDS})",
    )
    effort.add_argument(
        "--resume",
        type=Path,
        metavar="DIR",
        help="goes on with a run that was interrupted or killed, whose results went to this folder; name the same "
        "PATH, edits and layouts",
    )
    add_run_options(parser)
    return parser


def _measure(options: argparse.Namespace) -> int:
    package = package_folder(options.package)
    measure = scratch_folder(package, options.scratch_path)
    earlier: Record | None = None
    if options.resume:
        if options.output:
            raise UsageError("--output does not go with --resume, which goes on in the folder of its record.")
        earlier, output = read_unfinished(options.resume)
    else:
        output = results_folder(options.output, measure)
        resumable(output, resume_command(options, output)).require_none()
    if options.output or options.resume:
        require_writable(output)
    request = _request(options, package, earlier)
    toolchain = replace(find_toolchain(), variables=tuple(options.variable))
    print(f"seed {request.seed}", flush=True)
    record_run(
        lambda folder, view: PackageMeasurement(request, toolchain, folder, view),
        lambda chosen: command(options, chosen.rounds, chosen.seed),
        measure,
        resumable(output, resume_command(options, output)),
    )
    return 0


def _request(options: argparse.Namespace, package: Path, earlier: Record | None) -> PackageRequest:
    """Where a run is resumed, with the rounds and orders that it had."""
    made = earlier.options if earlier else None
    return PackageRequest(
        package=package,
        edits=tuple(dict.fromkeys(edited_file(text) for text in options.edit)),
        layouts=options.layouts,
        naming=_naming(options),
        rounds=made.rounds if made else None if options.quick else options.rounds or DEFAULT_ROUNDS,
        seed=made.seed if made else secrets.randbelow(2**32) if options.seed is None else options.seed,
        jobs=(made and made.jobs) or options.jobs or usable_cores(),
        earlier=earlier,
    )


def _naming(options: argparse.Namespace) -> Naming:
    for option, pattern in (("--interface", options.interface), ("--implementation", options.implementation)):
        if pattern.count("{module}") != 1:
            raise UsageError(f"{option} {pattern}: write {{module}} once, where the name of the module stands.")
    return Naming(options.interface, options.implementation)


def command(options: argparse.Namespace, rounds: int, seed: int) -> str:
    """The command that repeats a run with these options."""
    words = [*_words(options), "--rounds", str(rounds), "--seed", str(seed)]
    if options.jobs is not None:
        words += ["--jobs", str(options.jobs)]
    return shlex.join(words)


def resume_command(options: argparse.Namespace, output: Path) -> str:
    """The command that goes on with the unfinished record in a folder."""
    scratch = ["--scratch-path", str(options.scratch_path)] if options.scratch_path else []
    return shlex.join([*_words(options), "--resume", str(output), *scratch])


def _words(options: argparse.Namespace) -> list[str]:
    """The command with what is measured."""
    words = ["scripts/measure", "package", str(options.package)]
    words += [word for edit in options.edit for word in ("--edit", edit)]
    if options.layouts:
        words += ["--layouts", ",".join(options.layouts)]
    if _naming(options) != CONVENTION:
        words += ["--interface", options.interface, "--implementation", options.implementation]
    return words + [word for name in options.variable for word in ("--variable", name)]
