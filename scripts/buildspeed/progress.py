"""Shows what a run is doing: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from buildspeed.record import Sample


class ProgressView(Protocol):
    """Receives what happens."""

    def stage(self, text: str) -> None:
        """Work outside the samples begins."""

    def note(self, text: str) -> None:
        """Something that the person should know."""

    def planned(self, samples: int) -> None:
        """The number of samples is known that come next."""

    def begins(self, name: str) -> None:
        """A sample begins."""

    def finished(self, sample: Sample) -> None:
        """A sample was taken."""


class _Bar:
    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._task = progress.add_task("starting", total=None)

    def stage(self, text: str) -> None:
        self._progress.update(self._task, description=text)

    def note(self, text: str) -> None:
        self._progress.console.print(text, highlight=False, markup=False)

    def planned(self, samples: int) -> None:
        self._progress.reset(self._task, total=samples)

    def begins(self, name: str) -> None:
        self._progress.update(self._task, description=name)

    def finished(self, sample: Sample) -> None:
        self._progress.advance(self._task)


class _Lines:
    def __init__(self, console: Console) -> None:
        self._console = console
        self._planned = 0
        self._taken = 0
        self._start = time.monotonic()

    def stage(self, text: str) -> None:
        self._print(text)

    def note(self, text: str) -> None:
        self._print(text)

    def planned(self, samples: int) -> None:
        self._planned = samples
        self._taken = 0
        self._start = time.monotonic()

    def begins(self, name: str) -> None:
        pass

    def finished(self, sample: Sample) -> None:
        self._taken += 1
        left = (time.monotonic() - self._start) / self._taken * (self._planned - self._taken)
        self._print(
            f"[{self._taken}/{self._planned}] round {sample.round}: {sample.cell.name}: {len(sample.compiled)} files, "
            f"{sample.seconds:.2f} s (about {_duration(left)} left)"
        )

    def _print(self, text: str) -> None:
        self._console.print(text, highlight=False, markup=False, soft_wrap=True)


@contextmanager
def progress_view(console: Console) -> Iterator[ProgressView]:
    """The view that suits the console."""
    if not console.is_terminal:
        yield _Lines(console)
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


def _duration(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds >= 90 else f"{seconds:.0f} s"
