"""A live session of the App, typed at and looked at through a pseudo-terminal."""

from __future__ import annotations

import os
import re
import sys
import time
from pathlib import Path

from repo_checkout import REPOSITORY
from swiftmodules.build.terminal import ProgramInTerminal

_COLUMNS, _ROWS = 110, 24
# The first build, and anything else.
BUILD_SECONDS, PATIENCE_SECONDS = 600.0, 60.0


class LiveSession(ProgramInTerminal):
    """A session in a copy of the repository."""

    def __init__(self, checkout: Path, *arguments: str) -> None:
        self.checkout = checkout
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
        what = f"show {texts} without {without!r}"
        self.wait_until(lambda: all(each in self.text for each in texts) and without not in self.text, what, seconds)

    def wait_for_log(self, pattern: str, after: int = 0) -> str:
        """Waits for text of the log, after so many characters, and keeps reading the screen."""
        self.wait_until(lambda: re.search(pattern, self.log[after:]) is not None, f"log {pattern!r}", PATIENCE_SECONDS)
        found = re.search(pattern, self.log[after:])
        assert found
        return found[0]

    def settle(self) -> None:
        """Waits until everything that was saved runs: then there is nothing to reload."""
        notice = "All saved changes are running"
        # The last such notice.
        self.wait(without=notice)
        end = time.monotonic() + PATIENCE_SECONDS
        while notice not in self.text:
            assert time.monotonic() < end, self.text
            self.type("\x12")
            self.read(0.5)

    def number_of(self, choice: str) -> str:
        """The key of a choice, as soon as it is on the screen."""
        self.wait(choice)
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

    def close(self) -> None:
        if not self.is_closed:
            self.stop()
