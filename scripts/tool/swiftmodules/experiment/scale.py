"""`measure scale`: times `swift build` after edits in packages of growing size, made of copies of one module."""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, TypeVar

from swiftmodules.builds.conditions import usable_cores
from swiftmodules.builds.workspace import Build
from swiftmodules.edits.catalogue import DEFAULT_EDITS, EDITS, Key, place_all
from swiftmodules.edits.placement import Placement
from swiftmodules.edits.site import Site
from swiftmodules.errors import UsageError
from swiftmodules.experiment.built import BuiltLayouts, SharedLayouts, share_rounds
from swiftmodules.experiment.requests import Group
from swiftmodules.experiment.runner import INSTRUMENTS, Runner, Step, Task, shuffled
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.generate import make_layout
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import Replicator
from swiftmodules.records.kinds import MeasuredSize, ScaleOptions, ScaleRecord, SkippedSize
from swiftmodules.records.model import CONTROL, Cell, Sample, Verification
from swiftmodules.swiftpm.modules import Module

_Record = TypeVar("_Record", bound=ScaleRecord)
_Options = TypeVar("_Options", bound=ScaleOptions)

VerifiedSizes = Literal["none", "smallest", "all"]
# How places of edits are found in modules: see `place_all`.
Placing = Callable[[Iterable[str], Site, Mapping[str, Module]], tuple[Mapping[Key, Placement], Mapping[Key, str]]]


def measure(options: ScaleOptions, task: Task, verified: VerifiedSizes = "smallest") -> ScaleRecord:
    """Measures the sizes that fit into the budget, writes the record, and returns it."""
    return ScaleRunner(task, ScaleRecord, options, verified).run()


def replica_subjects(
    task: Task, folder: Path, edits: Sequence[str], place: Placing = place_all
) -> Callable[[int], Subject]:
    """Reads a package, and returns how to make packages with a number of copies of the module that the configuration
    names, with edits in the first copy, and in the first other module of the configuration, which stands for what all
    copies use."""
    for edit in edits:
        if edit not in EDITS or EDITS[edit].needs_tests:
            raise UsageError(f"the edit '{edit}' cannot be made in the copies: they have no tests, and no named files.")
    original = read_subject(task, folder, ())
    copied = task.config.measure.scale_module or ""
    replicator = Replicator(
        original.package, original.sources, original.pairs, copied, folder / "copies", task.toolchain
    )

    def subject_of(size: int) -> Subject:
        replicas = replicator.make(size)
        subject = replace(original, package=replicas.package, sources=replicas.sources, copy=None, refused={})
        pairs = subject.pairs
        others = [name for name in task.config.measure.modules if name in pairs][:1]
        modules = {name: pairs[name] for name in (*others, replicas.copies[0])}
        keys = [(edit, name) for edit in edits for name in (modules if EDITS[edit].is_per_module else [None])]
        placements, missing = place(edits, Site(subject.package, subject.sources), modules)
        return replace(subject, modules=modules, keys=keys, placements=placements, missing=missing)

    return subject_of


