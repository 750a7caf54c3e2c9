"""Plays a build on any number of cores: the engine's lanes, the driver's processes, and cores that they share.

SwiftPM's engine runs at most `jobs` commands at once, and of those that are ready the one whose name is last in the
alphabet. The command of a target is a driver, which starts at most `jobs` processes at once too. So there may be more
processes than cores, which then share them evenly.
"""

from __future__ import annotations

import math
from bisect import insort
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from graphlib import CycleError, TopologicalSorter
from typing import NamedTuple

# Less than this is nothing: a moment, for numbers that were added up in different order.
_MOMENT = 1e-9


@dataclass(frozen=True)
class Process:
    """Something that one core does. `shared` names work that the first process to need it does, in the time given by
    `shared_seconds`, while others that need it wait."""

    name: str
    seconds: float
    shared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """Processes of a command. The stage begins when those of the stage before have ended; the `background` may continue
    until a stage that is `last_of_all`."""

    processes: tuple[Process, ...]
    background: tuple[Process, ...] = ()
    last_of_all: bool = False


@dataclass(frozen=True)
class ScheduledCommand:
    """A command of the engine, in stages."""

    name: str
    after: tuple[str, ...] = ()
    stages: tuple[Stage, ...] = ()


@dataclass(frozen=True)
class Contention:
    """The slowdown of a process while others run: `factor` with `processes` at once or more, less with fewer."""

    processes: int = 1
    factor: float = 1

    def slowdown(self, running: int) -> float:
        if running <= 1 or self.processes <= 1:
            return 1
        return 1 + (self.factor - 1) * (min(running, self.processes) - 1) / (self.processes - 1)


@dataclass(eq=False)
class Span:
    """A process as it is played. `cause` is the process that it waited for last, None for the first, and `resumed`
    the moment when it waited no more. `left` is the work of what it does now: shared work (`builds`) or its own.
    `needs` are the shared parts that it has not dealt with yet, and `waits_for` the one that another process does."""

    process: Process
    command: str
    in_background: bool
    began: float
    resumed: float
    cause: Span | None
    needs: list[str]
    finished: float = math.inf
    left: float = 0
    builds: str | None = None
    waits_for: str | None = None


class PathStep(NamedTuple):
    """A process of the critical path, and for how long the build waited for it."""

    name: str
    seconds: float


@dataclass(frozen=True)
class Schedule:
    """A build as it was played."""

    seconds: float
    spans: tuple[Span, ...]

    def critical_path(self) -> tuple[PathStep, ...]:
        """The processes that each waited for the one before, up to the last to end."""
        steps: list[PathStep] = []
        span: Span | None = max(self.spans, key=lambda each: each.finished, default=None)
        end = self.seconds
        while span is not None:
            steps.append(PathStep(span.process.name, end - span.resumed))
            end = span.resumed
            span = span.cause
        return tuple(reversed(steps))

    @property
    def path(self) -> list[str]:
        """The critical path in words, without what took no time."""
        return [f"{step.name} {step.seconds:.2f} s" for step in self.critical_path() if step.seconds > 0]


@dataclass
class _Active:
    """A command that holds a lane. Each process that is queued or runs is in the background or not."""

    command: ScheduledCommand
    next_stage: int = 0
    queue: list[tuple[Process, bool]] = field(default_factory=list)
    running: list[Span] = field(default_factory=list)

    @property
    def may_go_on(self) -> bool:
        """Whether the next stage may begin, or the command end."""
        stages = self.command.stages
        joins = self.next_stage == len(stages) or stages[self.next_stage].last_of_all
        background = [*(each.in_background for each in self.running), *(each for _, each in self.queue)]
        return not background if joins else all(background)


