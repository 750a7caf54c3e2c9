"""The analysis of the samples of a run: cells, the A/A control, verdicts and the sentences about them."""

from __future__ import annotations

import random

import pytest
from made_records import conditions, noisy_record, rounds_of, run_record, sample, with_options
from msgspec.structs import replace
from swiftmodules.analysis.run import RunAnalysis, present
from swiftmodules.analysis.stats import LEAST_SAMPLES
from swiftmodules.analysis.verdicts import advantage, control_sentence, findings, headline
from swiftmodules.records.kinds import RunRecord
from swiftmodules.records.model import Cell

GROUNDS = "In brackets: 95% bootstrap intervals, one for each edit; by chance, one in twenty does not contain 1."
MEDIANS = "Where there are no brackets, the median decided alone: intervals need 6 samples."
NO_CONTROL = "There is no A/A control, so nothing shows how large the differences by chance are in this run."
NOTHING = ["Nothing was compared with `interface` in this run."]


def with_edits(ratios: dict[str, float]) -> RunRecord:
    """A record with several edits, in each of which `fused` takes so many times as long."""
    made = noisy_record({"interface": 1, "fused": 1}, noise=0.01)
    made.samples = [
        replace(each, edit=edit, seconds=each.seconds * (ratio if each.layout == "fused" else 1))
        for edit, ratio in ratios.items()
        for each in made.samples
    ]
    made.options = with_options(made.options, edits=tuple(ratios))
    return made


def test_summary_has_medians_extremes_and_the_ratio_within_rounds() -> None:
    samples = [
        *rounds_of({"interface": [1, 2, 4]}),
        *(sample(round, "fused", seconds, files=round) for round, seconds in ((2, 6), (1, 2), (3, 8), (4, 99))),
    ]
    summary = RunAnalysis(run_record(samples)).summaries[Cell("fused", "body", "Store")]
    assert (summary.files, str(summary.files)) == ((1, 2.5, 4), "2.5 (1–4)")
    assert (summary.fastest, summary.seconds.value, summary.slowest, summary.cpu_seconds) == (2, 7, 99, 14)
    assert summary.ratio is not None
    # Of 3, 2 and 2: the round without its pair does not count, and the ratio of the medians would be another.
    assert (summary.ratio.median, summary.ratio.pairs) == (2, 3)


def test_rows_are_those_with_a_place_or_samples_in_the_order_of_the_options() -> None:
    record = run_record([sample(1, "fused", 1, module="Feed")])
    record.options = with_options(record.options, edits=("noop", "signature", "body"), modules=("Feed", "Store"))
    record.missing = {"signature Feed": "no function", "signature Store": "no function"}
    rows = RunAnalysis(record).rows
    assert list(rows) == [("noop", None), ("body", "Feed"), ("body", "Store")]
    assert [(row, cell.cell.layout) for row in rows for cell in present({row: rows[row]})] == [
        (("body", "Feed"), "fused")
    ]


def test_memory_and_noise_are_known_where_they_were_recorded() -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1}))
    summary = analysis.summaries[Cell("interface", "body", "Store")]
    assert (summary.memory_bytes, summary.noisy, analysis.noise) == (180 * 2**20, 1, (1, 10))
    blind = run_record([sample(1, "interface", 1, conditions=conditions(None)), sample(2, "interface", 1)])
    assert RunAnalysis(blind).noise is None
    assert RunAnalysis(blind).summaries[Cell("interface", "body", "Store")].memory_bytes is None


def test_every_number_is_calculated_once() -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1, "control": 1, "fused": 2}))
    assert analysis.rows is analysis.rows and analysis.control is analysis.control


def test_layout_that_takes_as_long_as_itself_can_be_trusted() -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1, "control": 1, "fused": 2}))
    verdict = analysis.control
    assert verdict is not None
    assert (verdict.trusted, verdict.layout, verdict.overall.pairs) == (True, "interface", 10)
    assert verdict.rows_excluding_one == 0
    assert analysis.warnings == []


def test_run_that_differs_from_itself_cannot_be_trusted() -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1, "control": 1.2, "fused": 2}))
    assert analysis.control is not None
    assert (analysis.control.trusted, analysis.control.rows_excluding_one) == (False, 1)
    assert analysis.warnings[0].startswith(
        "**This run cannot be trusted:** `interface`, measured a second time in a build directory of its own, took 1.2"
    )
    assert "does not contain 1, so this run cannot be trusted." in (control_sentence(analysis) or "")


def test_control_pools_the_pairs_of_all_edits() -> None:
    # Each edit has too few pairs alone.
    record = noisy_record({"interface": 1, "control": 1}, count=4)
    record.options = with_options(record.options, edits=("noop", "body"))
    record.samples += [replace(each, edit="noop", module=None) for each in record.samples]
    verdict = RunAnalysis(record).control
    assert verdict is not None
    assert verdict.overall.pairs == 8
    assert verdict.trusted
    assert all(ratio.interval is None for ratio in verdict.rows.values())


def test_too_few_pairs_neither_trust_nor_distrust() -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1, "control": 1.5}, count=3))
    assert analysis.control is not None and analysis.control.trusted is None
    assert "too few pairs to judge the run by" in (control_sentence(analysis) or "")
    assert analysis.warnings == []


