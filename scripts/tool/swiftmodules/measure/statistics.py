"""Statistics of samples: bootstrap intervals, paired ratios and straight lines. Pure functions of numbers.

An answer that claims 95% is None where there are too few samples for one.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CONFIDENCE = 0.95
# Even the whole range of five samples misses the true median in more than 1 of 20 cases (2 × 2⁻⁵).
LEAST_SAMPLES = 6
RESAMPLES = 10_000
# With two sizes, every line fits, and nothing shows how well.
LEAST_SIZES = 3

_Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Interval:
    """A 95% interval, with its ends."""

    low: float
    high: float

    def __contains__(self, value: float) -> bool:
        return self.low <= value <= self.high


@dataclass(frozen=True)
class Median:
    """A median, and its interval where there are enough samples; as text such as `1.20 (1.10–1.31)`."""

    value: float
    interval: Interval | None

    def __str__(self) -> str:
        return with_interval(self.value, self.interval)


@dataclass(frozen=True)
class Ratio:
    """The ratio of seconds to those of another cell in the same rounds. As text such as `1.05 (1.0004–1.11)`: a bound
    has as many digits as show on which side of 1 it lies."""

    pairs: int
    median: float
    interval: Interval | None

    @property
    def holds_one(self) -> bool | None:
        """Whether the interval contains 1; None where there are too few pairs for one."""
        return None if self.interval is None else 1 in self.interval

    def __str__(self) -> str:
        bounds = "" if self.interval is None else f" ({_bound(self.interval.low)}–{_bound(self.interval.high)})"
        return f"{self.median:.2f}{bounds}"


@dataclass(frozen=True)
class Line:
    """A straight line through points, by least squares. `interval` is that of the slope, None where there are too few
    rounds for one. `explained` is the share of the variance that the line explains (R²), None below `LEAST_SIZES`."""

    slope: float
    interval: Interval | None
    explained: float | None


def with_interval(value: float, interval: Interval | None) -> str:
    """A number with its interval, such as `1.20 (1.10–1.31)`."""
    return f"{value:.2f}" if interval is None else f"{value:.2f} ({interval.low:.2f}–{interval.high:.2f})"


def median_of(values: Sequence[float], seed: int) -> Median | None:
    """The median of samples; None where there are none."""
    return Median(statistics.median(values), median_interval(values, seed)) if values else None


def ratio_of(ratios: Sequence[float], seed: int, strata: Sequence[object] = ()) -> Ratio | None:
    """Summarises paired ratios; None where there are none. `strata` are the machines, where there are several."""
    if not ratios:
        return None
    return Ratio(len(ratios), statistics.median(ratios), median_interval(ratios, seed, strata))


def ratio_of_sums(values: Sequence[float], baseline: Sequence[float], seed: int) -> Ratio | None:
    """The ratio of two sums of pairs, with its percentile bootstrap interval; None where there are none."""
    if not values or not sum(baseline):
        return None
    pairs = np.asarray([values, baseline])
    drawn = pairs[:, _generator(seed).randint(0, len(values), size=(RESAMPLES, len(values)))].sum(axis=2)
    interval = _interval(drawn[0] / drawn[1]) if len(values) >= LEAST_SAMPLES else None
    return Ratio(len(values), sum(values) / sum(baseline), interval)


def median_interval(values: Sequence[float], seed: int, strata: Sequence[object] = ()) -> Interval | None:
    """The percentile bootstrap interval of the median. With strata, as many values are drawn of each as it has: chance
    chose the values, and not how many a machine takes.

    Not the bias-corrected one, whose acceleration is estimated by leaving out one sample at a time, which
    moves a median too coarsely.
    """
    if len(values) < LEAST_SAMPLES:
        return None
    return _interval(_resampled_medians(values, _generator(seed), strata))


def ratio_of_medians_interval(values: Sequence[float], baseline: Sequence[float], seed: int) -> Interval | None:
    """The percentile bootstrap interval of the ratio of the medians of samples that belong to no pairs, such as
    those of two runs."""
    if min(len(values), len(baseline)) < LEAST_SAMPLES:
        return None
    generator = _generator(seed)
    numerators = _resampled_medians(values, generator)
    return _interval(numerators / _resampled_medians(baseline, generator))


def line_through(values: Mapping[int, Mapping[int, float]], seed: int) -> Line | None:
    """The line of least squares through the medians of the sizes; None where there are not two. `values` are by size
    and round.

    Each size is one point, and not as many as it has samples. The bootstrap interval shows how well the slope repeats,
    by drawing among the rounds that have all sizes: whole rounds, so what slows a round down as a whole moves all its
    sizes. How straight the growth is, `explained` shows.
    """
    if len(values) < 2:
        return None
    sizes = np.asarray(list(values), dtype=float)
    medians = np.asarray([statistics.median(by_round.values()) for by_round in values.values()])
    distances, heights = sizes - sizes.mean(), medians - medians.mean()
    slope = float(distances @ heights / (distances @ distances))
    # Where nothing varies, a line explains it all.
    varies = len(set(medians.tolist())) > 1
    explained = slope * float(distances @ heights / (heights @ heights)) if varies else 1.0
    complete = sorted(set.intersection(*(set(by_round) for by_round in values.values())))
    interval = None
    if len(complete) >= LEAST_SAMPLES:
        rounds = [[by_round[number] for by_round in values.values()] for number in complete]
        drawn = _resampled_medians(rounds, _generator(seed))
        # From the first size, so that what does not vary has the slope 0 to the last digit.
        interval = _interval((drawn - drawn[:, :1]) @ distances / (distances @ distances))
    return Line(
        slope=slope if varies else 0.0,
        interval=interval,
        explained=explained if len(values) >= LEAST_SIZES else None,
    )


def _generator(seed: int) -> np.random.RandomState:
    # The old generator, because numpy promises that its numbers never change: a report that is rendered again
    # has the same intervals.
    return np.random.RandomState(seed % 2**32)


def _resampled_medians(
    values: Sequence[float] | Sequence[Sequence[float]],
    generator: np.random.RandomState,
    strata: Sequence[object] = (),
) -> _Numbers:
    places: dict[object, list[int]] = {}
    for place, stratum in enumerate(strata or [None] * len(values)):
        places.setdefault(stratum, []).append(place)
    drawn = [np.asarray(own)[generator.randint(0, len(own), size=(RESAMPLES, len(own)))] for own in places.values()]
    chosen = np.concatenate(drawn, axis=1)
    medians: _Numbers = np.median(np.asarray(values, dtype=float)[chosen], axis=1)
    return medians


def _interval(values: _Numbers) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    low, high = np.quantile(values, [tail, 1 - tail])
    return Interval(float(low), float(high))


def _bound(value: float) -> str:
    texts = (f"{value:.{digits}f}" for digits in range(2, 7))
    return next((text for text in texts if float(text) != 1), "1.00")
