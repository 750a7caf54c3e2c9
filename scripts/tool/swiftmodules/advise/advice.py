"""What to split first, and where to cut a large target, in sentences and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from typing import Any

from swiftmodules.advise.costs import Behind, Changed, Cost, Costs, find_costs
from swiftmodules.advise.declarations import Declarations
from swiftmodules.advise.interface import Interface
from swiftmodules.advise.targets import Targets
from swiftmodules.builds.folders import run_folder
from swiftmodules.builds.index import occurrences
from swiftmodules.builds.workspace import Workspace
from swiftmodules.errors import BuildFailedError
from swiftmodules.layouts.generate import INTERFACE
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.measure.tables import Table
from swiftmodules.observed import COMMIT_KINDS, amount
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import edits
from swiftmodules.split.graph import Graph
from swiftmodules.split.proposal import WORTH, Proposal, large_target, propose, saved
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import FEWER, Commit, Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.differences import Differences, is_manifest
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.toolchain import Toolchain

MODEL = (
    "The model: structs, enums and protocols that others use move into the interface with their visible members, the "
    "bodies of these, and all that these need. Classes stay behind protocols. 'By protocols' is what is left where "
    "values that no user makes become protocols too, which leaves less in the interface and takes more work."
)
# Where a larger share of a target moves into its interface, the two are one target as before.
_MOST_MOVED = 0.6
# Fewer commits show little.
_FEW = 10
# The interfaces that are listed with their costs.
_COSTLIEST = 10


@dataclass(frozen=True)
class Advice:
    """The targets, those first that an interface would help most, and the interfaces that are there, after so many
    commits, for which a cache by source rebuilt so many files; and the cut of a large target."""

    commits: int
    cached: int
    targets: Sequence[Costs]
    interfaces: Sequence[Changed]
    cut: Proposal | None = None

    @classmethod
    def of(
        cls,
        commits: int,
        targets: Sequence[Costs],
        interfaces: Sequence[Changed],
        cached: int,
        cut: Proposal | None = None,
    ) -> Advice:
        dear = sorted(interfaces, key=lambda each: (-each.cached, each.target))
        return cls(commits, cached, sorted(targets, key=_order), dear[:_COSTLIEST], cut)

    @property
    def lines(self) -> list[str]:
        """The cut of a large target, and the ranking as sentences: what to split, and what not to."""
        worth = [each for each in self.targets if is_worth_it(each)]
        lines = [
            line for number, each in enumerate(worth) for line in self._split(each, "Then" if number else "Split first")
        ]
        kept = [each for each in self.targets if each.commits and not is_worth_it(each)]
        if self.cut:
            # Of a target that no other uses, only a cut makes sense.
            kept = [each for each in kept if _is_used(each) or each.target != self.cut.parts.graph.target]
        begun = [MODEL] if lines else ["No interface would pay."] if kept or not self.cut else []
        return [*(self.cut.lines if self.cut else ()), *begun, *lines, *map(self._kept, kept)]

    @property
    def table(self) -> Table:
        """What the interfaces cost that are there."""
        rows = [
            [each.target, f"{each.commits}", f"{each.cached}", f"{each.cached / self.cached:.0%}"]
            for each in self.interfaces
        ]
        columns = ("interface", "commits that changed it", "files a cache by source rebuilt for that", "of all")
        return Table(columns, rows, 1)

    @property
    def as_json(self) -> dict[str, Any]:
        def behind(one: Behind) -> dict[str, Any]:
            held = [
                {"declaration": each.title, "place": each.place, "as": one.interface.role(each)}
                for each in one.interface.declarations
            ]
            places = [
                {"place": f"{each.file.as_posix()}:{each.line}", "declaration": each.declaration}
                for each in one.interface.places
            ]
            costs = {"cost": asdict(one.cost), "after_places": asdict(one.after_places)}
            return {"changed_in": one.changed_in, **costs, "interface": held, "places": places}

        targets = [
            {
                **{"target": each.target, "commits": each.commits, "kinds": each.kinds, "today": asdict(each.today)},
                **{"of_declarations": each.values.interface.size, "values": behind(each.values)},
                "protocols": behind(each.protocols),
            }
            for each in self.targets
        ]
        interfaces = [{**asdict(each), "share": each.cached / self.cached} for each in self.interfaces]
        found = {"commits": self.commits, "model": MODEL, "targets": targets, "interfaces": interfaces}
        return found | {"cut": self.cut.as_json if self.cut else None}

    def _split(self, costs: Costs, verb: str) -> Iterator[str]:
        """What a split would bring, what else has to change for it, and what the interface would hold."""
        values, protocols = costs.values, costs.protocols
        gain = f"with an interface, {_saved(costs.today, values.cost)}"
        yield f"{verb} `{costs.target}`: {self._edited(costs)}; {gain if _is_interface(values) else _moving(values)}."
        if (places := values.interface.places) and _is_interface(values):
            yield f"  After these {amount(len(places), 'place')}: {_saved(costs.today, values.after_places)}."
            yield from (f"    {each}" for each in places)
        number = len(protocols.interface.places)
        after = f", after {amount(number, 'place')}" if number else ""
        yield f"  By protocols{after}: {_saved(costs.today, protocols.after_places)}."
        proposed = next(behind for behind, found in _offered(costs) if _pays(costs.today, *found))
        model = " by protocols" if proposed is protocols else ""
        changed = f"changed in {proposed.changed_in} of these commits"
        yield f"  The interface{model} would be {_held(proposed)}, which {changed}:"
        yield from (f"    {each}" for each in _listed(proposed.interface))

    def _kept(self, costs: Costs) -> str:
        """Why a target is not worth an interface."""
        values = costs.values
        if not _is_used(costs):
            return f"`{costs.target}` is not worth it: no other target uses it, programs and tests aside."
        if not _is_interface(values):
            return f"`{costs.target}` is not worth an interface: {self._edited(costs)}; {_moving(values)}."
        kind, count = max(costs.kinds.items(), key=lambda each: each[1])
        reason = f"{count} of these edits changed {COMMIT_KINDS[kind]}"
        if values.changed_in > costs.commits / 2:
            reason = f"the interface, {_held(values)}, changed in {values.changed_in}"
        gain = _saved(costs.today, values.cost)
        return f"`{costs.target}` is not worth it: {self._edited(costs)}; with an interface, {gain}; {reason}."

    def _edited(self, costs: Costs) -> str:
        few = f" (fewer than {_FEW}, which show little)" if costs.commits < _FEW else ""
        return f"{costs.commits} of the last {amount(self.commits, 'commit')} edited it{few}"


def _is_used(costs: Costs) -> bool:
    """Whether other targets use one; operators alone, which the compiler knows by name, are no use."""
    return bool(costs.values.interface.declarations or costs.values.interface.places)


def is_worth_it(costs: Costs) -> bool:
    """Whether an interface would have saved a share that is worth it, in any model."""
    return bool(costs.values.interface.declarations) and any(_pays(costs.today, *found) for _, found in _offered(costs))


def _offered(costs: Costs) -> Iterator[tuple[Behind, Sequence[Cost]]]:
    """The models in which a target has an interface, with what commits cost then: as its users are, and after places in
    them are changed."""
    values, protocols = costs.values, costs.protocols
    models: Sequence[tuple[Behind, Sequence[Cost]]] = (
        (values, (values.cost, values.after_places)),
        (protocols, (protocols.after_places,)),
    )
    return (each for each in models if _is_interface(each[0]))


def _is_interface(behind: Behind) -> bool:
    return behind.interface.moving <= _MOST_MOVED * behind.interface.size


def _moving(behind: Behind) -> str:
    moving, size = behind.interface.moving, behind.interface.size
    return f"{moving} of its {amount(size, 'declaration')} would move into an interface, which is none then"


def _pays(today: Cost, *behind: Cost) -> bool:
    """Whether one of some costs saves a share that is worth it, by a cache or by the compiler."""
    pairs = [pair for cost in behind for pair in ((today.cached, cost.cached), (today.files, cost.files))]
    return any(before - after > WORTH * before for before, after in pairs)


def _order(costs: Costs) -> tuple[tuple[int, int, int], tuple[int, int, int], str]:
    """Those first of which a cache would have saved most: as their users are, then after changes."""

    def difference(cost: Cost) -> tuple[int, int, int]:
        today = costs.today
        return cost.cached - today.cached, cost.files - today.files, cost.tests - today.tests

    found = [cost for _, offered in _offered(costs) for cost in offered]
    unchanged = difference(costs.values.cost) if _is_interface(costs.values) else (0, 0, 0)
    return unchanged, min(map(difference, found), default=(0, 0, 0)), costs.target


def _saved(today: Cost, behind: Cost) -> str:
    return saved(
        {
            "a cache by source rebuilds {} files{}": (today.cached, behind.cached),
            "builds compile {} files{}": (today.files, behind.files),
            "{} test targets run": (today.tests, behind.tests),
        }
    )


def _held(behind: Behind) -> str:
    """How many declarations of its target an interface holds."""
    return f"{len(behind.interface.declarations)} of {amount(behind.interface.size, 'declaration')}"


def _listed(interface: Interface) -> Iterator[str]:
    """The declarations of an interface, those of a type in a file in one line."""
    kinds = {
        each.title: "protocol" if interface.role(each) == "protocol" else each.declaration.kind
        for each in interface.declarations
    }
    found: dict[tuple[str, Path], list[str]] = {}
    for each in interface.declarations:
        is_member = bool(each.owner) and not each.declaration.is_type
        own = found.setdefault((each.owner if is_member else each.title, each.file), [])
        own += [each.declaration.title] if is_member else []
    for (title, file), own in found.items():
        yield f"{title} ({kinds.get(title, 'extension')}, {file.as_posix()}): {', '.join(own)}".removesuffix(": ")


def find_advice(
    folder: Path,
    scratch: Path,
    toolchain: Toolchain,
    config: Config,
    view: ProgressView,
    count: int,
    target: str | None = None,
    parts: int | None = None,
) -> Advice:
    """Builds a package once, and returns what its last commits cost, and the cut of a target into so many parts."""
    with run_folder(scratch, toolchain, takes_times=False) as (work, kept):
        repository = Repository(folder)
        subject = read_subject(Origin(folder, work, kept, config, view))

        @cache
        def differences(parent: str, identifier: str) -> Differences:
            """What a commit changes, by the targets as they are now; where it changes a manifest, by those of then."""
            assert subject.state is not None
            changed = repository.changed(parent, identifier)
            if not any(map(is_manifest, changed)):
                return Differences(None, subject.state, changed, config.changes, repository.aliases)
            states = [State.at(each, repository, subject.package, kept) for each in (parent, identifier)]
            (old, before), (new, after) = states
            unknown = before + after
            return Differences(old, new or subject.state, changed, config.changes, repository.aliases, unknown)

        def with_effect(commit: Commit) -> Commit:
            return repository.without(commit, differences(commit.parent, commit.identifier).unbuilt)

        commits = repository.commits(count, narrowed=with_effect)
        if len(commits) < count:
            view.note(FEWER.format(amount(len(commits), "commit")))
        large = large_target(subject.package, target)
        tested = (subject, subject.without_tests()) if large else (subject.without_tests(),)
        workspace = _indexed(tested, work, kept, view)
        changes = Changes(commits, repository, work / "compared", kept)
        modules = subject.package.modules.values()
        interfaces = [part.name for each in modules for part in (each.interface, *each.parts)]
        declarations = Declarations(workspace, subject.package, subject.sources)
        targets = Targets(subject.package, subject.sources)
        direct = {
            each.name: targets.files.keys() & differences(each.parent, each.identifier).targets for each in commits
        }
        cut = None
        if large:
            owners = {file: each.name for each in workspace.layout.package.targets for file in each.sources}
            graph = Graph(large, subject.sources, owners, occurrences(workspace, kept))
            made = edits(graph, commits, changes)
            # A cut that was not asked for needs commits by which it is chosen and tried.
            cut = propose(graph, subject.package, made, parts) if target or len(made) > 1 else None
        return Advice.of(len(commits), *find_costs(declarations, targets, commits, changes, direct, interfaces), cut)


def _indexed(subjects: Iterable[Subject], work: Path, toolchain: Toolchain, view: ProgressView) -> Workspace:
    """The first of some packages that can be built, with the compiler's index."""
    *tried, last = subjects
    view.note("Building it once, for the compiler's index")
    for subject in (*tried, last):
        folder = work / ("tested" if subject is not last else "built")
        layout = subject.layout(INTERFACE, is_copy=True)
        workspace = Workspace(layout, folder, work, toolchain, options=("--enable-index-store",))
        try:
            workspace.build()
        except BuildFailedError:
            if subject is last:
                raise
            view.note("Its tests do not build here, and do not count: building it without them")
        else:
            break
    return workspace
