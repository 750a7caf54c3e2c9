"""Puts the nodes of a graph into rows, so that edges lead downwards and cross seldom (after Sugiyama, Tagawa and
Toda, 1981): the longest path decides on the row, the barycentre of its neighbours on a node's place in it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from modulegraph.adjacency import depths

# Sweeps through all rows, down and up. More of them change nothing that can be seen.
_SWEEPS = 24


@dataclass(frozen=True)
class Layering:
    """Rows from the top, each from the left. `chains` has for each edge the nodes that its line meets, from its
    upper end: in the rows between its ends these are waypoints, strings that no node is called."""

    rows: tuple[tuple[str, ...], ...]
    chains: Mapping[tuple[str, str], tuple[str, ...]]

    @property
    def segments(self) -> list[tuple[str, str]]:
        """The pairs of neighbours in all chains, the upper one first."""
        return [pair for chain in self.chains.values() for pair in pairwise(chain)]


def layering(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> Layering:
    """Layers a graph. In a cycle some edges have to lead upwards; their chains begin at their target."""
    distinct = [edge for edge in dict.fromkeys(edges) if edge[0] != edge[1]]
    downwards = _without_cycles(nodes, distinct)
    adjacency: dict[str, list[str]] = {node: [] for node in nodes}
    for source, target in downwards.values():
        adjacency[source].append(target)
    height = depths(adjacency)
    rows: list[list[str]] = [[] for _ in range(max(height.values(), default=-1) + 1)]
    for node in nodes:
        rows[height[node]].append(node)
    chains = {}
    for number, (edge, (upper, lower)) in enumerate(downwards.items()):
        between = range(height[upper] - 1, height[lower], -1)
        waypoints = {row: f"\0{number}.{row}" for row in between}
        for row, waypoint in waypoints.items():
            rows[row].append(waypoint)
        chains[edge] = (upper, *waypoints.values(), lower)
    unordered = Layering(tuple(tuple(row) for row in reversed(rows)), chains)
    return Layering(_ordered(unordered), chains)


def is_waypoint(name: str) -> bool:
    """Whether a name in a row is that of a waypoint."""
    return name.startswith("\0")


def crossings(rows: Sequence[Sequence[str]], segments: Sequence[tuple[str, str]]) -> int:
    """How many pairs of lines cross between neighbouring rows."""
    place = {node: (row, position) for row, nodes in enumerate(rows) for position, node in enumerate(nodes)}
    between: dict[int, list[tuple[int, int]]] = {}
    for upper, lower in segments:
        between.setdefault(place[upper][0], []).append((place[upper][1], place[lower][1]))
    return sum(_inversions([lower for _, lower in sorted(lines)]) for lines in between.values())


def _without_cycles(nodes: Sequence[str], edges: Sequence[tuple[str, str]]) -> dict[tuple[str, str], tuple[str, str]]:
    """Each edge as it leads downwards: those that a search meets as the closing edge of a cycle are turned round."""
    successors: dict[str, list[str]] = {node: [] for node in nodes}
    for source, target in edges:
        successors[source].append(target)
    finished: set[str] = set()
    closing: set[tuple[str, str]] = set()
    for start in nodes:
        path: dict[str, None] = {}
        pending = [iter((start,))]
        while pending:
            node = next(pending[-1], None)
            if node is None:
                pending.pop()
                if path:
                    finished.add(path.popitem()[0])
            elif node in path:
                closing.add((next(reversed(path)), node))
            elif node not in finished:
                path[node] = None
                pending.append(iter(successors[node]))
    return {
        (source, target): (target, source) if (source, target) in closing else (source, target)
        for source, target in edges
    }


def _ordered(layering: Layering) -> tuple[tuple[str, ...], ...]:
    """The rows in the order with the fewest crossings that the sweeps come upon."""
    above: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for upper, lower in layering.segments:
        below.setdefault(upper, []).append(lower)
        above.setdefault(lower, []).append(upper)
    rows = [list(row) for row in layering.rows]
    best, fewest = layering.rows, crossings(layering.rows, layering.segments)
    for sweep in range(_SWEEPS):
        if fewest == 0:
            break
        neighbours = above if sweep % 2 == 0 else below
        for row in rows if sweep % 2 == 0 else reversed(rows):
            _sort_by_barycentre(row, rows, neighbours)
        count = crossings(rows, layering.segments)
        if count < fewest:
            best, fewest = tuple(tuple(row) for row in rows), count
    return best


def _sort_by_barycentre(row: list[str], rows: Sequence[Sequence[str]], neighbours: Mapping[str, Sequence[str]]) -> None:
    """Sorts a row by the mean position of each node's neighbours; a node that has none keeps its place."""
    position = {node: (index + 0.5) / len(each) for each in rows for index, node in enumerate(each)}
    means = {}
    for node in row:
        places = [position[neighbour] for neighbour in neighbours.get(node, ())]
        means[node] = sum(places) / len(places) if places else position[node]
    row.sort(key=lambda node: means[node])


def _inversions(values: Sequence[int]) -> int:
    """How many pairs stand in the wrong order, counted by merging."""
    if len(values) < 2:
        return 0
    middle = len(values) // 2
    count = _inversions(values[:middle]) + _inversions(values[middle:])
    left, right = sorted(values[:middle]), sorted(values[middle:])
    passed = 0
    for value in right:
        while passed < len(left) and left[passed] <= value:
            passed += 1
        count += len(left) - passed
    return count
