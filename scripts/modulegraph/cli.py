"""The command line of `scripts/graph`."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

from rich.console import Console

from buildspeed.command_line import REPOSITORY, Parser, run
from buildspeed.toolchain import find_toolchain
from modulegraph.architecture import Architecture, architecture_of
from modulegraph.dot import dot
from modulegraph.drawing import Drawing
from modulegraph.impact import impact
from modulegraph.impact_text import impact_text
from modulegraph.mermaid import mermaid
from modulegraph.names import owner_named
from modulegraph.package_targets import read_targets
from modulegraph.statistics import statistics, statistics_tables
from modulegraph.svg import svg
from modulegraph.views import modules_view, neighbours_view, targets_view
from modulegraph.why import why

FORMATS: Mapping[str, Callable[[Drawing], str]] = {"mermaid": mermaid, "dot": dot, "svg": svg}

_DESCRIPTION = """\
Draws the graph of a package's modules or targets on standard output, or answers a question about it."""

_EPILOG = """\
graph:
  Read from the manifest, as SwiftPM evaluates it; nothing is built, and nothing is written into the package.
  Modules are told by the names of their targets: XInterface and XImplementation. A package without modules is
  shown by targets. Left out unless --everything is given: what depends on an interface that every other
  interface depends on. The graphs in documents, between '<!-- graph: begin <module> -->' and
  '<!-- graph: end -->', are written by scripts/documents.

impact:
  Where docs/results has a measured edit of the target, these are the files that the build compiled. What
  `scripts/measure matrix` recorded comes first, with the reason for each file in the words of the compiler's driver:
  what changed, and after an arrow what the file uses of it. Then come the samples of `scripts/measure`. For all
  else the rule of the graph holds: an edit reaches at most the target, those that depend on it, and those that
  depend on these; it seldom reaches all of them. The answer says which of these it is.

exit codes:
  0 done; 1 the package cannot be read, or no target has the file; 64 a wrong option or name; 69 Swift or Python is
  missing; 130, 143 interrupted.

examples:
  scripts/graph
  scripts/graph --level targets --format svg > graph.svg
  scripts/graph --module Login --format dot
  scripts/graph --why Profile HTTPClient
  scripts/graph --impact Modules/Login/Interface/SignIn.swift
  scripts/graph --statistics --json --package ../Other
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    parser = _parser()
    options = parser.parse_args(arguments)
    _refuse_combinations(parser, options)
    return run(lambda: _answer(options))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/graph", _DESCRIPTION, _EPILOG)
    parser.add_argument("--format", choices=FORMATS, help="how the graph is written (default: mermaid)")
    parser.add_argument(
        "--level",
        choices=("modules", "targets"),
        help="one node for each (default: modules, or targets where the package has no modules)",
    )
    parser.add_argument("--module", metavar="NAME", help="only this module, what it uses and who uses it")
    parser.add_argument("--everything", action="store_true", help="draw what depends on the vocabulary, too")
    parser.add_argument("--tests", action="store_true", help="tests and fakes, too; implies --level targets")
    question = parser.add_mutually_exclusive_group()
    question.add_argument(
        "--why", nargs=2, metavar=("A", "B"), help="the paths by which A comes to depend on B (modules or targets)"
    )
    question.add_argument("--impact", metavar="FILE|MODULE", help="what an edit there reaches")
    question.add_argument(
        "--statistics", action="store_true", help="fan-in, fan-out, depth and instability of each module and target"
    )
    parser.add_argument("--json", action="store_true", help="print the answer to the question as JSON")
    parser.add_argument(
        "--package", type=Path, default=REPOSITORY, metavar="DIR", help="the package (default: this repository)"
    )
    return parser


def _refuse_combinations(parser: argparse.ArgumentParser, options: argparse.Namespace) -> None:
    is_question = options.why or options.impact is not None or options.statistics
    if options.json and not is_question:
        parser.error("--json goes with --why, --impact or --statistics; the graph itself has --format")
    for name in ("format", "level", "module", "everything"):
        if is_question and getattr(options, name):
            parser.error(f"--{name} is about the drawn graph, and does not go with a question")
    if options.tests and (options.why or options.impact is not None):
        parser.error("--tests does not go with --why and --impact, which know the tests anyway")
    if options.module and (options.level or options.tests):
        parser.error("--module has a form of its own, and does not go with --level and --tests")
    if options.tests and options.level == "modules":
        parser.error("--tests does not go with --level modules: a module's tests belong to it")


def _answer(options: argparse.Namespace) -> int:
    architecture = architecture_of(read_targets(options.package.resolve(), find_toolchain()))
    if options.why:
        explanation = why(architecture, *options.why)
        print(_json(asdict(explanation)) if options.json else explanation)
    elif options.impact is not None:
        reached = impact(architecture, options.impact)
        print(_json(reached.as_json()) if options.json else impact_text(reached))
    elif options.statistics:
        numbers = statistics(architecture, options.tests)
        if options.json:
            print(_json(numbers.as_json()))
        else:
            console = Console(width=None if sys.stdout.isatty() else 140)
            for part in statistics_tables(numbers):
                console.print(part)
    else:
        print(FORMATS[options.format or "mermaid"](_drawing(architecture, options)))
    return 0


def _drawing(architecture: Architecture, options: argparse.Namespace) -> Drawing:
    if options.module:
        return neighbours_view(architecture, owner_named(architecture, options.module), options.everything)
    is_by_modules = options.level == "modules" or (options.level is None and architecture.modules and not options.tests)
    if is_by_modules:
        return modules_view(architecture, options.everything)
    return targets_view(architecture, options.everything, options.tests)


def _json(value: object) -> str:
    return json.dumps(value, indent=1, ensure_ascii=False)
