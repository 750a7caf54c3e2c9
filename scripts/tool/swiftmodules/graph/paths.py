"""Paths and distances in any directed graph, given as the successors of each node."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterator, Mapping, Sequence

Adjacency = Mapping[str, Sequence[str]]


def inverted(adjacency: Adjacency) -> dict[str, list[str]]:
    """The same edges the other way round."""
    result: dict[str, list[str]] = {node: [] for node in adjacency}
    for node, successors in adjacency.items():
        for successor in successors:
            result.setdefault(successor, []).append(node)
    return result


def distances(adjacency: Adjacency, *starts: str) -> dict[str, int]:
    """Counts the edges to each node that can be reached; the starts themselves are 0 away."""
    found = dict.fromkeys(starts, 0)
    pending = deque(found)
    while pending:
        node = pending.popleft()
        for successor in adjacency.get(node, ()):
            if successor not in found:
                found[successor] = found[node] + 1
                pending.append(successor)
    return found


def paths(adjacency: Adjacency, starts: Sequence[str], ends: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The paths from one of the starts to one of the ends, the shortest first.

    A path meets no node twice, and no start or end on its way. A caller may take the first few of very many.
    """
    known = set(starts) | set(ends)
    remaining = distances(inverted(adjacency), *ends)
    wanted = [start for start in dict.fromkeys(starts) if start in remaining]
    pending: list[tuple[int, tuple[str, ...]]] = [(remaining[start], (start,)) for start in wanted]
    heapq.heapify(pending)
    while pending:
        _, path = heapq.heappop(pending)
        if path[-1] in ends:
            yield path
            continue
        for successor in dict.fromkeys(adjacency.get(path[-1], ())):
            is_allowed = successor in ends or (successor not in known and successor not in path)
            if successor in remaining and is_allowed:
                # The least possible length of the whole path, so that paths come in order of length.
                heapq.heappush(pending, (len(path) + remaining[successor], (*path, successor)))
