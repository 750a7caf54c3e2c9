"""The errors that end a command, and the exit codes of all commands."""

from __future__ import annotations

from typing import ClassVar


class ToolError(Exception):
    """An error whose message says what happened and what to do; it ends the command with its exit code."""

    exit_code: ClassVar[int] = 1


class UsageError(ToolError):
    """A wrong option, name or configuration."""

    exit_code = 64


class RecordError(ToolError):
    """A file that is not a record, or a record that does not fit the command."""

    exit_code = 65


class MissingToolError(ToolError):
    """A program that the command needs and cannot find."""

    exit_code = 69
