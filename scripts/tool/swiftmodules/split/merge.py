"""Merges the nodes of a graph into ever fewer parts, none of which depends on itself through others."""

from __future__ import annotations

import heapq
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence

Pair = tuple[int, int]


def reaching(nodes: Iterable[int], edges: Iterable[Pair]) -> dict[int, int]:
    """What each node reaches, itself too, as a number with a bit for each node."""
    found = {node: 1 << node for node in nodes}
    users: dict[int, list[int]] = {node: [] for node in found}
    for user, used in edges:
        users[used].append(user)
    waiting = deque(found)
    while waiting:
        node = waiting.popleft()
        for user in users[node]:
            if found[node] & ~found[user]:
                found[user] |= found[node]
                waiting.append(user)
    return found


def components(nodes: Iterable[int], edges: Iterable[Pair]) -> dict[int, int]:
    """A number for each node, the same for nodes that reach one another, and so all the same nodes."""
    first: dict[int, int] = {}
    return {node: first.setdefault(reached, node) for node, reached in reaching(nodes, edges).items()}


def partitions(
    nodes: Iterable[int], edges: Iterable[Pair], attraction: Mapping[Pair, float], most: int
) -> Iterator[Mapping[int, int]]:
    """The part of each node, for `most` parts at first and then for one part fewer each time, down to one.

    Nodes in cycles are merged first. Of the pairs of parts that no path through a third part connects, the pair is
    merged next that attracts each other most beyond what their sizes make likely (their gain of modularity), so that
    the parts stay acyclic.
    """
    merge = _Merge(list(nodes), list(edges), attraction)
    while True:
        if len(merge.members) <= most:
            yield dict(merge.part)
        if len(merge.members) == 1:
            return
        merge.merge_next()


class _Merge:
    def __init__(self, nodes: Sequence[int], edges: Sequence[Pair], attraction: Mapping[Pair, float]) -> None:
        self.part = components(nodes, edges)
        self.members: dict[int, list[int]] = {}
        for node, part in self.part.items():
            self.members.setdefault(part, []).append(node)
        # Sets of nodes, by part, as numbers: its own, those that it reaches, and those that reach it.
        self._own = {part: sum(1 << node for node in nodes) for part, nodes in self.members.items()}
        below, above = reaching(nodes, edges), reaching(nodes, ((used, user) for user, used in edges))
        self._below = {part: below[part] for part in self.members}
        self._above = {part: above[part] for part in self.members}
        self._pull: dict[int, dict[int, float]] = {part: {} for part in self.members}
        self._weight = dict.fromkeys(self.members, 0.0)
        self._total = sum(attraction.values()) or 1.0
        for (one, other), strength in attraction.items():
            first, second = self.part[one], self.part[other]
            self._weight[first] += strength
            self._weight[second] += strength
            if first != second:
                self._pull[first][second] = self._pull[first].get(second, 0.0) + strength
                self._pull[second][first] = self._pull[second].get(first, 0.0) + strength
        # What each pair would lose, the least first, as it was when the pair was pushed.
        self._heap: list[tuple[float, int, int]] = []
        self._knows_all = False
        for part in self.members:
            self._push(part, (other for other in self._pull[part] if part < other))

    def _push(self, part: int, others: Iterable[int]) -> None:
        for other in others:
            heapq.heappush(self._heap, (self._loss(part, other), part, other))

    def _loss(self, part: int, other: int) -> float:
        expected = self._weight[part] * self._weight[other] / (2 * self._total**2)
        return expected - self._pull[part].get(other, 0.0) / self._total

    def merge_next(self) -> None:
        while True:
            if not self._knows_all and (not self._heap or self._heap[0][0] >= 0):
                # No pair attracts each other any more, so others, which do not touch, may be no worse.
                self._knows_all = True
                for part in self.members:
                    self._push(part, (each for each in self.members if part < each and each not in self._pull[part]))
            loss, one, other = heapq.heappop(self._heap)
            if one not in self.members or other not in self.members:
                continue
            if (now := self._loss(one, other)) > loss:
                heapq.heappush(self._heap, (now, one, other))
            elif not self._is_between(one, other) and not self._is_between(other, one):
                self._join(one, other)
                return

    def _is_between(self, user: int, used: int) -> bool:
        """Whether a path leads from one part to another through a third one. That is merged with one of them first,
        which is then tried again with the other."""
        return bool(self._below[user] & self._above[used] & ~(self._own[user] | self._own[used]))

    def _join(self, kept: int, gone: int) -> None:
        for node in self.members[gone]:
            self.part[node] = kept
        self.members[kept] += self.members.pop(gone)
        self._own[kept] |= self._own.pop(gone)
        for reached in (self._below, self._above):
            both = reached[kept] | reached.pop(gone)
            for part, nodes in reached.items():
                if nodes & self._own[kept]:
                    reached[part] = nodes | both
        for each, strength in self._pull.pop(gone).items():
            del self._pull[each][gone]
            if each != kept:
                self._pull[kept][each] = self._pull[each][kept] = self._pull[kept].get(each, 0.0) + strength
        self._weight[kept] += self._weight.pop(gone)
        self._push(kept, list(self.members.keys() - {kept} if self._knows_all else self._pull[kept]))
