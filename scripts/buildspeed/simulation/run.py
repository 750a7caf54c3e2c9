"""Takes the times that predictions are made from, and those that they are checked against."""

from __future__ import annotations

import random
import shlex
import shutil
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone
from pathlib import Path

from buildspeed import processes
from buildspeed.edited_build import edited
from buildspeed.edits import Placement, Site, place_all
from buildspeed.failures import MeasurementError
from buildspeed.job_times import COMPILE, Command, Job, originals_of, read_commands, times_recorder
from buildspeed.layouts import Layout
from buildspeed.machine import this_machine
from buildspeed.private_copy import revision
from buildspeed.scale.generated_package import PackageGenerator
from buildspeed.scale.package_layout import make_scale_layout
from buildspeed.simulation.build_graph import read_graph
from buildspeed.simulation.layout_samples import LayoutSamples
from buildspeed.simulation.record import ContentionSample, Options, SimulationRecord
from buildspeed.subject import Subject, read_subject
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Build, Workspace

# What a process reads for the first time from the toolchain stays in these folders of the build.
_SHARED_FOLDERS = ("ModuleCache", "index")
# So that the names of all files are among a job's arguments, which are run again by themselves.
_NAMES = ("-Xswiftc", "-driver-filelist-threshold=100000")
_WHOLE = (*_NAMES, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "100000")
_SEPARATE = (*_NAMES, "-Xswiftc", "-driver-batch-size-limit", "-Xswiftc", "1")
# In each layout of each round, with a job that is no longer than this.
_CONTENTION_SAMPLES = 2
_CONTENTION_SECONDS = 3.0
# How often a round makes each edit. A rebuild of a few seconds depends more on what else the machine does than a build
# from nothing, which takes as long as dozens of them and is made once.
_EDITS_PER_ROUND = 2


