"""What commits cost a cache of targets, with a target as it is, and cut into parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path
from types import MappingProxyType

from swiftmodules.closure import reached
from swiftmodules.split.graph import Graph
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Commit
from swiftmodules.swiftpm.package import Package


@dataclass(frozen=True)
class Edit:
    """A commit that edits the target: the pieces that it changes, and the other targets."""

    commit: str
    pieces: frozenset[int]
    others: frozenset[str]


@dataclass(frozen=True)
class Cost:
    """What commits cost: the files that a cache by source rebuilds, the test targets that run, and the test files that
    use something that was rebuilt."""

    files: int
    tests: int
    test_files: int


def edits(graph: Graph, commits: Sequence[Commit], changes: Changes) -> list[Edit]:
    """The commits that edit a target, the oldest first. What they change counts where it is today."""
    found = []
    present: dict[Path, Path] = {}
    for commit in reversed(commits):
        moved = changes.moved(commit)
        pieces, others = set[int](), set[str]()
        for file in commit.changed.keys() - moved.values():
            now = present.get(file, file)
            if now in graph.of_file:
                names = changes.names(commit, {file, moved.get(file, file)})
                pieces |= set(_changed(graph, now, names))
            elif now in graph.owners:
                others.add(graph.owners[now])
        present |= {former: present.get(file, file) for file, former in moved.items()}
        if pieces:
            found.append(Edit(commit.name, frozenset(pieces), frozenset(others)))
    return found[::-1]


def _changed(graph: Graph, file: Path, names: Collection[str]) -> Iterator[int]:
    """The pieces of a file that have changed declarations: by their full names, or by the type that they were part of;
    all where neither is there, as where only comments differ."""
    known = graph.of_file[file]
    roots = {name.removeprefix("extension ").partition(".")[0] for name in names}
    found = [each for each in known if not graph.pieces[each].names.isdisjoint(names)]
    found = found or [each for each in known if any(one.name in roots for one in graph.pieces[each].declarations)]
    yield from found or known


class Parts:
    """A target that is cut into parts, by the part of each piece, with the targets that use it. One part keeps the name
    of the target, and passes all others on to the users of the target."""

    def __init__(
        self,
        graph: Graph,
        package: Package,
        part_of: Sequence[int],
        kept: int | None = None,
        names: Mapping[int, str] = MappingProxyType({}),
    ) -> None:
        self.graph, self.package, self.part_of, self._given = graph, package, part_of, names
        self.members: dict[int, list[int]] = {}
        for piece, part in enumerate(part_of):
            self.members.setdefault(part, []).append(piece)
        self.needs: dict[int, set[int]] = {part: set() for part in self.members}
        for user, used in graph.edges:
            if part_of[user] != part_of[used]:
                self.needs[part_of[user]].add(part_of[used])
        self.kept: int = self._kept() if kept is None else kept

    def _kept(self) -> int:
        """The part that keeps the target's name: that of the program, or the smallest that no other part uses."""
        used = set().union(*self.needs.values())
        programs = {self.part_of[number] for number, piece in enumerate(self.graph.pieces) if piece.is_program}
        free = [part for part in self.members if part not in used]
        return min(programs or free, key=lambda part: (len(self.files[part]), part))

    @cached_property
    def files(self) -> dict[int, list[Path]]:
        """The files of each part; a file whose pieces part is in several."""
        pieces = self.graph.pieces
        return {part: sorted({pieces[each].file for each in own}) for part, own in self.members.items()}

    @cached_property
    def names(self) -> dict[int, str]:
        """A name for each part, after its largest declaration."""
        target, pieces = self.graph.target, self.graph.pieces
        if self._given:
            return {part: self._given[part] for part in self.members}
        found = {self.kept: target}
        taken = {*self.package.by_name, *(name for piece in pieces for name in piece.names)}
        for part in self.below:
            own = sorted(self.members[part], key=lambda each: pieces[each].start - pieces[each].end)
            types = [pieces[each].title for each in own if any(one.is_type for one in pieces[each].declarations)]
            titles = [*types, *(pieces[each].title for each in own)]
            words = re.sub(r"^extension |\(.*|\W", "", titles[0])
            # A module must not have the name of a type: the type would hide it.
            name = f"{target}{words[:1].upper()}{words[1:]}"
            found[part] = next(each for each in (f"{name}{number or ''}" for number in count()) if each not in taken)
            taken.add(found[part])
        return found

    @property
    def below(self) -> list[int]:
        """The parts that get names of their own, each after all that it needs."""
        missing = {part: set(needs) for part, needs in self.needs.items()}
        found: list[int] = []
        while ready := sorted(part for part, needs in missing.items() if needs.issubset(found)):
            found += ready
            for part in ready:
                del missing[part]
        return [part for part in found if part != self.kept]

    def used_by(self, target: str) -> set[int]:
        """The parts that another target uses."""
        return set().union(*(used for file, used in self.outside.items() if self.graph.owners[file] == target))

    @cached_property
    def outside(self) -> dict[Path, set[int]]:
        """The parts that each file of another target uses."""
        found: dict[Path, set[int]] = {}
        for usr, files in self.graph.outside.items():
            for file in files:
                found.setdefault(file, set()).add(self.part_of[self.graph.piece_of[usr]])
        return found

    @cached_property
    def users(self) -> Mapping[str, set[str]]:
        """The targets that depend on each target after the cut, and on each part."""
        target, names = self.graph.target, self.names
        found: dict[str, set[str]] = {name: set() for name in names.values()}
        for part, needs in self.needs.items():
            for used in self.members.keys() - {part} if part == self.kept else needs:
                found[names[used]].add(names[part])
        for name in self.package.by_name:
            parts = {names[part] for part in self.used_by(name)} or {target}
            for each in self.package.dependencies_of(name):
                for one in parts if each == target else {each}:
                    # What the target depends on, each part may need.
                    found.setdefault(one, set()).update(names.values() if name == target else {name})
        return found

    @cached_property
    def sizes(self) -> Mapping[str, int]:
        others = {name: len(each.sources) for name, each in self.package.by_name.items()}
        # The part that keeps the name has a file more, which passes the others on.
        more = {self.kept: len(self.members) > 1}
        return others | {self.names[part]: len(files) + more.get(part, 0) for part, files in self.files.items()}

    def cost(self, made: Sequence[Edit]) -> Cost:
        """What commits would have cost."""
        tests = {each.name for each in self.package.tests}
        files = tests_run = test_files = 0
        for edit in made:
            changed = {self.names[self.part_of[piece]] for piece in edit.pieces}
            rebuilt = reached(changed | edit.others, lambda name: self.users.get(name, ()))
            files += sum(self.sizes.get(name, 0) for name in rebuilt)
            tests_run += len(tests & rebuilt.keys())
            test_files += sum(
                any(self.names[part] in rebuilt for part in parts)
                for file, parts in self.outside.items()
                if self.graph.owners[file] in tests
            )
        return Cost(files, tests_run, test_files)

    @cached_property
    def crossing(self) -> set[str]:
        """The declarations of parts that other parts use."""
        piece_of = self.graph.piece_of
        return {
            usr
            for usr, users in self.graph.uses.items()
            if any(self.part_of[user] != self.part_of[piece_of[usr]] for user in users)
        }
