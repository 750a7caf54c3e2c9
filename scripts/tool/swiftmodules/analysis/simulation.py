"""The analysis of a record of `simulate`: every measured build, predicted on any number of cores."""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TypeVar

from swiftmodules.analysis.cells import incomplete_warning
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
# What the error of a prediction is to stay below.
MOST_ERROR = 0.15
# The driver puts no more files than this into one process, unless its options say otherwise.
MOST_FILES = 25
_START, _END = "swift build starts", "swift build ends"

_Item = TypeVar("_Item")


@dataclass(frozen=True)
class Prediction:
    """A build on so many cores, with as many jobs: its seconds, and the critical path in words."""

    seconds: float
    path: tuple[str, ...]


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


class SimulateAnalysis:
    """What a record of `simulate` means; every number is calculated once, when it is first asked for."""

    def __init__(self, record: SimulateRecord) -> None:
        self.record = record
        self._predictions: dict[tuple[int, int, int | None], Prediction] = {}

    @property
    def warnings(self) -> list[str]:
        """What a reader must know before any number."""
        return incomplete_warning(self.record)

    @cached_property
    def contention(self) -> Contention:
        """How a job slows down beside others, as measured with one on each core. Never less than not at all."""
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

    def predict(self, layout: int, build: int, cores: int | None) -> Prediction:
        """A build of a layout, by their places in the record, on a machine with so many cores and with `--jobs` of that
        number: the median of all times that it was made."""
        key = (layout, build, cores)
        if key not in self._predictions:
            measured = self.record.layouts[layout]
            schedules = sorted(
                self._played(measured, measured.builds[build], cores, cores), key=lambda each: each.seconds
            )
            schedule = schedules[(len(schedules) - 1) // 2]
            steps = [f"{step.name} {step.seconds:.2f} s" for step in schedule.critical_path() if step.seconds > 0]
            self._predictions[key] = Prediction(schedule.seconds, tuple(steps))
        return self._predictions[key]

    @cached_property
    def rebuilds(self) -> dict[str, Rebuild]:
        """Of the first package, by layout: the jobs of the build after the first edit that was made in every layout."""
        layouts = [each for each in self.record.layouts if each.package == self.record.layouts[0].package]
        builds = {each.layout: {(build.edit, build.module): build for build in each.builds} for each in layouts}
        first = next(iter(builds.values()), {})
        common = next((key for key in first if key[0] and all(key in each for each in builds.values())), None)
        if common is None:
            return {}
        return {layout: rebuild_of(each[common]) for layout, each in builds.items() if each[common].checks}

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


def rebuild_of(build: MeasuredBuild) -> Rebuild:
    """The last real build with most jobs, whose jobs the record has."""
    seconds = build.checks[max(build.checks)][-1]
    return Rebuild(edit=build.edit or "", module=build.module, seconds=seconds, jobs=build.timeline)


def batches(files: Sequence[_Item], jobs: int | None) -> list[list[_Item]]:
    """How the compiler's driver divides files among processes: as many batches as it may start processes (`jobs`, None
    for any number), or more where they would be too large. Neighbours stay together, and the first batches take what
    does not divide evenly."""
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
    emit = (
        ()
        if costs.emit is None
        else (Process(f"{EMIT_MODULE} {costs.target}", costs.emit, _shared(build, EMIT_MODULE, costs.target)),)
    )
    waves = [_processes(costs.target, wave, build, files, jobs) for wave in costs.waves] or [()]
    stages.append(Stage(waves[0], background=emit))
    stages += [Stage(wave) for wave in waves[1:]]
    if costs.wrap is not None:
        stages.append(Stage((Process(f"{WRAP} {costs.target}", costs.wrap),), last_of_all=True))
    stages.append(Stage((Process(f"end of driver {costs.target}", costs.rest),), last_of_all=True))
    return tuple(stages)


def _processes(
    target: str, wave: Wave, build: MeasuredBuild, files: FileCosts, jobs: int | None
) -> tuple[Process, ...]:
    """The processes that compile a wave. One process for all takes what was measured; of several, each takes what a
    process takes before its first file, and its files' part of the rest."""
    divided = batches(wave.files, jobs)
    # Of a file that was not there before, as much as of the others on average.
    known = [files.files[file] for file in wave.files if file in files.files]
    usual = statistics.fmean(known) if known else 1
    weights = {file: files.files.get(file, usual) for file in wave.files}
    total = sum(weights.values())
    fixed = min(files.fixed.get(target, 0), wave.seconds)
    found = []
    for batch in divided:
        share = sum(weights[file] for file in batch) / total if total > 0 else len(batch) / len(wave.files)
        seconds = fixed + (wave.seconds - fixed) * share
        found.append(Process(_title(target, batch), seconds, _shared(build, COMPILE, target)))
    return tuple(found)


def _title(target: str, batch: Sequence[str]) -> str:
    first = batch[0].rpartition("/")[2]
    return f"{COMPILE} {target}: {first}" + (f" and {len(batch) - 1} more" if len(batch) > 1 else "")


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
