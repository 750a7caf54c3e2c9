"""Runs the tool: `python -m swiftmodules graph`, or the installed `swiftmodules graph`."""

import signal
import sys


def main() -> int:
    """Runs a command, and returns its exit code. Signals are handled before the libraries are imported."""
    # Until then, an interrupt ends the program, which has begun nothing.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from swiftmodules.interrupts import run_interruptibly

    def run() -> int:
        from swiftmodules.cli import main

        return main()

    return run_interruptibly(run)


if __name__ == "__main__":
    sys.exit(main())
