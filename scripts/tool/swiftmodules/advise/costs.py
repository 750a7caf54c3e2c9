"""What the commits of a package cost today, and with an interface in front of each target.

The compiled files are predicted by the laws of docs/BuildSpeed.md from the compiler's index: a body reaches nobody; a
change inside a type reaches the files that use the type; anything added to a module reaches every file outside that
uses it. A cache of targets rebuilds a target as a whole when its sources or those of a target below it change, and the
test targets that it rebuilds are run.

A commit that changes what an interface holds reaches what it reaches today. Everything else reaches the implementation,
and what names it: programs, tests of it, targets that pass it on with `@_exported import`, and users that call what no
interface can hold, until these places are changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from swiftmodules.advise.declarations import Declarations
from swiftmodules.advise.interface import Interface
from swiftmodules.advise.targets import Targets
from swiftmodules.observed import CommitKind
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import HEADERS, SWIFT, Commit
from swiftmodules.swiftpm.outlines import TOP


@dataclass
class Cost:
    """What commits cost: files that a cache rebuilds, files that builds compile, and test targets that run."""

    cached: int = 0
    files: int = 0
    tests: int = 0

    def add(self, rebuilt: Collection[str], compiled: Collection[Path], targets: Targets) -> None:
        self.cached += targets.size(rebuilt)
        self.files += len(compiled)
        self.tests += len(targets.tests.intersection(rebuilt))


@dataclass
class Behind:
    """A target behind an interface: the commits that changed the interface, and what all commits that edited the target
    cost: as the users are, and after the places that no interface can hold are changed."""

    interface: Interface
    changed_in: int = 0
    cost: Cost = field(default_factory=Cost)
    after_places: Cost = field(default_factory=Cost)


@dataclass
class Costs:
    """A target: the commits that edited it, by kind, what they cost today, and with an interface in front of it, in
    which values are values, or are protocols too where they can be."""

    target: str
    values: Behind
    protocols: Behind
    commits: int = 0
    kinds: dict[CommitKind, int] = field(default_factory=dict)
    today: Cost = field(default_factory=Cost)


@dataclass
class Changed:
    """An interface that is there: the commits that changed it, and the files that a cache rebuilt for that."""

    target: str
    commits: int = 0
    cached: int = 0


class Reached(NamedTuple):
    """The files that a commit's changes in a target compile."""

    today: set[Path]
    # By interface: with it, and what the places in users add to that.
    behind: Mapping[int, tuple[set[Path], set[Path]]]
    # The interfaces that it changes.
    changed: set[int]


class _Target:
    """A target with the interfaces that it could have."""

    def __init__(self, name: str, declarations: Declarations, targets: Targets) -> None:
        self._declarations = declarations
        self._own = targets.files[name]
        self._outside = {user for file in self._own for user in declarations.users_of(file)} - self._own
        composers = targets.composers(name)
        above = targets.above([name]) - composers - targets.tests - {name}
        users = {file for each in above for file in targets.files[each]}
        self.interfaces = [Interface(declarations, self._own, users, by_protocols) for by_protocols in (False, True)]
        # The targets of the places that no interface can hold.
        self.calling = [{declarations.target[place.file] for place in each.places} for each in self.interfaces]
        # The files of each program that it is part of, with the one that would name the implementation.
        self._programs = [
            (files, min(self._outside & files or files)) for files in (targets.files[each] for each in composers)
        ]

    def reach(self, commit: Commit, files: Collection[Path], changes: Changes, renamed: Mapping[str, str]) -> Reached:
        """What a commit's changes in some files of the target compile."""
        names, visible = changes.names(commit, files), changes.public_names(commit, files)
        # Nothing is compiled for a resource.
        files = [each for each in files if each in self._own or each.suffix in (*SWIFT, *HEADERS)]
        blocks = [(file, block) for file in files for block in changes.declarations(commit, file)]
        reached = {each: self._declarations.users_of(*each) for each in blocks}
        for file, block in blocks:
            if block == TOP:
                reached[file, block] = reached[file, block] & self._own | self._outside
        edited = {file for file in files if commit.changed.get(file, "D") != "D"}
        naming = {
            name
            for (_, block), users in reached.items()
            for own, name in self._programs
            if block == TOP or not own.isdisjoint(users)
        }
        behind, changed = {}, set()
        for number, interface in enumerate(self.interfaces):
            found = interface.changed(names, visible, renamed)
            changed |= {number} if found else set()
            owners = {name.partition("(")[0].rpartition(".")[0] for name in found}
            # What is in no block that was there before belongs to the top level.
            through = {owner if owner in {block for _, block in blocks} else TOP for owner in owners}
            held = interface.moved | interface.required
            kept = edited | naming
            for (file, block), users in reached.items():
                own = self._own & self._declarations.users_of(file, block, held)
                kept |= users if block in through else own
            places = {place.file for place in interface.places}
            behind[number] = kept, {file for users in reached.values() for file in users & places}
        return Reached(edited.union(*reached.values()), behind, changed)


