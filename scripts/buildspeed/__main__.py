"""Runs the command line: `python -m buildspeed`."""

import signal
import sys

# Until a command heeds it, an interrupt ends the program without a traceback.
if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
    signal.signal(signal.SIGINT, signal.SIG_DFL)

from buildspeed.cli import main

sys.exit(main(sys.argv[1:]))
