"""The growth of the cost with the size, and the distance of builds from the work that cannot be avoided."""

from __future__ import annotations

import dataclasses

import pytest
from made_records import floor_record, sample, scale_record, straight
from msgspec.structs import replace
from swiftmodules.analysis.floor import PHASES, FloorAnalysis, phases
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.observed import Conditions, Job
from swiftmodules.records.kinds import ScaleRecord, variant
from swiftmodules.records.model import CONTROL, Cell

CELL = Cell("packages", "body", "Profile1")


def measured_twice(record: ScaleRecord, slowness: float) -> ScaleRecord:
    """The record with a control that takes `slowness` times as long as `interface`, which it repeats."""
    smallest, *others = record.sizes
    repeated = [
        replace(each, layout=CONTROL, seconds=each.seconds * slowness)
        for each in record.samples
        if each.layout == "interface" and each.size == smallest.size
    ]
    sizes = [replace(smallest, control="interface"), *others]
    return replace(record, sizes=sizes, samples=[*record.samples, *repeated])


def test_growth_goes_through_the_medians_of_the_sizes() -> None:
    found = ScaleAnalysis(scale_record(sizes=(10, 20, 40))).growths
    growth = found[CELL]
    assert growth.medians == {"seconds": {10: 3, 20: 4, 40: 6}, "files": {10: 23, 20: 43, 40: 83}}
    assert [line and line.slope for line in growth.lines.values()] == pytest.approx([0.1, 2])
    assert found[Cell("interface", "noop", None)].lines["files"] is not None


def test_machine_that_slows_down_for_one_size_moves_the_slopes_and_not_the_ratios() -> None:
    def slowed(layout: str, size: int) -> tuple[float, int]:
        seconds, files = straight(layout, size)
        return seconds * (1.5 if size == 5 else 1), files

    steady, moved = ScaleAnalysis(scale_record()), ScaleAnalysis(scale_record(slowed))
    before, after = (each.growths[CELL].lines["seconds"] for each in (steady, moved))
    assert before is not None and after is not None and after.slope < 0.6 * before.slope
    for analysis in (steady, moved):
        ratios = analysis.comparisons[CELL]
        assert {size: ratio.median for size, ratio in ratios.items()} == pytest.approx(
            {5: 2.5 / 1.2, 10: 3 / 1.4, 20: 4 / 1.8}
        )


def test_without_the_baseline_there_are_no_ratios() -> None:
    record = scale_record()
    alone = replace(record, samples=[each for each in record.samples if each.layout == "packages"])
    assert ScaleAnalysis(alone).comparisons == {}


def test_control_that_differs_from_itself_makes_the_run_untrustworthy() -> None:
    steady = ScaleAnalysis(measured_twice(scale_record(), 1))
    assert steady.control is not None and (str(steady.control), steady.control.pairs) == ("1.00 (1.00–1.00)", 9)
    assert steady.warnings == []
    # The control is not a layout of the report.
    assert not any(cell.layout == CONTROL for cell in steady.growths)
    (warning,) = ScaleAnalysis(measured_twice(scale_record(), 1.1)).warnings
    assert warning.startswith("**This run cannot be trusted:**")
    assert "took 1.10 (1.10–1.10) times as long as itself" in warning


def test_busy_machine_and_interruptions_are_warnings() -> None:
    record = scale_record()
    record.samples = [replace(each, conditions=Conditions(noisy=True)) for each in record.samples]
    record.incomplete = "the run ended after 54 samples (interrupted by SIGINT)."
    incomplete, noisy = ScaleAnalysis(record).warnings
    assert incomplete.startswith("**Incomplete:** the run ended after 54 samples")
    assert noisy.startswith("**Noisy:** other programs used the machine during 54 of 54 samples.")
    # The samples of a size that was interrupted before its facts were known belong to no point.
    record.sizes = record.sizes[:2]
    assert list(ScaleAnalysis(record).growths[CELL].medians["seconds"]) == [5, 10]


def test_every_moment_belongs_to_one_phase() -> None:
    jobs = [
        Job(kind="question", began=0.1, finished=0.3),
        Job(kind="target", target="A", began=1.0, finished=4.0),
        Job(kind="emit-module", target="A", began=1.2, finished=3.5),
        Job(kind="compile", target="A", files=("a",), began=1.2, finished=3.0),
        Job(kind="wrap", target="A", began=3.5, finished=3.8),
        Job(kind="wrap", target="A", began=4.1, finished=4.2),
        Job(kind="link", target="App", began=4.2, finished=5.0),
    ]
    found = phases(jobs, 5.5)
    expected = {"start": 1, "planning": 0.4, "compile": 1.8, "emit-module": 0.5, "wrap": 0.4, "link": 0.8, "rest": 0.6}
    assert found == pytest.approx(expected)
    assert sum(found.values()) == pytest.approx(5.5)
    assert phases(jobs[:1], 0.5) == {**dict.fromkeys(PHASES, 0.0), "start": 0.5}


