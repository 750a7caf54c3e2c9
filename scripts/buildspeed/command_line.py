"""What the command lines of all scripts share: the parser, its kinds of values, and how a command ends."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NoReturn

from buildspeed import interrupts
from buildspeed.failures import InterruptedRunError, MeasurementError

REPOSITORY = Path(__file__).resolve().parent.parent.parent


class Parser(argparse.ArgumentParser):
    """Ends with the exit code of a wrong option, and takes no abbreviated ones, which would change their meaning
    when another is added."""

    def __init__(self, program: str, description: str, epilogue: str) -> None:
        super().__init__(
            prog=program,
            description=description,
            epilog=epilogue,
            formatter_class=argparse.RawDescriptionHelpFormatter,
            allow_abbrev=False,
        )

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(f"error: {message}", file=sys.stderr)
        sys.exit(os.EX_USAGE)


def run(work: Callable[[], int]) -> int:
    """Does the work of a command, and returns its exit code. Errors become a line on standard error."""
    try:
        with interrupts.raised():
            code = work()
            sys.stdout.flush()
            return code
    except MeasurementError as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    except BrokenPipeError:
        # Whoever read the output has gone. What is still to be written when Python ends must go somewhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 128 + signal.SIGPIPE
    # Such as a full disk.
    except OSError as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    except InterruptedRunError as interruption:
        print(interruption, file=sys.stderr)
        return interruption.exit_code


def names(kind: str, known: Iterable[str] | None = None) -> Callable[[str], tuple[str, ...]]:
    """Parses a list such as `a,b`. `known` is None where the choice is known later, when a package has been read."""
    choices = None if known is None else tuple(known)

    def parse(text: str) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
        if not found:
            raise argparse.ArgumentTypeError(f"no {kind} is named")
        for name in found:
            if choices is not None and name not in choices:
                raise argparse.ArgumentTypeError(f"no {kind} is called '{name}'. Choose from: {', '.join(choices)}.")
        return found

    return parse


def positive(noun: str) -> Callable[[str], int]:
    """Parses a number of such things, of which there must be one at least."""

    def parse(text: str) -> int:
        if not text.isdecimal() or int(text) == 0:
            raise argparse.ArgumentTypeError(f"'{text}' is no number of {noun}; give 1 or more")
        return int(text)

    return parse


def share(text: str) -> float:
    """Parses a percentage such as `10%` into a share such as 0.1."""
    number = text.removesuffix("%")
    try:
        value = float(number) / 100
    except ValueError:
        value = -1.0
    if not text.endswith("%") or not 0 <= value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}' is no percentage; give one such as 10%")
    return value
