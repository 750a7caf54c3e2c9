"""The analysis of samples that several machines took: ratios are pooled, seconds are not."""

from __future__ import annotations

import random

from made_records import MACHINE, run_record, sample, scale_record, with_options
from msgspec.structs import replace
from swiftmodules.analysis.compare import compare
from swiftmodules.analysis.run import RunAnalysis, pooled_ratio
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.stats import median_interval
from swiftmodules.records.kinds import RunRecord
from swiftmodules.records.model import Cell, Rerun
from swiftmodules.report.csv_lines import csv_rows
from swiftmodules.report.markdown import markdown

FUSED, BASELINE = Cell("fused", "body", "Store"), Cell("interface", "body", "Store")


def clustered(control: float = 1.0, seed: int = 1, rounds: int = 30) -> RunRecord:
    """Rounds of three machines: one as it should be, one that is twice as slow, and one that grows slower by the round,
    on which the control takes so many times as long as what it repeats. `fused` takes 1.5 times as long everywhere."""
    generator = random.Random(seed)
    record = run_record(rounds=rounds, machines=dict.fromkeys(("drifts", "slow", "steady"), MACHINE))
    record.options = with_options(record.options, control="interface")
    for number in range(1, rounds + 1):
        machine = ("steady", "slow", "drifts")[number % 3]
        slowness = {"steady": 1.0, "slow": 2.0, "drifts": 1 + 3 * number / rounds}[machine]
        again = control if machine == "drifts" else 1.0
        record.samples += [
            sample(number, layout, slowness * factor * generator.lognormvariate(0, 0.03), machine=machine)
            for layout, factor in (("interface", 1.0), ("control", again), ("fused", 1.5))
        ]
    return record


def test_ratios_hold_within_their_intervals_though_a_machine_drifts_and_one_is_twice_as_slow() -> None:
    missed = 0
    for seed in range(40):
        ratio = RunAnalysis(clustered(seed=seed)).summaries[FUSED].ratio
        assert ratio is not None and ratio.interval is not None
        assert ratio.pairs == 30 and abs(ratio.median - 1.5) < 0.05
        # Of seconds that are pooled it would be wider than the drift.
        assert ratio.interval.high - ratio.interval.low < 0.1
        missed += 1.5 not in ratio.interval
    assert missed <= 6


def test_seconds_are_those_of_one_machine_and_ratios_those_of_all() -> None:
    record = clustered()
    record.samples += [replace(each, round=100) for each in record.samples if each.machine == "slow"][:3]
    analysis = RunAnalysis(record)
    summary = analysis.summaries[BASELINE]
    assert analysis.machine == "slow"
    assert {each.machine for each in summary.samples} == {"slow"}
    assert 1.9 < summary.seconds.value < 2.1 and summary.slowest < 2.4
    assert analysis.summaries[FUSED].ratio is not None and analysis.summaries[FUSED].ratio.pairs == 31
    assert "seconds are of `slow` alone" in markdown(analysis)


def test_machine_whose_control_misses_one_is_named_and_the_result_is_shown_without_it() -> None:
    record = clustered(control=1.3)
    record.reruns = (Rerun("2026-01-01T00:00:00+00:00", 3, "slow"),)
    analysis = RunAnalysis(record)
    assert analysis.control is not None and list(analysis.control.machines) == ["drifts", "slow", "steady"]
    assert analysis.control.drifting == ["drifts"]
    assert analysis.warnings[-1].startswith("**The machine `drifts` cannot be trusted:** a layout, measured")
    without = analysis.without_drifting
    assert without is not None and without.control is not None
    assert without.control.trusted and without.control.overall.pairs == 20
    text = markdown(analysis)
    assert "## Without `drifts`" in text and "- On `steady`: 1.0" in text
    assert "round 3, because a worker on `slow` went away during it" in text
    assert f"- Machine `slow`: {MACHINE.summary}; 30 samples" in text
    assert RunAnalysis(clustered(seed=2)).without_drifting is None


def test_bootstrap_draws_of_each_machine_as_many_as_it_has() -> None:
    # Two machines with a ratio each: with whole strata, the median of three and two is always one of the three.
    values, machines = [1.0] * 6 + [9.0] * 5, ["a"] * 6 + ["b"] * 5
    stratified, pooled = median_interval(values, 1, machines), median_interval(values, 1)
    assert stratified is not None and pooled is not None
    assert (stratified.low, stratified.high) == (1.0, 1.0)
    assert (pooled.low, pooled.high) == (1.0, 9.0)
    assert median_interval(values, 1, ["a"] * 11) == pooled
    assert pooled_ratio([], 1) is None


def test_pairs_are_of_one_machine() -> None:
    record = run_record([sample(1, "interface", 1, machine="a"), sample(1, "fused", 3, machine="b")])
    assert RunAnalysis(record).summaries[FUSED].ratio is None


def test_growth_is_that_of_one_machine() -> None:
    record = scale_record(sizes=(10, 20, 40), rounds=[1] * 9)
    record.machines = {"a": MACHINE, "b": MACHINE}
    record.samples = [
        replace(each, machine="b", seconds=5 * each.seconds) if each.round > 5 else replace(each, machine="a")
        for each in record.samples
    ]
    analysis = ScaleAnalysis(record)
    alone = ScaleAnalysis(scale_record(sizes=(10, 20, 40), rounds=[1] * 5))
    for cell, growth in analysis.growths.items():
        assert growth.medians == alone.growths[cell].medians
    (ratio,) = {each.pairs for own in analysis.comparisons.values() for each in own.values()}
    assert ratio == 9
    assert "seconds are of `a` alone" in markdown(analysis)


def test_records_of_clusters_are_compared_by_the_seconds_of_one_machine() -> None:
    (change, _) = compare(clustered(), clustered(), different_machines=False).changes
    assert change.ratio == 1 and change.older < 3
    assert csv_rows(clustered())[0][0] == "machine" and csv_rows(clustered())[1][0] == "slow"
