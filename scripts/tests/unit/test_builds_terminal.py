"""A program in a pseudo-terminal."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest
from msgspec.structs import replace as changed
from swiftmodules.builds.terminal import ProgramInTerminal
from swiftmodules.measure.screen import Screens
from swiftmodules.swiftpm.config import Config, Measure, Shown
from swiftmodules.swiftpm.config import Screens as Configured

# A dialog above the first screen, which needs a moment to go.
_DIALOG = """
import sys, termios, time, tty
tty.setraw(0)
print("First", end="", flush=True)
for key in iter(lambda: sys.stdin.read(1), ""):
    time.sleep(0.2)
    print(" Dialog" if key == "d" else "\\x1b[2J\\x1b[HFirst", end="", flush=True)
"""
# Every thread works, so each must be interrupted to stop.
_THREADS = """
import hashlib, threading
for _ in range(8):
    threading.Thread(target=hashlib.pbkdf2_hmac, args=("sha256", b"", b"", 1 << 30), daemon=True).start()
print("running", flush=True)
threading.Event().wait()
"""


@pytest.mark.skipif(sys.platform != "linux", reason="reads the states of threads from /proc")
def test_suspended_program_has_no_thread_that_still_runs() -> None:
    program = ProgramInTerminal([sys.executable, "-c", _THREADS], os.environ, 80, 24)
    try:
        program.wait_for("running")
        for _ in range(20):
            program.suspend()
            threads = Path(f"/proc/{program.process}/task").glob("*/stat")
            states = {thread.read_text().rpartition(")")[2].split()[0] for thread in threads}
            os.kill(program.process, signal.SIGCONT)
            assert states == {"T"}
    finally:
        program.stop()


def test_dialog_before_which_the_first_screen_was_visible_is_gone_when_its_keys_are_taken_back() -> None:
    """Otherwise the keys of the next sample are typed at a screen that is about to change."""
    shown = Shown("Store", "Reader.swift", "", keys=(("First", "d"), ("Dialog", "")), back="b")
    screens = Screens(Config(measure=Measure(screens=Configured("First", (shown,)))), Path())
    program = ProgramInTerminal([sys.executable, "-c", _DIALOG], os.environ, 80, 24)
    try:
        program.wait_for("First")
        before = program.text
        program.follow(shown.keys)
        assert program.text.startswith("First Dialog")
        # What no key leaves stays.
        screens.go_back(program, changed(shown, back=""), before)
        screens.go_back(program, shown, before)
        assert program.text.strip() == "First"
    finally:
        program.stop()
