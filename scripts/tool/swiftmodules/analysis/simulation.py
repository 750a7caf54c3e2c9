"""The analysis of a record of `simulate`: every measured build, predicted on any number of cores."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from swiftmodules.analysis.run import Analysis
from swiftmodules.analysis.schedule import Contention, Process, Schedule, ScheduledCommand, Stage, play
from swiftmodules.analysis.stats import Interval, median_interval
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK, TARGET, WRAP
from swiftmodules.records.kinds import (
    BuildCosts,
    CommandCosts,
    FileCosts,
    MeasuredBuild,
    MeasuredLayout,
    Rebuild,
    SharedWork,
    SimulateRecord,
    Wave,
)

# None stands for as many as there is work for.
CORES: tuple[int | None, ...] = (1, 2, 4, 8, 16, 64, None)
# The limit for the error of a prediction.
MOST_ERROR = 0.15
# The driver puts no more files than this into one process, unless its options say otherwise.
MOST_FILES = 25
_START, _END = "swift build starts", "swift build ends"

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Check:
    """The median prediction beside the median of real builds, which it was not made from, and the median `error`: the
    share by which the prediction is too long, negative where it is too short. `interval` is None where there are too
    few builds for one.

    Each real build has a prediction of its own, from one just before it, so that a machine that slows down for a while
    slows both.
    """

    layout: MeasuredLayout
    build: MeasuredBuild
    jobs: int
    predicted: float
    measured: float
    error: float
    interval: Interval | None


class SimulateAnalysis(Analysis[SimulateRecord]):
    """The analysis of a record of `simulate`."""

    @cached_property
    def contention(self) -> Contention:
        """The slowdown of a job beside others, as measured with one on each core; at least 1."""
        factors = [sample.together / sample.alone for sample in self.record.contention]
        return Contention(self.record.machine.cores, max(1.0, statistics.median(factors))) if factors else Contention()

    @cached_property
    def checks(self) -> list[Check]:
        """Every prediction for this machine that real builds can be set beside."""
        return [
            self._check(layout, build, jobs, seconds)
            for layout in self.record.layouts
            for build in layout.builds
            for jobs, seconds in build.checks.items()
        ]

    def predict(self, layout: MeasuredLayout, build: MeasuredBuild, cores: int | None) -> Schedule:
        """A build of a layout on a machine with so many cores and with `--jobs` of that number: of all times that it
        was made, the one with the median of the seconds."""
        schedules = sorted(self._played(layout, build, cores, cores), key=lambda each: each.seconds)
        return schedules[(len(schedules) - 1) // 2]

    @cached_property
    def rebuilds(self) -> dict[str, Rebuild]:
        """The jobs of a build of the first package, by layout: after the first edit that was made in every layout."""
        layouts = [each for each in self.record.layouts if each.package == self.record.layouts[0].package]
        builds = {each.layout: {(build.edit, build.module): build for build in each.builds} for each in layouts}
        first = next(iter(builds.values()), {})
        common = next((key for key in first if key[0] and all(key in each for each in builds.values())), None)
        if common is None:
            return {}
        # The last real build with most jobs, whose jobs the record has.
        return {
            layout: Rebuild(edit=str(common[0]), module=common[1], seconds=checks[max(checks)][-1], jobs=build.timeline)
            for layout, each in builds.items()
            if (checks := (build := each[common]).checks)
        }

    def _check(self, layout: MeasuredLayout, build: MeasuredBuild, jobs: int, seconds: Sequence[float]) -> Check:
        predicted = [each.seconds for each in self._played(layout, build, self.record.machine.cores, jobs)]
        # An interrupted run may have fewer real builds than predictions.
        errors = [each / real - 1 for each, real in zip(predicted, seconds, strict=False)]
        return Check(
            layout=layout,
            build=build,
            jobs=jobs,
            predicted=statistics.median(predicted),
            measured=statistics.median(seconds),
            error=statistics.median(errors),
            interval=median_interval(errors, self.record.options.seed),
        )

    def _played(
        self, layout: MeasuredLayout, build: MeasuredBuild, cores: int | None, jobs: int | None
    ) -> list[Schedule]:
        """Plays a build as it was measured each time, with so many jobs on so many cores."""
        shared = {_shared_name(each): each.seconds for each in build.shared}
        return [
            play(_commands(layout, build, costs, jobs), cores, jobs, self.contention, shared) for costs in build.costs
        ]


def batches(files: Sequence[_Item], jobs: int | None) -> list[list[_Item]]:
    """Divides files among processes as the compiler's driver does: as many batches as it may start processes (`jobs`,
    None for any number), or more where they would be too large. Neighbours stay together, and the first batches take
    what does not divide evenly."""
    if not files:
        return []
    wanted = len(files) if jobs is None else jobs
    count = min(len(files), max(wanted, math.ceil(len(files) / MOST_FILES)))
    size, larger = divmod(len(files), count)
    ends = [(place + 1) * size + min(place + 1, larger) for place in range(count)]
    return [list(files[start:end]) for start, end in zip([0, *ends], ends, strict=False)]


def _commands(
    layout: MeasuredLayout, build: MeasuredBuild, costs: BuildCosts, jobs: int | None
) -> list[ScheduledCommand]:
    """The commands of the engine that the build ran, between the start and the end of `swift build`. The others are
    there without any work, as their order counts."""
    by_name = {(each.kind, each.target): each for each in costs.commands}
    # Every command brings the time between two of them, and the first has none before it.
    start = max(0.0, costs.start - costs.gap)
    found = [ScheduledCommand(_START, (), (Stage((Process(_START, start),)),))]
    for command in layout.graph:
        own = by_name.get((command.kind, command.target)) if command.kind else None
        stages = () if own is None else _stages(own, costs.gap, build, layout.file_costs, jobs)
        found.append(ScheduledCommand(command.name, (*command.after, _START), stages))
    end = Stage((Process(_END, costs.end),))
    found.append(ScheduledCommand(_END, tuple(command.name for command in layout.graph), (end,)))
    return found


def _stages(
    costs: CommandCosts, gap: float, build: MeasuredBuild, files: FileCosts, jobs: int | None
) -> tuple[Stage, ...]:
    """A driver plans, emits the module beside the first wave, compiles wave by wave, wraps, and tidies up. What the
    engine does between two commands, the `gap`, is added to the first of these."""
    title = {TARGET: "plan", LINK: LINK, WRAP: WRAP}.get(costs.kind, costs.kind)
    stages = [Stage((Process(f"{title} {costs.target}", costs.plan + gap),))]
    if costs.emit is not None:
        emit = Process(f"{EMIT_MODULE} {costs.target}", costs.emit, _shared(build, EMIT_MODULE, costs.target))
        stages.append(Stage((), background=(emit,)))
    stages += [Stage(_processes(costs.target, wave, build, files, jobs)) for wave in costs.waves]
    if costs.wrap is not None:
        stages.append(Stage((Process(f"{WRAP} {costs.target}", costs.wrap),), last_of_all=True))
    stages.append(Stage((Process(f"end of driver {costs.target}", costs.rest),), last_of_all=True))
    return tuple(stages)


def _processes(
    target: str, wave: Wave, build: MeasuredBuild, files: FileCosts, jobs: int | None
) -> tuple[Process, ...]:
    """The processes that compile a wave. One process for all takes what was measured; of several, each takes what a
    process takes before its first file, and its files' part of the rest."""
    # Of a file that was not there before, as much as of the others on average.
    known = [files.files[file] for file in wave.files if file in files.files]
    usual = statistics.fmean(known) if known else 1
    weights = {file: files.files.get(file, usual) for file in wave.files}
    total = sum(weights.values())
    fixed = min(files.fixed.get(target, 0), wave.seconds)
    found = []
    for batch in batches(wave.files, jobs):
        share = sum(weights[file] for file in batch) / total if total > 0 else len(batch) / len(wave.files)
        seconds = fixed + (wave.seconds - fixed) * share
        more = f" and {len(batch) - 1} more" if len(batch) > 1 else ""
        title = f"{COMPILE} {target}: {batch[0].rpartition('/')[2]}{more}"
        found.append(Process(title, seconds, _shared(build, COMPILE, target)))
    return tuple(found)


def _shared(build: MeasuredBuild, kind: str, target: str) -> tuple[str, ...]:
    """The shared work that a process needs: what it did itself, and of compilers, what any did before that one
    ended."""
    return tuple(
        _shared_name(each)
        for each in build.shared
        if (each.kind, each.target) == (kind, target)
        or (kind == COMPILE and f"{kind} {target}" not in each.not_needed_by)
    )


def _shared_name(work: SharedWork) -> str:
    return f"first use of the toolchain's modules ({work.kind} {work.target})"
