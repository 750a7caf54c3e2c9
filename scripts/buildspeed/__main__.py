"""Runs the command line: `python -m buildspeed`."""

import sys

from buildspeed.cli import main

sys.exit(main(sys.argv[1:]))
