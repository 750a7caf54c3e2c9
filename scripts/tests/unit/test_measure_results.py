"""The results of a record: cells, ratios along the axes, and the A/A control."""

from __future__ import annotations

from made_records import CONTROL, rounds_of, run_record, sample, spread_record
from msgspec.structs import replace
from swiftmodules.measure.record import CLEAN, Cell, PlacedEdit
from swiftmodules.measure.report import control_sentence, warnings
from swiftmodules.measure.results import Results

STORE = Cell(edit="body", module="Store")
FUSED = replace(STORE, layout="fused")
LLD = replace(STORE, setting="lld")


def test_summary_has_medians_ranges_and_the_ratio_within_rounds() -> None:
    samples = [
        *rounds_of({"interface": [1, 2, 4]}),
        *(sample(round, "fused", seconds, files=round) for round, seconds in ((2, 6), (1, 2), (3, 8), (4, 99))),
    ]
    summary = Results(run_record(samples)).summaries[FUSED]
    assert (str(summary.files), str(summary.links)) == ("2.5 (1–4)", "1")
    assert str(summary.seconds) == "7.00 (2.00–99.00)"
    # Of 3, 2 and 2: the round without its pair does not count, and the ratio of the medians would be another.
    ratio = summary.ratio
    assert ratio and (ratio.median, ratio.count, ratio.low, ratio.high) == (2, 3, 2, 3)


def test_clean_builds_come_first_and_other_cells_in_the_order_of_the_record() -> None:
    samples = [sample(1, layout, 1, edit=edit) for edit in ("member", "body") for layout in ("fused", "interface")]
    samples.append(sample(1, "fused", 9, edit=CLEAN, module=None))
    places = tuple(PlacedEdit(edit=edit, module="Store", description="somewhere") for edit in ("body", "member"))
    record = run_record(samples, placements=places, layouts=dict.fromkeys(("interface", "fused"), "a layout"))
    assert [(each.edit, each.layout) for each in Results(record).summaries] == [
        (CLEAN, "fused"),
        *(("body", "interface"), ("body", "fused"), ("member", "interface"), ("member", "fused")),
    ]


def test_settings_are_compared_with_the_first_one_in_the_same_round() -> None:
    samples = [
        sample(number, "interface", number * seconds, setting=setting)
        for number in (1, 2, 3)
        for setting, seconds in (("default", 1), ("lld", 0.5))
    ]
    results = Results(run_record(samples))
    assert (results.axis, results.baseline) == ("setting", "default")
    ratio = results.summaries[LLD].ratio
    assert ratio is not None and ratio.median == 0.5
    # A baseline has no ratio to itself.
    assert results.summaries[STORE].ratio is None


def test_identical_builds_are_trusted_and_a_difference_beyond_the_margin_is_seen() -> None:
    def untrustworthy(control: float, seed: int) -> bool:
        return Results(spread_record({"interface": 1, CONTROL: control}, noise=0.05, seed=seed)).is_untrustworthy

    assert sum(untrustworthy(1, seed) for seed in range(300)) == 0
    assert sum(untrustworthy(1.25, seed) for seed in range(300)) > 295


def test_run_that_differs_from_itself_cannot_be_trusted_unless_it_has_too_few_rounds() -> None:
    results = Results(spread_record({"interface": 1, CONTROL: 1.2, "fused": 2}))
    (warning,) = warnings(results)
    assert warning.startswith("**This run cannot be trusted.** The second build of `interface`, in a build directory")
    assert "took 1.2" in warning and "more than 5% from 1, so something else made a difference." in warning
    # The second build is no cell of the report.
    assert results.summaries[STORE].seconds is not None and results.summaries[STORE].seconds.count == 10
    few = Results(spread_record({"interface": 1, CONTROL: 1.5}, count=3))
    assert warnings(few) == []
    assert "too few rounds to judge the run by" in (control_sentence(few) or "")


def test_control_has_one_value_of_each_round_and_of_no_clean_build() -> None:
    seconds = {"interface": [1.0] * 6, CONTROL: [1.0, 1.1, 1.2, 1.3, 1.4, 1.5]}
    samples = [replace(each, edit=edit) for edit in ("body", "member", "signature") for each in rounds_of(seconds)]
    # Of one edit, the samples of one folder are slow in each round.
    samples = [replace(each, seconds=9.0) if each.control and each.edit == "member" else each for each in samples]
    samples += [sample(1, layout, seconds, edit=CLEAN) for layout, seconds in (("interface", 9), (CONTROL, 3))]
    control = Results(run_record(samples)).control
    assert control is not None and (control.count, control.low, control.high) == (6, 1, 1.5)
