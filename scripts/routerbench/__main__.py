"""Runs the command line: `python -m routerbench`."""

import sys

from routerbench.cli import main

sys.exit(main(sys.argv[1:]))
