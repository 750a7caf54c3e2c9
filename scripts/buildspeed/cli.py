"""The command line of `scripts/measure`: which command the words name."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from buildspeed.command_line import run
from buildspeed.commands import COMMANDS, DEFAULT


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    name, rest = (arguments[0], arguments[1:]) if arguments and arguments[0] in COMMANDS else (DEFAULT, arguments)
    # What a command needs is loaded when it is called: it takes a second, and the memory that it takes would count
    # as that of what a measurement starts.
    return run(lambda: import_module(f"buildspeed.{name}_command").run(rest))
