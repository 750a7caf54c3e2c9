"""Finds what each part of a build costs from the times of its jobs, taken with one job at a time."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise

from buildspeed.job_times import COMPILE, EMIT_MODULE, QUESTION, TARGET, WRAP, Job
from buildspeed.simulation.record import BuildCosts, CommandCosts, FileCosts, SharedWork, Wave

# A process is held to do shared work where it takes so much longer than the same process later on. What takes long
# may differ by more without that.
_SHARED_SECONDS, _SHARED_SHARE = 0.1, 0.15


def build_costs(jobs: Sequence[Job], seconds: float) -> BuildCosts:
    """The costs of a build that took so long, from its jobs."""
    runs = sorted(_runs(jobs), key=lambda job: job.began)
    if not runs:
        return BuildCosts(start=seconds, end=0, gap=0, commands=())
    gaps = [max(0.0, later.began - earlier.finished) for earlier, later in pairwise(runs)]
    return BuildCosts(
        start=runs[0].began,
        end=max(0.0, seconds - max(run.finished for run in runs)),
        gap=statistics.fmean(gaps) if gaps else 0,
        commands=tuple(_command_costs(run, [job for job in jobs if job.driver == run.driver]) for run in runs),
    )


def median_costs(builds: Sequence[BuildCosts]) -> BuildCosts:
    """The costs of the same build, measured several times: the median of each. Where a build did something else than
    the last one, it is left out."""
    shape = _shape(builds[-1])
    alike = [build for build in builds if _shape(build) == shape]
    by_name = [{(each.kind, each.target): each for each in build.commands} for build in alike]
    return BuildCosts(
        start=statistics.median(build.start for build in alike),
        end=statistics.median(build.end for build in alike),
        gap=statistics.median(build.gap for build in alike),
        commands=tuple(
            _median_command([commands[each.kind, each.target] for commands in by_name]) for each in alike[-1].commands
        ),
    )


def file_costs(whole: BuildCosts, separate: BuildCosts) -> FileCosts:
    """What each file costs, and each process by itself, from two builds: one where a single process compiled all
    files of a target, and one where each file had its own.

    With n files, the second repeats what a process does before its first file n - 1 times.
    """
    files: dict[str, float] = {}
    fixed: dict[str, float] = {}
    together = {command.target: command for command in whole.commands if command.kind == TARGET}
    for command in separate.commands:
        alone = {wave.files[0]: wave.seconds for wave in command.waves if len(wave.files) == 1}
        if command.kind != TARGET or not alone or command.target not in together:
            continue
        at_once = sum(wave.seconds for wave in together[command.target].waves)
        repeated = (sum(alone.values()) - at_once) / (len(alone) - 1) if len(alone) > 1 else 0
        # No file costs less than nothing.
        fixed[command.target] = min(max(repeated, 0), min(alone.values()))
        files |= {file: seconds - fixed[command.target] for file, seconds in alone.items()}
    return FileCosts(files, fixed)


def shared_work(cold: BuildCosts, warm: BuildCosts) -> tuple[SharedWork, ...]:
    """What processes did for others too in a build from nothing (`cold`), compared with a build from nothing for which
    what is shared was there already."""
    before: list[str] = []
    found = []
    warmed = {(command.kind, command.target): command for command in warm.commands}
    for command in cold.commands:
        other = warmed.get((command.kind, command.target))
        if other is None:
            continue
        for kind, seconds, later in _pairs(command, other):
            extra = seconds - later
            if extra > max(_SHARED_SECONDS, _SHARED_SHARE * later):
                found.append(SharedWork(command.target, kind, extra, tuple(before)))
            before.append(f"{kind} {command.target}")
    return tuple(found)


def _pairs(cold: CommandCosts, warm: CommandCosts) -> Iterable[tuple[str, float, float]]:
    """The processes of a target in their order, with their seconds in both builds."""
    if cold.emit is not None and warm.emit is not None:
        yield EMIT_MODULE, cold.emit, warm.emit
    if cold.waves and warm.waves:
        yield COMPILE, sum(wave.seconds for wave in cold.waves), sum(wave.seconds for wave in warm.waves)


def _runs(jobs: Sequence[Job]) -> list[Job]:
    """What SwiftPM's engine started."""
    started = {job.driver for job in jobs if job.kind == TARGET}
    return [job for job in jobs if job.kind == TARGET or (job.kind != QUESTION and job.driver not in started)]


def _command_costs(run: Job, jobs: Sequence[Job]) -> CommandCosts:
    inner = [job for job in jobs if job is not run]
    if run.kind != TARGET or not inner:
        return CommandCosts(run.kind, run.target, plan=run.seconds)
    plan = min(job.began for job in inner) - run.began
    emit = sum(job.seconds for job in inner if job.kind == EMIT_MODULE) if _has(inner, EMIT_MODULE) else None
    wrap = sum(job.seconds for job in inner if job.kind == WRAP) if _has(inner, WRAP) else None
    waves = tuple(Wave(job.files, job.seconds) for job in inner if job.kind == COMPILE)
    known = plan + (emit or 0) + (wrap or 0) + sum(wave.seconds for wave in waves)
    return CommandCosts(run.kind, run.target, plan, emit, waves, wrap, rest=max(0.0, run.seconds - known))


def _has(jobs: Sequence[Job], kind: str) -> bool:
    return any(job.kind == kind for job in jobs)


def _shape(build: BuildCosts) -> Mapping[tuple[str, str], object]:
    return {
        (each.kind, each.target): (each.emit is None, each.wrap is None, [wave.files for wave in each.waves])
        for each in build.commands
    }


def _median_command(alike: Sequence[CommandCosts]) -> CommandCosts:
    last = alike[-1]
    return CommandCosts(
        kind=last.kind,
        target=last.target,
        plan=statistics.median(each.plan for each in alike),
        emit=None if last.emit is None else statistics.median(each.emit or 0 for each in alike),
        waves=tuple(
            Wave(wave.files, statistics.median(each.waves[place].seconds for each in alike))
            for place, wave in enumerate(last.waves)
        ),
        wrap=None if last.wrap is None else statistics.median(each.wrap or 0 for each in alike),
        rest=statistics.median(each.rest for each in alike),
    )
