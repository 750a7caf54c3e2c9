"""What to split first, and where to cut a large target, in sentences and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swiftmodules.advise.costs import Behind, Changed, Costs, find_costs
from swiftmodules.advise.interface import Interface
from swiftmodules.builds.folders import run_folder
from swiftmodules.errors import BuildFailedError
from swiftmodules.layouts.generate import without_tests
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.observed import amount
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Cost, edits, last_commits
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import Graph
from swiftmodules.split.proposal import Proposal, large_target, propose
from swiftmodules.split.tree import Tree
from swiftmodules.steps.history import FEWER, Repository
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import PackageCopy
from swiftmodules.swiftpm.toolchain import Toolchain

MODEL = (
    "The model: structs, enums and protocols that others use move into the interface with their visible members, the "
    "bodies of these, and all that these need. Classes stay behind protocols. 'By protocols' is what is left where "
    "values that no user makes become protocols too, which leaves less in the interface and takes more work."
)
# Fewer commits show little.
_FEW = 10


@dataclass(frozen=True)
class Advice:
    """The targets, those first that an interface would help most; the interfaces that are there, the costliest first;
    what so many commits cost; and the cut of a large target."""

    commits: int
    targets: Sequence[Costs]
    interfaces: Sequence[Changed] = ()
    total: Cost = Cost()
    cut: Proposal | None = None

    @property
    def lines(self) -> list[str]:
        """The cut of a large target, and the ranking as sentences: what to split, and what not to."""
        lines: list[str] = []
        for each in self.targets:
            if proposed := each.proposed:
                lines += self._split(each, proposed, "Then" if lines else "Split first")
        kept = [each for each in self.targets if each.commits and not each.proposed]
        if self.cut:
            # Of a target that no other uses, only a cut makes sense.
            kept = [each for each in kept if _is_used(each) or each.target != self.cut.parts.graph.target]
        begun = [MODEL] if lines else ["No interface would pay."] if kept or not self.cut else []
        there = [
            f"`{each.target}`, an interface, changed in {each.commits} of these commits: for that, a cache by source "
            f"rebuilds {each.cost.files} files ({each.cost.files / self.total.files:.0%} of all)."
            for each in self.interfaces
        ]
        return [*(self.cut.lines if self.cut else ()), *begun, *lines, *map(self._kept, kept), *there]

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
                **{"target": each.target, "commits": each.commits, "today": asdict(each.today)},
                **{"of_declarations": each.values.interface.size, "values": behind(each.values)},
                "protocols": behind(each.protocols),
            }
            for each in self.targets
        ]
        cut = self.cut.as_json if self.cut else None
        interfaces = [{"target": each.target, "commits": each.commits, **asdict(each.cost)} for each in self.interfaces]
        found = {"commits": self.commits, "total": asdict(self.total), "model": MODEL, "targets": targets}
        return found | {"interfaces": interfaces, "cut": cut}

    def _split(self, costs: Costs, proposed: Behind, verb: str) -> Iterator[str]:
        """What a split would bring, what else has to change for it, and what the interface would hold."""
        values, protocols = costs.values, costs.protocols
        gain = f"with an interface, {costs.today.compared(values.cost)}"
        yield f"{verb} `{costs.target}`: {self._edited(costs)}; {gain if values.is_interface else _moving(values)}."
        if (places := values.interface.places) and values.is_interface:
            yield f"  After these {amount(len(places), 'place')}: {costs.today.compared(values.after_places)}."
            yield from (f"    {each}" for each in places)
        number = len(protocols.interface.places)
        after = f", after {amount(number, 'place')}" if number else ""
        yield f"  By protocols{after}: {costs.today.compared(protocols.after_places)}."
        model = " by protocols" if proposed is protocols else ""
        changed = f"changed in {proposed.changed_in} of these commits"
        yield f"  The interface{model} would be {_held(proposed)}, which {changed}:"
        yield from (f"    {each}" for each in _listed(proposed.interface))

    def _kept(self, costs: Costs) -> str:
        """Why a target is not worth an interface."""
        values = costs.values
        if not _is_used(costs):
            return f"`{costs.target}` is not worth it: no other target uses it, programs and tests aside."
        if not values.is_interface:
            return f"`{costs.target}` is not worth an interface: {self._edited(costs)}; {_moving(values)}."
        reason = f"the interface, {_held(values)}, changed in {values.changed_in} of these commits"
        gain = costs.today.compared(values.cost)
        return f"`{costs.target}` is not worth it: {self._edited(costs)}; with an interface, {gain}; {reason}."

    def _edited(self, costs: Costs) -> str:
        few = f" (fewer than {_FEW}, which show little)" if costs.commits < _FEW else ""
        return f"{costs.commits} of the last {amount(self.commits, 'commit')} edited it{few}"


def _is_used(costs: Costs) -> bool:
    """Whether other targets use one."""
    return bool(costs.values.interface.declarations or costs.values.interface.places)


def _moving(behind: Behind) -> str:
    moving, size = behind.interface.moving, behind.interface.size
    return f"{moving} of its {amount(size, 'declaration')} would move into an interface, which is none then"


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
        assert subject.state is not None and subject.copy is not None
        commits = last_commits(repository, count, subject.state, config.changes, work, kept)
        number = len(commits.each)
        if number < count:
            view.note(FEWER.format(amount(number, "commit")))
        package = subject.package.built
        large = large_target(subject.package, target)
        tree = Tree(subject.copy.folder, work, kept)
        has_tests = _built(tree, bool(large), subject.copy, view)
        declarations = Declarations(subject.sources, tree.occurrences(), package)
        cut = None
        if large:
            graph = Graph(large, declarations, package if has_tests else without_tests(package))
            made = edits(graph, commits)
            # A cut that was not asked for needs commits by which it is chosen and tried.
            cut = propose(graph, made, parts) if target or len(made) > 1 else None
        return Advice(number, *find_costs(package, declarations, commits), cut)


def _built(tree: Tree, with_tests: bool, copy: PackageCopy, view: ProgressView) -> bool:
    """Builds the copy of a package for the compiler's index, with its tests where these build. Returns whether they do,
    and raises `BuildFailedError` where the package does not build without them."""
    view.note("Building it once, for the compiler's index")
    if with_tests and not tree.build():
        return True
    if with_tests:
        view.note("Its tests do not build here, and do not count: building it without them")
    if failure := tree.build(with_tests=False):
        raise BuildFailedError(f"the package does not build:\n{copy.original_names(str(failure))}")
    return False
