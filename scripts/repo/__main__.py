"""Runs a command of this repository: `python -m repo module new Badges`."""

import sys

from swiftmodules.__main__ import main


def command() -> int:
    from repo.cli import main

    return main()


sys.exit(main(command))
