"""Finds what each part of a build costs from the times of its jobs, taken with one job at a time; and the commands of
SwiftPM's build engine, llbuild, with those that each of them waits for."""

from __future__ import annotations

import json
import re
import statistics
from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from swiftmodules.builds.recorder import kind_of
from swiftmodules.errors import ToolError
from swiftmodules.observed import COMPILE, EMIT_MODULE, QUESTION, TARGET, WRAP, Job
from swiftmodules.records.kinds import BuildCosts, CommandCosts, FileCosts, GraphCommand, SharedWork, Wave

# A process counts as doing shared work where it takes this much longer than the same process later on. Long processes
# may differ by more without it.
_SHARED_SECONDS, _SHARED_SHARE = 0.1, 0.15

_NAME = re.compile(r'^  (".*"):$')
_FIELD = re.compile(r"^    (inputs|outputs|args): (.*)$")
_MAIN = re.compile(r'^  "main": (\[.*\])$', re.MULTILINE)


def build_costs(jobs: Sequence[Job], seconds: float) -> BuildCosts:
    """The costs of a build that took so long, from its jobs."""
    started = {job.driver for job in jobs if job.kind == TARGET}
    # The jobs that SwiftPM's engine started.
    runs = [job for job in jobs if job.kind == TARGET or (job.kind != QUESTION and job.driver not in started)]
    runs.sort(key=lambda job: job.began)
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
    alike = []
    for build in builds:
        if _shape(build) == shape:
            commands = {(each.kind, each.target): each for each in build.commands}
            alike.append(msgspec.structs.replace(build, commands=tuple(commands[key] for key in shape)))
    median: BuildCosts = _median(alike)
    return median


def _shape(build: BuildCosts) -> Mapping[tuple[str, str], object]:
    return {
        (each.kind, each.target): (each.emit is None, each.wrap is None, [wave.files for wave in each.waves])
        for each in build.commands
    }


def _median(alike: Sequence[Any]) -> Any:  # noqa: ANN401  what is alike
    """The median of each number in values that hold numbers at the same places."""
    last = alike[-1]
    if isinstance(last, int | float):
        return statistics.median(alike)
    if isinstance(last, tuple):
        return tuple(map(_median, zip(*alike, strict=True)))
    if isinstance(last, Struct):
        medians = {name: _median([getattr(each, name) for each in alike]) for name in last.__struct_fields__}
        return msgspec.structs.replace(last, **medians)
    return last


def file_costs(whole: BuildCosts, separate: BuildCosts) -> FileCosts:
    """Calculates the cost of each file, and of each process alone, from two builds: one where a single process compiled
    all files of a target, and one where each file had its own.

    With n files, the second repeats what a process does before its first file n - 1 times.
    """
    files: dict[str, float] = {}
    fixed: dict[str, float] = {}
    together = {command.target: command for command in whole.commands if command.kind == TARGET}
    for command in separate.commands:
        alone = {wave.files[0]: wave.seconds for wave in command.waves if len(wave.files) == 1}
        if command.kind != TARGET or not alone or command.target not in together:
            continue
        longer = sum(alone.values()) - _compiling(together[command.target])
        repeated = longer / (len(alone) - 1) if len(alone) > 1 else 0
        # No file costs less than nothing.
        fixed[command.target] = min(max(repeated, 0), min(alone.values()))
        files |= {file: seconds - fixed[command.target] for file, seconds in alone.items()}
    return FileCosts(files, fixed)


def shared_work(cold: BuildCosts, warm: BuildCosts) -> tuple[SharedWork, ...]:
    """Finds the shared work in a clean build (`cold`), by comparison with a clean build that found the shared
    results."""
    before: list[str] = []
    found = []
    warmed = {(command.kind, command.target): command for command in warm.commands}
    for command in cold.commands:
        other = warmed.get((command.kind, command.target))
        if other is None:
            continue
        # The processes of a target in their order, with their seconds in both builds.
        pairs = [(EMIT_MODULE, command.emit or 0, other.emit or 0)] if None not in (command.emit, other.emit) else []
        if command.waves and other.waves:
            pairs.append((COMPILE, _compiling(command), _compiling(other)))
        for kind, seconds, later in pairs:
            extra = seconds - later
            if extra > max(_SHARED_SECONDS, _SHARED_SHARE * later):
                found.append(SharedWork(target=command.target, kind=kind, seconds=extra, not_needed_by=tuple(before)))
            before.append(f"{kind} {command.target}")
    return tuple(found)


def _compiling(command: CommandCosts) -> float:
    return sum(wave.seconds for wave in command.waves)


def _command_costs(run: Job, jobs: Sequence[Job]) -> CommandCosts:
    inner = [job for job in jobs if job is not run]
    if run.kind != TARGET or not inner:
        return CommandCosts(kind=run.kind, target=run.target, plan=run.seconds)
    plan = min(job.began for job in inner) - run.began
    seconds = {kind: [job.seconds for job in inner if job.kind == kind] for kind in (EMIT_MODULE, WRAP, COMPILE)}
    return CommandCosts(
        kind=run.kind,
        target=run.target,
        plan=plan,
        emit=sum(seconds[EMIT_MODULE]) if seconds[EMIT_MODULE] else None,
        waves=tuple(Wave(job.files, job.seconds) for job in inner if job.kind == COMPILE),
        wrap=sum(seconds[WRAP]) if seconds[WRAP] else None,
        rest=max(0.0, run.seconds - plan - sum(map(sum, seconds.values()))),
    )


def read_graph(scratch: Path, configuration: str = "debug") -> tuple[GraphCommand, ...]:
    """The commands that a plain `swift build` asks for, from the manifest that SwiftPM wrote for the engine."""
    manifest = scratch / f"{configuration}.yaml"
    try:
        text = manifest.read_text(encoding="utf-8")
    except OSError as error:
        raise ToolError(
            f"SwiftPM left no {manifest} ({error.strerror}). Is another build system than 'native' in use?"
        ) from error
    # So that records hold no path of the machine. It still begins with the letter by which the engine orders it.
    return graph_of(text.replace(str(scratch), "/scratch"))


def graph_of(manifest: str) -> tuple[GraphCommand, ...]:
    """The commands of a manifest of the engine, each after those that make its inputs."""
    # By command and field.
    lists: dict[str, dict[str, list[str]]] = {}
    name = ""
    for line in manifest.partition("\ncommands:\n")[2].splitlines():
        if match := _NAME.match(line):
            name = json.loads(match[1])
            lists[name] = {"inputs": [], "outputs": [], "args": []}
        elif match := _FIELD.match(line):
            lists[name][match[1]] = json.loads(match[2])
    makers = {output: name for name, fields in lists.items() for output in fields["outputs"]}
    after = {name: {makers[each] for each in fields["inputs"] if each in makers} for name, fields in lists.items()}
    main = _MAIN.search(manifest)
    if main is None:
        raise ToolError("SwiftPM's manifest for its build engine has no target 'main'.")
    wanted: set[str] = set()
    waiting = {makers[node] for node in json.loads(main[1]) if node in makers}
    while waiting:
        wanted |= waiting
        waiting = {each for name in waiting for each in after[name]} - wanted
    commands = []
    for name in sorted(wanted):
        kind, target = kind_of(lists[name]["args"][1:])
        kind = "" if kind == QUESTION else kind
        commands.append(GraphCommand(name=name, kind=kind, target=target, after=tuple(sorted(after[name] - {name}))))
    return tuple(commands)
