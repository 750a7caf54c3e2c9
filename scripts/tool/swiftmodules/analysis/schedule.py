"""Plays a build on any number of cores: the engine's lanes, the driver's processes, and cores that they share.

SwiftPM's engine runs at most `jobs` commands at once, and of those that are ready the one whose name is last in the
alphabet. The command of a target is a driver, which starts at most `jobs` processes at once too. So there may be more
processes than cores, which then share them evenly.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

# Less than this is nothing: a moment, for numbers that were added up in different order.
_MOMENT = 1e-9


@dataclass(frozen=True)
class Process:
    """Something that one core does. `shared` names work that the first process to need it does, for as long as
    `shared_seconds` says, while others that need it wait."""

    name: str
    seconds: float
    shared: tuple[str, ...] = ()


@dataclass(frozen=True)
class Stage:
    """Processes of a command. The stage begins when those of the stage before have ended; the `background` may go on
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
    """How much longer a process takes while others run: `factor` with `processes` at once or more, less with fewer."""

    processes: int = 1
    factor: float = 1

    def slowdown(self, running: int) -> float:
        if running <= 1 or self.processes <= 1:
            return 1
        return 1 + (self.factor - 1) * (min(running, self.processes) - 1) / (self.processes - 1)


@dataclass
class Span:
    """A process as it was played. `cause` is the process that it waited for last, None for the first, and `resumed`
    the moment when it waited no more."""

    process: Process
    command: str
    began: float
    resumed: float
    finished: float = math.inf
    cause: Span | None = None


@dataclass(frozen=True)
class PathStep:
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


@dataclass
class _Running:
    """A process that has begun. `left` is the work of what it does now: shared work (`builds`) or its own. `needs`
    are the shared parts that it has not seen to yet, and `waits_for` the one that another process does."""

    span: Span
    in_background: bool
    needs: list[str]
    left: float = 0
    builds: str | None = None
    waits_for: str | None = None


@dataclass
class _Active:
    """A command that holds a lane. Each queued process is in the background or not."""

    command: ScheduledCommand
    next_stage: int = 0
    queue: list[tuple[Process, bool]] = field(default_factory=list)
    running: int = 0
    running_in_background: int = 0

    @property
    def may_go_on(self) -> bool:
        """Whether the next stage may begin, or the command end."""
        stages = self.command.stages
        joins = self.next_stage == len(stages) or stages[self.next_stage].last_of_all
        waiting = self.running or any(not in_background for _, in_background in self.queue)
        return not waiting and not (joins and (self.running_in_background or self.queue))


def play(
    commands: Sequence[ScheduledCommand],
    cores: int | None,
    jobs: int | None,
    contention: Contention | None = None,
    shared_seconds: Mapping[str, float] | None = None,
) -> Schedule:
    """Plays the commands. `cores` and `jobs` are None for as many as there is work for."""
    return _Play(commands, cores, jobs, contention or Contention(), shared_seconds or {}).run()


class _Play:
    def __init__(
        self,
        commands: Sequence[ScheduledCommand],
        cores: int | None,
        jobs: int | None,
        contention: Contention,
        shared_seconds: Mapping[str, float],
    ) -> None:
        self._cores = math.inf if cores is None else cores
        self._jobs = math.inf if jobs is None else jobs
        self._contention = contention
        self._shared_seconds = shared_seconds
        self._commands = {command.name: command for command in commands}
        self._missing = {command.name: len(set(command.after) & self._commands.keys()) for command in commands}
        self._users: dict[str, list[str]] = {name: [] for name in self._commands}
        for command in commands:
            for name in set(command.after) & self._commands.keys():
                self._users[name].append(command.name)
        self._ready: list[tuple[tuple[int, ...], str]] = []
        self._active: dict[str, _Active] = {}
        self._running: list[_Running] = []
        self._spans: list[Span] = []
        self._now = 0.0
        # Of shared work: who does it, and what is done.
        self._builders: dict[str, Span] = {}
        self._built: set[str] = set()

    def run(self) -> Schedule:
        for name, missing in self._missing.items():
            if not missing:
                self._make_ready(name)
        self._start_commands(None)
        while self._running:
            self._advance()
        unfinished = [name for name, missing in self._missing.items() if missing]
        if unfinished:
            raise ValueError(f"commands wait for one another: {', '.join(unfinished)}")
        return Schedule(self._now, tuple(self._spans))

    def _make_ready(self, name: str) -> None:
        # The heap gives the least; wanted is the last in the alphabet.
        heapq.heappush(self._ready, ((*(-ord(letter) for letter in name), 1), name))

    def _start_commands(self, cause: Span | None) -> None:
        """Gives free lanes to commands that are ready."""
        while self._ready and len(self._active) < self._jobs:
            _, name = heapq.heappop(self._ready)
            self._active[name] = _Active(self._commands[name])
            self._go_on(self._active[name], cause)

    def _go_on(self, active: _Active, cause: Span | None) -> None:
        """Starts what a command may start now, and ends it where nothing is left."""
        while active.may_go_on:
            if active.next_stage == len(active.command.stages):
                self._end_command(active.command.name)
                return
            stage = active.command.stages[active.next_stage]
            active.next_stage += 1
            # What is in the background is started first, as the driver does with the job for the module.
            active.queue += [(process, True) for process in stage.background]
            active.queue += [(process, False) for process in stage.processes]
        while active.queue and active.running + active.running_in_background < self._jobs:
            self._start_process(active, *active.queue.pop(0), cause)

    def _end_command(self, name: str) -> None:
        del self._active[name]
        for user in self._users[name]:
            self._missing[user] -= 1
            if not self._missing[user]:
                self._make_ready(user)

    def _start_process(self, active: _Active, process: Process, in_background: bool, cause: Span | None) -> None:
        if in_background:
            active.running_in_background += 1
        else:
            active.running += 1
        span = Span(process, active.command.name, self._now, self._now, cause=cause)
        self._spans.append(span)
        running = _Running(span, in_background, list(process.shared))
        self._running.append(running)
        self._next_part(running)

    def _next_part(self, running: _Running) -> None:
        """Goes on with shared work that is not done yet, or with the process's own."""
        while running.needs:
            item = running.needs[0]
            if item in self._builders and item not in self._built:
                running.waits_for = item
                return
            running.needs.pop(0)
            if item not in self._built:
                self._builders[item] = running.span
                running.builds = item
                running.left = self._shared_seconds[item]
                return
        running.left = running.span.process.seconds

    def _advance(self) -> None:
        """Goes on to the next moment at which something ends."""
        working = [each for each in self._running if each.waits_for is None]
        rate = min(1.0, self._cores / len(working)) / self._contention.slowdown(int(min(len(working), self._cores)))
        elapsed = min(each.left for each in working) / rate
        self._now += elapsed
        for each in working:
            each.left -= elapsed * rate
        for each in [each for each in working if each.left <= _MOMENT]:
            if each.builds is None:
                self._end_process(each)
            else:
                self._end_shared(each, each.builds)

    def _end_shared(self, running: _Running, item: str) -> None:
        self._built.add(item)
        running.builds = None
        self._next_part(running)
        for other in self._running:
            if other.waits_for == item:
                other.waits_for = None
                other.span.cause, other.span.resumed = running.span, self._now
                self._next_part(other)

    def _end_process(self, running: _Running) -> None:
        self._running.remove(running)
        running.span.finished = self._now
        active = self._active[running.span.command]
        if running.in_background:
            active.running_in_background -= 1
        else:
            active.running -= 1
        self._go_on(active, running.span)
        self._start_commands(running.span)