def play(
    commands: Sequence[ScheduledCommand],
    cores: int | None,
    jobs: int | None,
    contention: Contention | None = None,
    shared_seconds: Mapping[str, float] | None = None,
) -> Schedule:
    """Plays the commands. `cores` and `jobs` are None for as many as there is work for."""
    by_name = {command.name: command for command in commands}
    order = TopologicalSorter({name: by_name.keys() & set(each.after) for name, each in by_name.items()})
    try:
        order.prepare()
    except CycleError as error:
        raise ValueError(f"commands wait for one another: {', '.join(sorted(set(error.args[1])))}") from error
    run = _Play(by_name, order, cores or math.inf, jobs or math.inf, contention or Contention(), shared_seconds or {})
    run.start_commands(None)
    while run.running:
        run.advance()
    return Schedule(run.now, tuple(run.spans))


@dataclass
class _Play:
    commands: Mapping[str, ScheduledCommand]
    order: TopologicalSorter[str]
    cores: float
    jobs: float
    contention: Contention
    shared_seconds: Mapping[str, float]
    # In the order of the alphabet.
    ready: list[str] = field(default_factory=list)
    active: dict[str, _Active] = field(default_factory=dict)
    running: list[Span] = field(default_factory=list)
    spans: list[Span] = field(default_factory=list)
    now: float = 0
    # Of shared work: what was begun, and what is done.
    begun: set[str] = field(default_factory=set)
    built: set[str] = field(default_factory=set)

    def start_commands(self, cause: Span | None) -> None:
        """Gives free lanes to commands that are ready."""
        while True:
            for name in self.order.get_ready():
                insort(self.ready, name)
            if not self.ready or len(self.active) >= self.jobs:
                return
            name = self.ready.pop()
            self.active[name] = _Active(self.commands[name])
            self.go_on(self.active[name], cause)

    def go_on(self, active: _Active, cause: Span | None) -> None:
        """Starts what a command may start now, and ends it where nothing is left."""
        while active.may_go_on:
            if active.next_stage == len(active.command.stages):
                del self.active[active.command.name]
                self.order.done(active.command.name)
                return
            stage = active.command.stages[active.next_stage]
            active.next_stage += 1
            # The background is started first, as the driver does with the job for the module.
            active.queue += [(process, True) for process in stage.background]
            active.queue += [(process, False) for process in stage.processes]
        while active.queue and len(active.running) < self.jobs:
            process, in_background = active.queue.pop(0)
            span = Span(process, active.command.name, in_background, self.now, self.now, cause, list(process.shared))
            for spans in (self.spans, self.running, active.running):
                spans.append(span)
            self.next_part(span)

    def next_part(self, span: Span) -> None:
        """Continues with shared work that is not done yet, or with the process's own."""
        while span.needs:
            item = span.needs[0]
            if item in self.begun and item not in self.built:
                span.waits_for = item
                return
            span.needs.pop(0)
            if item not in self.built:
                self.begun.add(item)
                span.builds, span.left = item, self.shared_seconds[item]
                return
        span.left = span.process.seconds

    def advance(self) -> None:
        """Advances to the next moment at which something ends."""
        working = [each for each in self.running if each.waits_for is None]
        rate = min(1.0, self.cores / len(working)) / self.contention.slowdown(int(min(len(working), self.cores)))
        elapsed = min(each.left for each in working) / rate
        self.now += elapsed
        for each in working:
            each.left -= elapsed * rate
        for each in [each for each in working if each.left <= _MOMENT]:
            if each.builds is None:
                self.end_process(each)
            else:
                self.end_shared(each, each.builds)

    def end_shared(self, span: Span, item: str) -> None:
        self.built.add(item)
        span.builds = None
        self.next_part(span)
        for other in self.running:
            if other.waits_for == item:
                other.waits_for, other.cause, other.resumed = None, span, self.now
                self.next_part(other)

    def end_process(self, span: Span) -> None:
        span.finished = self.now
        active = self.active[span.command]
        self.running.remove(span)
        active.running.remove(span)
        self.go_on(active, span)
        self.start_commands(span)
