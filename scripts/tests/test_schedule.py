"""Builds played on any number of cores, with known answers."""

from __future__ import annotations

import random

import pytest

from buildspeed.simulation.batches import batches
from buildspeed.simulation.schedule import Contention, Process, Schedule, ScheduledCommand, Stage, play


def command(name: str, *seconds: float, after: tuple[str, ...] = ()) -> ScheduledCommand:
    """A command with one stage of processes."""
    return ScheduledCommand(name, after, (Stage(tuple(Process(f"{name}{n}", each) for n, each in enumerate(seconds))),))


def names(schedule: Schedule) -> list[str]:
    return [step.name for step in schedule.critical_path()]


def test_chain_takes_the_sum_on_any_number_of_cores() -> None:
    chain = [command("a", 1), command("b", 2, after=("a",)), command("c", 3, after=("b",))]
    for cores in (1, 2, None):
        schedule = play(chain, cores, cores)
        assert schedule.seconds == pytest.approx(6)
        assert names(schedule) == ["a0", "b0", "c0"]


def test_diamond_waits_for_its_longer_side() -> None:
    diamond = [
        command("a", 1),
        command("b", 2, after=("a",)),
        command("c", 5, after=("a",)),
        command("d", 1, after=("b", "c")),
    ]
    assert play(diamond, 1, 1).seconds == pytest.approx(9)
    schedule = play(diamond, None, None)
    assert schedule.seconds == pytest.approx(7)
    assert names(schedule) == ["a0", "c0", "d0"]


def test_command_whose_name_is_last_goes_first() -> None:
    schedule = play([command("a", 1), command("b", 1), command("ba", 1)], 1, 1)
    assert [span.command for span in schedule.spans] == ["ba", "b", "a"]


def test_jobs_limit_commands_and_the_processes_of_each() -> None:
    assert play([command("a", 1, 1, 1, 1)], 4, 2).seconds == pytest.approx(2)
    assert play([command(name, 1) for name in "abcd"], 4, 2).seconds == pytest.approx(2)
    # Two commands of two processes each: four processes, and cores enough.
    assert play([command(name, 1, 1) for name in "ab"], 4, 2).seconds == pytest.approx(1)


def test_more_processes_than_cores_share_them() -> None:
    assert play([command(name, 1, 1) for name in "ab"], 2, 2).seconds == pytest.approx(2)
    # The short one ends at 2, after half the speed, and then the long one has a core of its own.
    assert play([command("a", 1), command("b", 3)], 1, 2).seconds == pytest.approx(4)


def test_stage_waits_for_the_one_before_and_background_only_for_the_last() -> None:
    stages = (
        Stage((Process("wave 1", 1),), background=(Process("module", 5),)),
        Stage((Process("wave 2", 1),)),
        Stage((Process("wrap", 1),), last_of_all=True),
    )
    spans = {span.process.name: span for span in play([ScheduledCommand("a", (), stages)], None, None).spans}
    assert spans["wave 2"].began == pytest.approx(1)
    assert spans["wrap"].began == pytest.approx(5)
    # With one job, what is in the background is first.
    assert play([ScheduledCommand("a", (), stages)], 1, 1).seconds == pytest.approx(8)


def test_contention_slows_what_runs_together() -> None:
    contention = Contention(processes=2, factor=1.5)
    assert play([command("a", 2), command("b", 2)], 2, 2, contention).seconds == pytest.approx(3)
    assert play([command("a", 2), command("b", 2)], 2, 1, contention).seconds == pytest.approx(4)
    assert [Contention(3, 1.5).slowdown(running) for running in (0, 1, 2, 3, 9)] == [1, 1, 1.25, 1.5, 1.5]


