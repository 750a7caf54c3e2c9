"""How the compiler's driver divides files among processes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

_Item = TypeVar("_Item")

# The driver puts no more files than this into one process, unless it is told otherwise.
MOST_FILES = 25


def batches(files: Sequence[_Item], jobs: int | None) -> list[list[_Item]]:
    """As many batches as the driver may start processes (`jobs`, None for any number), or more where they would be too
    large. Neighbours stay together, and the first batches take what does not divide evenly."""
    if not files:
        return []
    wanted = len(files) if jobs is None else jobs
    count = min(len(files), max(wanted, math.ceil(len(files) / MOST_FILES)))
    size, larger = divmod(len(files), count)
    ends = [(place + 1) * size + min(place + 1, larger) for place in range(count)]
    return [list(files[start:end]) for start, end in zip([0, *ends], ends, strict=False)]
