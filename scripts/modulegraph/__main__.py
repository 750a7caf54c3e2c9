"""Runs the command line: `python -m modulegraph`."""

import sys

from modulegraph.cli import main

sys.exit(main(sys.argv[1:]))
