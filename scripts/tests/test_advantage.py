"""The sentences that say what interfaces buy."""

from __future__ import annotations

from records import new_record, record, sample

from buildspeed.advantage import advantage


def test_layout_that_takes_longer_is_told_with_sums_and_the_largest_difference() -> None:
    first, second = advantage(new_record({"interface": 1, "fused": 2}))
    assert first.startswith("- The edit that costs most in the package as it is: `body` in Store, with 1 file and ")
    assert "In `fused`, one of each of the 1 edits together compiles 1 file instead of 1 and takes 2." in second
    assert "1 take longer than in the package as it is, 0 less, and 0 cannot be told apart." in second
    assert "saves most at `body` in Store: 1 file instead of 1, and without it the build takes " in second


def test_layout_that_takes_less_is_told_too() -> None:
    assert (
        ": 0 take longer than in the package as it is, 1 less, "
        in advantage(new_record({"interface": 2, "fused": 1}))[1]
    )


def test_few_samples_are_not_judged() -> None:
    made = record([sample(1, "interface", 1.0), sample(1, "fused", 3.0)])
    assert advantage(made)[1].endswith("These are too few samples to judge it by; 6 are needed.")


def test_layouts_that_were_left_out_are_told_with_the_reason() -> None:
    made = record([sample(1, "interface", 1.0)], layouts=["interface"])
    assert "`--layouts` does that" in advantage(made)[-1]
    made.refused_layouts = {"fused": "Gen is a plugin."}
    assert advantage(made)[-1] == "- `fused` was not measured: Gen is a plugin."