def test_settings_are_compared_within_a_round_and_with_work_by_hand() -> None:
    default, lld, cache = FloorAnalysis(floor_record()).settings
    assert default.ratio is None and default.edit and default.edit.value == 4
    assert lld.ratio and (lld.ratio.median, lld.ratio.pairs) == (0.5, 7)
    assert lld.ratio.interval and lld.ratio.interval.low == lld.ratio.interval.high == 0.5
    assert lld.over_hand and lld.over_hand.median == pytest.approx(2 / 0.4)
    # Of a setting that keeps results, only the builds for which they were there.
    assert cache.edit is None and cache.clean and cache.clean.value == 2
    assert cache.first_clean_seconds == 20
    assert cache.clean_ratio and cache.clean_ratio.median == 0.2


def test_advice_is_judged_by_the_interval_and_the_files_in_each_layout() -> None:
    analysis = FloorAnalysis(floor_record())
    assert list(analysis.builds) == ["body A", "private-top A", "clean build"]
    found = {variant(each.setting, each.layout): each for each in analysis.advice}
    assert {name: each.verdict for name, each in found.items()} == {
        "default": "",
        "lld": "helps",
        "cache": "helps",
        "whole": "breaks",
        "default in fused": "",
        "lld in fused": "breaks",
        "cache in fused": "",
        "whole in fused": "breaks",
    }
    # The failed builds are no times, and the other edit of the same setting keeps its own.
    assert found["lld in fused"].broken == {"private-top A": "error: no linker"}
    body = found["lld in fused"].effects["body A"]
    assert (str(body.ratio), body.sign, body.more_files) == ("1.33 (1.33–1.33)", 1, 1)
    assert set(found["whole"].broken) == set(analysis.builds)
    assert analysis.control and (analysis.control.median, analysis.control.pairs) == (1, 21)


@pytest.mark.parametrize(
    ("seconds", "files", "rounds", "verdict"),
    [
        (1.0, 3, 7, "does nothing"),
        (1.0, 2, 7, "does nothing, with fewer files"),
        (1.0, 9, 7, "does nothing, with more files"),
        (0.99, 3, 7, "helps"),
        (1.01, 3, 7, "hurts"),
        # Too few for an interval: only what is further from 1 than 25%.
        (0.8, 3, 3, "undecided"),
        (0.7, 3, 3, "helps"),
        (1.3, 3, 3, "hurts"),
    ],
)
def test_verdict_on_advice(seconds: float, files: int, rounds: int, verdict: str) -> None:
    record = floor_record(rounds)
    record.options = dataclasses.replace(record.options, settings=("default", "lld"), layouts=("interface",))
    record.samples = [
        sample(number, name, own, count, module="A")
        for number in range(1, rounds + 1)
        for name, own, count in (("default", 1.0, 3), ("lld", seconds, files))
    ]
    assert [each.verdict for each in FloorAnalysis(record).advice] == ["", verdict]


def test_setting_that_helps_one_build_and_hurts_another_says_which() -> None:
    record = floor_record()
    record.options = dataclasses.replace(record.options, settings=("default", "lld"), layouts=("interface",))
    record.samples = [
        sample(number, name, own, module="A", edit=edit)
        for number in range(1, 8)
        for name, own, edit in (
            *(("default", 1.0, "body"), ("lld", 0.5, "body")),
            *(("default", 1.0, "private-top"), ("lld", 2.0, "private-top")),
        )
    ]
    assert FloorAnalysis(record).advice[1].verdict == "helps body A; hurts private-top A"
    record.samples = [
        replace(each, seconds=1) if (each.layout, each.edit) == ("lld", "private-top") else each
        for each in record.samples
    ]
    assert FloorAnalysis(record).advice[1].verdict == "helps body A"


def test_control_of_settings_that_differs_from_itself_is_warned_of() -> None:
    record = floor_record()
    record.samples = [
        replace(each, seconds=each.seconds * 2) if each.layout == "control" else each for each in record.samples
    ]
    # Two of three cells are as they were, so the median is, and the interval holds 1.
    assert FloorAnalysis(record).warnings == []
    record.samples = [
        replace(each, seconds=each.seconds * 2) if each.layout == "control in fused" else each
        for each in record.samples
    ]
    (warning,) = FloorAnalysis(record).warnings
    assert warning.startswith(
        "**This run cannot be trusted:** `default`, measured a second time, took 2.00 (2.00–2.00)"
    )


def test_too_few_rounds_are_a_warning() -> None:
    assert FloorAnalysis(floor_record()).warnings == []
    assert FloorAnalysis(floor_record(3)).warnings == ["**No intervals:** 3 rounds are too few for one."]
