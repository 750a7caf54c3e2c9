"""Statistics of samples: medians and paired ratios, with intervals of order statistics. Pure functions of numbers.

An interval is that between two samples: the k-th smallest and the k-th largest. It holds the median of what was sampled
with a probability that follows from the binomial distribution alone, whatever the samples' own distribution is
(H. A. David and H. N. Nagaraja, "Order Statistics", section 7.1). Too few samples for 95% have none.
"""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

CONFIDENCE = 0.95
# The range of six samples holds the median in 96.9% of cases (1 − 2 × 2⁻⁶), that of five in 93.8%.
LEAST_SAMPLES = 6


@dataclass(frozen=True)
class Interval:
    """An interval of at least 95%, with its ends."""

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

    def __str__(self) -> str:
        bounds = "" if self.interval is None else f" ({_bound(self.interval.low)}–{_bound(self.interval.high)})"
        return f"{self.median:.2f}{bounds}"


def with_interval(value: float, interval: Interval | None) -> str:
    """A number with its interval, such as `1.20 (1.10–1.31)`."""
    return f"{value:.2f}" if interval is None else f"{value:.2f} ({interval.low:.2f}–{interval.high:.2f})"


def median_of(values: Sequence[float]) -> Median | None:
    """The median of samples; None where there are none."""
    return Median(statistics.median(values), median_interval(values)) if values else None


def ratio_of(ratios: Sequence[float]) -> Ratio | None:
    """Summarises paired ratios; None where there are none."""
    return Ratio(len(ratios), statistics.median(ratios), median_interval(ratios)) if ratios else None


def median_interval(values: Sequence[float]) -> Interval | None:
    """The narrowest interval of order statistics that holds the median with at least 95%."""
    ordered, left_out = sorted(values), _left_out(len(values))
    return None if left_out is None else Interval(ordered[left_out], ordered[-1 - left_out])


def ratio_of_medians_interval(values: Sequence[float], baseline: Sequence[float]) -> Interval | None:
    """An interval of the ratio of the medians of samples that belong to no pairs, such as those of two runs: from the
    lowest to the highest ratio that the intervals of both allow, so it rather holds too much."""
    above, below = median_interval(values), median_interval(baseline)
    return Interval(above.low / below.high, above.high / below.low) if above and below else None


def _left_out(count: int) -> int | None:
    """How many samples may be left out at each end."""
    missed, found = 0.0, None
    for number in range(count // 2):
        # The median lies beyond one of the ends where at most so many samples lie on its side.
        missed += 2 * comb(count, number) / 2**count
        if missed > 1 - CONFIDENCE:
            break
        found = number
    return found


def _bound(value: float) -> str:
    texts = (f"{value:.{digits}f}" for digits in range(2, 7))
    return next((text for text in texts if float(text) != 1), "1.00")
