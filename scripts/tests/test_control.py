"""The A/A control judges the run."""

from __future__ import annotations

import io

from records import new_record, record, sample
from rich.console import Console

from buildspeed.control import control_verdict
from buildspeed.report import compact_report, markdown, print_report


def test_layout_that_takes_as_long_as_itself_can_be_trusted() -> None:
    verdict = control_verdict(new_record({"interface": 1, "control": 1, "fused": 2}))
    assert verdict is not None
    assert verdict.trusted
    assert verdict.layout == "interface"
    assert verdict.overall.pairs == 10
    assert verdict.rows_excluding_one == 0


def test_run_that_differs_from_itself_says_at_the_top_that_it_cannot_be_trusted() -> None:
    distrusted = new_record({"interface": 1, "control": 1.2, "fused": 2})
    verdict = control_verdict(distrusted)
    assert verdict is not None
    assert verdict.trusted is False
    assert verdict.rows_excluding_one == 1
    words = (
        "**This run cannot be trusted:** `interface`, measured a second time in a build directory of its own, took 1.2"
    )
    assert markdown(distrusted).splitlines()[2].startswith(words)
    assert compact_report(distrusted).startswith(words)
    console = Console(width=140, file=io.StringIO(), record=True)
    print_report(distrusted, console)
    assert console.export_text().startswith("This run cannot be trusted: 'interface'")


def test_control_pools_the_pairs_of_all_edits() -> None:
    # Each edit has too few pairs by itself.
    pooled = new_record({"interface": 1, "control": 1}, count=4)
    pooled.options = type(pooled.options)(("interface",), ("noop", "body"), ("Store",), 4, False, 1, "interface", 2)
    pooled.samples += [type(each)(**(vars(each) | {"edit": "noop", "module": None})) for each in pooled.samples]
    verdict = control_verdict(pooled)
    assert verdict is not None
    assert verdict.overall.pairs == 8
    assert verdict.trusted
    assert all(ratio.interval is None for ratio in verdict.rows.values())


def test_too_few_pairs_neither_trust_nor_distrust() -> None:
    few = new_record({"interface": 1, "control": 1.5}, count=3)
    verdict = control_verdict(few)
    assert verdict is not None
    assert verdict.trusted is None
    assert "too few pairs to judge the run by" in markdown(few)
    assert "cannot be trusted" not in markdown(few)


def test_report_shows_the_ratio_of_the_layout_to_itself_and_no_column_of_the_control() -> None:
    text = markdown(new_record({"interface": 1, "control": 1, "fused": 2}))
    assert "## A/A control\n\n`interface` was measured a second time" in text
    assert "The 95% interval holds 1" in text
    assert "| edit | module | ratio | p |" in text
    assert "control: seconds" not in text


def test_run_without_a_control_says_so_and_older_records_do_not() -> None:
    assert "There is none in this run" in markdown(new_record({"interface": 1, "fused": 2}))
    older = markdown(record([sample(1, "interface", 1), sample(1, "fused", 2)]))
    assert "A/A" not in older
