"""A target that is cut into parts: their names, what each of them and each user of the target needs, and the costs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from graphlib import CycleError, TopologicalSorter
from itertools import count
from pathlib import Path

from msgspec.structs import replace

from swiftmodules.split.costs import Cost, Edit
from swiftmodules.split.graph import Graph
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Import
from swiftmodules.swiftpm.target import Target, TargetKind

# The file that passes the other parts of a target on.
EXPORTS = "{}Exports.swift"


class Parts:
    """A target that is cut into parts, by the part of each piece, with the targets that use it. One part keeps the name
    of the target, and passes on to users the parts of which they could see something."""

    def __init__(
        self,
        graph: Graph,
        part_of: Sequence[int],
        kept: int | None = None,
        names: Mapping[int, str] | None = None,
    ) -> None:
        self.graph, self.package, self.part_of, self._given = graph, graph.package, part_of, names
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
        taken = {*self.package.by_name, *(node.title for node in self.graph.nodes)}
        for part in self.below:
            own = sorted(self.members[part], key=lambda each: pieces[each].start - pieces[each].end)
            types = [pieces[each].title for each in own if pieces[each].types]
            titles = [*types, *(pieces[each].title for each in own)]
            words = re.sub(r"^extension |\(.*|\W", "", titles[0])
            # A module must not have the name of a type: the type would hide it.
            name = f"{target}{words[:1].upper()}{words[1:]}"
            found[part] = next(each for each in (f"{name}{number or ''}" for number in count()) if each not in taken)
            taken.add(found[part])
        return found

    @property
    def level(self) -> str:
        """The access that other targets need, as far as the manifest's version of the tools has it."""
        version = tuple(map(int, self.package.tools_version.split(".")[:2]))
        return "package" if version >= (5, 9) else "public"

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
        shown = (self.part_of[piece] for node, piece in self.graph.nodes.items() if node.is_api)
        return {*shown} - {self.kept}

    def named_by(self, part: int) -> list[str]:
        """The other parts that a part depends on, by their names."""
        needed = self.needs[part] | (self.passed_on if part == self.kept else set())
        return [self.names[each] for each in self.below if each in needed]

    def used_by(self, files: Iterable[Path]) -> set[int]:
        """The parts that files of other targets use."""
        return {self.part_of[piece] for file in files for piece in self.graph.outside.get(file, ())}

    def drops(self, user: Target) -> bool:
        """Whether a target that used the whole one does without the part that keeps its name."""
        used, imports = self.used_by(user.sources), [each for file in user.sources for each in self.imports(file)]
        is_plain = all(not each.scope and "_exported" not in each.attributes for each in imports)
        return bool(used) and self.kept not in used and is_plain

    def needed_by(self, user: Target) -> set[int]:
        """The parts that another target names: all that it uses where it does without the one that keeps the name, and
        those of which its tests see what is internal; the rest is passed on."""
        if self.drops(user):
            return self.used_by(user.sources)
        testing = (file for file in user.sources if any("testable" in each.attributes for each in self.imports(file)))
        return self.used_by(testing) - {self.kept}

    def imports(self, file: Path) -> list[Import]:
        """The imports of the whole target in a file."""
        module = self.graph.whole.imported_as
        return [each for each in self.graph.sources[file].imports if each.module == module]

    @cached_property
    def after(self) -> Package:
        """The package after the cut. A file is in each part that has a piece of it, and the part that keeps the name
        has a file more, which passes the others on."""
        whole, names = self.graph.whole, self.names
        targets = []
        for part, files in self.files.items():
            is_kept = part == self.kept
            sources = (*files, Path(EXPORTS.format(whole.name))) if is_kept and self.passed_on else tuple(files)
            kind: TargetKind = whole.kind if is_kept else "library"
            needs = (*whole.dependencies, *self.named_by(part))
            targets.append(replace(whole, name=names[part], kind=kind, sources=sources, dependencies=needs))
        for each in self.package.targets:
            needed = {*self.package.dependencies_of(each.name)} - ({whole.name} if self.drops(each) else set())
            if each != whole:
                needed |= {names[part] for part in self.needed_by(each)}
                targets.append(replace(each, dependencies=tuple(sorted(needed))))
        return replace(self.package, targets=tuple(targets), undeclared={})

    def cost(self, made: Sequence[Edit]) -> Cost:
        """What commits would have cost."""
        found = Cost()
        for edit in made:
            changed = {self.names[self.part_of[piece]] for piece in edit.pieces}
            found = found.after(self.after.above(changed | self.after.by_name.keys() & edit.others))
        return found

    @cached_property
    def crossing(self) -> set[str]:
        """The declarations of parts that other parts use."""
        piece_of = self.graph.piece_of
        return {
            usr
            for usr, users in self.graph.uses.items()
            if any(self.part_of[user] != self.part_of[piece_of[usr]] for user in users)
        }
