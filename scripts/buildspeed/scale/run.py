"""Measures the sizes that fit into the budget, round by round."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
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
from buildspeed.scale.record import MeasuredSize, ScaleOptions, ScaleRecord, SkippedSize
from buildspeed.scale.size_run import SizeRun
from buildspeed.subject import read_subject
from buildspeed.toolchain import Toolchain


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
        view: ProgressView,
        verified: VerifiedSizes = VerifiedSizes.SMALLEST,
    ) -> None:
        self._package = package
        self._verified = verified
        self._toolchain = toolchain
        self._folder = folder
        self._view = view
        self._start = time.monotonic()
        self._sizes: list[SizeRun] = []
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
        """Measures. `keep` saves what is there after each sample."""
        original = read_subject(self._package, self._folder, self._toolchain)
        self.record.package = original.package.name
        generator = PackageGenerator(original, self._folder / "copies", self._toolchain)
        options = self.record.options
        # Of every shape the small sizes first, so that a budget that ends too early leaves something of each.
        for size in sorted(options.sizes):
            for shape in options.shapes:
                if self._fits(shape, size):
                    self._begin(shape, size, generator, keep)
        self._go_on()
        for each in self._sizes:
            each.verify()
        self.record.seconds = time.monotonic() - self._start
        return self.record

    def _fits(self, shape: str, size: int) -> bool:
        """Whether there is time for a size besides those before it; notes it in the record where there is none. The
        first has its time."""
        estimate = estimated_seconds(shape, size, [self._timed(each) for each in self._sizes])
        left = self.record.options.budget_minutes * 60 - (time.monotonic() - self._start)
        left -= sum(each.expected_seconds_left for each in self._sizes)
        if estimate is None or estimate <= left:
            return True
        self._view.note(
            f"Skipped: {shape} of {size}: it would take about {estimate / 60:.0f} minutes, and "
            f"{max(left, 0) / 60:.0f} of --budget {self.record.options.budget_minutes:g} are left"
        )
        self.record.skipped.append(SkippedSize(shape, size, estimate, left))
        return False

    def _timed(self, measured: SizeRun) -> TimedSize:
        seconds = measured.expected_seconds
        if self._verified is VerifiedSizes.ALL:
            seconds += measured.expected_verifying_seconds
        return TimedSize(measured.shape, measured.size, seconds)

    def _begin(self, shape: str, size: int, generator: PackageGenerator, keep: Callable[[ScaleRecord], None]) -> None:
        """Builds the layouts of a size, and takes its first round."""
        position = len(self._sizes)

        def note(record: Record, measured: MeasuredSize) -> None:
            self.record.sizes[position : position + 1] = [measured]
            self.record.placements, self.record.missing = record.placements, record.missing
            self.record.seconds = time.monotonic() - self._start
            keep(self.record)

        self._view.stage(f"{shape} of {size}")
        measurement = Measurement(
            self._request(size, is_first=position == 0),
            self._toolchain,
            self._folder / f"{shape}-{size}",
            self._view,
            generator.make(shape, size, self.record.options.seed),
            make_scale_layout,
        )
        begun = SizeRun(shape, size, measurement, lambda _: self.record.command, note)
        self._view.planned(begun.samples_left // self.record.options.rounds)
        begun.take_round(1)
        self._sizes.append(begun)

    def _go_on(self) -> None:
        """Takes the other rounds, each of all sizes before the next, so that a machine that grows slower or faster
        favours no size; in an order of its own."""
        self._view.planned(sum(each.samples_left for each in self._sizes))
        generator = random.Random(f"sizes {self.record.options.seed}")
        for number in range(2, self.record.options.rounds + 1):
            for each in generator.sample(self._sizes, len(self._sizes)):
                self._view.stage(f"{each.shape} of {each.size}")
                each.take_round(number)

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
