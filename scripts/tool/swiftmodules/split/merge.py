"""Merges the nodes of a graph into ever fewer parts, none of which depends on itself through others."""

from __future__ import annotations

import heapq
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType

Pair = tuple[int, int]


def components(count: int, edges: Iterable[Pair]) -> list[int]:
    """A number for each node, the same for nodes that reach one another."""
    following: list[list[int]] = [[] for _ in range(count)]
    leading: list[list[int]] = [[] for _ in range(count)]
    for user, used in edges:
        following[user].append(used)
        leading[used].append(user)
    order: list[int] = []
    seen = [False] * count
    for start in range(count):
        if seen[start]:
            continue
        seen[start] = True
        ahead = [(start, iter(following[start]))]
        while ahead:
            node, rest = ahead[-1]
            step = next((each for each in rest if not seen[each]), None)
            if step is None:
                order.append(ahead.pop()[0])
            else:
                seen[step] = True
                ahead.append((step, iter(following[step])))
    found = [-1] * count
    for start in reversed(order):
        waiting = [start] if found[start] < 0 else []
        while waiting:
            node = waiting.pop()
            if found[node] < 0:
                found[node] = start
                waiting += leading[node]
    return found


def partitions(
    count: int,
    edges: Iterable[Pair],
    attraction: Mapping[Pair, float],
    most: int,
    edited: Mapping[int, int] = MappingProxyType({}),
) -> Iterator[Sequence[int]]:
    """The part of each node, for `most` parts at first and then for one part fewer each time, down to one.

    Nodes in cycles are merged first. Of the pairs of parts that no path through a third part connects, the pair is
    merged next that attracts each other most beyond what their sizes make likely (their gain of modularity), so that
    the parts stay acyclic. Where no pair attracts each other any more, what counts as well is how much more is rebuilt
    after the commits that have edited each node, where these are given. A part's reach is a number with a bit for each
    node, and the pairs wait in a heap.
    """
    edges = list(edges)
    return _Merge(components(count, edges), edges, attraction, edited).partitions(most)


class _Merge:
    def __init__(
        self, start: Sequence[int], edges: Sequence[Pair], attraction: Mapping[Pair, float], edited: Mapping[int, int]
    ) -> None:
        self._part = list(start)
        self._members: dict[int, list[int]] = defaultdict(list)
        for node, part in enumerate(start):
            self._members[part].append(node)
        self._used: dict[int, set[int]] = {part: set() for part in self._members}
        self._users: dict[int, set[int]] = {part: set() for part in self._members}
        for user, used in ((start[one], start[other]) for one, other in edges):
            if user != used:
                self._used[user].add(used)
                self._users[used].add(user)
        self._pull: dict[int, dict[int, float]] = {part: {} for part in self._members}
        self._weight = dict.fromkeys(self._members, 0.0)
        self._total = sum(attraction.values()) or 1.0
        for (one, other), strength in attraction.items():
            first, second = start[one], start[other]
            self._weight[first] += strength
            self._weight[second] += strength
            if first != second:
                self._pull[first][second] = self._pull[first].get(second, 0.0) + strength
                self._pull[second][first] = self._pull[second].get(first, 0.0) + strength
        # All that a part reaches, and all that reach it, itself too.
        self._reach = {part: 1 << part for part in self._members}
        self._above = dict(self._reach)
        below = [*self._from_below()]
        for part in below:
            for used in self._used[part]:
                self._reach[part] |= self._reach[used]
        for part in reversed(below):
            for user in self._users[part]:
                self._above[part] |= self._above[user]
        self._edited = dict.fromkeys(self._members, 0)
        for node, times in edited.items():
            self._edited[start[node]] += times
        self._rebuilt = sum(times * self._above[part].bit_count() for part, times in self._edited.items()) or 1
        self._bits = {part: 1 << part for part in self._members}
        self._version = dict.fromkeys(self._members, 0)
        self._heap: list[tuple[float, int, int, int, int]] = []
        self._knows_all = False
        for part in self._members:
            self._push(part, (other for other in self._pull[part] if part < other))

    def partitions(self, most: int) -> Iterator[Sequence[int]]:
        while True:
            if len(self._members) <= most:
                yield list(self._part)
            if len(self._members) == 1:
                return
            self._merge_next()

    def _from_below(self) -> Iterator[int]:
        """The parts, each after all that it uses."""
        missing = {part: len(used) for part, used in self._used.items()}
        ready = [part for part, number in missing.items() if not number]
        while ready:
            part = ready.pop()
            yield part
            for user in self._users[part]:
                missing[user] -= 1
                if not missing[user]:
                    ready.append(user)

    def _push(self, part: int, others: Iterable[int]) -> None:
        for other in others:
            entry = (-self._gain(part, other), part, other, self._version[part], self._version[other])
            heapq.heappush(self._heap, entry)

    def _gain(self, part: int, other: int) -> float:
        expected = self._weight[part] * self._weight[other] / (2 * self._total**2)
        gain = self._pull[part].get(other, 0.0) / self._total - expected
        if gain > 0:
            return gain
        one, two = self._above[part], self._above[other]
        more = self._edited[part] * (two & ~one).bit_count() + self._edited[other] * (one & ~two).bit_count()
        return gain - more / self._rebuilt

    def _merge_next(self) -> None:
        while True:
            if not self._knows_all and (not self._heap or self._heap[0][0] >= 0):
                # No pair attracts each other any more, so others, which do not touch, may be no worse.
                self._knows_all = True
                for part in self._members:
                    self._push(part, (each for each in self._members if part < each and each not in self._pull[part]))
            cost, one, other, first, second = heapq.heappop(self._heap)
            is_current = self._version.get(one) == first and self._version.get(other) == second
            if is_current and self._heap and (now := -self._gain(one, other)) > max(cost, self._heap[0][0]) + 1e-12:
                heapq.heappush(self._heap, (now, one, other, first, second))
            elif is_current and not self._is_between(one, other) and not self._is_between(other, one):
                self._join(one, other)
                return

    def _is_between(self, user: int, used: int) -> bool:
        """Whether a part is between two. One that is found later is merged with one of them first, which is then
        tried again with the other."""
        return any(self._reach[each] & self._bits[used] for each in self._used[user] if each != used)

    def _join(self, kept: int, gone: int) -> None:
        for node in self._members[gone]:
            self._part[node] = kept
        self._members[kept] += self._members.pop(gone)
        for own, others in ((self._used, self._users), (self._users, self._used)):
            for each in own.pop(gone):
                others[each].discard(gone)
                if each != kept:
                    own[kept].add(each)
                    others[each].add(kept)
            own[kept].discard(gone)
            own[kept].discard(kept)
        for each, strength in self._pull.pop(gone).items():
            del self._pull[each][gone]
            if each != kept:
                self._pull[kept][each] = self._pull[each][kept] = self._pull[kept].get(each, 0.0) + strength
        self._weight[kept] += self._weight.pop(gone)
        del self._version[gone]
        self._version[kept] += 1
        self._bits[kept] |= self._bits.pop(gone)
        reached = self._reach[kept] | self._reach.pop(gone)
        for part, bits in self._reach.items():
            if bits & self._bits[kept]:
                self._reach[part] = bits | reached
        self._reach[kept] = reached
        above = self._above[kept] | self._above.pop(gone)
        for part, bits in self._above.items():
            if bits & self._bits[kept]:
                self._above[part] = bits | above
        self._above[kept] = above
        self._edited[kept] += self._edited.pop(gone)
        self._push(kept, list(self._members.keys() - {kept} if self._knows_all else self._pull[kept]))
