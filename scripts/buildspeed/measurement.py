"""The run itself: prepares the layouts, takes the samples, fills the record."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from buildspeed.conditions import NOISY_ABOVE
from buildspeed.edits import DEFAULT_EDITS, Placement, Site, needs_tests, place_all
from buildspeed.failures import UsageError
from buildspeed.layouts import Layout, make_layout
from buildspeed.machine import this_machine
from buildspeed.memory import INTERVAL_SECONDS, memory_is_visible
from buildspeed.package_graph import Package
from buildspeed.plan import CONTROL, Cell, Extent, cells, extent_that_fits, quick_candidates, rounds, with_control
from buildspeed.prepared_run import PreparedRun
from buildspeed.private_copy import revision
from buildspeed.program_session import ProgramRun
from buildspeed.progress import ProgressView
from buildspeed.record import CleanBuild, Instruments, Options, Record
from buildspeed.resuming import Circumstances, contents_of, resumed
from buildspeed.sampling import Sampling
from buildspeed.soundness import Verification
from buildspeed.subject import Subject, read_subject, users_of
from buildspeed.swift_source import SourceFile
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

LayoutMaker = Callable[[str, Package, Mapping[Path, SourceFile]], Layout]

# Of different fan-in in this repository; another package is measured in all its modules.
DEFAULT_MODULES = ("HTTPClient", "Login", "Profile")
DEFAULT_ROUNDS = 10
# About 5 minutes: the estimate, which rests on a few samples, is rather high than low.
QUICK_SECONDS = 350


@dataclass(frozen=True)
class Request:
    """What the person asked for. `edits` and `modules` are empty for the default, `rounds` is None for a quick
    run, and without `control` the first layout is measured once only."""

    package: Path
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    rounds: int | None
    seed: int
    jobs: int
    # The record of the run that is resumed, whose options the others here are.
    earlier: Record | None = None
    # How the program is run to verify each cell, or why that is not done.
    session: tuple[ProgramRun, ...] = ()
    unverified: str | None = None
    control: bool = True
    # Whether the jobs of one rebuild of each layout are timed for the report.
    times_rebuilds: bool = False


class Measurement:
    """One run. `record` is there once sampling begins, and holds the samples so far.

    A `subject` takes the place of what would be read from the package, where it was generated from that. A subclass may
    read the package, place the edits and prepare the layouts in another way.
    """

    _measures_a_copy = False

    def __init__(
        self,
        request: Request,
        toolchain: Toolchain,
        folder: Path,
        view: ProgressView,
        subject: Subject | None = None,
        layout_maker: LayoutMaker = make_layout,
    ) -> None:
        self.record: Record | None = None
        self._request = request
        self._subject = subject
        self._make_layout = layout_maker
        self._toolchain = toolchain
        self._folder = folder
        self._view = view
        self._start = time.monotonic()
        # Before the first sample.
        self._edits_made = 0
        # Why an edit is not made in a module.
        self._missing: dict[tuple[str, str | None], str] = {}
        # Why a layout is not measured.
        self._refused: dict[str, str] = {}

    def run(self, command: Callable[[Options], str], keep: Callable[[Record], None]) -> Record:
        """Measures. `command` gives the command line that repeats a run with such options, and `keep` saves what is
        there after each sample, as nobody can do it when the run is killed."""
        prepared = self.prepare(command)
        self._view.planned(prepared.samples_left)
        for number in prepared.rounds_left:
            prepared.take_round(number, keep)
        prepared.verify(keep)
        if self._request.times_rebuilds:
            prepared.sampling.time_rebuilds(
                prepared.record, self._folder / "timelines", self._toolchain, self._request.jobs
            )
        return prepared.record

    def prepare(self, command: Callable[[Options], str]) -> PreparedRun:
        """Builds the layouts and decides what is measured, up to the first sample."""
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        commit = revision(self._request.package)
        subject = self._read()
        placements = self._place(subject)
        workspaces = self._workspaces(subject)
        machine, earlier = this_machine(), self._request.earlier
        contents = contents_of(workspaces[name].layout for name in self._request.layouts)
        instruments = Instruments(INTERVAL_SECONDS if memory_is_visible() else None, NOISY_ABOVE)
        described = {" ".join(filter(None, key)): each.description for key, each in placements.items()}
        if earlier is not None:
            Circumstances(
                package=subject.package.name,
                commit=commit.commit,
                contents=contents,
                toolchain=self._toolchain.version,
                machine=machine,
                placements=described,
                instruments=instruments,
            ).require_those_of(earlier)
        clean_builds = {name: self._build_clean(name, workspace) for name, workspace in workspaces.items()}
        sampling = Sampling(
            workspaces, placements, self._view, lambda: time.monotonic() - self._start, self._edits_made
        )
        seconds_per_sample = sampling.warm_up()
        extent = self._extent(subject, seconds_per_sample)
        options = Options(
            layouts=self._request.layouts,
            edits=extent.edits,
            modules=extent.modules,
            rounds=extent.rounds,
            quick=self._request.rounds is None,
            seed=self._request.seed,
            control=self._request.layouts[0] if self._request.control else None,
            jobs=self._request.jobs,
        )
        all_cells = self._cells(options.layouts, options)
        self.record = Record(
            package=subject.package.name,
            command=command(options),
            started=started,
            machine=machine,
            toolchain=self._toolchain.version,
            revision=commit,
            options=options,
            placements={
                key: each
                for key, each in described.items()
                if key in {" ".join(filter(None, (cell.edit, cell.module))) for cell in all_cells}
            },
            modules={name: users_of(subject.modules[name], subject) for name in extent.modules},
            clean_builds=clean_builds,
            instruments=instruments,
            missing={" ".join(filter(None, key)): reason for key, reason in self._missing.items()},
            contents=contents,
            verification=Verification(self._request.unverified),
            is_copy=self._measures_a_copy,
            refused_layouts=self._refused,
        )
        orders = self._orders(options, all_cells)
        if earlier is not None:
            self.record = resumed(earlier, orders, started)
            # The run lasts as long as its sessions together.
            self._start -= earlier.seconds
        return PreparedRun(self.record, orders, all_cells, self._request.session, sampling)

    def _cells(self, layouts: Sequence[str], options: Options) -> list[Cell]:
        """The cells of these layouts, without edits that have no place."""
        everything = cells(layouts, options.edits, options.modules)
        return [cell for cell in everything if (cell.edit, cell.module) not in self._missing]

    def _read(self) -> Subject:
        if self._subject is not None:
            return self._subject
        self._view.stage("Reading the package")
        return read_subject(
            self._request.package,
            self._folder,
            self._toolchain,
            self._request.modules,
            preferred=DEFAULT_MODULES,
            with_tests=needs_tests(self._edits),
        )

    def _place(self, subject: Subject) -> dict[tuple[str, str | None], Placement]:
        placements, self._missing = place_all(self._edits, Site(subject.package, subject.sources), subject.modules)
        for (edit, module), reason in self._missing.items():
            self._view.note(f"Left out: {' '.join(filter(None, (edit, module)))}: {reason}")
        if self._missing and not placements:
            raise UsageError("none of the edits has a place in the modules that are measured.")
        return placements

    def _workspaces(self, subject: Subject) -> dict[str, Workspace]:
        """One for each layout, and one for the control, which is the first layout again."""
        layouts = {name: name for name in self._request.layouts}
        if self._request.control:
            layouts[CONTROL] = self._request.layouts[0]
        return {
            name: Workspace(
                self._make_layout(layout, subject.package, subject.sources),
                self._folder / name,
                self._toolchain,
                self._request.jobs,
            )
            for name, layout in layouts.items()
        }

    def _build_clean(self, name: str, workspace: Workspace) -> CleanBuild:
        layout = workspace.layout
        self._view.stage(f"Building the layout '{name}' from nothing")
        finished = workspace.build_clean().finished
        return CleanBuild(layout.target_count, len(layout.files), finished.seconds, finished.cpu_seconds)

    @property
    def _edits(self) -> tuple[str, ...]:
        return self._request.edits or DEFAULT_EDITS

    def _extent(self, subject: Subject, seconds_per_sample: float) -> Extent:
        """What is measured: everything, or in a quick run what fits, decided before the first sample."""
        request = self._request
        modules = tuple(subject.modules)
        if request.earlier is not None:
            options = request.earlier.options
            return Extent(options.edits, options.modules, options.rounds)
        if request.rounds is not None:
            return Extent(self._edits, modules, request.rounds)
        may_drop = [name for name, given in (("edits", request.edits), ("modules", request.modules)) if not given]
        candidates = quick_candidates(self._edits, modules, may_drop)
        left = QUICK_SECONDS - (time.monotonic() - self._start)
        extent = extent_that_fits(left, seconds_per_sample, [*request.layouts, CONTROL], candidates)
        dropped = [each for each in (*self._edits, *modules) if each not in (*extent.edits, *extent.modules)]
        if dropped:
            self._view.note(f"Left out to end in about 5 minutes: {', '.join(dropped)}")
        return extent

    def _orders(self, options: Options, all_cells: Sequence[Cell]) -> list[list[Cell]]:
        orders = rounds(all_cells, options.rounds, options.seed)
        control = self._cells([CONTROL], options) if options.control is not None else []
        return with_control(orders, control, options.seed)
