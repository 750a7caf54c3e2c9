"""Runs a command of this repository: `python -m repo module new Badges`."""

import sys

from swiftmodules.interrupts import run_interruptibly


def run() -> int:
    # Signals are handled before the libraries are imported.
    from repo.cli import main

    return main(sys.argv[1:])


sys.exit(run_interruptibly(run))
