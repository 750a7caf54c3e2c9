"""The measurement of one size of one shape, a round at a time."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from buildspeed.measurement import Measurement
from buildspeed.record import Options, Record
from buildspeed.scale.record import MeasuredSize, measured_size


class SizeRun:
    """A size whose layouts are built.

    `command` gives the command line of the run, and `keep` saves what there is of this size after each sample.
    """

    def __init__(
        self,
        shape: str,
        size: int,
        measurement: Measurement,
        command: Callable[[Options], str],
        keep: Callable[[Record, MeasuredSize], None],
    ) -> None:
        self.shape = shape
        self.size = size
        self._keep = keep
        # Without what other sizes did in between.
        self._seconds = 0.0
        with self._counted():
            self._prepared = measurement.prepare(command)
        self._preparation_seconds = self._seconds
        self._round_seconds: list[float] = []

    @property
    def expected_seconds(self) -> float:
        """How long all rounds take with what comes before them, judged by those that were taken: one at least."""
        return self._preparation_seconds + len(self._prepared.orders) * statistics.fmean(self._round_seconds)

    @property
    def expected_verifying_seconds(self) -> float:
        """How long it takes to verify all cells where that is done: a clean build for each."""
        if self._prepared.record.verification is None or self._prepared.record.verification.left_out is not None:
            return 0.0
        clean = self._prepared.record.clean_builds
        return sum(clean[cell.layout].seconds for cell in self._prepared.cells)

    @property
    def expected_seconds_left(self) -> float:
        return self.expected_seconds + self.expected_verifying_seconds - self._seconds

    @property
    def samples_left(self) -> int:
        return self._prepared.samples_left

    def take_round(self, number: int) -> None:
        """Takes the samples of a round, counted from 1."""
        before = self._seconds
        with self._counted() as so_far:
            self._prepared.take_round(number, so_far)
        self._round_seconds.append(self._seconds - before)

    def verify(self) -> None:
        """Verifies each cell once, where that was asked for."""
        with self._counted() as so_far:
            self._prepared.verify(so_far)

    @contextmanager
    def _counted(self) -> Iterator[Callable[[Record], None]]:
        """Counts the seconds of what is done inside, which can save a record at any time."""
        before, begun = self._seconds, time.monotonic()

        def save(record: Record) -> None:
            self._seconds = before + time.monotonic() - begun
            self._keep(record, measured_size(self.shape, self.size, record, self._seconds))

        yield save
        self._seconds = before + time.monotonic() - begun
