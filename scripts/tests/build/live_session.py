"""A live session of the App, typed at and looked at through a pseudo-terminal."""

from __future__ import annotations

import os
import re
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY

from repo.terminal import ProgramInTerminal

_COLUMNS, _ROWS = 110, 24
# The first build, and anything else.
BUILD_SECONDS, PATIENCE_SECONDS = 600.0, 60.0


class LiveSession(ProgramInTerminal):
    """A session in a copy of the repository."""

    def __init__(self, checkout: Path, *arguments: str) -> None:
        self.checkout = checkout
        self.has_ended = False
        environment = dict(os.environ) | {
            "TERM": "xterm-256color",
            "PYTHONPATH": str(REPOSITORY / "scripts" / "tool"),
            "SWIFTMODULES_PROGRAM": "scripts/live",
        }
        command = [sys.executable, "-m", "swiftmodules", "live", "--package", str(checkout), "--", *arguments]
        super().__init__(command, environment, _COLUMNS, _ROWS)

    @property
    def log(self) -> str:
        return (self.checkout / ".build" / "live" / "session.log").read_text(encoding="utf-8")

    def wait(self, *texts: str, without: str = "\0", seconds: float = PATIENCE_SECONDS) -> None:
        """Waits until all texts are on the screen, and another one is not."""
        end = time.monotonic() + seconds
        while not (all(each in self.text for each in texts) and without not in self.text):
            if not self.read(end - time.monotonic()):
                pytest.fail(f"{texts} without {without!r} is not on the screen:\n{self.text}")

    def wait_for_log(self, pattern: str, after: int = 0) -> str:
        """Waits for text of the log, after so many characters, while the screen goes on being read."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(pattern, self.log[after:])):
            assert time.monotonic() < end, f"{pattern!r} is not in the log:\n{self.log}\n{self.text}"
            self.read(0.05)
        return found[0]

    def wait_until(self, is_true: Callable[[], bool]) -> None:
        """Waits for something else, while the screen goes on being read."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not is_true():
            assert time.monotonic() < end, self.text
            self.read(0.05)

    def settle(self) -> None:
        """Waits until everything that was saved runs: then there is nothing to reload."""
        notice = "Everything that was saved runs"
        # The last such notice.
        self.wait(without=notice)
        end = time.monotonic() + PATIENCE_SECONDS
        while notice not in self.text:
            assert time.monotonic() < end, self.text
            self.type("\x12")
            self.read(0.5)

    def number_of(self, choice: str) -> str:
        """The key of a choice on the screen."""
        found = re.search(rf"([\d›]) (?:\[ )?{choice}", self.text)
        assert found, self.text
        return "\r" if found[1] == "›" else found[1]

    def sign_in(self) -> None:
        """Signs ann in on the first screen of an App that has just been built."""
        self.wait("You are not signed in.", seconds=BUILD_SECONDS)
        self.type("\r")
        self.wait("User name:")
        self.type("ann\tsecret\r")
        self.wait("@ann")

    def end(self) -> int:
        """The exit code of a session that ends now."""
        while self.read(PATIENCE_SECONDS):
            pass
        for _ in range(100):
            ended, status = os.waitpid(self.process, os.WNOHANG)
            if ended:
                self.has_ended = True
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.05)
        pytest.fail(f"The session does not end:\n{self.text}")

    def close(self) -> None:
        if not self.has_ended:
            os.kill(self.process, signal.SIGTERM)
            self.end()
        super().close()
