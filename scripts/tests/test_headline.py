"""The result in sentences."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from records import new_record, sample
from records import record as older_record

from buildspeed.headline import headline
from buildspeed.record import Record

GROUNDS = "In brackets: 95% bootstrap intervals, each by itself; by chance, one in twenty does not hold 1."

MEDIANS = "Where there are no brackets, the median decided alone: intervals need 6 samples."
NO_CONTROL = "There is no A/A control, so nothing shows what differences chance makes in this run."


def sentence(fused: float, noise: float = 0.02) -> str:
    return headline(new_record({"interface": 1, "fused": fused}, noise=noise))[0]


def test_win_is_told_with_its_ratio_and_interval() -> None:
    assert sentence(2, noise=0) == (
        "Against `fused`, `interface` rebuilt faster after **1** of 1 edit, `body Store`, where `fused` took "
        "2.00 (2.00–2.00) times as long; slower after **none**."
    )


def test_loss_is_told_as_well() -> None:
    text = sentence(0.5, noise=0)
    assert text.startswith("Against `fused`, `interface` rebuilt faster after **none** of 1 edit; slower after **1**,")
    assert "where `fused` took 0.50 (0.50–0.50) times as long." in text


@pytest.mark.parametrize(
    ("fused", "noise", "words"),
    [(1.0, 0.005, "equally fast within 10% after 1."), (1.05, 0.5, "undecided after 1.")],
)
def test_nothing_is_not_told_as_a_difference(fused: float, noise: float, words: str) -> None:
    start = "Against `fused`, `interface` rebuilt faster after **none** of 1 edit; slower after **none**; "
    assert sentence(fused, noise) == start + words


def with_edits(ratios: dict[str, float]) -> Record:
    """A record with several edits, in each of which `fused` takes so many times as long."""
    made = new_record({"interface": 1, "fused": 1}, noise=0.01)
    made.samples = [
        replace(each, edit=edit, seconds=each.seconds * (ratio if each.layout == "fused" else 1))
        for edit, ratio in ratios.items()
        for each in made.samples
    ]
    made.options = replace(made.options, edits=tuple(ratios))
    return made


def test_largest_difference_in_each_direction_is_named_whatever_the_order() -> None:
    ratios = {"body": 1.5, "private-top": 3, "public-top": 2, "comment": 0.7, "touch": 0.4, "signature": 0.5}
    order = list(ratios)
    random.Random(3).shuffle(order)
    text = headline(with_edits({edit: ratios[edit] for edit in order}))[0]
    assert "faster after **3** of 6 edits, most after `private-top Store`, where `fused` took 3.0" in text
    assert "slower after **3**, most after `touch Store`, where `fused` took 0.4" in text


def test_few_samples_are_judged_by_medians_and_this_is_said() -> None:
    made = older_record([sample(1, "interface", 1), sample(1, "fused", 3)])
    assert "where `fused` took 3.00 times as long" in headline(made)[0]
    assert headline(made)[1:] == [MEDIANS, NO_CONTROL]


def test_intervals_of_some_edits_only_are_told_as_such() -> None:
    made = with_edits({"body": 2, "touch": 2})
    made.samples = [each for each in made.samples if each.edit == "body" or each.round < 6]
    assert headline(made)[1:] == [GROUNDS, MEDIANS, NO_CONTROL]


def test_control_is_told_where_it_holds_and_missed_where_there_is_none() -> None:
    assert headline(new_record({"interface": 1, "fused": 2}))[1:] == [GROUNDS, NO_CONTROL]
    (_, grounds, control) = headline(new_record({"interface": 1, "fused": 2, "control": 1}))
    assert grounds == GROUNDS
    assert control.startswith("In the A/A control, `interface` took 1.0")
    # Then the warning stands above, and nothing is "as it should".
    assert headline(new_record({"interface": 1, "fused": 2, "control": 1.4}))[1:] == [GROUNDS]


@pytest.mark.parametrize("layouts", [("interface",), ("fused",)])
def test_record_of_one_layout_compares_nothing(layouts: tuple[str, ...]) -> None:
    made = new_record(dict.fromkeys(layouts, 1.0))
    assert headline(made) == ["Nothing was compared with `interface` in this run."]


def test_record_without_samples_compares_nothing() -> None:
    assert headline(older_record()) == ["Nothing was compared with `interface` in this run."]
