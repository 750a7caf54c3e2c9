"""The steps of a run: from one state of a package's sources to the next, by an edit that is made up, or by a commit."""

from __future__ import annotations

import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import asdict
from rich.console import Console

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import Replicator
from swiftmodules.measure import record
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import Cell, Commit, End, LeftOut, ModuleFacts, Rebuilt, Variant
from swiftmodules.measure.results import amount
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.edit import (
    FIRST_EDITS,
    Key,
    file_module,
    most_imported,
    path_in_package,
    place_all,
    place_in_file,
    wanted_edit,
)
from swiftmodules.steps.history import FEWER, Repository
from swiftmodules.steps.placement import Placement, Site, importing_files
from swiftmodules.swiftpm.modules import Module, edited_modules
from swiftmodules.swiftpm.reader import Known

# Where neither the user nor the configuration names modules, and times are taken.
USUAL_MODULES = 3


@dataclass(frozen=True)
class Plan:
    """The choices that decide what is built. `edits` and `modules` are as the user typed them; without them, `usual` is
    the number of modules."""

    layouts: tuple[str, ...]
    copies: tuple[int, ...] = (0,)
    settings: tuple[str, ...] = ("default",)
    edits: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    usual: int | None = None
    # So many commits are the steps, in place of edits.
    history: int = 0
    until: End = "built"
    jobs: int | None = None
    # Whether the layout `interface` is the package with its own manifest.
    is_copy: bool = False
    # Whether samples have times, and what else depends on the machine.
    is_timed: bool = True

    @property
    def variants(self) -> list[Variant]:
        """Everything that is built again and again, the baseline first."""
        return [
            Variant(layout=layout, copies=copies, setting=setting)
            for copies in self.copies
            for setting in self.settings
            for layout in self.layouts
        ]


class Sources(ABC):
    """The states of a package's sources in each variant."""

    plan: Plan
    subject: Subject
    rows: Sequence[Key]
    left_out: Sequence[LeftOut]
    # The tests are built too, as an edit is made in them, or as they are run.
    with_tests: bool

    @abstractmethod
    def sized(self, copies: int) -> Subject:
        """The package with so many copies, of a history at its last commit."""

    @abstractmethod
    def before(self, cell: Cell, with_tests: bool) -> Layout:
        """The state before a step. Raises `ToolError` where the layout is not possible."""

    @abstractmethod
    def after(self, cell: Cell, with_tests: bool) -> Layout:
        """The state after it, which no earlier build of a made-up edit had."""

    @abstractmethod
    def changed(self, cell: Cell) -> Iterable[str]:
        """The targets of the package that a step changes."""

    def rebuilt(self, cell: Cell) -> Rebuilt:
        """What a cache of targets rebuilds for a step."""
        if cell not in self._rebuilt:
            changed = [*self.changed(cell)]
            try:
                layout = self.after(cell, with_tests=True)
            except ToolError:
                layout = self.after(cell, with_tests=False)
            found = layout.rebuilt(changed)
            built = [each for each in found if not each.is_test]
            files = sum(len(each.sources) for each in built) + len(layout.added)
            tests = (len(found) - len(built), len(layout.package.tests)) if layout.package.tests else ()
            self._rebuilt[cell] = Rebuilt(len(built), files, *tests)
        return self._rebuilt[cell]

    @cached_property
    def _rebuilt(self) -> dict[Cell, Rebuilt]:
        return {}

    @abstractmethod
    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        """The steps after a clean build that are not recorded: the first builds compile more, and are slower."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The fields of a record that describe the steps."""


def sources_of(plan: Plan, origin: Origin) -> Sources:
    """The steps of a plan."""
    return History(plan, origin) if plan.history else Edits(plan, origin)


