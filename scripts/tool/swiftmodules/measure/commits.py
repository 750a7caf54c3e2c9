"""The commits of a history as steps."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import record
from swiftmodules.measure.plan import Plan
from swiftmodules.measure.record import Cell
from swiftmodules.measure.states import States
from swiftmodules.measure.subject import Origin, Subject, read_subject
from swiftmodules.observed import amount
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.edit import Key
from swiftmodules.steps.history import FEWER, Commit, Repository
from swiftmodules.swiftpm.differences import Differences
from swiftmodules.swiftpm.git import written_at
from swiftmodules.swiftpm.package import Package


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
        before, after = (self.at(each).package for each in (commit.parent, commit.identifier))
        self._splits[commit.name] = _split(before, after)
        return self._repository.without(commit, differences.unbuilt)

    def facts(self) -> dict[str, Any]:
        interfaces = [module.interface.folder for module in self.subject.package.modules.values()]
        commits = list(self._commits.values())
        changes = Changes(commits, self._repository, self._folder / "compared", self.origin.toolchain)

        def is_interface(path: Path) -> bool:
            return any(path.is_relative_to(folder) for folder in interfaces)

        return {
            "commits": tuple(
                record.Commit(
                    edit=each.name,
                    subject=each.subject,
                    kind=changes.kind(each, is_interface),
                    files=len(each.changed),
                    splits=self._splits.get(each.name, ()),
                )
                for each in commits
            )
        }

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


def _split(before: Package, after: Package) -> tuple[str, ...]:
    """The targets whose files went into targets that are new."""
    there = {path for each in after.targets for path in each.sources}
    gone = {path.name: each.name for each in before.targets for path in each.sources if path not in there}
    new = [each for each in after.targets if before.target(each.name) is None]
    return tuple(sorted({gone[path.name] for each in new for path in each.sources if path.name in gone}))
