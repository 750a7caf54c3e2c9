"""Intervals and p-values against known ones."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest
from scipy import stats

from buildspeed.inference import (
    LEAST_SAMPLES,
    Interval,
    median_interval,
    ratio_of_medians_interval,
    signed_rank_p_value,
)

# Darwin's heights of cross- and self-fertilised plants, in eighths of an inch, as in Fisher's Design of Experiments.
DARWIN = [49, -67, 8, 16, 6, 23, 28, 41, 14, 29, 56, 24, 75, 60, -48]


def seconds(count: int, seed: int = 1) -> list[float]:
    generator = random.Random(seed)
    return [generator.lognormvariate(0, 0.2) for _ in range(count)]


def test_interval_of_the_median_is_that_of_scipys_bootstrap() -> None:
    values = seconds(15)
    generator = np.random.default_rng(1)
    expected = stats.bootstrap([values], np.median, method="percentile", rng=generator).confidence_interval
    interval = median_interval(values, seed=1)
    assert interval is not None
    assert interval.low == pytest.approx(expected.low, rel=0.05)
    assert interval.high == pytest.approx(expected.high, rel=0.05)


def test_interval_of_the_ratio_of_medians_is_that_of_scipys_bootstrap() -> None:
    values, baseline = [3 * each for each in seconds(12, 2)], seconds(14, 3)

    def ratio(numerators: np.ndarray, denominators: np.ndarray, axis: int) -> np.ndarray:
        return np.median(numerators, axis) / np.median(denominators, axis)

    generator = np.random.default_rng(1)
    expected = stats.bootstrap([values, baseline], ratio, method="percentile", rng=generator)
    interval = ratio_of_medians_interval(values, baseline, seed=1)
    assert interval is not None
    assert interval.low == pytest.approx(expected.confidence_interval.low, rel=0.05)
    assert interval.high == pytest.approx(expected.confidence_interval.high, rel=0.05)


def test_interval_misses_the_true_median_about_one_time_in_twenty() -> None:
    # Of a log-normal distribution around 1; the bootstrap is known to be a little off with so few samples.
    intervals = [median_interval(seconds(10, seed), seed) for seed in range(300)]
    missed = sum(1 not in interval for interval in intervals if interval is not None) / len(intervals)
    assert 0.02 < missed < 0.1


def test_interval_has_a_known_value_and_the_seed_repeats_it() -> None:
    values = [float(number) for number in range(1, 12)]
    assert median_interval(values, seed=5) == Interval(3.0, 9.0)
    first, second = seconds(10, 1), seconds(10, 2)
    assert ratio_of_medians_interval(first, second, 5) == ratio_of_medians_interval(first, second, 5)
    assert ratio_of_medians_interval(first, second, 5) != ratio_of_medians_interval(first, second, 6)


def test_equal_samples_have_an_interval_without_width() -> None:
    assert median_interval([2.0] * LEAST_SAMPLES, seed=1) == Interval(2.0, 2.0)


def test_p_value_is_the_published_one() -> None:
    # The published statistic is 24 of 15 pairs, whose exact two-sided probability is 0.0413.
    ratios = [math.exp(difference / 100) for difference in DARWIN]
    assert signed_rank_p_value(ratios) == pytest.approx(0.0413, abs=0.0001)


def test_p_value_of_pairs_that_all_differ_the_same_way_is_the_least_possible() -> None:
    assert signed_rank_p_value([1.1, 1.2, 1.3, 1.4, 1.5, 1.6]) == pytest.approx(2 / 2**6)
    assert signed_rank_p_value([1.0] * 6) == 1.0
    # Equal pairs say nothing about the direction.
    assert signed_rank_p_value([1.0, 1.1, 1.2, 1.3, 1.4, 1.5, 1.6]) == pytest.approx(2 / 2**6)


def test_too_few_samples_give_no_answer() -> None:
    few = seconds(LEAST_SAMPLES - 1)
    enough = seconds(LEAST_SAMPLES)
    assert median_interval(few, 1) is None
    assert signed_rank_p_value(few) is None
    assert ratio_of_medians_interval(few, enough, 1) is None
    assert ratio_of_medians_interval(enough, few, 1) is None
