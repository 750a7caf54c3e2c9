"""A program in a pseudo-terminal, and the screen that a user would see."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import signal
import struct
import termios
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property

import pyte
from swiftmodules.errors import ToolError

# How often something is looked for while nothing is printed.
_LOOK_SECONDS = 0.01
_PATIENCE_SECONDS = 30.0


class _Screen(pyte.Screen):
    """A screen that keeps faint letters, which pyte does not know, as blinking ones, which no program here shows."""

    def select_graphic_rendition(self, *attributes: int, **arguments: bool) -> None:
        super().select_graphic_rendition(*(5 if each == 2 else each for each in attributes), **arguments)


class ProgramInTerminal:
    """A running program. Its screen is as it was when its output was last read."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], columns: int, rows: int) -> None:
        self.screen: pyte.Screen = _Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        # As `os.waitpid` returns it; None while the program runs.
        self._status: int | None = None
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(arguments[0], [*arguments], environment)

    @cached_property
    def text(self) -> str:
        return "\n".join(line.rstrip() for line in self.screen.display)

    @property
    def has_ended(self) -> bool:
        if self._status is None:
            ended, status = os.waitpid(self.process, os.WNOHANG)
            self._status = status if ended else None
        return self._status is not None

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def follow(self, steps: Iterable[tuple[str, str]]) -> None:
        """Waits for each text on the screen, and types the keys that follow it."""
        for text, keys in steps:
            self.wait_for(text)
            self.type(keys)

    def wait_for(self, text: str, seconds: float = _PATIENCE_SECONDS) -> None:
        """Waits for a text on the screen. Raises `ToolError` where it does not come."""
        self.wait_until(lambda: text in self.text, f"show '{text}'", seconds)

    def wait_until(self, is_so: Callable[[], bool], what: str, seconds: float = _PATIENCE_SECONDS) -> None:
        """Reads until a condition holds; `what` is what the program was to do, on its screen or elsewhere. Raises
        `ToolError` with the screen where it does not."""
        end = time.monotonic() + seconds
        while not is_so():
            if self.read(_LOOK_SECONDS) or not (self.has_ended or time.monotonic() > end):
                continue
            if not is_so():
                reason = "ended" if self.has_ended else f"did not within {seconds:.0f} s"
                raise ToolError(f"the program should {what}, but {reason}. Its screen is:\n{self.text.rstrip()}")

    def read(self, seconds: float) -> bool:
        """Takes what is printed next; False where that takes longer, or the program has ended."""
        if not select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            return False
        try:
            output = os.read(self._terminal, 1 << 16)
        except OSError:  # as Linux reports the end
            output = b""
        self._stream.feed(output)
        self.__dict__.pop("text", None)
        return bool(output)

    def read_all(self, seconds: float) -> None:
        """Takes what is printed until nothing comes for so long."""
        while self.read(seconds):
            pass

    def end(self, seconds: float = _PATIENCE_SECONDS) -> int:
        """Reads what a program prints that ends now, and returns its exit code, or the negative number of a signal."""
        self.wait_until(lambda: self.has_ended, "end", seconds)
        self.read_all(0.0)
        os.close(self._terminal)
        assert self._status is not None
        return os.waitstatus_to_exitcode(self._status)

    def stop(self) -> None:
        self._send(signal.SIGTERM)
        try:
            self.end()
        except ToolError:
            self._send(signal.SIGKILL)
            self.end()

    def _send(self, number: signal.Signals) -> None:
        # The number of a process that has ended may be that of another one.
        if not self.has_ended:
            os.kill(self.process, number)
