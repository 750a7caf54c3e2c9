"""The analysis of a record: cells, ratios along the axes, the A/A control, noise and several machines."""

from __future__ import annotations

import random

import pytest
from made_records import (
    MACHINE,
    conditions,
    growing_record,
    noisy_record,
    rounds_of,
    run_record,
    sample,
    settings_record,
)
from msgspec.structs import replace
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.axes import AXES
from swiftmodules.measure.record import BY_HAND, CLEAN, Cell, Place, Record, Sample, Variant, Verdict, Verification
from swiftmodules.measure.verdicts import control_sentence, warnings

STORE = Cell(layout="interface", edit="body", module="Store")
FUSED = AXES["layout"].at(STORE, "fused")
GROWN = Cell(layout="fused", edit="body", module="Profile")


def median(analysis: Analysis, cell: Cell, axis: str) -> float | None:
    ratio = analysis.ratio(cell, AXES[axis])
    return None if ratio is None else ratio.median


def test_summary_has_medians_extremes_and_the_ratio_within_rounds() -> None:
    samples = [
        *rounds_of({"interface": [1, 2, 4]}),
        *(sample(round, "fused", seconds, files=round) for round, seconds in ((2, 6), (1, 2), (3, 8), (4, 99))),
    ]
    summary = Analysis(run_record(samples)).summaries[FUSED]
    assert (summary.files, str(summary.files)) == ((1, 2.5, 4), "2.5 (1–4)")
    assert summary.seconds is not None
    assert (*summary.extremes, summary.seconds.value) == (2, 99, 7)
    # Of 3, 2 and 2: the round without its pair does not count, and the ratio of the medians would be another.
    assert (summary.ratios["layout"].median, summary.ratios["layout"].pairs) == (2, 3)


def test_rows_are_those_with_a_place_or_samples_in_the_order_of_the_axes() -> None:
    record = run_record([sample(1, "fused", 1, module="Feed"), sample(1, "fused", 1, edit="noop", module=None)])
    record.axes = {**record.axes, "edit": ("noop", "signature", "body"), "module": ("Feed", "Store")}
    record.placements += (Place(edit="body", module="Store", description="somewhere"),)
    analysis = Analysis(record)
    assert analysis.rows == [("noop", None), ("body", "Feed"), ("body", "Store")]
    assert [cell.row for cell in analysis.summaries] == [("noop", None), ("body", "Feed")]


def test_noise_is_known_where_it_was_recorded() -> None:
    analysis = Analysis(noisy_record({"interface": 1}))
    assert analysis.noise == (1, 10)
    blind = [sample(1, "interface", 1, conditions=conditions(None)), sample(2, "interface", 1)]
    assert Analysis(run_record(blind)).noise is None


def test_each_axis_is_compared_with_its_own_baseline_in_the_same_round() -> None:
    analysis = Analysis(settings_record())
    lld = AXES["setting"].at(STORE, "lld")
    assert [axis.name for axis in analysis.axes] == ["layout", "setting", "until"]
    assert median(analysis, lld, "setting") == 0.5
    assert median(analysis, lld, "until") == 5
    assert median(analysis, AXES["layout"].at(lld, "fused"), "setting") == pytest.approx(4 / 3)
    assert median(analysis, AXES["layout"].at(lld, "fused"), "layout") == 8
    assert set(analysis.summaries[lld].ratios) == {"setting", "until"}
    # A baseline has no ratio to itself, nor a cell without one.
    assert median(analysis, STORE, "setting") is None
    assert median(analysis, AXES["layout"].at(STORE, "fused"), "until") is None


def test_first_clean_build_of_a_setting_that_keeps_results_does_not_count_nor_one_that_failed() -> None:
    summaries = Analysis(settings_record()).summaries
    cache = Cell(layout="interface", setting="cache", edit=CLEAN)
    assert summaries[cache].seconds is not None and summaries[cache].seconds.value == 2
    assert summaries[cache].ratios["setting"].median == 0.2
    assert summaries[AXES["setting"].at(cache, "default")].seconds is not None
    assert not any(cell.setting == "whole" for cell in summaries)


