"""The command line of `scripts/new-module`."""

from __future__ import annotations

import argparse
import difflib
import sys
from collections.abc import Sequence
from pathlib import Path

from buildspeed.command_line import REPOSITORY, Parser, names
from buildspeed.toolchain import find_toolchain
from scaffolding import changes, command_line, naming, plans

_DESCRIPTION = """\
Adds a module: its interface, implementation, fakes, tests and README, its line in Package.swift, and its two lines in
App/Composition.swift. The package builds, and its tests pass, at once."""

_EPILOG = f"""\
With neither --route nor --service, the module gets a route. With both, the screen shows what the service knows.
With --service alone it has no screen, and 'App --check' warns of a service that nothing needs until a module uses it.

Nothing is written unless everything can be. scripts/remove-module undoes it.

{command_line.EXIT_CODES}

examples:
  scripts/new-module Badges
  scripts/new-module ShoppingCart --uses Login,Profile --route --service
"""


def main(arguments: Sequence[str], checkout: Path = REPOSITORY) -> int:
    """Runs the command and returns its exit code."""
    return command_line.guarded(lambda: _run(_parser().parse_args(arguments), checkout))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/new-module", _DESCRIPTION, _EPILOG)
    parser.add_argument("name", metavar="NAME", help="the name of its namespace and folder, such as Badges")
    parser.add_argument(
        "--uses",
        type=names("module"),
        default=(),
        metavar="A,B",
        help="modules whose interfaces it may import; Display comes with a route",
    )
    parser.add_argument("--route", action="store_true", help="a route, its screen and its URL")
    parser.add_argument("--service", action="store_true", help="a service, kept in memory, and its fake")
    parser.add_argument("--dry-run", action="store_true", help="print what would be written, and write nothing")
    return parser


def _run(options: argparse.Namespace, checkout: Path) -> int:
    route, service = options.route or not options.service, options.service
    planned = plans.adding(
        options.name, options.uses, route=route, service=service, checkout=checkout, toolchain=find_toolchain()
    )
    if options.dry_run:
        _print_files(planned)
        return 0
    changes.apply(checkout, planned)
    for change in planned:
        print(f"{change.verb:6} {change.path}")
    print(_next_steps(options.name, route))
    return 0


def _print_files(planned: Sequence[changes.Change]) -> None:
    """New files as they would be, and what would change in the others."""
    for change in planned:
        print(f"==> would {change.verb} {change.path}")
        before, after = ((content or b"").decode().splitlines() for content in (change.before, change.after))
        lines = after if change.before is None else difflib.unified_diff(before, after, n=1, lineterm="")
        print("\n".join(lines) + "\n")


def _next_steps(name: str, route: bool) -> str:
    steps = ["scripts/documents", f"swift test --filter {name}Tests"]
    if route:
        steps += [f"swift run App --open {naming.url(name)}", f"scripts/run-feature {name}"]
    lines = "".join(f"\n  {step}" for step in steps)
    warning = "" if route else f"\n'swift run App --check' warns until a module needs 'any {name}.Service'."
    return f"\nNow say what it is for in Modules/{name}/README.md, and run:{lines}{warning}"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
