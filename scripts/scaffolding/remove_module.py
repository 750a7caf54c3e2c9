"""The command line of `scripts/remove-module`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from buildspeed.command_line import REPOSITORY, Parser
from buildspeed.toolchain import find_toolchain
from scaffolding import changes, command_line, plans

_DESCRIPTION = """\
Removes a module: its folders, and its lines in Package.swift and App/Composition.swift. After scripts/new-module, the
checkout is to the byte what it was before."""

_EPILOG = f"""\
Refuses, with the reason, while anything uses the module, and where its files are not as new-module writes them.

{command_line.EXIT_CODES}
"""


def main(arguments: Sequence[str], checkout: Path = REPOSITORY) -> int:
    """Runs the command and returns its exit code."""
    return command_line.guarded(lambda: _run(_parser().parse_args(arguments), checkout))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/remove-module", _DESCRIPTION, _EPILOG)
    parser.add_argument("name", metavar="NAME", help="the module")
    parser.add_argument("--force", action="store_true", help="also where its files were changed or added by hand")
    parser.add_argument("--dry-run", action="store_true", help="print what would be changed, and change nothing")
    return parser


def _run(options: argparse.Namespace, checkout: Path) -> int:
    planned = plans.removing(options.name, force=options.force, checkout=checkout, toolchain=find_toolchain())
    if not options.dry_run:
        changes.apply(checkout, planned, plans.folders(options.name))
    for change in planned:
        print(f"{'would ' if options.dry_run else ''}{change.verb:6} {change.path}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
