"""What the command lines of the subcommands share."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable
from typing import NoReturn


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
