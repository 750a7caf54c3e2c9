"""Which copies of a module use which, in the graphs that are measured. Copies are numbered from 1."""

from __future__ import annotations

import random
from collections.abc import Mapping
from itertools import pairwise

SHAPES: Mapping[str, str] = {
    "star": "the copies use the client and the other modules of the repository, and none of one another",
    "chain": "each copy uses the one before it as well",
    "layered": "the copies stand in four layers, and each uses up to three of the layer below as well",
}
_LAYERS = 4
_MOST_USED = 3

Uses = Mapping[int, tuple[int, ...]]


def uses(shape: str, size: int, seed: int) -> Uses:
    """For each copy, those that it uses. The first copy uses none, and is used where any is."""
    if shape == "chain":
        return {number: (number - 1,) if number > 1 else () for number in range(1, size + 1)}
    if shape == "layered":
        return _layered(size, random.Random(f"layered {size} {seed}"))
    return dict.fromkeys(range(1, size + 1), ())


def _layered(size: int, generator: random.Random) -> Uses:
    numbers = list(range(1, size + 1))
    cuts = [round(size * layer / _LAYERS) for layer in range(_LAYERS + 1)]
    layers = [layer for low, high in pairwise(cuts) if (layer := numbers[low:high])]
    found: dict[int, tuple[int, ...]] = dict.fromkeys(layers[0], ())
    for below, layer in pairwise(layers):
        for position, number in enumerate(layer):
            # One by its position, so that the first of a layer is used at every size.
            used = below[position % len(below)]
            others = [each for each in below if each != used]
            more = generator.sample(others, min(len(others), _MOST_USED - 1))
            found[number] = tuple(sorted([used, *more]))
    return found
