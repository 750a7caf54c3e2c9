"""Gives the nodes of rows their places, as near to their neighbours as the order and the space between them allow."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from modulegraph.layering import Layering, is_waypoint

# Passes over all rows; the places have settled by then.
_PASSES = 16
# A line that bends at a waypoint disturbs more than one that leads to a node at an angle.
_WAYPOINT_WEIGHT = 4


def placed(layering: Layering, widths: Mapping[str, float], gap: float) -> dict[str, float]:
    """The horizontal centre of each node and waypoint; the leftmost edge of all is at 0."""
    neighbours: dict[str, list[str]] = {}
    for upper, lower in layering.segments:
        neighbours.setdefault(upper, []).append(lower)
        neighbours.setdefault(lower, []).append(upper)
    centres: dict[str, float] = {}
    for row in layering.rows:
        centres |= _side_by_side(row, [0.0] * len(row), [1.0] * len(row), widths, gap)
    for number in range(_PASSES):
        for row in layering.rows if number % 2 == 0 else reversed(layering.rows):
            wanted, weights = [], []
            for node in row:
                near = neighbours.get(node, [])
                importance = [_WAYPOINT_WEIGHT if is_waypoint(each) and is_waypoint(node) else 1 for each in near]
                total = sum(importance)
                products = [centres[each] * weight for each, weight in zip(near, importance, strict=True)]
                wanted.append(sum(products) / total if total else centres[node])
                weights.append(max(total, 0.1))
            centres |= _side_by_side(row, wanted, weights, widths, gap)
    left = min((centre - widths[node] / 2 for node, centre in centres.items()), default=0)
    return {node: centre - left for node, centre in centres.items()}


def _side_by_side(
    row: Sequence[str], wanted: Sequence[float], weights: Sequence[float], widths: Mapping[str, float], gap: float
) -> dict[str, float]:
    """The places in a row that differ least from the wanted ones (weighted squares) without an overlap.

    With the least distances subtracted, the places only have to grow from left to right; neighbours that want it
    otherwise share their mean (pool adjacent violators).
    """
    offsets = [0.0]
    for left, right in pairwise(row):
        offsets.append(offsets[-1] + (widths[left] + widths[right]) / 2 + gap)
    # Each pool: the sum of its weighted places, its weight, and how many nodes it has.
    pools: list[tuple[float, float, int]] = []
    for place, weight, offset in zip(wanted, weights, offsets, strict=True):
        pools.append(((place - offset) * weight, weight, 1))
        while len(pools) > 1 and pools[-2][0] / pools[-2][1] > pools[-1][0] / pools[-1][1]:
            (total, weight_of_last, count), before = pools.pop(), pools[-1]
            pools[-1] = (before[0] + total, before[1] + weight_of_last, before[2] + count)
    places = [total / weight for total, weight, count in pools for _ in range(count)]
    return {node: place + offset for node, place, offset in zip(row, places, offsets, strict=True)}
