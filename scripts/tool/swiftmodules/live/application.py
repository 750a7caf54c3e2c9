"""The running program: its process, the socket to it, and the terminal that it may leave behind."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import termios
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any

_SOCKET_VARIABLE = "SWIFTMODULES_LIVE"
_CRASHES = {signal.SIGILL, signal.SIGTRAP, signal.SIGABRT, signal.SIGBUS, signal.SIGFPE, signal.SIGSEGV}
# Ends synchronised output, colours, mouse, paste and the alternate screen, and shows the cursor (xterm's `ctlseqs`).
_RESET = "\x1b[?2026l\x1b[0m\x1b[?7h\x1b[?1006l\x1b[?1000l\x1b[?25h\x1b[?2004l\x1b[?1049l"
_PATIENCE_SECONDS = 5.0

Message = Mapping[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Ended:
    """A program ended. `status` is its exit code, or the negative number of the signal that ended it."""

    process: int
    status: int

    @property
    def is_crash(self) -> bool:
        return -self.status in _CRASHES

    @property
    def exit_code(self) -> int:
        return self.status if self.status >= 0 else 128 - self.status


@dataclass(frozen=True)
class Answer:
    """The answer of a program to a replacement, which may be the text of an error."""

    number: int
    # The libraries whose modules this run of the program does not have.
    unused: tuple[str, ...] = ()
    error: str | None = None


@dataclass(frozen=True)
class StartedFresh:
    """A program could not carry over a state."""

    what: str
    reason: str


@dataclass(frozen=True)
class RestartRequested:
    """A build and a restart are asked for, by the user unless there is another reason."""

    reason: str = "requested"


Event = Ended | Answer | StartedFresh | RestartRequested


class Terminal:
    """The terminal in which the program runs, where there is one."""

    def __init__(self) -> None:
        # The program decides in the same way.
        self._is_full_screen = sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
        self._settings = termios.tcgetattr(sys.stdin) if sys.stdin.isatty() else None

    def restore(self, hides_input: bool = False) -> None:
        """Restores the terminal where the program did not do it itself.

        Between two runs of the program, what is typed is dropped and not shown: it may belong to a secure field.
        """
        if self._settings:
            settings = [*self._settings]
            settings[3] &= ~(termios.ECHO if hides_input and self._is_full_screen else 0)
            with suppress(termios.error):
                termios.tcsetattr(sys.stdin, termios.TCSAFLUSH if hides_input else termios.TCSADRAIN, settings)
        if self._is_full_screen:
            print(_RESET, end="", flush=True)


class Application:
    """One run of the program. Its end and its answers are reported from threads."""

    def __init__(
        self,
        program: Path,
        arguments: Sequence[str],
        errors: IO[bytes],
        report: Callable[[Event], None],
    ) -> None:
        # The last stack with all its states. It is kept here and in the socket only, because it holds passwords.
        self.snapshot: str | None = None
        self._report = report
        self._number = 0
        ours, theirs = socket.socketpair()
        self._socket = ours
        with theirs:
            self._process = subprocess.Popen(
                [program, *arguments],
                env=os.environ
                | {
                    _SOCKET_VARIABLE: str(theirs.fileno()),
                    "SWIFT_BACKTRACE": "enable=yes,interactive=no,color=no",
                },
                stderr=errors,
                pass_fds=[theirs.fileno()],
            )
        self.process = self._process.pid
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._waiter = threading.Thread(target=self._wait, daemon=True)
        self._reader.start()
        self._waiter.start()

    @property
    def has_ended(self) -> bool:
        return self._process.returncode is not None

    def resume(self, snapshot: str | None, notice: str | None) -> None:
        """The first message: what the program shows."""
        self.snapshot = snapshot
        self._send({"resume": {"snapshot": snapshot, "notice": notice}})

    def replace(self, libraries: Sequence[Path]) -> int:
        """Replaces modules by the modules in libraries, all or none; the `Answer` has the returned number."""
        self._number += 1
        self._send({"replace": {"number": self._number, "libraries": [str(library) for library in libraries]}})
        return self._number

    def notify(self, text: str, role: str) -> None:
        """Shows a notice for a moment, with a role of `Display.Role`."""
        self._send({"notice": {"text": text, "role": role}})

    def show_problem(self, text: str | None) -> None:
        """Shows the problem that keeps the present sources from running, or hides it."""
        self._send({"problem": {"text": text}})

    def stop(self, at_once: bool = False) -> None:
        """Ends the program, which restores the terminal unless it ends at once, and waits for that."""
        if not at_once:
            self._signal(signal.SIGTERM)
            self._waiter.join(_PATIENCE_SECONDS)
        self._signal(signal.SIGKILL)
        self._waiter.join()
        self._reader.join(_PATIENCE_SECONDS)

    def _signal(self, number: signal.Signals) -> None:
        # `Popen` would wait for the process as well.
        if not self.has_ended:
            with suppress(ProcessLookupError):
                os.kill(self.process, number)

    def _send(self, message: Message) -> None:
        with suppress(OSError):
            self._socket.sendall(json.dumps(message).encode() + b"\n")

    def _read(self) -> None:
        with suppress(OSError), self._socket.makefile("rb") as lines:
            for line in lines:
                # The last line of a program that was killed may be torn.
                if line.endswith(b"\n"):
                    self._take(json.loads(line))

    def _take(self, message: Message) -> None:
        match message:
            case {"snapshot": {"_0": str(snapshot)}}:
                self.snapshot = snapshot
            case {"replaced": {"number": int(number), "unused": [*unused]}}:
                self._report(Answer(number, unused=tuple(unused)))
            case {"failed": {"number": int(number), "error": str(error)}}:
                self._report(Answer(number, error=error))
            case {"startedFresh": {"what": str(what), "reason": str(reason)}}:
                self._report(StartedFresh(what, reason))
            case {"restart": _}:
                self._report(RestartRequested())

    def _wait(self) -> None:
        status = self._process.returncode = self._awaited()
        # The last snapshot may still be in the socket, which ends with the program.
        self._reader.join(_PATIENCE_SECONDS)
        self._socket.close()
        self._report(Ended(self.process, status))

    def _awaited(self) -> int:
        """Waits until the program ends, and stops with it when the user stops it."""
        while True:
            _, status = os.waitpid(self.process, os.WUNTRACED)
            if os.WIFSTOPPED(status):
                changed, status = os.waitpid(self.process, os.WCONTINUED | os.WNOHANG)
                # A program that has not continued already was stopped by the user; the shell continues the group.
                if not changed:
                    os.kill(0, signal.SIGSTOP)
                if not changed or os.WIFCONTINUED(status):
                    continue
            return os.waitstatus_to_exitcode(status)
