"""`measure simulate`: takes the times that predictions are made from, and those that they are checked against."""

from __future__ import annotations

import shlex
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from msgspec import Struct

from swiftmodules.build.noise import usable_cores
from swiftmodules.build.recorder import COMPILE, Command, times_recorder
from swiftmodules.build.workspace import Build, Workspace
from swiftmodules.edits.catalogue import EDITS
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import UsageError
from swiftmodules.experiment.costs import build_costs, file_costs, median_costs, read_graph, shared_work
from swiftmodules.experiment.floor import seconds_of_script
from swiftmodules.experiment.runner import Entry, Runner, Step, Task, contents_of, jobs_of, shuffled
from swiftmodules.experiment.scale import SHAPE, replicas_subject, replicator
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.generate import make_layout
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import (
    BuildCosts,
    Contention,
    GraphCommand,
    MeasuredBuild,
    MeasuredLayout,
    SimulateOptions,
    SimulateRecord,
)
from swiftmodules.records.model import Job

DEFAULT_EDITS = ("body", "private-top", "interface-extension-member")
# What a process reads for the first time from the toolchain stays in these folders of the build.
_SHARED_FOLDERS = ("ModuleCache", "index")
# So that the names of all files are among a job's arguments, which are run again alone.
_NAMES = ("-Xswiftc", "-driver-filelist-threshold=100000")
_WHOLE = (*_NAMES, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "100000")
_SEPARATE = (*_NAMES, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "1")
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
    runner = Runner(task, SimulateRecord, options)
    with runner.running():
        _Simulation(task, runner, sizes).measure()
    return runner.record


