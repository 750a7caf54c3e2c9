"""The order of the samples."""

from __future__ import annotations

from buildspeed.plan import (
    CONTROL,
    LEAST_ROUNDS,
    MOST_ROUNDS,
    Cell,
    Extent,
    cells,
    extent_that_fits,
    quick_candidates,
    rounds,
    with_control,
)


def test_module_edits_are_made_in_every_module_and_the_others_once() -> None:
    assert cells(["interface"], ["noop", "body"], ["A", "B"]) == [
        Cell("interface", "noop", None),
        Cell("interface", "body", "A"),
        Cell("interface", "body", "B"),
    ]


def test_every_round_holds_every_cell_in_an_order_of_its_own() -> None:
    every = cells(["interface", "fused"], ["noop", "body", "private-top"], ["A", "B", "C"])
    orders = rounds(every, 3, seed=1)
    assert [sorted(order, key=every.index) for order in orders] == [every] * 3
    assert len({tuple(order) for order in [*orders, every]}) == 4


def test_seed_repeats_the_orders_whatever_the_number_of_rounds() -> None:
    every = cells(["interface", "fused"], ["noop", "body"], ["A", "B", "C"])
    assert rounds(every, 2, seed=5) == rounds(every, 4, seed=5)[:2]
    assert rounds(every, 2, seed=5) != rounds(every, 2, seed=6)


def test_control_lies_among_the_others_which_keep_their_order() -> None:
    every = cells(["interface", "fused"], ["noop", "body"], ["A", "B"])
    control = cells([CONTROL], ["noop", "body"], ["A", "B"])
    plain = rounds(every, 200, seed=3)
    orders = with_control(plain, control, seed=3)
    assert [[cell for cell in order if cell not in control] for order in orders] == plain
    assert all(sorted(map(str, order)) == sorted(map(str, [*every, *control])) for order in orders)
    # Each comes before the cell that it repeats as often as after it.
    for cell in control:
        repeated = Cell("interface", cell.edit, cell.module)
        before = sum(order.index(cell) < order.index(repeated) for order in orders)
        assert 70 < before < 130
    assert with_control(plain, control, seed=3) == orders
    assert with_control(plain, control, seed=4) != orders


def test_quick_run_takes_as_many_rounds_as_fit() -> None:
    candidates = quick_candidates(["noop", "body"], ["A", "B"], ["edits", "modules"])
    # Three samples per round in one layout.
    assert extent_that_fits(60, 4, ["interface"], candidates) == Extent(("noop", "body"), ("A", "B"), 5)
    assert extent_that_fits(6000, 4, ["interface"], candidates).rounds == MOST_ROUNDS


def test_quick_run_leaves_out_public_first_and_then_the_last_modules() -> None:
    candidates = quick_candidates(["private-top", "public-top"], ["A", "B"], ["edits", "modules"])
    fitting = [extent_that_fits(seconds, 1, ["interface"], candidates) for seconds in (12, 7, 3, 1)]
    assert fitting == [
        Extent(("private-top", "public-top"), ("A", "B"), 3),
        Extent(("private-top",), ("A", "B"), 3),
        Extent(("private-top",), ("A",), 3),
        Extent(("private-top",), ("A",), LEAST_ROUNDS),
    ]


def test_quick_run_leaves_out_nothing_that_was_asked_for() -> None:
    candidates = quick_candidates(["private-top", "public-top"], ["A", "B"], [])
    assert extent_that_fits(1, 1, ["interface"], candidates) == Extent(
        ("private-top", "public-top"), ("A", "B"), LEAST_ROUNDS
    )