def test_copies_are_compared_with_the_fewest() -> None:
    assert median(Analysis(growing_record()), AXES["copies"].at(GROWN, 20), "copies") == pytest.approx(4 / 2.5)


def test_baseline_is_the_first_known_one_or_else_the_first_value() -> None:
    live = run_record([sample(1, layout, 1) for layout in ("interface", "live", "fused")])
    assert AXES["layout"].baseline_of(live) == "live"
    assert AXES["layout"].baseline_of(run_record([sample(1, "monolith", 1)])) == "monolith"
    by_hand = run_record([sample(1, "interface", 1, until=until) for until in ("built", BY_HAND)])
    assert AXES["until"].baseline_of(by_hand) == BY_HAND


def test_build_that_takes_as_long_as_itself_can_be_trusted() -> None:
    analysis = Analysis(noisy_record({"interface": 1, "control": 1, "fused": 2}))
    control = analysis.control
    assert control is not None
    assert (control.overall.interval is not None and 1 in control.overall.interval, control.overall.pairs) == (True, 10)
    assert warnings(analysis) == []
    # The second build is no cell of the report.
    assert len(analysis.summaries[STORE].samples) == 10


def test_identical_builds_are_trusted_and_a_difference_beyond_the_margin_is_seen() -> None:
    def untrustworthy(control: float, seed: int) -> bool:
        found = Analysis(noisy_record({"interface": 1, "control": control}, noise=0.05, seed=seed)).control
        assert found is not None
        return found.is_untrustworthy

    assert sum(untrustworthy(1, seed) for seed in range(300)) == 0
    assert sum(untrustworthy(1.25, seed) for seed in range(300)) > 295


def test_run_that_differs_from_itself_cannot_be_trusted_unless_it_has_too_few_pairs() -> None:
    analysis = Analysis(noisy_record({"interface": 1, "control": 1.2, "fused": 2}))
    assert analysis.control is not None and analysis.control.overall.interval is not None
    assert 1 not in analysis.control.overall.interval
    (warning,) = warnings(analysis)
    assert warning.startswith("**This run cannot be trusted:** the second build of `interface`, in a build directory")
    assert "took 1.2" in warning
    assert "more than 5% from 1, so this run cannot be trusted." in (control_sentence(analysis) or "")
    few = Analysis(noisy_record({"interface": 1, "control": 1.5}, count=3))
    assert few.control is not None and few.control.overall.interval is None and warnings(few) == []
    assert "too few pairs to judge the run by" in (control_sentence(few) or "")


def test_control_pools_the_pairs_of_all_edits_and_layouts_but_not_the_work_by_hand() -> None:
    # Each edit has too few pairs alone.
    record = noisy_record({"interface": 1, "control": 1}, count=4)
    record = run_record(
        [*record.samples, *(replace(each, edit="noop", module=None) for each in record.samples)],
        control=record.control,
    )
    control = Analysis(record).control
    assert control is not None and control.overall.interval is not None
    assert (control.overall.pairs, 1 in control.overall.interval) == (8, True)
    again = [sample(1, "control", 1, until=BY_HAND), sample(1, "interface", 1, until=BY_HAND)]
    by_hand = run_record([*record.samples, *again], control=record.control)
    assert by_hand.values("until") == ("built", BY_HAND)
    found = Analysis(by_hand).control
    assert found is not None and found.overall.pairs == 8


def test_several_controls_are_pooled() -> None:
    made = [
        replace(sample(round, layout, 1), control=control)
        for round in range(1, 4)
        for layout in ("interface", "fused")
        for control in (False, True)
    ]
    record = run_record(made, control=(Variant(layout="interface"), Variant(layout="fused")))
    control = Analysis(record).control
    assert control is not None and control.overall.pairs == 6
    assert "The second build of `interface` and `fused`" in (control_sentence(Analysis(record)) or "")


