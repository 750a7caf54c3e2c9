"""How far a build is, by the tasks that `swift build` counts on its output (`[12/340] Compiling …`), and how far a run
of many builds."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable

# Called with the number of the tasks that have begun, and of all.
Progress = Callable[[int, int], object]
# Shows a line.
Show = Callable[[str], object]

_TASK = re.compile(r"^\[(\d+)/(\d+)\] ", re.MULTILINE)


def pass_on(text: str, progress: Progress) -> None:
    """Passes on the last task that a text names, if there is one."""
    if found := _TASK.findall(text):
        progress(*map(int, found[-1]))


def tenths(show: Show, title: str) -> Progress:
    """Shows a line whenever another tenth of the tasks is done: all of them would fill a log."""
    shown: set[int] = set()

    def progress(done: int, total: int) -> None:
        if (tenth := done * 10 // max(total, 1)) not in shown:
            shown.add(tenth)
            show(f"{title} [{done}/{total}]")

    return progress


def to_errors(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def printed(title: str) -> Progress:
    """Shows the same on the errors of this program."""
    return tenths(to_errors, title)


class ProgressView:
    """Shows the progress of a run: a line for each step, with the time that is left if the others take as long. `note`
    shows something that the user should know, or what begins."""

    def __init__(self, note: Show = to_errors) -> None:
        self.note = note
        self._planned = self._taken = self._earlier = 0
        self._began: float | None = None

    def planned(self, steps: int, earlier: int = 0) -> None:
        """Notes the number of the steps that are taken, and of those that an interrupted run took."""
        self._planned, self._earlier = steps, earlier
        self._began = self._began or time.monotonic()

    def finished(self, result: str) -> None:
        """Shows the result of a step."""
        self._taken += 1
        each = (time.monotonic() - (self._began or 0)) / self._taken
        seconds = each * (self._planned - self._taken)
        duration = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        left = f" (about {duration} left)" if self._taken < self._planned else ""
        self.note(f"[{self._taken + self._earlier}/{self._planned + self._earlier}] {result}{left}")
