"""Runs the tool: `python -m swiftmodules graph`, or the installed `swiftmodules graph`."""

from __future__ import annotations

import signal
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable


def _command() -> int:
    from swiftmodules.cli import main

    return main()


def main(command: Callable[[], int] = _command) -> int:
    """Runs a command, and returns its exit code. Signals are handled before the libraries are imported."""
    # Until then, an interrupt ends the program, which has begun nothing.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from swiftmodules.interrupts import run_interruptibly

    return run_interruptibly(command)


if __name__ == "__main__":
    sys.exit(main())