class SimulationRun:
    """One run, in a folder of its own."""

    def __init__(
        self, package: Path, options: Options, toolchain: Toolchain, folder: Path, say: Callable[[str], None]
    ) -> None:
        self._package = package
        self._options = options
        self._toolchain = toolchain
        self._folder = folder
        self._say = say
        self._edits_made = 0
        self._start = time.monotonic()
        self.record = SimulationRecord(
            command="",
            started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
            machine=this_machine(),
            toolchain=toolchain.version,
            revision=revision(package),
            options=options,
        )

    def measure(self, keep: Callable[[SimulationRecord], None]) -> None:
        """Measures the package. `keep` saves what is there after each round."""
        self._say("Reading the package")
        subject = read_subject(self._package, self._folder, self._toolchain, self._options.modules)
        self._measure(subject.package.name, subject, self._folder, keep)

    def measure_copies(self, shape: str, sizes: Sequence[int], keep: Callable[[SimulationRecord], None]) -> None:
        """Measures packages with so many copies of a module, as `scripts/measure scale` makes them."""
        self._say("Reading the package")
        original = read_subject(self._package, self._folder, self._toolchain)
        generator = PackageGenerator(original, self._folder / "copies", self._toolchain)
        for size in sizes:
            name = f"{shape} of {size}"
            self._say(name)
            folder = self._folder / f"{shape}-{size}"
            folder.mkdir()
            self._measure(name, generator.make(shape, size, self._options.seed), folder, keep)
            # Its build folders are gone before the next size has any.
            shutil.rmtree(folder)

    def _measure(self, name: str, subject: Subject, folder: Path, keep: Callable[[SimulationRecord], None]) -> None:
        options = self._options
        placements, missing = place_all(options.edits, Site(subject.package, subject.sources), subject.modules)
        for (edit, module), reason in missing.items():
            self._say(f"Left out: {edit} {module or ''}: {reason}")
        recorder = times_recorder(folder, self._toolchain)
        before = list(self.record.layouts)
        layouts = {
            layout: self._layout(
                name, make_scale_layout(layout, subject.package, subject.sources), folder / layout, recorder
            )
            for layout in options.layouts
        }
        generator = random.Random(options.seed)
        try:
            for number in range(1, options.rounds + 1):
                for layout in generator.sample(list(layouts), len(layouts)):
                    self._say(f"round {number} of {options.rounds}: {layout}")
                    self._measure_layout(layouts[layout], placements)
                self.record.layouts = [*before, *(each.samples.result() for each in layouts.values())]
                self.record.seconds = time.monotonic() - self._start
                keep(self.record)
        finally:
            self.record.seconds = time.monotonic() - self._start

    def _layout(self, package: str, layout: Layout, folder: Path, recorder: Path) -> _MeasuredLayout:
        def workspace(purpose: str, jobs: int, words: Sequence[str]) -> Workspace:
            return Workspace(layout, folder / purpose, self._toolchain, jobs, words, {"SWIFT_EXEC": str(recorder)})

        return _MeasuredLayout(
            samples=LayoutSamples(package, layout),
            whole=workspace("whole", 1, _WHOLE),
            separate=workspace("separate", 1, _SEPARATE),
            checks={jobs: workspace(f"check-{jobs}", jobs, ()) for jobs in self._options.jobs},
        )

    def _measure_layout(
        self, measured: _MeasuredLayout, placements: Mapping[tuple[str, str | None], Placement]
    ) -> None:
        samples = measured.samples
        commands = self._measure_clean(measured)
        self.record.contention += self._contention(commands, measured.whole)
        # Of one round, as it takes long and only tells how a wave divides among processes.
        if samples.separate is None:
            samples.separate = self._separate(measured.separate)
        for workspace in (measured.whole, *measured.checks.values()):
            workspace.settle()
        samples.null_seconds.append(measured.checks[min(measured.checks)].build().finished.seconds)
        for (edit, module), placement in list(placements.items()) * _EDITS_PER_ROUND:
            build = samples.build(edit, module)
            build.costs.append(self._edit(measured.whole, placement))
            for jobs, workspace in measured.checks.items():
                build.add_check(jobs, *self._edit(workspace, placement))

    def _measure_clean(self, measured: _MeasuredLayout) -> list[Command]:
        """Builds from nothing, at first without what processes share; the costs just before the builds that they are
        compared with."""
        samples = measured.samples
        clean = samples.build(None, None)
        measured.whole.remove_scratch()
        clean.cold.append(self._jobs(measured.whole, measured.whole.build()))
        samples.graph = read_graph(measured.whole.scratch)
        forget_products(measured.whole.scratch)
        warm, commands = self._commands(measured.whole)
        clean.costs.append(warm)
        for jobs, workspace in measured.checks.items():
            workspace.remove_scratch()
            clean.add_check(jobs, *self._jobs(workspace, workspace.build()))
        return commands

    def _separate(self, workspace: Workspace) -> tuple[list[Job], float]:
        """A build from nothing with a process for each file."""
        # What is shared is not there yet.
        workspace.build()
        forget_products(workspace.scratch)
        return self._jobs(workspace, workspace.build())

    def _edit(self, workspace: Workspace, placement: Placement) -> tuple[list[Job], float]:
        self._edits_made += 1
        with edited(workspace, placement, self._edits_made) as edit:
            return self._jobs(workspace, edit.build)

    def _jobs(self, workspace: Workspace, build: Build) -> tuple[list[Job], float]:
        original = originals_of(workspace.package, workspace.originals)
        commands = read_commands(workspace.records, build.began, original)
        return [command.job for command in commands], build.finished.seconds

    def _commands(self, workspace: Workspace) -> tuple[tuple[list[Job], float], list[Command]]:
        build = workspace.build()
        original = originals_of(workspace.package, workspace.originals)
        commands = read_commands(workspace.records, build.began, original)
        return ([command.job for command in commands], build.finished.seconds), commands

    def _contention(self, commands: Sequence[Command], workspace: Workspace) -> tuple[ContentionSample, ...]:
        """Runs a long compiler job by itself, and once on each core at the same time."""
        cores = self.record.machine.cores
        compilers = [command for command in commands if command.job.kind == COMPILE]
        if cores == 1 or not compilers:
            return ()
        by_length = sorted(compilers, key=lambda command: command.job.seconds)
        short = [command for command in by_length if command.job.seconds <= _CONTENTION_SECONDS]
        job = shlex.join((short[-1] if short else by_length[0]).arguments)
        alone, together = f"{job}\n", f"{job} &\n" * cores + "wait\n"
        return tuple(
            ContentionSample(self._seconds(alone, workspace), self._seconds(together, workspace))
            for _ in range(_CONTENTION_SAMPLES)
        )

    def _seconds(self, commands: str, workspace: Workspace) -> float:
        script = workspace.package.parent / "contention.sh"
        script.write_text(commands)
        log = script.with_suffix(".log")
        finished = processes.run(["/bin/sh", script], self._toolchain.environment, workspace.package, log)
        if finished.exit_code != 0:
            raise MeasurementError(f"a compiler job failed when it was run again: {log.read_text(errors='replace')}")
        return finished.seconds


@dataclass(frozen=True)
class _MeasuredLayout:
    """A layout with its build folders: one process for each wave, one process for each file, and real builds by
    their number of jobs."""

    samples: LayoutSamples
    whole: Workspace
    separate: Workspace
    checks: Mapping[int, Workspace]


def forget_products(scratch: Path) -> None:
    """Removes everything that was built, but not what processes share: modules of the toolchain as they were read."""
    for path in scratch.iterdir():
        if path.is_symlink() or path.is_file():
            path.unlink()
        elif path.name not in _SHARED_FOLDERS:
            forget_products(path)
