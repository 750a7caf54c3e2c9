"""Runs a command of this repository: `python -m repo module new Badges`."""

import signal
import sys


def run() -> int:
    # Signals are handled before the libraries are imported. Until then, an interrupt ends the program.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from swiftmodules.interrupts import run_interruptibly

    def command() -> int:
        from repo.cli import main

        return main(sys.argv[1:])

    return run_interruptibly(command)


sys.exit(run())
