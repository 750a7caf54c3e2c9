"""What the commits of a package cost a cache of targets today, and with an interface in front of each target.

A cache rebuilds a target as a whole when its inputs or those of a target below it change, and the test targets that it
rebuilds are run. A commit that changes what an interface holds reaches what it reaches today. Everything else reaches
the implementation, and what names it: programs, tests of it, targets that pass it on with `@_exported import`, and
users that call what no interface can hold, until these places are changed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from dataclasses import dataclass

from swiftmodules.advise.interface import Interface
from swiftmodules.split.costs import WORTH, Commits, Cost
from swiftmodules.split.declarations import Declarations
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Sources
from swiftmodules.swiftpm.target import Target

# The most of a target that may move into its interface.
_MOST_MOVED = 0.6
# The interfaces that are listed with what changing them cost.
_COSTLIEST = 10


@dataclass
class Behind:
    """A target behind an interface: the commits that changed the interface, and what all commits that edited the target
    cost: as the users are, and after the places that no interface can hold are changed."""

    interface: Interface
    changed_in: int = 0
    cost: Cost = Cost()
    after_places: Cost = Cost()

    @property
    def is_interface(self) -> bool:
        """Whether enough stays behind it. Where most of a target moves into its interface, the two are one target as
        before."""
        return self.interface.moving <= _MOST_MOVED * self.interface.size


@dataclass
class Costs:
    """A target: the commits that edited it, what they cost today, and with an interface in front of it, in which values
    are values, or are protocols too where they can be."""

    target: str
    values: Behind
    protocols: Behind
    commits: int = 0
    today: Cost = Cost()

    @property
    def offered(self) -> list[Behind]:
        """The models in which it has an interface."""
        return [each for each in (self.values, self.protocols) if each.is_interface]

    @property
    def proposed(self) -> Behind | None:
        """The first of these that saves a share that is worth it; none for a target of which others use no
        declaration."""
        worth = (each for each in self.offered if self.today.saved(each.after_places) >= WORTH)
        return next(worth, None) if self.values.interface.declarations else None

    @property
    def rank(self) -> tuple[int, int, str]:
        """The lowest where a cache would have saved most: as the users are, then after changes."""
        unchanged = self.values.cost.files - self.today.files if self.values.is_interface else 0
        changed = min((each.after_places.files - self.today.files for each in self.offered), default=0)
        return unchanged, changed, self.target


@dataclass
class Changed:
    """An interface that is there: the commits that changed it, and what that cost."""

    target: str
    commits: int = 0
    cost: Cost = Cost()


def find_costs(
    package: Package, declarations: Declarations, commits: Commits
) -> tuple[list[Costs], list[Changed], Cost]:
    """What each target costs that is no interface, in the order of the gain; the interfaces that are there, the
    costliest first; and what all commits cost."""
    modules, changes, total = package.modules.values(), commits.changes, Cost()
    there = {part.name: Changed(part.name) for each in modules for part in (each.interface, *each.parts)}
    names = [each.name for each in package.code if each.name not in there]
    found = {name: _costs(name, package, declarations) for name in names}
    naming = {name: _naming(name, package, declarations.sources) for name in names}

    def with_only(name: str, others: Collection[str]) -> Collection[Target]:
        """A target, with others and what depends on these."""
        return {each.name: each for each in (package.by_name[name], *package.above(others))}.values()

    renamed: dict[str, dict[str, str]] = defaultdict(dict)
    # The youngest first, as names that have gone lead to those that are there.
    for commit, differences in reversed(commits.each):
        direct = package.by_name.keys() & differences.targets
        rebuilt, moved = package.above(direct), changes.moved(commit)
        total = total.after(rebuilt)
        edited = {name: {*each.files} & commit.changed.keys() for name, each in differences.own.items()}
        for each in (each for name, each in there.items() if edited.get(name)):
            each.commits, each.cost = each.commits + 1, each.cost.after(package.above([each.target]))
        for name in (each for each in found if edited.get(each)):
            costs, changed = found[name], edited[name]
            # A file that is moved from a target that has gone comes with its former path.
            files = {*changed, *(moved[each] for each in moved.keys() & changed if not package.target_of(moved[each]))}
            renamed[name] |= changes.renamed(commit, files)
            costs.commits, costs.today = costs.commits + 1, costs.today.after(rebuilt)
            every, visible = changes.names(commit, files), changes.names(commit, files, only_public=True)
            kept = direct - {name} | naming[name]
            for behind in (costs.values, costs.protocols):
                is_changed = behind.interface.is_changed(every, visible, renamed[name])
                behind.changed_in += is_changed
                calling = {declarations.target[each.file] for each in behind.interface.places}
                behind.cost = behind.cost.after(rebuilt if is_changed else with_only(name, kept | calling))
                behind.after_places = behind.after_places.after(rebuilt if is_changed else with_only(name, kept))
    costly = sorted((each for each in there.values() if each.commits), key=lambda each: (-each.cost.files, each.target))
    return sorted(found.values(), key=lambda each: each.rank), costly[:_COSTLIEST], total


def _costs(name: str, package: Package, declarations: Declarations) -> Costs:
    """A target with the interfaces that it could have in front of users that are no programs and do not name it."""
    target = package.by_name[name]
    above = [each for each in package.above([name])[1:] if not each.is_test and not each.is_executable]
    users = {file for each in above for file in each.sources}
    values, protocols = (Interface(declarations, target.sources, users, by_protocols) for by_protocols in (False, True))
    return Costs(name, Behind(values), Behind(protocols))


def _naming(name: str, package: Package, sources: Sources) -> set[str]:
    """What would depend on an implementation: the programs that it is part of, tests that name it, and targets that
    pass it on."""
    module = package.by_name[name].imported_as
    programs = {each.name for each in package.above([name])[1:] if each.is_executable}
    users = [package.by_name[each] for each in package.users.get(name, ())]

    def passes_on(user: Target) -> bool:
        imports = (each for path in user.sources if path in sources for each in sources[path].imports)
        return any(each.module == module and "_exported" in each.attributes for each in imports)

    return programs | {each.name for each in users if each.is_test or passes_on(each)}
