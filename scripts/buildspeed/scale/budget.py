"""Whether a size still fits into the time, judged by the sizes that were measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class TimedSize:
    """How long a size of a shape took as a whole, with all that was not timed."""

    shape: str
    size: int
    seconds: float


def estimated_seconds(shape: str, size: int, timed: Sequence[TimedSize]) -> float | None:
    """How long a size will take; None where nothing is known yet.

    From two smaller sizes of the shape, by the line through the largest two. From one, as many times as long as the
    size is larger, which is rather too much. Where there is none, as long as the same size of another shape.
    """
    own = sorted((each.size, each.seconds) for each in timed if each.shape == shape and each.size < size)
    if not own:
        return max((each.seconds for each in timed if each.size == size), default=None)
    largest, seconds = own[-1]
    if len(own) == 1:
        return seconds * size / largest
    before, earlier = own[-2]
    growth = max(0.0, seconds - earlier) / (largest - before)
    return seconds + growth * (size - largest)
