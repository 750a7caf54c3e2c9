"""How far a build is, by the tasks that `swift build` counts on its output (`[12/340] Compiling …`), and how far a run
of many builds."""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import Console

# Called with the number of the tasks that have begun, and of all.
Progress = Callable[[int, int], object]

_TASK = re.compile(r"^\[(\d+)/(\d+)\] ", re.MULTILINE)
_SECONDS = 0.2


def pass_on(text: str, progress: Progress) -> None:
    """Passes on the last task that a text names, if there is one."""
    if found := _TASK.findall(text):
        progress(*map(int, found[-1]))


@contextmanager
def following(log: Path, progress: Progress | None) -> Iterator[None]:
    """Follows the output of a build as its log grows."""
    if progress is None:
        yield
        return
    ended = threading.Event()

    def follow(progress: Progress) -> None:
        with log.open(errors="replace") as file:
            while not ended.wait(_SECONDS):
                pass_on(file.read(), progress)
            pass_on(file.read(), progress)

    thread = threading.Thread(target=follow, args=[progress], daemon=True)
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def tenths(show: Callable[[str], object], title: str) -> Progress:
    """Shows a line whenever another tenth of the tasks is done: all of them would fill a log."""
    shown: set[int] = set()

    def progress(done: int, total: int) -> None:
        if (tenth := done * 10 // max(total, 1)) not in shown:
            shown.add(tenth)
            show(f"{title} [{done}/{total}]")

    return progress


def printed(title: str) -> Progress:
    """Shows the same on the errors of this program."""
    return tenths(lambda text: print(text, file=sys.stderr), title)


class ProgressView:
    """Shows the progress of a run on a console: a line for each step, with the time that is left, by the mean times of
    the steps and of the clean builds so far."""

    def __init__(self, console: Console) -> None:
        self._console = console
        # By whether they are steps, or clean builds: how many there will be, and the seconds of those so far.
        self._counts = {True: 0, False: 0}
        # The steps of the run that was interrupted.
        self._earlier = 0
        self._spent: dict[bool, list[float]] = {True: [], False: []}
        self._last = 0.0

    def note(self, text: str) -> None:
        """Shows something that the user should know, or what begins."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def building(self, text: str) -> Progress:
        """Shows that a clean build begins. Returns what shows how far it is."""
        self.note(text)
        return tenths(self.note, text)

    def planned(self, steps: int, builds: int, earlier: int = 0) -> None:
        """Notes the number of the steps, and of the clean builds, that come next, and of the steps that an interrupted
        run took."""
        self._counts, self._earlier = {True: steps, False: builds}, earlier
        self._last = time.monotonic()

    def built(self) -> None:
        """Notes that a clean build has ended."""
        self._ended(is_step=False)

    def finished(self, result: str) -> None:
        """Shows the result of a step."""
        self._ended(is_step=True)
        done, planned = (each + self._earlier for each in (len(self._spent[True]), self._counts[True]))
        self.note(f"[{done}/{planned}] {result}{self._left}")

    def _ended(self, is_step: bool) -> None:
        now = time.monotonic()
        self._spent[is_step].append(now - self._last)
        self._last = now

    @property
    def _left(self) -> str:
        """In words, how much time."""
        means = {kind: sum(spent) / len(spent) if spent else 0.0 for kind, spent in self._spent.items()}
        seconds = sum(means[kind] * max(count - len(self._spent[kind]), 0) for kind, count in self._counts.items())
        duration = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f" (about {duration} left)" if len(self._spent[True]) < self._counts[True] else ""