@pytest.mark.parametrize(
    ("fused", "noise", "words"),
    [
        (1.3, 0.02, "took longer than `interface`"),
        (0.8, 0.02, "took less than `interface`"),
        (1.04, 0.005, "took as long as `interface`, within 10%"),
        (1.1, 0.5, "cannot be distinguished from `interface`, nor shown to be equal within 10%"),
    ],
)
def test_difference_is_one_only_where_the_whole_interval_shows_it(fused: float, noise: float, words: str) -> None:
    analysis = RunAnalysis(noisy_record({"interface": 1, "fused": fused}, noise=noise))
    assert findings(analysis) == [f"- `fused` {words}: body Store."]


@pytest.mark.parametrize(
    ("fused", "noise", "words"),
    [
        (2, 0, "faster after **1** of 1 edit, `body Store`, where `fused` took 2.00 (2.00–2.00) times as long; slower "
               "after **none**."),
        (0.5, 0, "faster after **none** of 1 edit; slower after **1**, `body Store`, where `fused` took 0.50 "
                 "(0.50–0.50) times as long."),
        (1.0, 0.005, "faster after **none** of 1 edit; slower after **none**; equally fast within 10% after 1."),
        (1.05, 0.5, "faster after **none** of 1 edit; slower after **none**; undecided after 1."),
    ],
)  # fmt: skip
def test_headline_counts_wins_and_losses(fused: float, noise: float, words: str) -> None:
    record = noisy_record({"interface": 1, "fused": fused}, noise=noise)
    assert headline(RunAnalysis(record))[0] == f"Against `fused`, `interface` rebuilt {words}"


def test_largest_difference_in_each_direction_is_named_whatever_the_order() -> None:
    ratios = {"body": 1.5, "private-top": 3, "public-top": 2, "comment": 0.7, "touch": 0.4, "signature": 0.5}
    order = list(ratios)
    random.Random(3).shuffle(order)
    text = headline(RunAnalysis(with_edits({edit: ratios[edit] for edit in order})))[0]
    assert "faster after **3** of 6 edits, most after `private-top Store`, where `fused` took 3.0" in text
    assert "slower after **3**, most after `touch Store`, where `fused` took 0.4" in text


def test_few_samples_are_judged_by_medians_with_a_note() -> None:
    made = headline(RunAnalysis(run_record([sample(1, "interface", 1), sample(1, "fused", 3)])))
    assert "where `fused` took 3.00 times as long" in made[0]
    assert made[1:] == [MEDIANS, NO_CONTROL]
    some = with_edits({"body": 2, "touch": 2})
    some.samples = [each for each in some.samples if each.edit == "body" or each.round < LEAST_SAMPLES]
    assert headline(RunAnalysis(some))[1:] == [GROUNDS, MEDIANS, NO_CONTROL]


def test_control_is_named_where_it_holds_and_missed_where_there_is_none() -> None:
    assert headline(RunAnalysis(noisy_record({"interface": 1, "fused": 2})))[1:] == [GROUNDS, NO_CONTROL]
    _, grounds, control = headline(RunAnalysis(noisy_record({"interface": 1, "fused": 2, "control": 1})))
    assert grounds == GROUNDS
    assert control.startswith("In the A/A control, `interface` took 1.0")
    # Then the warning stands above, and nothing is "as it should".
    assert headline(RunAnalysis(noisy_record({"interface": 1, "fused": 2, "control": 1.4})))[1:] == [GROUNDS]


@pytest.mark.parametrize("record", [noisy_record({"interface": 1}), noisy_record({"fused": 1}), run_record()])
def test_record_of_one_layout_or_none_compares_nothing(record: RunRecord) -> None:
    assert headline(RunAnalysis(record)) == NOTHING


def test_advantage_has_sums_and_the_largest_difference() -> None:
    first, second = advantage(RunAnalysis(noisy_record({"interface": 1, "fused": 2})))
    assert first.startswith("- The edit that costs most in the package as it is: `body` in Store, with 1 file and ")
    assert "In `fused`, one of each of the 1 edits together compiles 1 file instead of 1 and takes 2." in second
    assert "1 take longer than in the package as it is, 0 less, and 0 cannot be distinguished." in second
    assert "saves most at `body` in Store: 1 file instead of 1, and without it the build takes " in second
    slower = advantage(RunAnalysis(noisy_record({"interface": 2, "fused": 1})))[1]
    assert ": 0 take longer than in the package as it is, 1 less, " in slower
    assert "saves most" not in slower


def test_advantage_needs_samples_and_names_what_was_left_out() -> None:
    few = run_record(rounds_of({"interface": [1], "fused": [3]}))
    assert advantage(RunAnalysis(few))[1].endswith("These are too few samples to judge it by; 6 are needed.")
    alone = run_record([sample(1, "interface", 1)], layouts=["interface"])
    assert "`--layouts` does that" in advantage(RunAnalysis(alone))[-1]
    alone.refused_layouts = {"fused": "Gen is a plugin."}
    assert advantage(RunAnalysis(alone))[-1] == "- `fused` was not measured: Gen is a plugin."
