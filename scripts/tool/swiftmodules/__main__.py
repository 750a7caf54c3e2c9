"""Runs the tool: `python -m swiftmodules graph`, or the installed `swiftmodules graph`."""

import sys

from swiftmodules.interrupts import run_interruptibly


def main() -> int:
    """Runs a command, and returns its exit code. Signals are handled before the libraries are imported."""

    def run() -> int:
        from swiftmodules.cli import main

        return main()

    return run_interruptibly(run)


if __name__ == "__main__":
    sys.exit(main())
