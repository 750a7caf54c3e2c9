"""The parts into which a target falls best, what they would have saved after commits on which they were not chosen, and
what stands in the way of one part more."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from itertools import combinations
from pathlib import Path
from typing import Any

from swiftmodules.errors import UsageError
from swiftmodules.observed import amount
from swiftmodules.split.access import Access
from swiftmodules.split.costs import WORTH, Cost, Edit
from swiftmodules.split.graph import Graph
from swiftmodules.split.merge import Pair, components, partitions
from swiftmodules.split.parts import Parts
from swiftmodules.swiftpm.package import Package

# A target with fewer files is not large.
_LARGE = 20
# The most parts that are proposed without being asked for.
_MOST = 12
# A part more has to save so much of what is rebuilt, by the commits on which the parts are chosen.
_PART_SAVES = 0.02
# Commits that change more say nothing of what belongs together.
_WIDE = 30
# Fewer commits show little.
_ENOUGH = 100
# The titles and places that a line lists.
_LISTED = 6


@dataclass(frozen=True)
class Proposal:
    """The parts of a target. The last fifth of the commits that edit it is `unseen`: the others choose the parts."""

    parts: Parts
    edits: int
    unseen: int
    before: Cost
    after: Cost

    @property
    def is_worth_it(self) -> bool:
        return self.before.saved(self.after) >= WORTH

    @cached_property
    def raised(self) -> list[str]:
        """The declarations that become visible because other parts use them, or show them to others."""
        access = Access(self.parts)
        access.settle()
        return access.changed

    @property
    def lines(self) -> Iterator[str]:
        parts, target = self.parts, f"`{self.parts.graph.target}`"
        few = f", fewer than {_ENOUGH}, which show little" if self.edits < _ENOUGH else ""
        cut = f"in {amount(len(parts.members), 'target')}, after the last {self.unseen} of the "
        cut += f"{amount(self.edits, 'commit')} that edit it{few}, by which the cut was not chosen, "
        cut += f"{self.before.compared(self.after)}."
        if not self.is_worth_it:
            yield f"No cut of {target} saves {WORTH:.0%}: {cut}"
        else:
            yield f"Cut {target}: {cut}"
            yield from (f"  {self._part(part)}" for part in [*parts.below, parts.kept])
            declared = amount(len(parts.graph.nodes), "declaration")
            yield f"  Of {declared}, {len(self.raised)} become {parts.level}."
        if self._weakest:
            user, used, _ = self._weakest[0]
            places = [place for _, _, places in self._weakest for place in places]
            broken = f"the cycle between {user} and {used} has to be broken in {amount(len(places), 'place')}"
            yield f"  For one part more, {broken}{', such as' if len(places) > _LISTED else ''}:"
            yield from (f"    {place}" for place in places[:_LISTED])

    @property
    def as_json(self) -> dict[str, Any]:
        parts, pieces = self.parts, self.parts.graph.pieces
        return {
            "target": parts.graph.target,
            "is_worth_it": self.is_worth_it,
            "commits": self.edits,
            "unseen": self.unseen,
            "before": asdict(self.before),
            "after": asdict(self.after),
            "raised": self.raised,
            "parts": [
                {
                    "name": parts.names[part],
                    "needs": sorted(parts.names[each] for each in parts.needs[part]),
                    "files": [each.as_posix() for each in parts.files[part]],
                    "cut_files": [each.as_posix() for each in self._cut(part)],
                    "declarations": [
                        f"{pieces[each].file.as_posix()}:{pieces[each].line} {pieces[each].title}"
                        for each in parts.members[part]
                    ],
                }
                for part in [*parts.below, parts.kept]
            ],
            "to_break": [{"from": user, "to": used, "places": places} for user, used, places in self._weakest],
        }

    def _part(self, part: int) -> str:
        parts, pieces = self.parts, self.parts.graph.pieces
        own = sorted(parts.members[part], key=lambda each: pieces[each].start - pieces[each].end)
        titles = dict.fromkeys(pieces[each].title for each in own if pieces[each].declarations)
        listed = ", ".join([*titles][:_LISTED]) + (", …" if len(titles) > _LISTED else "")
        cut = self._cut(part)
        whole = amount(len(parts.files[part]) - len(cut), "file") + (f" and parts of {len(cut)}" if cut else "")
        needs = ", ".join(sorted(parts.names[each] for each in parts.needs[part]))
        return f"{parts.names[part]}: {whole} ({listed}){f'; needs {needs}' if needs else ''}"

    def _cut(self, part: int) -> list[Path]:
        """The files of which a part has some declarations only."""
        part_of, of_file = self.parts.part_of, self.parts.graph.of_file
        return [file for file in self.parts.files[part] if {part} < {part_of[each] for each in of_file[file]}]

    @cached_property
    def _weakest(self) -> list[tuple[str, str, list[str]]]:
        """The fewest uses that keep the largest cycle together, by the declarations that use and are used."""
        graph, cycles = self.parts.graph, defaultdict[int, set[int]](set)
        for piece, number in components(range(len(graph.pieces)), graph.order).items():
            cycles[number].add(piece)
        length = [piece.end - piece.start for piece in graph.pieces]
        largest = max(cycles.values(), key=lambda own: (len(own) > 1, sum(length[each] for each in own)))
        inner = {pair: usrs for pair, usrs in graph.edges.items() if largest.issuperset(pair)}
        bound = [pair for pair in graph.bound if largest.issuperset(pair)]
        pull = {pair: value for pair, value in _attraction(graph, ()).items() if largest.issuperset(pair)}
        halves = next(partitions(sorted(largest), bound, pull, 2))
        crossing = defaultdict[int, list[Pair]](list)
        for user, used in inner:
            if halves[user] != halves[used]:
                crossing[halves[user]].append((user, used))
        weakest = min(crossing.values(), key=lambda pairs: sum(len(inner[pair]) for pair in pairs), default=[])
        found = []
        for user, used in sorted(weakest, key=lambda pair: len(inner[pair])):
            names: dict[tuple[Path, int], str] = {}
            for usr in sorted(inner[user, used], reverse=True):
                file, position = graph.uses[usr][user]
                names[file, graph.sources[file].line_at(position)] = graph.declarations.by_usr[usr].declaration.title
            places = [f"{file.as_posix()}:{line} {name}" for (file, line), name in sorted(names.items())]
            found.append((graph.pieces[user].title, graph.pieces[used].title, places))
        return found


def large_target(package: Package, asked: str | None = None) -> str | None:
    """The target that is asked for, or else one that has most of the code. Raises `UsageError` for another name."""
    code = {each.name: len(each.sources) for each in package.code}
    if asked is not None and asked not in code:
        raise UsageError(
            f"{package.name} builds no target '{asked}' in Swift. Its targets are {', '.join(sorted(code))}."
        )
    largest = max(code, key=lambda name: code[name])
    return asked or (largest if code[largest] >= max(_LARGE, sum(code.values()) / 2) else None)


def propose(graph: Graph, edits: Sequence[Edit], number: int | None = None) -> Proposal:
    """The parts of a target, so many or as many as save enough. Raises `UsageError` where there is nothing to cut."""
    if len(edits) < 2:
        raise UsageError(f"{graph.target} cannot be cut by its history: {len(edits)} commits edit it.")
    unseen = max(1, len(edits) // 5)
    known = edits[:-unseen]
    attraction = _attraction(graph, known)
    found: dict[int, tuple[int, Parts]] = {}
    for labels in partitions(range(len(graph.pieces)), graph.order, attraction, number or _MOST):
        parts = Parts(graph, [*labels.values()])
        found[len(parts.members)] = parts.cost(known).files, parts
    least, whole = min(cost for cost, _ in found.values()), found[1][0]
    enough = min(count for count, (cost, _) in found.items() if cost <= least + _PART_SAVES * whole)
    chosen = found[max(found) if number else enough][1]
    seen = edits[-unseen:]
    return Proposal(chosen, len(edits), unseen, found[1][1].cost(seen), chosen.cost(seen))


def _attraction(graph: Graph, edits: Sequence[Edit]) -> Mapping[Pair, float]:
    """How much pieces belong together: by what they use, where a declaration with few users counts most, and as much
    again by their files and the commits that change both."""
    uses: dict[Pair, float] = defaultdict(float)
    for (user, used), usrs in graph.edges.items():
        uses[min(user, used), max(user, used)] += sum(1 / len(graph.uses[usr]) for usr in usrs)
    together: dict[Pair, float] = defaultdict(float)
    for group in (*graph.of_file.values(), *(each.pieces for each in edits if len(each.pieces) <= _WIDE)):
        for pair in combinations(sorted(group), 2):
            together[pair] += 1 / (len(group) - 1)
    share = (sum(uses.values()) or 1) / (sum(together.values()) or 1)
    return {pair: uses[pair] + share * together[pair] for pair in uses.keys() | together.keys()}
