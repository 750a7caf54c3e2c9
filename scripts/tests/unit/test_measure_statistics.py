"""Intervals of order statistics, and how often they hold what was sampled."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

import pytest
from swiftmodules.measure.statistics import (
    LEAST_SAMPLES,
    Interval,
    Ratio,
    median_interval,
    ratio_of,
    ratio_of_medians_interval,
)

# Builds whose times have a heavy tail.
HEAVY, MEDIAN = 0.6, 1.0


def seconds(generator: random.Random, count: int) -> list[float]:
    return [generator.lognormvariate(math.log(MEDIAN), HEAVY) for _ in range(count)]


def coverage(interval: Callable[[random.Random], Interval | None], value: float) -> float:
    """The share of 4,000 drawn intervals that hold a value."""
    generator = random.Random(1)
    drawn = [interval(generator) for _ in range(4_000)]
    return sum(each is not None and value in each for each in drawn) / len(drawn)


def test_interval_leaves_out_as_many_samples_as_the_tables_of_the_sign_test() -> None:
    # By the number of samples, the ranks of the ends (from 1).
    for count, low, high in ((6, 1, 6), (8, 1, 8), (9, 2, 8), (12, 3, 10), (20, 6, 15), (40, 14, 27)):
        values = [float(number) for number in range(1, count + 1)]
        random.Random(count).shuffle(values)
        assert median_interval(values) == Interval(low, high)
    assert [value in Interval(3.0, 9.0) for value in (2.9, 3, 9, 9.1)] == [False, True, True, False]


@pytest.mark.parametrize("count", [6, 9, 10, 40])
def test_interval_of_a_median_holds_it_as_often_as_it_claims(count: int) -> None:
    assert coverage(lambda generator: median_interval(seconds(generator, count)), MEDIAN) > 0.945


@pytest.mark.parametrize("count", [6, 10])
def test_interval_of_a_ratio_of_two_runs_holds_it_as_often_as_it_claims(count: int) -> None:
    def drawn(generator: random.Random) -> Interval | None:
        return ratio_of_medians_interval([2 * each for each in seconds(generator, count)], seconds(generator, count))

    assert coverage(drawn, 2.0) > 0.95


def test_too_few_samples_give_no_interval() -> None:
    few, enough = [1.0] * (LEAST_SAMPLES - 1), [1.0] * LEAST_SAMPLES
    assert (median_interval(few), median_interval(enough)) == (None, Interval(1, 1))
    assert ratio_of_medians_interval(few, enough) is None
    assert ratio_of_medians_interval(enough, few) is None
    assert ratio_of([]) is None


def test_bound_of_a_ratio_has_the_digits_that_show_its_side_of_1() -> None:
    for low, high, text in ((1.0004, 1.1149, "1.0004–1.11"), (0.9, 0.997, "0.90–0.997"), (1.0, 1.0, "1.00–1.00")):
        assert str(Ratio(6, 1.05, Interval(low, high))) == f"1.05 ({text})"
