"""Runs the tool from its sources: `python -m swiftmodules check`."""

import sys

from swiftmodules.cli import main

sys.exit(main())