class _Simulation:
    def __init__(self, task: Task, runner: Runner[SimulateRecord, SimulateOptions], sizes: Sequence[int]) -> None:
        options = runner.options
        if runner.earlier is not None:
            copies = [name.removeprefix(f"{SHAPE} of ") for name in options.packages]
            sizes = [int(number) for number in copies if number.isdigit()]
        edits = options.edits or DEFAULT_EDITS
        jobs = tuple(sorted(set(options.jobs or {1, usable_cores()})))
        self._options = replace(options, edits=edits, jobs=jobs)
        self._task = task
        self._runner = runner
        self._sizes = sizes

    def measure(self) -> None:
        task, options, folder = self._task, self._options, self._runner.folder
        if not self._sizes:
            subject = read_subject(task, folder, options.edits, options.modules)
            layouts = subject.layouts(options.layouts, task.view)
            packages: tuple[str, ...] = (task.package.name,)
            self._begin(replace(options, layouts=tuple(layouts), packages=packages), subject, layouts)
            self._measure(packages[0], subject, layouts, folder)
            return
        original = read_subject(task, folder, ())
        makes = replicator(original, task, folder / "copies")
        for size in self._sizes:
            name = f"{SHAPE} of {size}"
            task.view.stage(name)
            subject = replicas_subject(makes.make(size), original, task, options.edits)
            layouts = {
                each: make_layout(each, subject.package, subject.sources, subject.pairs) for each in options.layouts
            }
            if size == self._sizes[0]:
                packages = tuple(f"{SHAPE} of {each}" for each in self._sizes)
                self._begin(replace(options, packages=packages), subject, layouts)
            own = folder / f"{SHAPE}-{size}"
            own.mkdir()
            self._measure(name, subject, layouts, own)
            # Its build folders are gone before the next size has any.
            shutil.rmtree(own)

    def _begin(self, options: SimulateOptions, subject: Subject, layouts: Mapping[str, Layout]) -> None:
        self._options = replace(options, modules=tuple(subject.modules))
        self._runner.begin(
            SimulateRecord(
                package=subject.package.name,
                command=self._task.command(options),
                **self._runner.header(),
                options=self._options,
                contents=contents_of(layouts.values()),
            )
        )
        self._runner.record.layouts = []
        self._runner.record.contention = ()

    def _measure(self, name: str, subject: Subject, layouts: Mapping[str, Layout], folder: Path) -> None:
        recorder = times_recorder(folder, self._task.toolchain)
        measured = {
            each: _Layout(name, layout, folder / each, recorder, self._options, self._task)
            for each, layout in layouts.items()
        }
        record, before = self._runner.record, list(self._runner.record.layouts)
        orders = shuffled(list(measured), self._options.rounds, self._options.seed)
        self._task.view.planned(len(orders) * len(measured))
        for number, order in enumerate(orders, start=1):
            for layout in order:
                step = self._step(measured[layout], subject.placements, number)
                (found,) = self._runner.take([step], number, parts=LayoutRound)
                measured[layout].rounds.append(found)
                record.contention += found.contention
            record.layouts = [*before, *(each.result() for each in measured.values())]

    def _step(self, layout: _Layout, placements: Mapping[tuple[str, str | None], Placement], number: int) -> Step:
        def is_meant(entry: Entry) -> bool:
            key = (layout.package, layout.layout.name)
            return isinstance(entry, LayoutRound) and (entry.package, entry.layout) == key

        name = f"round {number} of {self._options.rounds}: {layout.package}: {layout.layout.name}"
        return Step(name, lambda *_: layout.take(list(placements.values())), is_meant)


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

    def take(self, placements: Sequence[Placement]) -> LayoutRound:
        """Takes the times of one round."""
        clean, graph, commands = self._clean()
        contention = self._contention(commands)
        separate = self._separated() if not self.rounds else None
        for workspace in (self._whole, *self._checks.values()):
            workspace.settle()
        null_seconds = self._checks[min(self._checks)].build().seconds
        builds = [clean]
        for placement in placements:
            builds.append(
                BuildRound(placement.edit, placement.module, [], None, {jobs: [] for jobs in self._checks}, ())
            )
        for build, placement in list(zip(builds[1:], placements, strict=True)) * _EDITS_PER_ROUND:
            costs, _ = self._edit(self._whole, placement)
            build.costs.append(costs)
            for jobs, workspace in self._checks.items():
                seconds, timeline = self._edit_for_real(workspace, placement)
                build.checks[jobs].append(seconds)
                build.timeline = timeline
        return LayoutRound(self.package, self.layout.name, graph, separate, contention, null_seconds, builds)

    def result(self) -> MeasuredLayout:
        """What was measured so far."""
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

    def _clean(self) -> tuple[BuildRound, tuple[GraphCommand, ...], list[Command]]:
        """Makes a clean build, at first without what processes share; the costs just before the builds that they are
        compared with."""
        self._whole.remove_scratch()
        cold, _ = self._costs(self._whole, self._whole.build())
        graph = read_graph(self._whole.scratch)
        forget_products(self._whole.scratch)
        costs, commands = self._costs(self._whole, self._whole.build())
        found = BuildRound(None, None, [costs], cold, {}, ())
        for jobs, workspace in self._checks.items():
            workspace.remove_scratch()
            build = workspace.build()
            found.checks[jobs] = [build.seconds]
            found.timeline = jobs_of(workspace.commands(build))
        return found, graph, commands

    def _separated(self) -> BuildCosts:
        """A clean build with a process for each file."""
        # What is shared is not there yet.
        self._separate.build()
        forget_products(self._separate.scratch)
        return self._costs(self._separate, self._separate.build())[0]

    def _edit(self, workspace: Workspace, placement: Placement) -> tuple[BuildCosts, list[Command]]:
        with workspace.edited(placement, next(self._numbers)) as edit:
            return self._costs(workspace, edit.build)

    def _edit_for_real(self, workspace: Workspace, placement: Placement) -> tuple[float, tuple[Job, ...]]:
        with workspace.edited(placement, next(self._numbers)) as edit:
            return edit.build.seconds, jobs_of(workspace.commands(edit.build))

    def _costs(self, workspace: Workspace, build: Build) -> tuple[BuildCosts, list[Command]]:
        commands = workspace.commands(build)
        return build_costs([command.job for command in commands], build.seconds), commands

    def _contention(self, commands: Sequence[Command]) -> tuple[Contention, ...]:
        """Runs a long compiler job alone, and once on each core at the same time."""
        cores = usable_cores()
        compilers = [command for command in commands if command.job.kind == COMPILE]
        if cores == 1 or not compilers:
            return ()
        by_length = sorted(compilers, key=lambda command: command.job.seconds)
        short = [command for command in by_length if command.job.seconds <= _CONTENTION_SECONDS]
        job = shlex.join((short[-1] if short else by_length[0]).arguments)
        return tuple(
            Contention(self._seconds(f"{job}\n"), self._seconds(f"{job} &\n" * cores + "wait\n"))
            for _ in range(_CONTENTION_SAMPLES)
        )

    def _seconds(self, commands: str) -> float:
        script = self._whole.package.parent / "contention.sh"
        what = "a compiler job failed when it was run again"
        return seconds_of_script(commands, script, what, self._task.toolchain, self._whole.package)


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
