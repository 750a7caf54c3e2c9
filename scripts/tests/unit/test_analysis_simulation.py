"""Builds played on any number of cores, with known answers; and from the times of jobs to the prediction of a build."""

from __future__ import annotations

import random

import pytest
from made_records import COSTS, build, simulate_record
from msgspec.structs import replace
from swiftmodules.analysis.schedule import Contention, Process, Schedule, ScheduledCommand, Stage, play
from swiftmodules.analysis.simulation import SimulateAnalysis, batches
from swiftmodules.records import kinds
from swiftmodules.records.kinds import FileCosts, SharedWork, SimulateRecord
from swiftmodules.report.markdown import check_sentence


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
    # A process that waits takes nothing from the cores.
    assert play(both, 1, 2, shared_seconds={"cache": 3}).seconds == pytest.approx(5)
    longer = [ScheduledCommand("a", (), (Stage((processes[0], Process("y", 2, ("cache",)))),))]
    steps = play(longer, 2, 2, shared_seconds={"cache": 3}).critical_path()
    assert {step.name: step.seconds for step in steps} == pytest.approx({"x": 3, "y": 2})
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
    """The seconds of the longest chain. Commands are in order, and a command takes as long as its longest process."""
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
        own = [generator.uniform(0.01, 3) for _ in range(generator.randint(1, 4))]
        commands.append(command(f"{number:02}", *own, after=after))
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


def predicted(record: SimulateRecord, cores: int | None) -> float:
    layout = record.layouts[0]
    return SimulateAnalysis(record).predict(layout, layout.builds[0], cores).seconds


def test_prediction_with_one_core_is_the_measured_build() -> None:
    assert predicted(simulate_record(build()), 1) == pytest.approx(6.0)


def test_more_cores_emit_the_module_beside_and_split_the_files() -> None:
    found = simulate_record(build())
    # Each of two processes takes 0.4 s and half of the other second. With two jobs, the second waits for the module.
    assert predicted(found, 2) == pytest.approx(6.0 - 0.5 - 1.4 + (0.5 + 0.9))
    assert predicted(found, None) == pytest.approx(6.0 - 0.5 - 1.4 + 0.9)


def test_critical_path_names_what_is_waited_for() -> None:
    found = simulate_record(build())
    costs = FileCosts({"a.swift": 3.0, "b.swift": 1.0}, {"A": 0.4})
    layout = replace(found.layouts[0], file_costs=costs)
    assert SimulateAnalysis(found).predict(layout, layout.builds[0], None).path == [
        "swift build starts 0.90 s",
        "plan A 0.60 s",
        "compile A: a.swift 1.15 s",
        "wrap A 0.20 s",
        "end of driver A 0.40 s",
        "wrap A 0.30 s",
        "link App 1.10 s",
        "swift build ends 0.60 s",
    ]


def test_shared_work_is_part_of_a_clean_build() -> None:
    shared = SharedWork(target="A", kind="compile", seconds=1.0, not_needed_by=("emit-module A",))
    assert predicted(simulate_record(build(shared=(shared,))), 1) == pytest.approx(7.0)


def test_contention_makes_a_prediction_longer() -> None:
    slowed = simulate_record(build(), contention=(kinds.Contention(1, 1.5),))
    assert predicted(slowed, 2) > predicted(simulate_record(build()), 2)
    assert predicted(slowed, 1) == predicted(simulate_record(build()), 1)


def test_error_is_that_of_the_prediction_and_names_what_is_beyond() -> None:
    exact = SimulateAnalysis(simulate_record(build({1: (6.0,)})))
    (check,) = exact.checks
    assert (check.jobs, check.measured, check.error) == pytest.approx((1, 6.0, 0))
    assert check_sentence(exact).endswith("All stay below 15%.")
    wrong = SimulateAnalysis(simulate_record(build({1: (6.0,), 2: (50.0,)})))
    assert check_sentence(wrong).endswith("All but 1 stay below 15%: interface body A with 2 jobs, -89%.")


def test_error_of_many_builds_has_an_interval_that_shows_whether_it_is_the_model_or_the_machine() -> None:
    def measured(*seconds: float) -> SimulateAnalysis:
        return SimulateAnalysis(simulate_record(build({1: seconds}, costs=(COSTS,) * len(seconds))))

    wrong = measured(7.6, 7.7, 7.8, 7.9, 8.0, 8.1)
    (check,) = wrong.checks
    assert check.interval is not None and check.interval.high < -0.2 and check.error in check.interval
    assert measured(7.6, 7.7, 7.8, 7.9, 8.0).checks[0].interval is None
    assert check_sentence(wrong).endswith("below 15%: interface body A with 1 job, -24% (-25% to -22%).")


def test_error_is_the_median_of_all_times_each_with_the_builds_right_after_it() -> None:
    # Twice as slow for a while; a tenth too short, and a tenth too long.
    costs = tuple(replace(COSTS, end=COSTS.end + seconds - 6.0) for seconds in (6.0, 12.0, 6.6))
    found = simulate_record(build({1: (6.0, 12.0 / 0.9, 6.0)}, costs=costs))
    (check,) = SimulateAnalysis(found).checks
    assert (check.predicted, check.measured, check.error) == pytest.approx((6.6, 6.0, 0.0))
    assert predicted(found, 1) == pytest.approx(6.6)


def test_rebuilds_are_those_after_an_edit_that_all_layouts_have() -> None:
    clean, touch, body = build(edit=None), build({10: (8.0, 4.0), 2: (9.0,)}, edit="touch"), build({1: (7.0,)})

    def rebuilds(*builds: tuple[kinds.MeasuredBuild, ...]) -> dict[str, kinds.Rebuild]:
        (layout,) = simulate_record().layouts
        layouts = [replace(layout, layout=str(number), builds=each) for number, each in enumerate(builds)]
        return SimulateAnalysis(simulate_record(layouts=layouts)).rebuilds

    found = rebuilds((clean, body, touch), (clean, touch))
    assert {layout: (each.edit, each.module, each.seconds) for layout, each in found.items()} == {
        "0": ("touch", "A", 4.0),
        "1": ("touch", "A", 4.0),
    }
    assert found["0"].jobs == touch.timeline
    assert rebuilds((clean, body), (clean, touch)) == {}
    assert rebuilds() == {}
