"""The command line of `scripts/run-feature`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
import time
from collections.abc import Sequence
from pathlib import Path

from buildspeed.command_line import REPOSITORY, Parser
from buildspeed.toolchain import find_toolchain
from scaffolding import command_line, features

_DESCRIPTION = """\
Builds and runs one feature alone: its own implementation, the terminal, and fakes of the modules that it uses. None of
their implementations is built."""

_EPILOG = f"""\
The fakes are those of Modules/<Module>/Testing/Fake<Module>Module.swift. They also take the place of the feature's own
services. Like the App, the feature fills a terminal, and otherwise reads one line for each action.

Below the feature's first screen there is one that lists its routes and tells what they finish with. How much was built
is told on standard error.

{command_line.EXIT_CODES}

examples:
  scripts/run-feature Profile
  scripts/run-feature Profile app://profile/bob
  scripts/run-feature Profile 'profile.editor|{{"user":"ann"}}'
  printf 'ann\\nsecret\\n' | scripts/run-feature Login
"""


def main(arguments: Sequence[str], checkout: Path = REPOSITORY) -> int:
    """Runs the command; becomes the feature's program, or returns an exit code."""
    return command_line.guarded(lambda: _run(_parser().parse_args(arguments), checkout))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/run-feature", _DESCRIPTION, _EPILOG)
    parser.add_argument("module", metavar="MODULE", help="the feature's module, such as Profile")
    parser.add_argument("route", metavar="ROUTE", nargs="?", help="a link or a URL to begin with")
    parser.add_argument("--build-only", action="store_true", help="build the feature and tell how much was built")
    return parser


def _run(options: argparse.Namespace, checkout: Path) -> int:
    start = time.monotonic()
    folder = features.write_package(options.module, checkout)
    print(f"Building {options.module} alone ...", file=sys.stderr)
    program = features.build(options.module, folder, find_toolchain())
    print(_summary(program, time.monotonic() - start), file=sys.stderr, flush=True)
    if options.build_only:
        return 0
    # Python ignores it, and a program inherits that.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    return os.execv(program.path, [program.path, *([options.route] if options.route else [])])


def _summary(program: features.Program, seconds: float) -> str:
    spared = sorted(name for name in program.whole - program.targets if not name.endswith(("Testing", "Interface")))
    return (
        f"Built {len(program.targets)} of {len(program.whole)} targets in {seconds:.1f} s, without {', '.join(spared)}."
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
