"""A program in a pseudo-terminal, and the screen that a user would see."""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import termios
from collections.abc import Mapping, Sequence

import pyte


class ProgramInTerminal:
    """A running program. Its screen is as it was when its output was last read."""

    def __init__(self, arguments: Sequence[str], environment: Mapping[str, str], columns: int, rows: int) -> None:
        self.screen = pyte.Screen(columns, rows)
        self._stream = pyte.ByteStream(self.screen)
        self.process, self._terminal = pty.fork()
        if self.process == 0:
            fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
            os.execve(arguments[0], [*arguments], environment)

    @property
    def text(self) -> str:
        """The lines of the screen."""
        return "\n".join(line.rstrip() for line in self.screen.display)

    def type(self, keys: str) -> None:
        os.write(self._terminal, keys.encode())

    def read(self, seconds: float) -> bool:
        """Takes what is printed next; False where that takes longer, or the program has ended."""
        if not select.select([self._terminal], [], [], max(0.0, seconds))[0]:
            return False
        try:
            output = os.read(self._terminal, 1 << 16)
        except OSError:  # as Linux reports the end
            return False
        self._stream.feed(output)
        return bool(output)

    def close(self) -> None:
        os.close(self._terminal)