def find_costs(
    declarations: Declarations,
    targets: Targets,
    commits: Sequence[Commit],
    changes: Changes,
    direct: Mapping[str, Collection[str]],
    interfaces: Iterable[str],
) -> tuple[list[Costs], list[Changed], int]:
    """What each target costs, and each of the interfaces that are there, and the files that a cache rebuilds for all
    commits. `direct` are the targets whose inputs each commit changes."""
    known = {name: _Target(name, declarations, targets) for name in sorted(set(declarations.target.values()))}
    there = {name: Changed(name) for name in interfaces if name in known}
    found = {}
    for name in known.keys() - there.keys():
        values, protocols = known[name].interfaces
        found[name] = Costs(name, Behind(values), Behind(protocols))
    total = 0
    renamed: dict[str, dict[str, str]] = defaultdict(dict)
    # The youngest first, as names that have gone lead to those that are there.
    for commit in reversed(commits):
        edited = _edited(commit, targets, changes)
        for name, files in edited.items():
            renamed[name] |= changes.renamed(commit, files)
        rebuilt = targets.above(direct[commit.name])
        total += targets.size(rebuilt)
        reached = {
            name: each.reach(commit, edited[name], changes, renamed[name])
            for name, each in known.items()
            if name in edited
        }
        for name in edited.keys() & there.keys():
            there[name].commits += 1
            there[name].cached += targets.size(targets.above([name]))
        for name in reached.keys() & found.keys():
            costs, own = found[name], reached[name]
            costs.commits += 1
            kind = changes.kind(commit, edited[name].intersection(commit.changed))
            costs.kinds[kind] = costs.kinds.get(kind, 0) + 1
            others = {file for other, each in reached.items() if other != name for file in each.today}
            costs.today.add(rebuilt, own.today | others, targets)
            above = targets.above({*direct[commit.name]} - {name})
            for number, behind in enumerate((costs.values, costs.protocols)):
                kept, calling = own.behind[number]
                behind.changed_in += number in own.changed
                for cost, users, files in (
                    (behind.cost, known[name].calling[number], kept | calling),
                    (behind.after_places, set(), kept),
                ):
                    still = rebuilt if number in own.changed else above | targets.behind(name, users)
                    cost.add(still, files | others, targets)
    return [*found.values()], [each for each in there.values() if each.commits], total


def _edited(commit: Commit, targets: Targets, changes: Changes) -> dict[str, set[Path]]:
    """The files that a commit changes, by their targets. One that is moved into a target comes with its former path."""
    found: dict[str, set[Path]] = defaultdict(set)
    for file in commit.changed:
        if owner := targets.owner(file):
            found[owner].add(file)
    for file, former in changes.moved(commit).items():
        if (owner := targets.owner(file)) and targets.owner(former) is None:
            found[owner].add(former)
    return found
