"""Intervals and lines against known ones."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from swiftmodules.measure.statistics import (
    LEAST_SAMPLES,
    Interval,
    Ratio,
    line_through,
    median_interval,
    ratio_of,
    ratio_of_medians_interval,
)


def seconds(count: int, seed: int = 1) -> list[float]:
    generator = random.Random(seed)
    return [generator.lognormvariate(0, 0.2) for _ in range(count)]


def test_interval_has_a_known_value_and_the_seed_repeats_it() -> None:
    values = [float(number) for number in range(1, 12)]
    assert median_interval(values, seed=5) == Interval(3.0, 9.0)
    assert median_interval([2.0] * LEAST_SAMPLES, seed=1) == Interval(2.0, 2.0)
    assert [value in Interval(3.0, 9.0) for value in (2.9, 3, 9, 9.1)] == [False, True, True, False]
    first, second = seconds(10, 1), seconds(10, 2)
    assert ratio_of_medians_interval(first, second, 5) == ratio_of_medians_interval(first, second, 5)
    assert ratio_of_medians_interval(first, second, 5) != ratio_of_medians_interval(first, second, 6)


def test_intervals_are_those_of_scipys_bootstrap() -> None:
    # Of scipy.stats.bootstrap with the method 'percentile', whose random numbers are others.
    interval = ratio_of_medians_interval([3 * each for each in seconds(12, 2)], seconds(14, 3), seed=1)
    assert interval is not None
    assert (interval.low, interval.high) == pytest.approx((2.548, 3.582), rel=0.02)
    median = median_interval(seconds(15), seed=1)
    assert median is not None
    assert (median.low, median.high) == pytest.approx((0.888, 1.276), rel=0.02)


def test_too_few_samples_give_no_answer() -> None:
    few, enough = seconds(LEAST_SAMPLES - 1), seconds(LEAST_SAMPLES)
    assert median_interval(few, 1) is None
    assert ratio_of_medians_interval(few, enough, 1) is None
    assert ratio_of_medians_interval(enough, few, 1) is None
    assert ratio_of([], 1) is None


def test_bootstrap_draws_of_each_machine_as_many_as_it_has() -> None:
    # Two machines with a ratio each: with whole strata, the median of three and two is always one of the three.
    values, machines = [1.0] * 6 + [9.0] * 5, ["a"] * 6 + ["b"] * 5
    stratified, pooled = median_interval(values, 1, machines), median_interval(values, 1)
    assert (stratified, pooled) == (Interval(1.0, 1.0), Interval(1.0, 9.0))
    assert median_interval(values, 1, ["a"] * 11) == pooled


def test_bound_of_a_ratio_has_the_digits_that_show_its_side_of_1() -> None:
    for low, high, text in ((1.0004, 1.1149, "1.0004–1.11"), (0.9, 0.997, "0.90–0.997"), (1.0, 1.0, "1.00–1.00")):
        assert str(Ratio(6, 1.05, Interval(low, high))) == f"1.05 ({text})"


def repeated(points: Sequence[tuple[int, float]], rounds: int = 6) -> dict[int, dict[int, float]]:
    """Values by size and round that are the same in each round."""
    return {size: dict.fromkeys(range(1, rounds + 1), value) for size, value in points}


def test_slope_is_that_of_the_textbook() -> None:
    # Anscombe's first data set: slope 0.5001, R² 0.6665.
    xs = [10, 8, 13, 9, 11, 14, 6, 4, 12, 7, 5]
    ys = [8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68]
    line = line_through(repeated(list(zip(xs, ys, strict=True))), 1)
    assert line is not None and line.interval is not None
    assert (line.slope, line.explained) == pytest.approx((0.5001, 0.6665), abs=1e-4)
    # It is the same in each round.
    assert (line.interval.low, line.interval.high) == pytest.approx((line.slope, line.slope))


def test_cost_that_does_not_grow_has_the_slope_0() -> None:
    line = line_through(repeated([(5, 1.1), (10, 1.1), (20, 1.1)]), 1)
    assert line is not None and line.interval is not None
    assert (line.slope, line.interval.low, line.interval.high, line.explained) == (0, 0, 0, 1)


def test_slope_needs_two_sizes_and_its_interval_rounds_of_all_sizes() -> None:
    assert line_through(repeated([(5, 1)]), 1) is None
    values = repeated([(5, 1), (10, 2)])
    line = line_through(values, 1)
    assert line is not None and line.interval is not None and line.explained is None
    del values[10][6]
    line = line_through(values, 1)
    assert line is not None and (line.slope, line.interval) == (0.2, None)


def test_round_that_is_slow_as_a_whole_hardly_moves_a_slope() -> None:
    # A machine that takes up to three times as long in some rounds, and each size 1% longer or shorter by chance.
    generator = random.Random(1)
    slowness = [1, 1.1, 3, 1.05, 2, 1, 1.2, 1]
    together = {
        size: {
            number: slow * (1 + 0.1 * size) * generator.uniform(0.99, 1.01) for number, slow in enumerate(slowness, 1)
        }
        for size in (5, 10, 20)
    }
    # The same values, but what was slow was one size.
    apart = {size: dict(by_round) for size, by_round in together.items()}
    apart[5] = {number: 3 * value / slowness[number - 1] for number, value in together[5].items()}
    line, moved = line_through(together, 1), line_through(apart, 1)
    assert line is not None and line.interval is not None and moved is not None
    assert line.slope == pytest.approx(0.1, rel=0.15) and line.interval.low > 0.05
    assert moved.slope < 0.5 * line.slope
