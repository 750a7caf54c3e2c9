"""The errors that end a command, and the exit codes of all commands."""

from __future__ import annotations

import signal
from typing import ClassVar


class ToolError(Exception):
    """An error whose message says what happened and what to do; it ends the command with its exit code."""

    exit_code: ClassVar[int] = 1


class UsageError(ToolError):
    """A wrong option, name, configuration or record."""

    exit_code = 64


class MissingToolError(ToolError):
    """A program that the command needs and cannot find."""

    exit_code = 69


class BusyError(ToolError):
    """Another run holds a lock that this one needs."""

    exit_code = 75


class BuildFailedError(ToolError):
    """A failed `swift build`; the message holds the compiler's."""


class DiskFullError(ToolError):
    """No space left where a build or a record is written."""


class InterruptedRunError(BaseException):
    """A signal that ends the run; not an `Exception`, so that no handler of errors swallows it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}")
        self.exit_code = 128 + number
