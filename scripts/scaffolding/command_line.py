"""What the three commands of this package share: errors, exit codes and the checkout."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

from buildspeed import interrupts
from buildspeed.failures import InterruptedRunError, MeasurementError

CHECKOUT = Path(__file__).resolve().parent.parent.parent

EXIT_CODES = """\
exit codes:
  0 done; 1 it cannot be done, and nothing was changed; 64 a wrong option or name; 69 Swift or Python is missing;
  130, 143 interrupted."""


class Parser(argparse.ArgumentParser):
    """A parser whose errors end with the exit code for wrong usage."""

    def __init__(self, command: str, description: str, epilog: str) -> None:
        super().__init__(
            prog=f"scripts/{command}",
            description=description,
            epilog=epilog,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(f"error: {message}", file=sys.stderr)
        sys.exit(os.EX_USAGE)


def guarded(work: Callable[[], int]) -> int:
    """Does the work, and turns its errors into a line on standard error and an exit code."""
    try:
        with interrupts.raised():
            return work()
    except MeasurementError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except OSError as error:
        print(f"error: {error}; nothing was changed.", file=sys.stderr)
        return 1
    except InterruptedRunError as interruption:
        print(interruption, file=sys.stderr)
        return interruption.exit_code


def name_list(text: str) -> tuple[str, ...]:
    """Names with commas between them."""
    names: Sequence[str] = [name.strip() for name in text.split(",") if name.strip()]
    if not names:
        raise argparse.ArgumentTypeError("no module is named")
    return tuple(names)
