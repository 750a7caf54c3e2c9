"""A live session of the App, typed at and looked at through a pseudo-terminal."""

from __future__ import annotations

import os
import re
import shlex
import signal
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from repo_checkout import REPOSITORY, words_of

from repo.terminal import ProgramInTerminal

_COLUMNS, _ROWS = 110, 24
# The first build, and anything else.
BUILD_SECONDS, PATIENCE_SECONDS = 600.0, 60.0
_KEY_SECONDS = 20.0
PROFILE = "Modules/Profile/Implementation/OverviewContent.swift"
NAME = ".text(user.displayName)"
ENTRY = "Modules/Profile/Implementation/ProfileModule.swift"
EDITOR = "Modules/Profile/Implementation/EditorModel.swift"
LOGIN = "Modules/Login/Implementation/LoginModule.swift"
CLIENT = "Modules/HTTPClient/Implementation/HTTPClientModule.swift"
INTERFACE = "Modules/Profile/Interface/Profile.swift"
# An interceptor that cannot be made.
UNREGISTERED = "registrar.intercept(.all) { (_: Double) in Guard() }"
GUARD = "struct Guard: Interceptor {\n    func intercept(_ request: RouteRequest) -> Interception { .proceed }\n}\n"
# A key of the App.
RESTART = "\x14"


class LiveSession(ProgramInTerminal):
    """A session in a copy of the repository, of the App, or of one feature alone."""

    def __init__(self, checkout: Path, *arguments: str, feature: str | None = None) -> None:
        self.checkout = checkout
        package = checkout / ".build" / "features" if feature else checkout
        self._log, self._mark = package / ".build/live/session.log", 0
        environment = dict(os.environ) | {
            "TERM": "xterm-256color",
            "PYTHONPATH": f"{REPOSITORY / 'scripts' / 'tool'}:{REPOSITORY / 'scripts'}",
            "SWIFTMODULES_PROGRAM": "scripts/live",
            "XDG_STATE_HOME": str(checkout.parent / "state"),
        }
        command = [sys.executable, "-m", "swiftmodules", "live", "--package", str(checkout), "--", *arguments]
        if feature:
            command = words_of(checkout, "module", "run", feature, "--live", *arguments)
        super().__init__(self._started(command, environment), environment, _COLUMNS, _ROWS)

    def _started(self, command: Sequence[str], environment: dict[str, str]) -> Sequence[str]:
        return command

    @property
    def log(self) -> str:
        """The log since the mark."""
        return self._log.read_text(encoding="utf-8")[self._mark :]

    def mark(self) -> None:
        """From now on, the log begins here."""
        self._mark += len(self.log)

    def wait(self, *texts: str, without: str = "\0", seconds: float = PATIENCE_SECONDS) -> None:
        """Waits until all texts are on the screen, and another one is not."""
        what = f"show {texts} without {without!r}"
        self.wait_until(lambda: all(each in self.text for each in texts) and without not in self.text, what, seconds)

    def wait_for_log(self, pattern: str) -> str:
        """Waits for text of the log, and keeps reading the screen."""
        self.wait_until(lambda: re.search(pattern, self.log) is not None, f"log {pattern!r}", PATIENCE_SECONDS)
        found = re.search(pattern, self.log)
        assert found
        return found[0]

    @contextmanager
    def stopped(self) -> Iterator[None]:
        """All that happens to files meanwhile happens at the same moment for the tool, however busy the machine is."""
        os.kill(self.process, signal.SIGSTOP)
        assert os.WIFSTOPPED(os.waitpid(self.process, os.WUNTRACED)[1])
        try:
            yield
        finally:
            os.kill(self.process, signal.SIGCONT)

    def save(self, texts: Mapping[str, str]) -> None:
        """Saves files at the same moment."""
        with self.stopped():
            for path, text in texts.items():
                (self.checkout / path).with_suffix(".new").write_text(text, encoding="utf-8")
                (self.checkout / path).with_suffix(".new").replace(self.checkout / path)

    def press(self, key: str, has_effect: Callable[[], bool]) -> None:
        """Presses a key until it has an effect: before the stack is restored, keys are ignored."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not has_effect():
            assert time.monotonic() < end, self.text
            self.type(key)
            again = time.monotonic() + _KEY_SECONDS
            while not has_effect() and time.monotonic() < again:
                self.read(0.05)

    def number_of(self, choice: str) -> str:
        """The key of a choice, as soon as it is on the screen."""
        self.wait(choice)
        found = re.search(rf"([\d›]) (?:\[ )?{choice}", self.text)
        assert found, self.text
        return "\r" if found[1] == "›" else found[1]

    def wait_for_field(self, label: str) -> None:
        """Waits until a field takes keys: the form is on the screen, and the field has the focus."""
        self.wait(f"› {label}:")

    def sign_in(self) -> None:
        """Signs ann in to look at her profile, on the first screen of an App that has just been built."""
        self.wait("Sign in", seconds=BUILD_SECONDS)
        self.press("2", lambda: "User name:" in self.text)
        self.wait_for_field("User name")
        self.type("ann\tsecret\r")
        self.wait("@ann")

    def close(self) -> None:
        if not self.has_ended:
            self.stop()


class LiveSessionInShell(LiveSession):
    """A session that a shell with job control runs, without TERM."""

    def __init__(self, checkout: Path, *arguments: str) -> None:
        super().__init__(checkout, *arguments)
        self.wait("prompt>")
        self.type(f"{self._line}\r")

    def _started(self, command: Sequence[str], environment: dict[str, str]) -> Sequence[str]:
        self._line = shlex.join(["env", "-u", "TERM", *command])
        environment["PS1"] = "prompt> "
        return ["/bin/bash", "--norc", "--noprofile", "-i"]
