"""Measures size after size, from the smallest, as long as the budget lasts."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import replace
from datetime import datetime, timezone
from enum import Enum
from pathlib import Path

from buildspeed.conditions import NOISY_ABOVE
from buildspeed.machine import this_machine
from buildspeed.measurement import Measurement, Request
from buildspeed.memory import INTERVAL_SECONDS, memory_is_visible
from buildspeed.private_copy import revision
from buildspeed.program_session import read_session
from buildspeed.progress import ProgressView
from buildspeed.record import Instruments, Record
from buildspeed.scale.budget import TimedSize, estimated_seconds
from buildspeed.scale.generated_package import CLIENT, EDITED_COPY, PackageGenerator
from buildspeed.scale.package_layout import make_scale_layout
from buildspeed.scale.record import ScaleOptions, ScaleRecord, SkippedSize, measured_size
from buildspeed.subject import read_subject
from buildspeed.toolchain import Toolchain

Views = Callable[[], AbstractContextManager[ProgressView]]


class VerifiedSizes(Enum):
    """At which sizes of each shape every cell is verified once."""

    NONE = "none"
    SMALLEST = "smallest"
    ALL = "all"


class ScaleRun:
    """One run. `record` holds what there is so far."""

    def __init__(
        self,
        package: Path,
        options: ScaleOptions,
        command: str,
        toolchain: Toolchain,
        folder: Path,
        views: Views,
        verified: VerifiedSizes = VerifiedSizes.SMALLEST,
    ) -> None:
        self._package = package
        self._verified = verified
        self._toolchain = toolchain
        self._folder = folder
        self._views = views
        self._start = time.monotonic()
        self._timed: list[TimedSize] = []
        self.record = ScaleRecord(
            package="",
            command=command,
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            machine=this_machine(),
            toolchain=toolchain.version,
            revision=revision(package),
            options=replace(options, modules=(CLIENT, EDITED_COPY)),
            instruments=Instruments(INTERVAL_SECONDS if memory_is_visible() else None, NOISY_ABOVE),
        )

    def run(self, keep: Callable[[ScaleRecord], None]) -> ScaleRecord:
        """Measures. `keep` saves what is there after each round."""
        original = read_subject(self._package, self._folder, self._toolchain)
        self.record.package = original.package.name
        generator = PackageGenerator(original, self._folder / "copies", self._toolchain)
        options = self.record.options
        # Of every shape the small sizes first, so that a budget that ends too early leaves something of each.
        for size in sorted(options.sizes):
            for shape in options.shapes:
                if self._fits(shape, size):
                    self._measure(shape, size, generator, keep)
                    keep(self.record)
        return self.record

    def _fits(self, shape: str, size: int) -> bool:
        """Whether there is time for a size; notes it in the record where there is none. The first has its time."""
        estimate = estimated_seconds(shape, size, self._timed)
        left = self.record.options.budget_minutes * 60 - (time.monotonic() - self._start)
        if estimate is None or estimate <= left:
            return True
        with self._views() as view:
            view.note(
                f"Skipped: {shape} of {size}: it would take about {estimate / 60:.0f} minutes, and "
                f"{max(left, 0) / 60:.0f} of --budget {self.record.options.budget_minutes:g} are left"
            )
        self.record.skipped.append(SkippedSize(shape, size, estimate, left))
        return False

    def _measure(self, shape: str, size: int, generator: PackageGenerator, keep: Callable[[ScaleRecord], None]) -> None:
        begun = time.monotonic()
        options = self.record.options
        # Its build folders are gone before the next size has any.
        folder = self._folder / f"{shape}-{size}"
        done = len(self.record.sizes)

        def note(measured: Record) -> None:
            seconds = time.monotonic() - begun
            self.record.sizes[done:] = [measured_size(shape, size, measured, seconds)]
            self.record.placements, self.record.missing = measured.placements, measured.missing
            self.record.seconds = time.monotonic() - self._start

        with self._views() as view:
            view.stage(f"{shape} of {size}")
            measurement = Measurement(
                self._request(size, is_first=done == 0),
                self._toolchain,
                folder,
                view,
                generator.make(shape, size, options.seed),
                make_scale_layout,
            )
            try:
                note(measurement.run(lambda _: self.record.command, lambda record: (note(record), keep(self.record))))
            finally:
                # What there is when a build fails or somebody interrupts.
                if measurement.record is not None and measurement.record.samples:
                    note(measurement.record)
                shutil.rmtree(folder, ignore_errors=True)
        seconds = time.monotonic() - begun
        if self._verified is VerifiedSizes.SMALLEST:
            # Larger sizes do not take this time.
            seconds -= measurement.verifying_seconds
        self._timed.append(TimedSize(shape, size, seconds))

    def _request(self, size: int, is_first: bool) -> Request:
        options = self.record.options
        unverified = self._unverified(size)
        return Request(
            package=self._package,
            layouts=options.layouts,
            edits=options.edits,
            modules=options.modules,
            rounds=options.rounds,
            seed=options.seed,
            jobs=options.jobs,
            # Once in a run, where it costs least.
            control=is_first,
            session=read_session(None, self._package, None) if unverified is None else (),
            unverified=unverified,
        )

    def _unverified(self, size: int) -> str | None:
        """Why no cell is verified at a size, where none is."""
        if self._verified is VerifiedSizes.NONE:
            return "--no-verify leaves it out."
        if self._verified is VerifiedSizes.SMALLEST and size > min(self.record.options.sizes):
            return "each cell is verified at the smallest size."
        return None
