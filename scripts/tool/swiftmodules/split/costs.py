"""What commits cost a cache of targets, with a target as it is, and cut into parts."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import count
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from swiftmodules.split.graph import Graph
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Commit
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import VISIBLE, is_api
from swiftmodules.swiftpm.target import TargetKind

# The file that passes the other parts of a target on.
EXPORTS = "{}Exports.swift"


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
    of the target, and passes on to users the parts of which they could see something."""

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
    def is_cyclic(self) -> bool:
        try:
            TopologicalSorter(self.needs).prepare()
        except CycleError:
            return True
        return False

    @property
    def below(self) -> list[int]:
        """The parts that get names of their own, each after all that it needs."""
        return [part for part in TopologicalSorter(self.needs).static_order() if part != self.kept]

    @cached_property
    def passed_on(self) -> set[int]:
        """The parts of which users could see something before the cut, which the part that keeps the name passes on."""
        graph = self.graph
        seen = {graph.at(*place) for place, (each, around) in graph.declared.items() if is_api(each, around, VISIBLE)}
        return {self.part_of[piece] for piece in seen if piece is not None} - {self.kept}

    def named_by(self, part: int) -> list[str]:
        """The other parts that a part depends on, by their names."""
        needed = self.needs[part] | (self.passed_on if part == self.kept else set())
        return [self.names[each] for each in self.below if each in needed]

    @cached_property
    def outside(self) -> dict[Path, set[int]]:
        """The parts that each file of another target uses."""
        found: dict[Path, set[int]] = {}
        for usr, files in self.graph.outside.items():
            for file in files:
                found.setdefault(file, set()).add(self.part_of[self.graph.piece_of[usr]])
        return found

    def used_by(self, target: str) -> set[int]:
        """The parts that another target uses."""
        return set().union(*(used for file, used in self.outside.items() if self.graph.owners[file] == target))

    def drops(self, user: str) -> bool:
        """Whether a target that used the whole one does without the part that keeps its name."""
        used, module = self.used_by(user), self.package.by_name[self.graph.target].imported_as
        own = [self.graph.sources[file] for file, owner in self.graph.owners.items() if owner == user]
        imports = [each for source in own for each in source.imports if each.module == module]
        is_plain = all(not each.scope and "_exported" not in each.attributes for each in imports)
        return bool(used) and self.kept not in used and is_plain

    @cached_property
    def after(self) -> Package:
        """The package after the cut. A file is in each part that has a piece of it, and the part that keeps the name
        has a file more, which passes the others on."""
        whole, names = self.package.by_name[self.graph.target], self.names
        targets = []
        for part, files in self.files.items():
            is_kept = part == self.kept
            sources = (*files, Path(EXPORTS.format(whole.name))) if is_kept and self.passed_on else tuple(files)
            kind: TargetKind = whole.kind if is_kept else "library"
            needs = (*whole.dependencies, *self.named_by(part))
            targets.append(replace(whole, name=names[part], kind=kind, sources=sources, dependencies=needs))
        for each in self.package.targets:
            needs = self.package.dependencies_of(each.name)
            if whole.name in needs and self.drops(each.name):
                needs = tuple({*needs} - {whole.name} | {names[part] for part in self.used_by(each.name)})
            if each.name != whole.name:
                targets.append(replace(each, dependencies=needs))
        return replace(self.package, targets=tuple(targets), undeclared={})

    def cost(self, made: Sequence[Edit]) -> Cost:
        """What commits would have cost."""
        files = tests = test_files = 0
        of_tests = {each.name for each in self.package.tests}
        for edit in made:
            changed = {self.names[self.part_of[piece]] for piece in edit.pieces}
            rebuilt = {each.name: each for each in self.after.above(changed | edit.others)}
            files += sum(len(each.sources) for each in rebuilt.values())
            tests += len(of_tests & rebuilt.keys())
            test_files += sum(
                any(self.names[part] in rebuilt for part in parts)
                for file, parts in self.outside.items()
                if self.graph.owners[file] in of_tests
            )
        return Cost(files, tests, test_files)

    @cached_property
    def crossing(self) -> set[str]:
        """The declarations of parts that other parts use."""
        piece_of = self.graph.piece_of
        return {
            usr
            for usr, users in self.graph.uses.items()
            if any(self.part_of[user] != self.part_of[piece_of[usr]] for user in users)
        }
