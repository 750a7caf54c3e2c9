"""The tasks of a build, as `swift build` counts them on its output: `[12/340] Compiling …`."""

from __future__ import annotations

import re
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

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