class Edits(Sources):
    """Edits that are made up: each is a step from the package to the package with the edit."""

    def __init__(self, plan: Plan, origin: Origin) -> None:
        self.plan = plan
        self._origin = origin
        self._numbers = count(1)
        subject = read_subject(origin)
        self.subject = subject if len(plan.settings) == 1 else subject.without_linker()
        wanted = [wanted_edit(word) for word in plan.edits]
        files = [path_in_package(name, origin.package) for name in plan.modules if name.endswith(".swift")]
        names = [name for name in plan.modules if not name.endswith(".swift")]
        if not files:
            names = self._chosen(names) if any(each.file is None for each in wanted) else []
        places = [*names, *(path.as_posix() for path in files)]
        keys: dict[Key, None] = {}
        for each in wanted:
            own = [path_in_package(each.file, origin.package).as_posix()] if each.file is not None else places
            keys |= dict.fromkeys((each.edit, place) for place in own)
        tested = {path.as_posix() for target in self.subject.package.tests for path in target.sources}
        self.with_tests = plan.until == "tests" or any(place in tested for _, place in keys)
        self._modules = {name: module for name, module in self._known.items() if name in names}
        self._keys = list(keys)
        self._placements, missing = self._placed(self.subject, self._modules)
        self.left_out = [LeftOut(edit=edit, module=name, reason=reason) for (edit, name), reason in missing.items()]
        self.rows = list(self._placements)
        if not self.rows:
            reasons = "; ".join(f"{each.edit}: {each.reason}" for each in self.left_out)
            raise UsageError(f"none of the edits has a place in the modules that are measured. {reasons}")

    def sized(self, copies: int) -> Subject:
        return self._replicas(copies)[0]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(cell.layout, cell.copies, with_tests or self.with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        _, placements = self._replicas(cell.copies)
        return self.before(cell, with_tests).with_edit(placements[cell.row], next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        subject, placements = self._replicas(cell.copies)
        file = placements[cell.row].file
        return [target.name for target in subject.package.targets if file in target.sources]

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        examples = {edit: (edit, module) for edit, module in reversed(self.rows)}
        rows = [examples[edit] for edit in FIRST_EDITS if edit in examples] or self.rows[:1]
        return [Cell(**asdict(variant), edit=edit, module=module) for edit, module in rows]

    def facts(self) -> dict[str, Any]:
        names = list(dict.fromkeys(name for _, name in self.rows if name))
        return {
            "placements": tuple(
                record.Place(edit=edit, module=name, description=each.description, file=each.file.as_posix())
                for (edit, name), each in self._placements.items()
            ),
            "modules": {name: self._module_facts(name) for name in names},
            "targets": {each.name: each.folder.as_posix() for each in self.subject.package.targets},
        }

    @cached_property
    def _known(self) -> dict[str, Module]:
        """The modules and targets in which edits can be made."""
        package = self.subject.package
        alone = {each.name: Module(each.name, each, (each,)) for each in package.code}
        return alone | edited_modules(package, self.subject.naming) | self.subject.pairs

    def _chosen(self, modules: Sequence[str]) -> list[str]:
        """The modules in which kinds of edits are made."""
        package, config = self.subject.package, self._origin.config.measure
        known = edited_modules(package, self.subject.naming)
        for name in modules:
            if name not in self._known:
                raise UsageError(f"No module is called '{name}'. Choose from: {', '.join(known) or 'none'}.")
        configured = [name for name in config.modules if name in known]
        if any(self.plan.copies) and not modules and config.scale_module:
            # The first of the others stands for what all copies use.
            return [*[name for name in configured if name != config.scale_module][:1], config.scale_module]
        if modules or configured:
            return list(modules or configured)
        if self.plan.usual is None:
            return list(known)
        return list(most_imported(Site(package, self.subject.sources), self.subject.pairs, self.plan.usual))

    def _placed(self, subject: Subject, modules: Mapping[str, Module]) -> tuple[dict[Key, Placement], dict[Key, str]]:
        placements: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        site = Site(subject.package, subject.sources)
        for edit, name in self._keys:
            if name is not None and name in modules:
                placed, none = place_all([edit], site, {name: modules[name]})
                placements |= placed
                missing |= none
            else:
                placements[edit, name] = place_in_file(Path(name or ""), edit, site)
        return placements, missing

    def _module_facts(self, name: str) -> ModuleFacts:
        """Counts the importers of the interface of a module, or of the target of a file."""
        subject, pairs = self.subject, self.subject.pairs
        module = self._modules.get(name) or file_module(Path(name), subject.package)
        own = {path for target in module.targets for path in target.sources}
        owners = {target: each.name for each in pairs.values() for target in each.names}
        targets = {path: owners.get(each.name, each.name) for each in subject.package.code for path in each.sources}
        files = [each.path for each in importing_files(module, subject.package, subject.sources.values())]
        importing = [targets[path] for path in files if path not in own]
        return ModuleFacts(len(importing), len(set(importing)), None if name in pairs else module.interface.name)

    @cache  # noqa: B019  as long as the run
    def _replicas(self, copies: int) -> tuple[Subject, Mapping[Key, Placement]]:
        """The package with so many copies, and the places of the edits, which are made in the first copy."""
        if not copies:
            return self.subject, self._placements
        if others := [name for _, name in self.rows if name not in self.subject.pairs]:
            raise UsageError(f"Beside copies no edit can be made in {others[0]}, which is no module with an interface.")
        replicas = self._replicator.make(copies)
        subject = Subject(replicas.package, replicas.sources, self.subject.naming)
        pairs, copied = subject.pairs, self._replicator.module
        modules = {
            name: replace(pairs[replicas.copies[0] if name == copied else name], name=name) for name in self._modules
        }
        placements, _ = self._placed(subject, modules)
        return subject, placements

    @cached_property
    def _replicator(self) -> Replicator:
        subject, origin = self.subject, self._origin
        module = origin.config.measure.scale_module or ""
        return Replicator(
            *(subject.package, subject.sources, subject.pairs, module),
            *(origin.folder / "copies", origin.toolchain, None),
        )

    @cache  # noqa: B019  as long as the run
    def _layout(self, name: str, copies: int, with_tests: bool) -> Layout:
        subject = self.sized(copies)
        return (subject if with_tests else subject.without_tests()).layout(name, self.plan.is_copy)


class History(Sources):
    """The commits of a package's history: each is a step from its parent to itself."""

    def __init__(self, plan: Plan, origin: Origin) -> None:
        origin.view.stage("Reading the history")
        self.plan = plan
        self.with_tests = plan.until == "tests"
        self._origin = origin
        self._folder = origin.folder / "history"
        self._folder.mkdir()
        self._repository = Repository(origin.package, self._folder)
        self._known: Known = {}
        self._subjects: dict[str, Subject] = {}
        self._layouts: dict[tuple[str, str, int, bool], Layout] = {}
        # Commits whose package cannot be read.
        self._unreadable: dict[str, ToolError] = {}
        self.subject = self._subject(self._repository.head)
        copied = self._copied
        pairs = self.subject.pairs
        folders = [target.folder for target in pairs[copied].targets] if copied in pairs else []
        tree = self._folder / self._repository.head / "tree" / self._repository.name
        beside = [each.relative_to(tree) for each in self.subject.copy.others] if self.subject.copy else []
        commits, left_out = self._repository.commits(plan.history, beside, folders)
        if len(commits) < plan.history:
            origin.view.note(FEWER.format(amount(len(commits), "commit")))
        self._commits = {commit.name: commit for commit in commits}
        self.rows: Sequence[Key] = [(name, None) for name in self._commits]
        self.left_out = [LeftOut(edit=name, reason=reason) for name, reason in left_out.items()]

    def sized(self, copies: int) -> Subject:
        return self._replicas(self._repository.head, copies)

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._commits[cell.edit].parent, cell.variant, with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._commits[cell.edit].identifier, cell.variant, with_tests)

    def changed(self, cell: Cell) -> Iterable[str]:
        commit = self._commits[cell.edit]
        old, new = (self._subject(each).state for each in (commit.parent, commit.identifier))
        return new.differences(old)

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        return []

    def facts(self) -> dict[str, Any]:
        interfaces = [module.interface.folder for module in self.subject.pairs.values()]
        commits = list(self._commits.values())
        changes = Changes(commits, self._repository, self._folder / "compared", self._origin.toolchain)

        def is_interface(path: Path) -> bool:
            return any(path.is_relative_to(folder) for folder in interfaces)

        kinds = [changes.kind(each, each.changed, is_interface) for each in commits]
        return {
            "commits": tuple(
                Commit(edit=each.name, subject=each.subject, kind=kind, files=len(each.changed))
                for each, kind in zip(commits, kinds, strict=True)
            )
        }

    @property
    def _copied(self) -> str:
        """The module that is copied, where one is."""
        return (self._origin.config.measure.scale_module or "") if any(self.plan.copies) else ""

    def _layout(self, identifier: str, variant: Variant, with_tests: bool) -> Layout:
        with_tests = with_tests or self.with_tests
        key = (identifier, variant.layout, variant.copies, with_tests)
        if key not in self._layouts:
            subject = self._replicas(identifier, variant.copies)
            if len(self.plan.settings) > 1:
                subject = subject.without_linker()
            subject = subject if with_tests else subject.without_tests()
            self._layouts[key] = subject.layout(variant.layout, self.plan.is_copy)
        return self._layouts[key]

    def _replicas(self, identifier: str, copies: int) -> Subject:
        """The package at a commit with so many copies."""
        subject = self._subject(identifier)
        if not copies:
            return subject
        replicator = Replicator(
            *(subject.package, subject.sources, subject.pairs, self._copied),
            *(self._folder / identifier / f"copies-{copies}", self._origin.toolchain, self._known),
        )
        replicas = replicator.make(copies)
        return Subject(replicas.package, replicas.sources, subject.naming)

    def _subject(self, identifier: str) -> Subject:
        if identifier in self._unreadable:
            raise self._unreadable[identifier]
        if identifier not in self._subjects:
            # Three are kept: parents and commits alternate, and most parents are the commit before.
            for old in [each for each in self._subjects if each != self._repository.head][:-2]:
                del self._subjects[old]
                self._layouts = {key: layout for key, layout in self._layouts.items() if key[0] != old}
                shutil.rmtree(self._folder / old)
            folder = self._folder / identifier
            package = self._repository.write(identifier, folder / "tree")
            # Its stages are repeated for each commit.
            own = replace(self._origin, package=package, folder=folder, view=ProgressView(Console(quiet=True)))
            try:
                self._subjects[identifier] = read_subject(own, self._known)
            except ToolError as error:
                self._unreadable[identifier] = error
                raise
        return self._subjects[identifier]
