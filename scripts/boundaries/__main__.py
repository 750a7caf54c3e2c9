"""Runs the command line: `python -m boundaries`."""

import sys

from boundaries.cli import main

sys.exit(main(sys.argv[1:]))
