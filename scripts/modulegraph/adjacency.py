"""What can be asked of any directed graph, given as the successors of each node. Cycles are allowed."""

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
    """How many edges away each node is that can be reached; the starts themselves are 0 away."""
    found = dict.fromkeys(starts, 0)
    pending = deque(found)
    while pending:
        node = pending.popleft()
        for successor in adjacency.get(node, ()):
            if successor not in found:
                found[successor] = found[node] + 1
                pending.append(successor)
    return found


def reachable(adjacency: Adjacency, start: str) -> set[str]:
    """The nodes that can be reached, without the start."""
    return set(distances(adjacency, start)) - {start}


def paths(adjacency: Adjacency, starts: Sequence[str], ends: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The paths from one of the starts to one of the ends, the shortest first.

    A path meets no node twice, and no start or end on its way. One can take the first few of very many.
    """
    known = set(starts) | set(ends)
    remaining = distances(inverted(adjacency), *ends)
    pending = [(remaining[start], (start,)) for start in dict.fromkeys(starts) if start in remaining]
    heapq.heapify(pending)
    while pending:
        _, path = heapq.heappop(pending)
        if path[-1] in ends:
            yield path
            continue
        for successor in dict.fromkeys(adjacency.get(path[-1], ())):
            is_allowed = successor in ends or (successor not in known and successor not in path)
            if successor in remaining and is_allowed:
                # What the whole path comes to at least, so that no longer one overtakes it.
                heapq.heappush(pending, (len(path) + remaining[successor], (*path, successor)))


def components(adjacency: Adjacency) -> list[list[str]]:
    """The strongly connected components: nodes that reach one another. Each comes after those that it reaches."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    unfinished: list[str] = []
    found: list[list[str]] = []
    # Tarjan's algorithm, without recursion: a chain of targets may be longer than Python's stack is deep.
    for start in adjacency:
        if start in numbers:
            continue
        calls = [(start, iter(adjacency[start]))]
        numbers[start] = lowest[start] = len(numbers)
        unfinished.append(start)
        while calls:
            node, successors = calls[-1]
            successor = next(successors, None)
            if successor is None:
                calls.pop()
                if calls:
                    lowest[calls[-1][0]] = min(lowest[calls[-1][0]], lowest[node])
                if lowest[node] == numbers[node]:
                    position = unfinished.index(node)
                    found.append(unfinished[position:])
                    del unfinished[position:]
            elif successor not in numbers:
                numbers[successor] = lowest[successor] = len(numbers)
                unfinished.append(successor)
                calls.append((successor, iter(adjacency.get(successor, ()))))
            elif successor in unfinished:
                lowest[node] = min(lowest[node], numbers[successor])
    return found


def depths(adjacency: Adjacency) -> dict[str, int]:
    """How many edges the longest path from each node has; nodes that reach one another count as one."""
    component_of: dict[str, int] = {}
    result: list[int] = []
    for index, members in enumerate(components(adjacency)):
        component_of |= dict.fromkeys(members, index)
        below = {component_of[successor] for member in members for successor in adjacency.get(member, ())} - {index}
        result.append(max((result[each] + 1 for each in below), default=0))
    return {node: result[index] for node, index in component_of.items()}