def test_busy_machine_interruptions_and_unsound_builds_are_warnings() -> None:
    record = growing_record()
    record.samples = [replace(each, conditions=conditions(True)) for each in record.samples]
    record.incomplete = "the run ended after 54 samples (interrupted by SIGINT)."
    unsound = replace(GROWN, copies=5)
    record.verification = Verification(verdicts=[Verdict(cell=unsound, result="unsound", reasons=("exit code 1",))])
    incomplete, wrong, noisy = warnings(Analysis(record))
    assert incomplete.startswith("**Incomplete:** the run ended after 54 samples")
    assert wrong.startswith("**Unsound builds:**") and "`fused 5 copies body Profile`" in wrong
    assert noisy.startswith("**Noisy:** other programs used the machine during 54 of 54 samples.")
    assert [cell for cell, each in Analysis(record).summaries.items() if each.is_unsound] == [unsound]


def test_counts_without_times_have_files_and_no_ratios() -> None:
    made = [replace(sample(0, "interface", None, files=2), smallest=("S/0.swift", "S/Other.swift"))]
    analysis = Analysis(run_record(made, rounds=0))
    summary = analysis.summaries[STORE]
    assert not analysis.is_timed and summary.seconds is None and summary.ratios == {}
    assert (summary.files, summary.is_stale, summary.samples[0].stale) == ((2, 2, 2), True, ("S/Other.swift",))


def clustered(control: float = 1.0, seed: int = 1, rounds: int = 30) -> Record:
    """Rounds of three machines: one as it should be, one that is twice as slow, and one that grows slower by the round,
    on which the control takes so many times as long as what it repeats. `fused` takes 1.5 times as long everywhere."""
    generator = random.Random(seed)
    samples: list[Sample] = []
    for number in range(1, rounds + 1):
        machine = ("steady", "slow", "drifts")[number % 3]
        slowness = {"steady": 1.0, "slow": 2.0, "drifts": 1 + 3 * number / rounds}[machine]
        again = control if machine == "drifts" else 1.0
        samples += [
            sample(number, layout, slowness * factor * generator.lognormvariate(0, 0.03), machine=machine)
            for layout, factor in (("interface", 1.0), ("control", again), ("fused", 1.5))
        ]
    machines = dict.fromkeys(("drifts", "slow", "steady"), MACHINE)
    return run_record(samples, machines=machines, control=(Variant(layout="interface"),))


def test_ratios_hold_within_their_intervals_though_a_machine_drifts_and_one_is_twice_as_slow() -> None:
    missed = 0
    for seed in range(20):
        ratio = Analysis(clustered(seed=seed)).ratio(FUSED, AXES["layout"])
        assert ratio is not None and ratio.interval is not None
        assert ratio.pairs == 30 and abs(ratio.median - 1.5) < 0.05
        # Of seconds that are pooled it would be wider than the drift.
        assert ratio.interval.high - ratio.interval.low < 0.1
        missed += 1.5 not in ratio.interval
    assert missed <= 4
    record = run_record([sample(1, "interface", 1, machine="a"), sample(1, "fused", 3, machine="b")])
    assert Analysis(record).ratio(FUSED, AXES["layout"]) is None


def test_seconds_are_those_of_one_machine_and_ratios_those_of_all() -> None:
    record = clustered()
    record.samples += [replace(each, round=100) for each in record.samples if each.machine == "slow"][:3]
    analysis = Analysis(record)
    summary = analysis.summaries[STORE]
    assert analysis.machine == "slow" and {each.machine for each in summary.samples} == {"slow"}
    assert summary.seconds is not None
    assert 1.9 < summary.seconds.value < 2.1 and summary.extremes[1] < 2.4
    assert analysis.summaries[FUSED].ratios["layout"].pairs == 31


def test_machine_whose_control_misses_one_is_named() -> None:
    analysis = Analysis(clustered(control=1.3))
    assert analysis.control is not None and list(analysis.control.machines) == ["drifts", "slow", "steady"]
    assert analysis.control.drifting == ["drifts"]
    assert warnings(analysis)[-1].startswith("**The machine `drifts` cannot be trusted:** the second build there")
