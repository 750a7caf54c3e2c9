"""A package's own history as edits: each commit is measured from its parent, in every variant."""

from __future__ import annotations

import random
import shutil
from collections.abc import Callable, Sequence
from functools import cached_property
from pathlib import Path

from rich.console import Console

from swiftmodules.builds.recorder import phases
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.edits.changes import Changes
from swiftmodules.edits.history import Commit, Repository
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import counts
from swiftmodules.measure.plan import Plan, Step
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import BUILT, Missing, Sample, Variant, Verdict
from swiftmodules.measure.record import Commit as Replayed
from swiftmodules.measure.samples import facts_of, first_error, is_of_variant, sample_of
from swiftmodules.measure.subject import Reader, Subject
from swiftmodules.measure.verify import Verifier
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.package import RESOLVED
from swiftmodules.swiftpm.reader import Known
from swiftmodules.swiftpm.toolchain import Toolchain

# Besides the last commit.
_VERIFIED = 2


class Replay:
    """The commits of a package's history, and its layouts at each of them."""

    def __init__(
        self, package: Path, folder: Path, toolchain: Toolchain, config: Config, view: ProgressView, plan: Plan
    ) -> None:
        if plan.until != (BUILT,):
            raise UsageError("A history is timed until it is built. Leave out --until.")
        self._folder = folder / "history"
        self._folder.mkdir()
        self._toolchain = toolchain
        self._config = config
        self._plan = plan
        self._repository = Repository(package, self._folder)
        self._subjects: dict[str, Subject] = {}
        self._known: Known = {}
        self._layouts: dict[tuple[str, str, int], Layout] = {}
        view.stage("Reading the history")

    @cached_property
    def subject(self) -> Subject:
        """The package at its last commit."""
        return self._subject(self._repository.head)

    @cached_property
    def _chosen(self) -> tuple[list[Commit], dict[str, str]]:
        copied = self._config.measure.scale_module if any(self._plan.copies) else None
        targets = self.subject.pairs[copied].targets if copied in self.subject.pairs and copied else ()
        assert self._plan.history is not None
        return self._repository.commits(self._plan.history, [target.folder for target in targets])

    @cached_property
    def commits(self) -> dict[str, Commit]:
        """The commits by their names, the oldest first."""
        return {commit.name: commit for commit in self._chosen[0]}

    @property
    def left_out(self) -> tuple[Missing, ...]:
        return tuple(Missing(edit=name, reason=reason) for name, reason in self._chosen[1].items())

    @property
    def records(self) -> tuple[Replayed, ...]:
        """The commits as records hold them."""
        interfaces = [module.interface.folder for module in self.subject.pairs.values()]
        commits = list(self.commits.values())
        changes = Changes(commits, self._repository, self._folder / "compared", self._toolchain)

        def is_interface(path: Path) -> bool:
            return any(path.is_relative_to(folder) for folder in interfaces)

        kinds = [changes.kind(each, each.changed, is_interface) for each in commits]
        return tuple(
            Replayed(edit=each.name, subject=each.subject, kind=kind, files=len(each.changed))
            for each, kind in zip(commits, kinds, strict=True)
        )

    def orders(
        self, variants: Sequence[Variant], control: Sequence[Variant], rounds: int, seed: int
    ) -> list[tuple[int, list[Step]]]:
        """The steps of each round, with its number. Each commit is one; without times all commits are one."""
        plain = [[Step.of(variant, name, None) for variant in variants] for name in self.commits]
        if not rounds:
            return [(0, [step for steps in plain for step in steps])]
        generator = random.Random(seed)
        orders = []
        for number, (name, steps) in enumerate(list(zip(self.commits, plain, strict=True)) * rounds, start=1):
            own = [*steps, *(Step.of(variant, name, None, control=True) for variant in control)]
            orders.append((number, generator.sample(own, len(own))))
        return orders

    def verified(self, seed: int) -> set[str]:
        """The commits after which the program is compared with that of a clean build."""
        *others, last = self.commits
        return {last, *random.Random(seed).sample(others, min(_VERIFIED, len(others)))}

    def builds_alike(self, built: str, identifier: str) -> bool:
        """Whether a commit differs from the one built last in no Swift file, no version and no folder of a target."""
        if built == identifier:
            return True
        subject = self._subjects.get(built)
        # Of other packages that it needs, nothing is known.
        if subject is None or subject.copy is None or subject.copy.others:
            return False
        package, changed = subject.package, self._repository.changed(built, identifier)
        return not any(path.suffix == ".swift" or path.name == RESOLVED or package.target_of(path) for path in changed)

    def layout(self, variant: Variant, identifier: str) -> Layout:
        """A layout at a commit. Raises `ToolError` where it cannot be made."""
        key = (identifier, variant.layout, variant.copies)
        if key not in self._layouts:
            subject = self._subject(identifier)
            if variant.copies:
                subject = self._reader(self._folder / identifier, Path()).with_copies(subject)(variant.copies)
            if len(self._plan.settings) > 1:
                subject = subject.without_linker()
            self._layouts[key] = subject.layout(variant.layout, self._plan.as_it_is is not False)
        return self._layouts[key]

    def _subject(self, identifier: str) -> Subject:
        if identifier not in self._subjects:
            # Two are kept: parents and commits alternate, and most parents are the commit before.
            for old in [each for each in self._subjects if each != self._repository.head][:-1]:
                del self._subjects[old]
                self._layouts = {key: layout for key, layout in self._layouts.items() if key[0] != old}
                shutil.rmtree(self._folder / old)
            folder = self._folder / identifier
            package = self._repository.write(identifier, folder / "tree")
            self._subjects[identifier] = self._reader(folder, package).read(("noop",))
        return self._subjects[identifier]

    def _reader(self, folder: Path, package: Path) -> Reader:
        # Its stages are repeated for each commit.
        view = ProgressView(Console(quiet=True))
        return Reader(package, folder, self._toolchain, self._config, view, known=self._known)


