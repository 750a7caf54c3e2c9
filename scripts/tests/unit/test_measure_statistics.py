"""Intervals of order statistics, and how often they hold what was sampled."""

from __future__ import annotations

import math
import random

import pytest
from swiftmodules.measure.results import LEAST_SAMPLES, Estimate, estimate

# Builds whose times have a heavy tail.
HEAVY, MEDIAN = 0.6, 1.0


def drawn(generator: random.Random, count: int) -> Estimate:
    made = estimate([generator.lognormvariate(math.log(MEDIAN), HEAVY) for _ in range(count)])
    assert made is not None
    return made


def test_interval_leaves_out_as_many_samples_as_the_tables_of_the_sign_test() -> None:
    # By the number of samples, the ranks of the ends (from 1).
    for count, low, high in ((6, 1, 6), (8, 1, 8), (9, 2, 8), (12, 3, 10), (20, 6, 15), (40, 14, 27)):
        values = [float(number) for number in range(1, count + 1)]
        random.Random(count).shuffle(values)
        made = estimate(values)
        assert made is not None and (made.low, made.high) == (low, high) and made.median == (count + 1) / 2


@pytest.mark.parametrize("count", [6, 9, 10, 40])
def test_intervals_hold_as_often_as_they_claim(count: int) -> None:
    generator = random.Random(1)
    made = [drawn(generator, count) for _ in range(4_000)]
    assert sum(each.is_interval and each.low <= MEDIAN <= each.high for each in made) > 0.945 * len(made)


def test_too_few_samples_have_a_range_and_no_interval() -> None:
    few, enough = estimate([1.0, 3.0, 2.0]), estimate([1.0] * LEAST_SAMPLES)
    assert few == Estimate(3, 2, 1, 3) and not few.is_interval
    assert enough is not None and enough.is_interval
    assert estimate([]) is None
    assert [str(each) for each in (few, estimate([2.0]))] == ["2.00 (1.00–3.00)", "2.00"]


def test_end_of_a_range_has_the_digits_that_show_its_side_of_1() -> None:
    for low, high, text in ((1.0004, 1.1149, "1.0004–1.11"), (0.9, 0.997, "0.90–0.997"), (1.0, 1.0, "1.00–1.00")):
        assert str(Estimate(6, 1.05, low, high)) == f"1.05 ({text})"