class ScaleRunner(Runner[_Record, _Options]):
    """Takes the samples of packages of growing size."""

    def __init__(self, task: Task, kind: type[_Record], options: _Options, verified: VerifiedSizes = "none") -> None:
        super().__init__(task, kind, options)
        self._kind = kind
        self._verified = verified
        self._sizes: list[Size] = []

    def subjects(self) -> Callable[[int], Subject]:
        """Returns a function that makes the package of a size."""
        return replica_subjects(self.task, self.folder, self.options.edits)

    def layouts_of(self, size: int) -> tuple[str, ...]:
        """Returns the layouts that are measured at a size."""
        return self.options.layouts

    def size(self, subject: Subject, measured: MeasuredSize, is_first: bool) -> Size:
        """Builds the layouts of a size."""
        return Size(self, subject, measured, is_first)

    def measure(self) -> None:
        options = self.options
        self.options = replace(
            options,
            edits=options.edits or DEFAULT_EDITS,
            sizes=tuple(sorted(set(options.sizes))),
            jobs=options.jobs or usable_cores(),
        )
        subject_of = self.subjects()
        for size in self.options.sizes:
            if self.fits(size):
                self._begin(subject_of(size), size)
        self._go_on()
        for each in self._sizes:
            for _ in each.verify():
                self.keep()
        self.record.samples.sort(key=lambda sample: sample.size or 0)

    def _begin(self, subject: Subject, size: int) -> None:
        """Builds the layouts of a size, and takes its first round."""
        self.view.stage(f"{size} copies")
        known = self.earlier.sizes if self.earlier else []
        measured = next((each for each in known if each.size == size), MeasuredSize(size=size))
        if measured.verification is None:
            measured.verification = Verification(self._unverified(size))
        begun = self.size(subject, measured, is_first=not self._sizes)
        if not self._sizes:
            layouts = begun.layouts
            self.options = replace(self.options, modules=tuple(subject.modules))
            self.begin(
                self._kind(
                    **self.header(subject.package.name, layouts),
                    instruments=INSTRUMENTS,
                    placements=subject.described,
                    missing=subject.reasons,
                )
            )
            self.record.sizes = []
        self.record.sizes.append(measured)
        self.keep()
        self._sizes.append(begun)
        self.planned(begun.orders[:1])
        share_rounds([(1, [(begun.built, begun.cells[0])])])
        begun.take_round(1)

    def _go_on(self) -> None:
        """Takes the other rounds, each of all sizes before the next, so that a machine that grows slower or faster
        favours no size; in an order of its own."""
        self.planned(order for each in self._sizes for order in each.orders[1:])
        generator = random.Random(f"sizes {self.options.seed}")
        numbers = range(2, self.options.rounds + 1)
        rounds = {number: generator.sample(self._sizes, len(self._sizes)) for number in numbers}
        # What a copy costs is compared between sizes, so a round of all of them stays together.
        share_rounds((n, [(each.built, each.cells[n - 1]) for each in sizes]) for n, sizes in rounds.items())
        for number, sizes in rounds.items():
            for each in sizes:
                self.view.stage(f"{each.size} copies")
                each.take_round(number)
                self.keep()

    def fits(self, size: int) -> bool:
        """Whether the budget has time for another size; notes in the record where it has not. The first size, and those
        that an earlier session has begun, are always measured."""
        if self.earlier and size in [each.size for each in self.earlier.sizes]:
            return True
        if self.earlier and size in [each.size for each in self.earlier.skipped]:
            return False
        # Larger sizes are verified only where all are.
        verified = float(self._verified == "all")
        timed = [
            (each.size, each.expected_seconds + verified * each.expected_verifying_seconds) for each in self._sizes
        ]
        estimate = estimated_seconds(size, timed)
        left = self.options.budget_minutes * 60 - self.elapsed
        left -= sum(each.expected_seconds_left for each in self._sizes)
        if estimate is None or estimate <= left:
            return True
        self.view.note(
            f"Skipped: {size} copies: it would take about {estimate / 60:.0f} minutes, and "
            f"{max(left, 0) / 60:.0f} of --budget {self.options.budget_minutes:g} are left"
        )
        self.record.skipped.append(SkippedSize(size, estimate, left))
        return False

    def _unverified(self, size: int) -> str | None:
        """The reason why no cell is verified at a size, where none is."""
        if self.task.unverified is not None or self._verified == "none":
            return self.task.unverified or "it was left out."
        if self._verified == "smallest" and size > min(self.options.sizes):
            return "each cell is verified at the smallest size."
        return None


