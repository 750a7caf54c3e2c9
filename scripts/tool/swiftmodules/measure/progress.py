"""Shows what a run is doing: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from swiftmodules.tasks import Progress as TaskProgress
from swiftmodules.tasks import tenths


class ProgressView:
    """The view of a console that is not a terminal: a line for everything that happens."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._expected = _Expected()

    def note(self, text: str) -> None:
        """Shows something that the user should know."""
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)

    def stage(self, text: str) -> None:
        """Shows that work outside the steps begins."""
        self.note(text)

    def building(self, text: str) -> TaskProgress:
        """Shows that a clean build begins. Returns what shows how far it is."""
        self.note(text)
        return tenths(self.note, text)

    def planned(self, steps: int, builds: int) -> None:
        """Shows the number of the steps, and of the clean builds, that come next."""
        self._expected = _Expected(steps, builds)

    def begins(self, name: str) -> None:
        """Shows that a step begins, where that is overwritten later."""

    def built(self) -> None:
        """Notes that a clean build has ended."""
        self._expected.ended(is_step=False)

    def finished(self, result: str) -> None:
        """Shows the result of a step."""
        self._expected.ended(is_step=True)
        self.note(f"[{self._expected.taken}/{self._expected.steps}] {result}{self._expected.left}")


class _Expected:
    """The time that is left, by the mean times of the steps and of the clean builds so far."""

    def __init__(self, steps: int = 0, builds: int = 0) -> None:
        self.steps = steps
        self.taken = 0
        self._counts = {True: steps, False: builds}
        self._spent: dict[bool, list[float]] = {True: [], False: []}
        self._last = time.monotonic()

    def ended(self, is_step: bool) -> None:
        """Notes that a step, or a clean build, has ended."""
        now = time.monotonic()
        self._spent[is_step].append(now - self._last)
        self._last = now
        self.taken += is_step

    @property
    def left(self) -> str:
        """In words, how much."""
        means = {kind: sum(spent) / len(spent) if spent else 0.0 for kind, spent in self._spent.items()}
        seconds = sum(means[kind] * max(count - len(self._spent[kind]), 0) for kind, count in self._counts.items())
        duration = f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
        return f" (about {duration} left)" if self.taken < self.steps else ""


class _Bar(ProgressView):
    def __init__(self, progress: Progress) -> None:
        super().__init__(progress.console)
        self._progress = progress
        self._task = progress.add_task("starting", total=None)

    def stage(self, text: str) -> None:
        self._progress.update(self._task, description=text)

    def building(self, text: str) -> TaskProgress:
        self.stage(text)
        return lambda done, total: self.stage(f"{text} [{done}/{total}]")

    def planned(self, steps: int, builds: int) -> None:
        super().planned(steps, builds)
        self._progress.reset(self._task, total=steps)

    def begins(self, name: str) -> None:
        self.stage(f"{name}{self._expected.left}")

    def finished(self, result: str) -> None:
        self._expected.ended(is_step=True)
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
    )
    with Progress(*columns, console=console, transient=True) as progress:
        yield _Bar(progress)
