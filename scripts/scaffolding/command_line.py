"""What the three commands of this package share: the checkout, exit codes, and what a failure leaves."""

from __future__ import annotations

from collections.abc import Callable

from buildspeed.command_line import run
from buildspeed.failures import MeasurementError

EXIT_CODES = """\
exit codes:
  0 done; 1 it cannot be done, and nothing was changed; 64 a wrong option or name; 69 Swift or Python is missing;
  130, 143 interrupted."""


def guarded(work: Callable[[], int]) -> int:
    """Does the work, and turns its errors into a line on standard error and an exit code."""

    def saying_what_is_left() -> int:
        try:
            return work()
        # The output's reader has gone, which says nothing of the checkout.
        except BrokenPipeError:
            raise
        except OSError as error:
            raise MeasurementError(f"{error}; nothing was changed.") from error

    return run(saying_what_is_left)
