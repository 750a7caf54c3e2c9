"""The order of the samples."""

from __future__ import annotations

from buildspeed.plan import Cell, cells, rounds, rounds_that_fit


def test_module_edits_are_made_in_every_module_and_the_others_once() -> None:
    assert cells(["interface"], ["noop", "body"], ["A", "B"]) == [
        Cell("interface", "noop", None),
        Cell("interface", "body", "A"),
        Cell("interface", "body", "B"),
    ]


def test_every_round_holds_every_cell_in_an_order_of_its_own() -> None:
    every = cells(["interface", "fused"], ["noop", "body", "private"], ["A", "B", "C"])
    orders = rounds(every, 3, seed=1)
    assert [sorted(order, key=every.index) for order in orders] == [every] * 3
    assert len({tuple(order) for order in [*orders, every]}) == 4


def test_seed_repeats_the_orders_whatever_the_number_of_rounds() -> None:
    every = cells(["interface", "fused"], ["noop", "body"], ["A", "B", "C"])
    assert rounds(every, 2, seed=5) == rounds(every, 4, seed=5)[:2]
    assert rounds(every, 2, seed=5) != rounds(every, 2, seed=6)


def test_rounds_fill_the_time_within_their_limits() -> None:
    assert rounds_that_fit(100, 20, 3, 10) == 5
    assert rounds_that_fit(100, 200, 3, 10) == 3
    assert rounds_that_fit(100, 0, 3, 10) == 10
    assert rounds_that_fit(-5, 1, 3, 10) == 3
