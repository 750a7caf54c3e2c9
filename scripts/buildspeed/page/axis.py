"""An axis that begins at nothing, with round numbers on it."""

from __future__ import annotations

import math
from dataclasses import dataclass

_MOST_STEPS = 5


@dataclass(frozen=True)
class Axis:
    """From 0 to `end`, with a mark at every `step`."""

    end: float
    step: float

    @property
    def marks(self) -> tuple[float, ...]:
        return tuple(index * self.step for index in range(round(self.end / self.step) + 1))

    def percent(self, value: float) -> float:
        """The place of a value, from 0 to 100."""
        return round(100 * value / self.end, 2)


def axis_to(most: float) -> Axis:
    """An axis that reaches the largest value."""
    if most <= 0:
        return Axis(1, 1)
    magnitude = 10.0 ** math.floor(math.log10(most / _MOST_STEPS))
    # 10 in any case, because a logarithm just below a whole number may be rounded up to it.
    step = next(size * magnitude for size in (1, 2, 5, 10, 20) if math.ceil(most / (size * magnitude)) <= _MOST_STEPS)
    return Axis(math.ceil(most / step) * step, step)
