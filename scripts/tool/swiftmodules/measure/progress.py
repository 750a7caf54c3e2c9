"""Shows what a run is doing: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn


class ProgressView:
    """The view of a console that is not a terminal: a line for everything that happens."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._planned = self._taken = 0
        self._start = time.monotonic()

    def note(self, text: str) -> None:
        """Shows something that the user should know."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def stage(self, text: str) -> None:
        """Shows that work outside the steps begins."""
        self.note(text)

    def planned(self, steps: int) -> None:
        """Shows the number of the steps that come next."""
        self._planned, self._taken = steps, 0
        self._start = time.monotonic()

    def begins(self, name: str) -> None:
        """Shows that a step begins, where that is overwritten later."""

    def finished(self, result: str) -> None:
        """Shows the result of a step."""
        self._taken += 1
        left = (time.monotonic() - self._start) / self._taken * (self._planned - self._taken)
        duration = f"{left / 60:.0f} min" if left >= 90 else f"{left:.0f} s"
        self.note(f"[{self._taken}/{self._planned}] {result} (about {duration} left)")


class _Bar(ProgressView):
    def __init__(self, progress: Progress) -> None:
        super().__init__(progress.console)
        self._progress = progress
        self._task = progress.add_task("starting", total=None)

    def stage(self, text: str) -> None:
        self._progress.update(self._task, description=text)

    def planned(self, steps: int) -> None:
        self._progress.reset(self._task, total=steps)

    def begins(self, name: str) -> None:
        self.stage(name)

    def finished(self, result: str) -> None:
        self._progress.advance(self._task)


@contextmanager
def progress_view(console: Console) -> Iterator[ProgressView]:
    """The view that suits the console."""
    if not console.is_terminal:
        yield ProgressView(console)
        return
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TextColumn("left:"),
        # The order is random, so a few samples do not predict the rest.
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, speed_estimate_period=600, transient=True) as progress:
        yield _Bar(progress)
