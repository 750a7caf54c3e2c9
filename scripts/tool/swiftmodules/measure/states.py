"""The states of a package's sources in each variant: before a step, which is an edit that is made up or a commit of a
history, and after it."""

from __future__ import annotations

import os
import shutil
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path
from typing import Any

from msgspec.structs import asdict

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.layouts.generate import FUSED, INTERFACE, LAYOUTS, without_tests
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.replicate import replicate
from swiftmodules.measure import record
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, LeftOut, Rebuilt, Variant
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.observed import amount
from swiftmodules.steps.edit import Key, most_imported, place_all
from swiftmodules.steps.history import FEWER, Commit, Repository
from swiftmodules.steps.placement import NoPlaceError, Placement, same_place
from swiftmodules.swiftpm.differences import Differences
from swiftmodules.swiftpm.git import written_at
from swiftmodules.swiftpm.modules import Module

# A commit of a history before the first split may have none: nothing is merged there.
_NO_PAIRS = (
    "the package has no pairs of targets that are named as an interface and its implementation; swiftmodules.toml can "
    "say how they are named."
)


class States(ABC):
    """The states of a package's sources in each variant."""

    subject: Subject
    rows: Sequence[Key]
    left_out: Sequence[LeftOut] = ()
    # The state from which the package is known.
    last: str

    def __init__(self, plan: Plan, origin: Origin) -> None:
        self.plan = plan
        self.origin = origin
        # Whether the layouts are copies of the package with its own manifest.
        self.is_copy = plan.against is not None
        self._layouts: dict[tuple[str, str, bool], Layout] = {}

    @abstractmethod
    def at(self, state: str) -> Subject:
        """The package in a state, with the copies of a module."""

    def meaning(self, layout: str) -> str:
        if self.plan.against:
            return "a copy of the package " + ("as it is now" if layout == NOW else f"at {layout}, with the same edits")
        return "a copy of the package, with its own manifest" if self.is_copy else LAYOUTS[layout]

    def possible(self) -> tuple[dict[str, Layout], list[LeftOut]]:
        """The layouts of the plan that are possible, and why others are not.

        All are generated in the same way, so that only what they are about differs. Where nothing is compared with it,
        `interface` is the package as it is. Raises `ToolError` where no layout is left.
        """
        if self.plan.against:
            return {name: self._layout(name, name, False) for name in self.plan.layouts}, []
        subject = self._prepared(self.last, False)
        found: dict[str, Layout] = {}
        left_out = []
        # The layout `interface` comes last, as it depends on the others.
        for name in sorted(self.plan.layouts, key=lambda name: name == INTERFACE):
            try:
                if name == FUSED and not subject.package.modules:
                    raise ToolError(_NO_PAIRS)
                found[name] = subject.layout(name, is_copy=not found and not subject.removed)
            except ToolError as error:
                left_out.append(LeftOut(layout=name, reason=str(error)))
        if not found:
            raise ToolError("\n".join(each.reason for each in left_out))
        self.is_copy = any(each.manifest is None for each in found.values())
        return {name: found[name] for name in self.plan.layouts if name in found}, left_out

    def _layout(self, state: str, layout: str, with_tests: bool) -> Layout:
        """A state in a layout, with the tests where the layout can have them. Raises `ToolError` where the layout is
        not possible."""
        key = (state, layout, with_tests)
        if key not in self._layouts:
            subject = self._prepared(state, with_tests)
            try:
                made = subject.layout(INTERFACE if self.plan.against else layout, self.is_copy)
            except ToolError:
                if not with_tests:
                    raise
                return self._layout(state, layout, False)
            self._layouts[key] = replace(made, name=layout)
        return self._layouts[key]

    def _prepared(self, state: str, with_tests: bool) -> Subject:
        subject = self.at(state)
        if len(self.plan.settings) > 1:
            subject = subject.without_choices_of([flag for way in self.plan.ways.values() for flag in way.compiler])
        if with_tests or self.plan.until == "tests":
            return subject
        return replace(subject, package=without_tests(subject.package))

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
        """The targets that a cache by source rebuilds for a step."""
        layout = self.after(cell, with_tests=True)
        found = layout.rebuilt(self.changed(cell))
        built = [each for each in found if not each.is_test]
        of_tests = len(layout.package.tests) or None
        return Rebuilt(
            targets=len(built),
            files=sum(len(each.sources) for each in built),
            tests=len(found) - len(built) if of_tests else None,
            of_tests=of_tests,
        )

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        """The steps after a clean build that are not recorded: the first builds compile more, and are slower."""
        return ()

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The fields of a record that describe the steps."""


class Edits(States):
    """Edits that are made up: each is a step from the package to the package with the edit. Against a revision, the
    layouts are two states of the package, and each edit is made in the same declaration of both."""

    last = NOW

    def __init__(self, plan: Plan, origin: Origin) -> None:
        super().__init__(plan, origin)
        self._numbers = count(1)
        self.subject = read_subject(origin)
        self._modules = self._chosen()
        placements, missing = self._placed(self.subject, self._modules)
        # The record describes the edits in the package as it is, also with copies.
        self._described = placements
        # The package, and the places of the edits, in each state.
        self._subjects = {NOW: self.subject}
        self._placements = {NOW: placements}
        if plan.against:
            missing |= self._compare(plan.against, placements)
        self.left_out = [LeftOut(edit=edit, module=name, reason=reason) for (edit, name), reason in missing.items()]
        self.rows = list(placements)
        if not self.rows:
            reasons = "; ".join(f"{each.edit}: {each.reason}" for each in self.left_out)
            raise UsageError(f"no edit fits the chosen modules. {reasons}")
        if plan.copies:
            self._replicate(plan.copies)

    def _compare(self, revision: str, placements: dict[Key, Placement]) -> dict[Key, str]:
        """Finds the places in an earlier state too. Removes the places that are missing there, and returns them with
        the reason."""
        folder = self.origin.folder / "against"
        package = written_at(revision, self.origin.package, folder / "tree")
        self.origin.view.note(f"Reading the package at {revision}")
        former = read_subject(self.origin.quiet(package=package, folder=folder))
        then: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        for key, placement in list(placements.items()):
            try:
                then[key] = same_place(placement, self.subject.sources, former.sources)
            except NoPlaceError as reason:
                del placements[key]
                missing[key] = f"{revision}: {reason}"
        self._subjects[revision], self._placements[revision] = former, then
        return missing

    def _replicate(self, copies: int) -> None:
        """Puts a package with copies of a module in the place of the package, with the edits in the first copy."""
        known, origin = self.subject.package.modules, self.origin
        if others := [name for name in self._modules if name not in known]:
            raise UsageError(
                f"With copies, only modules with an interface can be edited, not {others[0]}. Leave it out."
            )
        module, folder = origin.config.measure.scale_module or "", origin.folder / "copies"
        made, sources = replicate(self.subject.package, self.subject.sources, module, copies, folder, origin.toolchain)
        copied = {name: made.modules[f"{name}1" if name == module else name] for name in self._modules}
        self._subjects[NOW] = Subject(made, sources)
        self._placements[NOW], _ = self._placed(self._subjects[NOW], copied)

    def at(self, state: str) -> Subject:
        return self._subjects[state]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._state(cell), cell.layout, with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self.before(cell, with_tests).with_edit(self._placement(cell), next(self._numbers))

    def changed(self, cell: Cell) -> Iterable[str]:
        file, targets = self._placement(cell).file, self.at(self._state(cell)).package.targets
        return [target.name for target in targets if file in target.sources]

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        rows = dict.fromkeys((self.rows[0], self.rows[-1]))
        return [Cell(**asdict(variant), edit=edit, module=module) for edit, module in rows]

    def facts(self) -> dict[str, Any]:
        return {
            "placements": tuple(
                record.PlacedEdit(edit=edit, module=f"{name}", description=each.description)
                for (edit, name), each in self._described.items()
            ),
        }

    def _state(self, cell: Cell) -> str:
        return cell.layout if self.plan.against else NOW

    def _placement(self, cell: Cell) -> Placement:
        return self._placements[self._state(cell)][cell.row]

    def _chosen(self) -> dict[str, Module]:
        """The modules and targets in which the edits are made."""
        package, config, plan = self.subject.package, self.origin.config.measure, self.plan
        usual = package.edited_modules
        known = {each.name: Module.of(each) for each in package.code} | usual
        if unknown := [name for name in plan.modules if name not in known]:
            raise UsageError(f"No module is called '{unknown[0]}'. Choose from: {', '.join(usual) or 'none'}.")
        configured = [name for name in config.modules if name in usual]
        names: Sequence[str] = plan.modules or configured[: 1 if plan.quick else None]
        if plan.copies and not plan.modules and config.scale_module:
            # The first of the others stands for what all copies use.
            names = [*[name for name in configured if name != config.scale_module][:1], config.scale_module]
        if not names and not plan.is_timed:
            names = [*usual]
        names = names or [most_imported(package, self.subject.sources, package.modules)]
        return {name: known[name] for name in names}

    def _placed(self, subject: Subject, modules: Mapping[str, Module]) -> tuple[dict[Key, Placement], dict[Key, str]]:
        return place_all(self.plan.edits, subject.package, subject.sources, modules)


class History(States):
    """The commits of a package's history: each is a step from its parent to itself."""

    def __init__(self, plan: Plan, origin: Origin) -> None:
        super().__init__(plan, origin)
        origin.view.note("Reading the history")
        self._folder = origin.folder / "history"
        self._folder.mkdir()
        self._repository = Repository(origin.package, plan.since)
        # The package at each commit, or the reason why it cannot be read.
        self._subjects: dict[str, Subject | ToolError] = {}
        # The targets that each commit splits.
        self._splits: dict[str, tuple[str, ...]] = {}
        self.last = self._repository.head
        self.subject = self.at(self.last)
        copy = self.subject.copy
        beside = [Path(os.path.relpath(each, copy.package)) for each in copy.others] if copy else []
        commits = self._repository.commits(plan.history, beside, self._in_targets)
        if len(commits) < plan.history:
            origin.view.note(FEWER.format(amount(len(commits), "commit")))
        self._commits = {commit.name: commit for commit in commits}
        self.rows: Sequence[Key] = [(name, None) for name in self._commits]

    def before(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._commits[cell.edit].parent, cell.layout, with_tests)

    def after(self, cell: Cell, with_tests: bool) -> Layout:
        return self._layout(self._commits[cell.edit].identifier, cell.layout, with_tests)

    def changed(self, cell: Cell) -> Iterable[str]:
        return self._differences(self._commits[cell.edit]).targets

    def _differences(self, commit: Commit) -> Differences:
        old, new = (self.at(each).state for each in (commit.parent, commit.identifier))
        assert old is not None and new is not None
        changed = self._repository.changed(commit.parent, commit.identifier)
        return Differences(old, new, changed, self.origin.config.changes, self._repository.aliases)

    def _in_targets(self, commit: Commit) -> Commit:
        """A commit without the changes that have no effect. One whose package cannot be read keeps all, as that is said
        when it is measured."""
        try:
            differences = self._differences(commit)
        except ToolError:
            return commit
        self._splits[commit.name] = differences.split
        return self._repository.without(commit, differences.unbuilt)

    def facts(self) -> dict[str, Any]:
        commits = (
            record.Commit(edit=name, subject=each.subject, splits=self._splits.get(name, ()))
            for name, each in self._commits.items()
        )
        return {"commits": tuple(commits)}

    def at(self, state: str) -> Subject:
        if state not in self._subjects:
            # Three are kept: parents and commits alternate, and most parents are the commit before.
            for old in [each for each in self._subjects if each != self.last][:-2]:
                del self._subjects[old]
                self._layouts = {key: layout for key, layout in self._layouts.items() if key[0] != old}
                shutil.rmtree(self._folder / old, ignore_errors=True)
            folder = self._folder / state
            try:
                root = folder / "tree"
                package = written_at(state, self.origin.package, root)
                self._subjects[state] = read_subject(self.origin.quiet(package=package, folder=folder, root=root))
            except ToolError as error:
                self._subjects[state] = error
        found = self._subjects[state]
        if isinstance(found, ToolError):
            raise found
        return found


def states_of(plan: Plan, origin: Origin) -> States:
    return History(plan, origin) if plan.history else Edits(plan, origin)
