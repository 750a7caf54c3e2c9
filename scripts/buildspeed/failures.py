"""What can go wrong, with the exit code that the command ends with."""

from __future__ import annotations

import os
import signal


class MeasurementError(Exception):
    """A problem that the message explains to the person at the terminal."""

    exit_code = 1


class UsageError(MeasurementError):
    """A wrong option or name."""

    exit_code = os.EX_USAGE


class BusyError(MeasurementError):
    """Another run holds a lock that this one needs."""

    exit_code = os.EX_TEMPFAIL


class MissingToolchainError(MeasurementError):
    """There is no Swift toolchain, or it lacks a program."""

    exit_code = os.EX_UNAVAILABLE


class RecordError(MeasurementError):
    """A file of results that cannot be read, or not be compared with another."""

    exit_code = os.EX_DATAERR


class BuildFailedError(MeasurementError):
    """`swift build` failed; the message holds the compiler's."""


class DiskFullError(MeasurementError):
    """There is no space left where a build or a record is written."""


class InterruptedRunError(BaseException):
    """A signal ended the run. Not an `Exception`, so that no handler of errors swallows it."""

    def __init__(self, number: int) -> None:
        super().__init__(f"interrupted by {signal.Signals(number).name}")
        self.exit_code = 128 + number
