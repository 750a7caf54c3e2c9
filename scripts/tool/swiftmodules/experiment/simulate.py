"""`measure simulate`: takes the times that predictions are made from, and those that they are checked against."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from msgspec import Struct

from swiftmodules.builds.conditions import usable_cores
from swiftmodules.builds.recorder import Command, times_recorder
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.edits.catalogue import EDITS
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import UsageError
from swiftmodules.experiment.by_hand import NAMES_ON_COMMAND_LINE, seconds_of_script
from swiftmodules.experiment.costs import build_costs, file_costs, median_costs, read_graph, shared_work
from swiftmodules.experiment.runner import Runner, Step, Task, shuffled
from swiftmodules.experiment.scale import replica_subjects
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.generate import make_layout
from swiftmodules.layouts.layout import Layout
from swiftmodules.observed import COMPILE, Job
from swiftmodules.records.kinds import (
    BuildCosts,
    Contention,
    GraphCommand,
    MeasuredBuild,
    MeasuredLayout,
    SimulateOptions,
    SimulateRecord,
)

# The folders of a build that keep what a process reads from the toolchain for the first time.
_SHARED_FOLDERS = ("ModuleCache", "index")
# With the names of all files among a job's arguments, which are run again alone.
_WHOLE = (*NAMES_ON_COMMAND_LINE, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "100000")
_SEPARATE = (*NAMES_ON_COMMAND_LINE, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "1")
# In each layout of each round, with a job that is no longer than this.
_CONTENTION_SAMPLES = 2
_CONTENTION_SECONDS = 3.0
# How often a round makes each edit. A rebuild of a few seconds depends more on what else the machine does than a clean
# build, which takes as long as dozens of them and is made once.
_EDITS_PER_ROUND = 2


class BuildRound(Struct):
    """The builds of one round after one edit, or clean ones, with one job (`costs`) and as they really are (`checks`,
    by the number of jobs). `cold` is the clean one for which nothing that is shared was there."""

    edit: str | None
    module: str | None
    costs: list[BuildCosts]
    cold: BuildCosts | None
    checks: dict[int, list[float]]
    timeline: tuple[Job, ...]


class LayoutRound(Struct):
    """One round of one layout of a package. `separate` is a clean build with a process for each file, of the first
    round only: it takes long, and only shows how a wave divides among processes."""

    package: str
    layout: str
    graph: tuple[GraphCommand, ...]
    separate: BuildCosts | None
    contention: tuple[Contention, ...]
    null_seconds: float
    builds: list[BuildRound]


def measure(options: SimulateOptions, task: Task, sizes: Sequence[int] = ()) -> SimulateRecord:
    """Measures a package, or with `sizes` packages of so many copies of a module; writes and returns the record."""
    if any(EDITS[edit].needs_tests for edit in options.edits if edit in EDITS):
        raise UsageError("Builds with tests cannot be predicted; leave out 'test-body'.")
    return _Simulation(options, task, sizes).run()


class _Simulation(Runner[SimulateRecord, SimulateOptions]):
    def __init__(self, options: SimulateOptions, task: Task, sizes: Sequence[int]) -> None:
        super().__init__(task, SimulateRecord, options)
        if self.earlier is not None:
            copies = [name.removesuffix(" copies") for name in self.options.packages]
            sizes = [int(number) for number in copies if number.isdigit()]
        self._sizes = sizes

    def measure(self) -> None:
        task, folder = self.task, self.folder
        jobs = tuple(sorted(set(self.options.jobs or {1, usable_cores()})))
        options = self.options = replace(self.options, edits=self.options.edits or SimulateOptions.edits, jobs=jobs)
        if not self._sizes:
            subject = read_subject(task, folder, options.edits, options.modules)
            layouts = subject.layouts(options.layouts, self.view)
            self._begin((task.package.name,), subject, layouts)
            self._measure(task.package.name, subject, layouts, folder)
            return
        subject_of = replica_subjects(task, folder, options.edits)
        names = {size: f"{size} copies" for size in self._sizes}
        for size, name in names.items():
            self.view.stage(name)
            subject = subject_of(size)
            layouts = {
                each: make_layout(each, subject.package, subject.sources, subject.pairs) for each in options.layouts
            }
            if size == self._sizes[0]:
                self._begin(tuple(names.values()), subject, layouts)
            own = folder / f"size-{size}"
            own.mkdir()
            self._measure(name, subject, layouts, own)
            # Its build folders are gone before the next size has any.
            shutil.rmtree(own)

    def _begin(self, packages: tuple[str, ...], subject: Subject, layouts: Mapping[str, Layout]) -> None:
        self.options = replace(self.options, layouts=tuple(layouts), packages=packages, modules=tuple(subject.modules))
        self.begin(SimulateRecord(**self.header(subject.package.name, layouts.values())))
        self.record.layouts = []
        self.record.contention = ()

    def _measure(self, name: str, subject: Subject, layouts: Mapping[str, Layout], folder: Path) -> None:
        recorder = times_recorder(folder, self.task.toolchain)
        measured = {
            each: _Layout(name, layout, folder / each, recorder, self.options, self.task)
            for each, layout in layouts.items()
        }
        before = list(self.record.layouts)
        orders = shuffled(list(measured), self.options.rounds, self.options.seed)
        self.view.planned(len(orders) * len(measured))
        for number, order in enumerate(orders, start=1):
            for layout in order:
                step = measured[layout].step(list(subject.placements.values()), f"round {number} of {len(orders)}")
                (found,) = self.take([step], number)
                measured[layout].rounds.append(found)
                self.record.contention += found.contention
            self.record.layouts = [*before, *(each.result() for each in measured.values())]


class _Layout:
    """A layout with its build folders: one process for each wave, one process for each file, and real builds by their
    number of jobs."""

    def __init__(
        self, package: str, layout: Layout, folder: Path, recorder: Path, options: SimulateOptions, task: Task
    ) -> None:
        def workspace(purpose: str, jobs: int, words: Sequence[str]) -> Workspace:
            return Workspace(layout, folder / purpose, task.toolchain, jobs, words, {"SWIFT_EXEC": str(recorder)})

        self.package = package
        self.layout = layout
        self.rounds: list[LayoutRound] = []
        self._task = task
        self._numbers = count(1)
        self._whole = workspace("whole", 1, _WHOLE)
        self._separate = workspace("separate", 1, _SEPARATE)
        self._checks = {jobs: workspace(f"check-{jobs}", jobs, ()) for jobs in options.jobs}

    def step(self, placements: Sequence[Placement], round: str) -> Step:
        """Takes the times of one round."""

        def is_meant(entry: LayoutRound) -> bool:
            return (entry.package, entry.layout) == (self.package, self.layout.name)

        name = f"{round}: {self.package}: {self.layout.name}"
        return Step(name, lambda *_: self._take(placements), is_meant, LayoutRound)

    def _take(self, placements: Sequence[Placement]) -> LayoutRound:
        clean, graph, commands = self._clean()
        contention = self._contention(commands)
        separate = None
        if not self.rounds:
            self._separate.build()
            # The shared parts stay.
            forget_products(self._separate.scratch)
            separate = _costs(self._separate.build())
        for workspace in (self._whole, *self._checks.values()):
            workspace.settle()
        null_seconds = self._checks[min(self._checks)].build().seconds
        builds = [
            BuildRound(each.edit, each.module, [], None, {jobs: [] for jobs in self._checks}, ()) for each in placements
        ]
        for found, placement in list(zip(builds, placements, strict=True)) * _EDITS_PER_ROUND:
            found.costs.append(_costs(self._whole.edit(placement, next(self._numbers))))
            for jobs, workspace in self._checks.items():
                build = workspace.edit(placement, next(self._numbers))
                found.checks[jobs].append(build.seconds)
                found.timeline = build.jobs
        return LayoutRound(self.package, self.layout.name, graph, separate, contention, null_seconds, [clean, *builds])

    def result(self) -> MeasuredLayout:
        """Returns the measurements so far."""
        first = self.rounds[0]
        separate = next((each.separate for each in self.rounds if each.separate), build_costs([], 0))
        return MeasuredLayout(
            package=self.package,
            layout=self.layout.name,
            targets=self.layout.target_count,
            files=len(self.layout.files),
            graph=self.rounds[-1].graph,
            file_costs=file_costs(first.builds[0].costs[0], separate),
            null_seconds=tuple(each.null_seconds for each in self.rounds),
            builds=tuple(_measured([each.builds[place] for each in self.rounds]) for place in range(len(first.builds))),
        )

    def _clean(self) -> tuple[BuildRound, tuple[GraphCommand, ...], Sequence[Command]]:
        """Makes a clean build, the first one without shared results; costs are taken just before the builds that they
        are compared with."""
        self._whole.remove_scratch()
        cold = _costs(self._whole.build())
        graph = read_graph(self._whole.scratch)
        forget_products(self._whole.scratch)
        warm = self._whole.build()
        found = BuildRound(None, None, [_costs(warm)], cold, {}, ())
        for jobs, workspace in self._checks.items():
            workspace.remove_scratch()
            build = workspace.build()
            found.checks[jobs] = [build.seconds]
            found.timeline = build.jobs
        return found, graph, warm.commands

    def _contention(self, commands: Sequence[Command]) -> tuple[Contention, ...]:
        """Runs a long compiler job alone, and once on each core at the same time."""
        cores = usable_cores()
        compilers = [command for command in commands if command.job.kind == COMPILE]
        if cores == 1 or not compilers:
            return ()
        by_length = sorted(compilers, key=lambda command: command.job.seconds)
        short = [command for command in by_length if command.job.seconds <= _CONTENTION_SECONDS]
        job = shlex.join((short[-1] if short else by_length[0]).arguments)
        package = self._whole.package

        def seconds(commands: str) -> float:
            what = "a compiler job failed when it was run again"
            return seconds_of_script(commands, package.parent / "contention.sh", what, self._task.toolchain, package)

        together = f"{job} &\n" * cores + "wait\n"
        return tuple(Contention(seconds(f"{job}\n"), seconds(together)) for _ in range(_CONTENTION_SAMPLES))


def _costs(build: Build) -> BuildCosts:
    return build_costs(build.jobs, build.seconds)


def _measured(rounds: Sequence[BuildRound]) -> MeasuredBuild:
    """The same build of all rounds."""
    cold = [each.cold for each in rounds if each.cold is not None]
    costs = [cost for each in rounds for cost in each.costs]
    return MeasuredBuild(
        edit=rounds[0].edit,
        module=rounds[0].module,
        costs=tuple(costs),
        shared=shared_work(median_costs(cold), median_costs(costs)) if cold else (),
        checks={jobs: tuple(seconds for each in rounds for seconds in each.checks[jobs]) for jobs in rounds[0].checks},
        timeline=rounds[-1].timeline,
    )


def forget_products(scratch: Path) -> None:
    """Removes everything that was built, but not what processes share: modules of the toolchain as they were read."""
    for path in scratch.iterdir():
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.name not in _SHARED_FOLDERS:
            forget_products(path)
