"""Runs the tool from its sources: `python -m swiftmodules graph`."""

import sys

from swiftmodules.cli import main

sys.exit(main())
