"""Runs a command of this repository: `python -m repo module new Badges`."""

import sys

from repo.cli import main

sys.exit(main(sys.argv[1:]))