class Size:
    """One size, whose layouts are built, a round at a time. `measured.seconds` counts what is done here, without what
    other sizes do in between."""

    def __init__(self, run: ScaleRunner[Any, Any], subject: Subject, measured: MeasuredSize, is_first: bool) -> None:
        self.size = measured.size
        self.subject = subject
        self.measured = measured
        self._run = run
        self._round_seconds: list[float] = []
        options = run.options
        folder = run.folder / f"size-{self.size}"
        with self._counted():
            self.built = self._built(folder)
            layouts = run.layouts_of(self.size)
            for name in layouts:
                self.build(name, name)
            if is_first:
                # Once in a run, where it costs least.
                self.build(CONTROL, layouts[0])
                measured.control = layouts[0]
            measured.clean_builds = self.built.clean_builds
            self.warm_up()
        self._preparation_seconds = measured.seconds
        self._cells = subject.cells(layouts)
        control = subject.cells([CONTROL]) if is_first else []
        self.cells = shuffled(self._cells, options.rounds, options.seed, control)
        self.orders = [[self.step(cell) for cell in order] for order in self.cells]

    def _built(self, folder: Path) -> BuiltLayouts:
        run, subject, options = self._run, self.subject, self._run.options
        if run.task.cluster is None:
            return BuiltLayouts(subject, run.task, folder, options.jobs)
        group = Group(name=folder.name, kind="scale", edits=options.edits, jobs=options.jobs, size=self.size)
        return SharedLayouts(subject, run, run.offered(), group)

    @property
    def layouts(self) -> list[Layout]:
        """The layouts that were built, with the control."""
        return list(self.built.layouts.values())

    def build(self, name: str, layout: str) -> None:
        """Makes a clean build of a layout, under a name."""
        subject = self.subject
        self.built.build(name, make_layout(layout, subject.package, subject.sources, subject.pairs))

    def warm_up(self) -> None:
        """Makes edits that are not sampled."""
        self.built.warm_up()

    def step(self, cell: Cell) -> Step:
        """Times what follows an edit."""

        def is_meant(entry: Sample) -> bool:
            return (entry.size, entry.cell) == (self.size, cell)

        return replace(self.built.step(cell, sized(self.size)), name=f"{self.size}: {cell.name}", is_meant=is_meant)

    @property
    def expected_seconds(self) -> float:
        """The expected seconds of all rounds with what comes before them, judged by those that were taken."""
        rounds = statistics.fmean(self._round_seconds) if self._round_seconds else 0
        return self._preparation_seconds + len(self.orders) * rounds

    @property
    def expected_verifying_seconds(self) -> float:
        """The expected seconds to verify all cells, where that is done: a clean build for each."""
        if self.measured.verification is None or self.measured.verification.left_out is not None:
            return 0.0
        return sum(self.built.clean_builds[cell.layout].seconds for cell in self._cells)

    @property
    def expected_seconds_left(self) -> float:
        return self.expected_seconds + self.expected_verifying_seconds - self.measured.seconds

    def take_round(self, number: int) -> None:
        """Takes the samples of a round, counted from 1."""
        before = self.measured.seconds
        with self._counted():
            self._run.take(self.orders[number - 1], number)
        self._round_seconds.append(self.measured.seconds - before)

    def verify(self) -> Iterator[None]:
        """Verifies each cell once, where that was asked for."""
        assert self.measured.verification is not None
        with self._counted():
            yield from self.built.verdicts(self._cells, self.measured.verification)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        before, begun = self.measured.seconds, time.monotonic()
        try:
            yield
        finally:
            self.measured.seconds = before + time.monotonic() - begun


def sized(size: int) -> Callable[[Build], dict[str, object]]:
    """Returns what samples of a size have besides."""
    # There are thousands of files.
    return lambda edit: {"size": size, "compiled": len(edit.work.compiled)}


def estimated_seconds(size: int, measured: Sequence[tuple[int, float]]) -> float | None:
    """Estimates how long a size will take, judged by smaller ones and their seconds; None where nothing is known yet.

    From two, by the line through the largest two, where it rises. From one, as many times as long as the size is
    larger, which is rather too long; so too where the larger of two took no longer, which shows nothing about growth.
    """
    smaller = sorted(each for each in measured if each[0] < size)
    if not smaller:
        return None
    largest, seconds = smaller[-1]
    before, earlier = smaller[-2] if len(smaller) > 1 else (0, 0.0)
    if seconds <= earlier:
        return seconds * size / largest
    return seconds + (seconds - earlier) / (largest - before) * (size - largest)
