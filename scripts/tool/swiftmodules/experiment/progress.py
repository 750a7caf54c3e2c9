"""Shows what a run is doing: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class ProgressView(Protocol):
    """Receives what happens."""

    def stage(self, text: str) -> None:
        """Work outside the steps begins."""

    def note(self, text: str) -> None:
        """Something that the user should know."""

    def planned(self, steps: int) -> None:
        """The number of steps is known that come next."""

    def begins(self, name: str) -> None:
        """A step begins."""

    def finished(self, result: str) -> None:
        """A step has come to its end."""


class _Bar:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("starting", total=None)

    def stage(self, text: str) -> None:
        self._progress.update(self._task, description=text)

    def note(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False)

    def planned(self, steps: int) -> None:
        self._progress.reset(self._task, total=steps)

    def begins(self, name: str) -> None:
        self._progress.update(self._task, description=name)

    def finished(self, result: str) -> None:
        self._progress.advance(self._task)


class Lines:
    """The view of a console that is no terminal."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._planned = self._taken = 0
        self._start = time.monotonic()

    def stage(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def note(self, text: str) -> None:
        self.stage(text)

    def planned(self, steps: int) -> None:
        self._planned, self._taken = steps, 0
        self._start = time.monotonic()

    def begins(self, name: str) -> None:
        pass

    def finished(self, result: str) -> None:
        self._taken += 1
        left = (time.monotonic() - self._start) / self._taken * (self._planned - self._taken)
        duration = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
        self.stage(f"[{self._taken}/{self._planned}] {result} (about {duration} left)")


@contextmanager
def progress_view(console: Console) -> Iterator[ProgressView]:
    """The view that suits the console."""
    if not console.is_terminal:
        yield Lines(console)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        # The order is random, so a few samples do not foretell the rest.
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, speed_estimate_period=600, transient=True) as progress:
        yield _Bar(progress)