class ReplayedPlace:
    """A variant that stands at one commit after another. A commit that cannot be built there is a sample that says
    why, and the next one begins with a build of its parent."""

    def __init__(self, replay: Replay, variant: Variant, is_counted: bool, make: Callable[[Layout], Workspace]) -> None:
        self.workspace: Workspace | None = None
        self._replay = replay
        self._variant = variant
        self._is_counted = is_counted
        self._make = make
        self._at: str | None = None
        self._demangled: dict[str, str] = {}

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        commit = self._replay.commits[step.edit]
        place = {"round": number, "position": position}
        try:
            if self._at is None or not self._replay.builds_alike(self._at, commit.parent):
                self._build(commit.parent)
            build = self._build(commit.identifier)
        except ToolError as error:
            if not is_of_variant(error):
                raise
            message = str(error).removeprefix(f"the layout '{self._variant.layout}' is not possible: ")
            return [sample_of(step, **place, failure=first_error(message))]
        if not self._is_counted:
            jobs = phases(build.jobs, build.seconds) if build.jobs else {}
            return [sample_of(step, **place, **facts_of(build), phases=jobs)]
        assert self.workspace is not None
        compiled = counts.reasons_of(self.workspace, build, self._demangled)
        work = build.work
        return [sample_of(step, **place, compiled=compiled, linked=work.linked, emitted_modules=work.emitted_modules)]

    def _build(self, identifier: str) -> Build:
        layout = self._replay.layout(self._variant, identifier)
        self._at = None
        if self.workspace is None:
            workspace = self._make(layout)
            try:
                build = workspace.build_clean()
            except ToolError:
                shutil.rmtree(workspace.scratch.parent)
                raise
            self.workspace = workspace
        else:
            self.workspace.become(layout)
            build = self.workspace.build()
        self._at = identifier
        return build

    def verify(self, step: Step, verifier: Verifier) -> Verdict | None:
        """Compares the program after the last build with that of a clean build; None where it did not build."""
        return verifier.compare(self.workspace, step.cell()) if self.workspace is not None and self._at else None

    def close(self) -> None:
        if self.workspace is not None:
            self.workspace.remove_scratch()
