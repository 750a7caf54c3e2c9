"""How far a run of many builds is."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable


def to_errors(text: str) -> None:
    print(text, file=sys.stderr)


class ProgressView:
    """Shows the progress of a run: a line for each step, with the time that is left if the others take as long. `note`
    shows something that the user should know, or what begins."""

    def __init__(self, note: Callable[[str], object] = to_errors) -> None:
        self.note = note
        self._planned = self._taken = self._earlier = 0
        self._began: float | None = None

    def planned(self, steps: int, earlier: int = 0) -> None:
        """Notes the number of steps to take, and of steps that an interrupted run took."""
        self._planned, self._earlier = steps, earlier
        self._began = self._began or time.monotonic()

    def finished(self, result: str) -> None:
        self._taken += 1
        each = (time.monotonic() - (self._began or 0)) / self._taken
        seconds = each * (self._planned - self._taken)
        duration = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        left = f" (about {duration} left)" if self._taken < self._planned else ""
        self.note(f"[{self._taken + self._earlier}/{self._planned + self._earlier}] {result}{left}")