def test_shared_work_is_done_once_while_others_wait() -> None:
    processes = (Process("x", 1, ("cache",)), Process("y", 1, ("cache",)))
    both = [ScheduledCommand("a", (), (Stage(processes),))]
    schedule = play(both, 2, 2, shared_seconds={"cache": 3})
    assert schedule.seconds == pytest.approx(4)
    assert play(both, 1, 1, shared_seconds={"cache": 3}).seconds == pytest.approx(5)
    # Who waits takes nothing from the cores.
    assert play(both, 1, 2, shared_seconds={"cache": 3}).seconds == pytest.approx(5)
    longer = [ScheduledCommand("a", (), (Stage((processes[0], Process("y", 2, ("cache",)))),))]
    steps = play(longer, 2, 2, shared_seconds={"cache": 3}).critical_path()
    assert [(step.name, step.seconds) for step in steps] == [("x", pytest.approx(3)), ("y", pytest.approx(2))]
    # One that does not need it does not wait.
    other = [ScheduledCommand("a", (), (Stage((processes[0], Process("z", 1))),))]
    spans = {span.process.name: span for span in play(other, 2, 2, shared_seconds={"cache": 3}).spans}
    assert spans["z"].finished == pytest.approx(1)


def test_commands_without_processes_take_no_time_however_many_they_are() -> None:
    chain = [ScheduledCommand(f"{n:05}", (f"{n - 1:05}",)) for n in range(5000)]
    assert play([*chain, command("z", 1, after=("04999",))], 1, 1).seconds == pytest.approx(1)


def test_commands_that_wait_for_one_another_are_refused() -> None:
    with pytest.raises(ValueError, match="wait for one another: a, b"):
        play([command("a", 1, after=("b",)), command("b", 1, after=("a",))], 1, 1)


def longest_chain(commands: list[ScheduledCommand]) -> float:
    """Of commands that are in order. A command takes as long as its longest process."""
    ends: dict[str, float] = {}
    for each in commands:
        own = max(process.seconds for process in each.stages[0].processes)
        ends[each.name] = own + max((ends[name] for name in each.after), default=0)
    return max(ends.values())


@pytest.mark.parametrize("seed", range(60))
def test_random_graph_keeps_the_bounds_that_every_schedule_has(seed: int) -> None:
    generator = random.Random(seed)
    commands: list[ScheduledCommand] = []
    for number in range(generator.randint(1, 12)):
        after = tuple(each.name for each in commands if generator.random() < 0.3)
        seconds = [generator.uniform(0.01, 3) for _ in range(generator.randint(1, 4))]
        commands.append(command(f"{number:02}", *seconds, after=after))
    total = sum(process.seconds for each in commands for process in each.stages[0].processes)
    chain = longest_chain(commands)
    unlimited = play(commands, None, None)
    assert unlimited.seconds == pytest.approx(chain)
    path = unlimited.critical_path()
    assert sum(step.seconds for step in path) == pytest.approx(unlimited.seconds)
    assert play(commands, 1, 1).seconds == pytest.approx(total)
    for cores in (1, 2, 3, 8):
        seconds = play(commands, cores, cores).seconds
        assert seconds >= chain - 1e-6
        assert seconds >= total / cores - 1e-6
        assert seconds <= total + 1e-6
        # More cores with as many jobs, all started at once, cannot hurt work without order.
        loose = [ScheduledCommand(each.name, (), each.stages) for each in commands]
        assert play(loose, cores + 1, None).seconds <= play(loose, cores, None).seconds + 1e-6


@pytest.mark.parametrize(
    ("files", "jobs", "sizes"),
    # As `swiftc -driver-print-jobs` of Swift 6.3.1 has them.
    [
        (0, 1, []),
        (3, 2, [2, 1]),
        (4, 3, [2, 1, 1]),
        (10, 4, [3, 3, 2, 2]),
        (7, 5, [2, 2, 1, 1, 1]),
        (26, 1, [13, 13]),
        (60, 2, [20, 20, 20]),
        (3, None, [1, 1, 1]),
    ],
)
def test_files_are_divided_as_the_driver_does(files: int, jobs: int | None, sizes: list[int]) -> None:
    found = batches(list(range(files)), jobs)
    assert [len(batch) for batch in found] == sizes
    assert [file for batch in found for file in batch] == list(range(files))
