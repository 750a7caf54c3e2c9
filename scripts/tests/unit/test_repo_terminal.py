"""A program in a pseudo-terminal."""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

import pytest

from repo.terminal import ProgramInTerminal

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
