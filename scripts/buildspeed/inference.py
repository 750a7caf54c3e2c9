"""What samples allow to say: bootstrap intervals and a signed-rank test. Pure functions of numbers.

Every function gives None where there are too few samples for an answer at 95%.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

CONFIDENCE = 0.95
# Even the whole range of five samples misses the true median more often than 1 in 20 times (2 × 2⁻⁵).
LEAST_SAMPLES = 6
RESAMPLES = 10_000


@dataclass(frozen=True)
class Interval:
    """A 95% interval, with its ends."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


def median_interval(values: Sequence[float], seed: int) -> Interval | None:
    """The percentile bootstrap interval of the median.

    Not the bias-corrected one, whose acceleration is estimated by leaving out one sample at a time, which
    moves a median too coarsely.
    """
    if len(values) < LEAST_SAMPLES:
        return None
    return _interval(_resampled_medians(values, _generator(seed)))


def ratio_of_medians_interval(values: Sequence[float], baseline: Sequence[float], seed: int) -> Interval | None:
    """The percentile bootstrap interval of the ratio of the medians of samples that belong to no pairs, such as
    those of two runs."""
    if min(len(values), len(baseline)) < LEAST_SAMPLES:
        return None
    generator = _generator(seed)
    numerators = _resampled_medians(values, generator)
    return _interval(numerators / _resampled_medians(baseline, generator))


def slope_interval(places: Sequence[float], rounds: Sequence[Sequence[float]], seed: int) -> Interval | None:
    """The percentile bootstrap interval of the slope of the line of least squares through the medians of `places`.

    Each round has one value for each place. Whole rounds are drawn, so what slows a round down as a whole moves all its
    places.
    """
    if len(rounds) < LEAST_SAMPLES:
        return None
    medians = _resampled_medians(rounds, _generator(seed))
    distances = np.asarray(places, dtype=float) - np.mean(places)
    # From the first place, so that what does not vary has the slope 0 to the last digit.
    return _interval((medians - medians[:, :1]) @ distances / (distances @ distances))


def signed_rank_p_value(ratios: Sequence[float]) -> float | None:
    """The two-sided p-value of Wilcoxon's signed-rank test that paired ratios lie around 1.

    On logarithms, because twice and half as long are equally far from 1. Ratios of exactly 1 are left out, as
    Wilcoxon did.
    """
    differences = [math.log(ratio) for ratio in ratios if ratio != 1]
    if len(ratios) < LEAST_SAMPLES:
        return None
    if not differences:
        return 1.0
    # Takes a second to load, which only those who ask for a p-value should wait.
    from scipy.stats import wilcoxon

    return float(wilcoxon(differences).pvalue)


def _generator(seed: int) -> np.random.RandomState:
    # The old generator, because numpy promises that its numbers never change: a report that is rendered again
    # has the same intervals.
    return np.random.RandomState(seed % 2**32)


def _resampled_medians(
    values: Sequence[float] | Sequence[Sequence[float]], generator: np.random.RandomState
) -> np.ndarray:
    chosen = generator.randint(0, len(values), size=(RESAMPLES, len(values)))
    return np.median(np.asarray(values, dtype=float)[chosen], axis=1)


def _interval(statistics: np.ndarray) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(statistics, [tail, 1 - tail])
    return Interval(float(low), float(high))
