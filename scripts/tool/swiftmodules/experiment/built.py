"""Layouts that are built again and again: on this machine, or on those of a cluster."""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace as changed

from swiftmodules.builds.recorder import times_recorder
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.edits.catalogue import Key
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError
from swiftmodules.experiment.requests import Answer, Cluster, Group, Request, Share
from swiftmodules.experiment.runner import Runner, Step, Task, sample_of
from swiftmodules.experiment.soundness import Verifier, read_session
from swiftmodules.experiment.subject import Subject
from swiftmodules.layouts.layout import Layout
from swiftmodules.observed import QUESTION, TARGET
from swiftmodules.records.kinds import ProgramRun, Rebuild
from swiftmodules.records.model import Cell, CleanBuild, Sample, Verdict, Verification, place_name

# A cheap and an expensive edit: the first builds after a clean one compile more, and are slower.
FIRST_EDITS = ("body", "interface-extension-member")
# Whose rebuild is shown job by job, where it is made: it differs between the layouts.
_TIMELINE_EDIT = "private-top"
_ERROR = re.compile(r"^\S.*?:\d+:\d+: error: ")


class BuiltLayouts:
    """Layouts as they are built again and again, with the edits of a subject."""

    def __init__(self, subject: Subject, task: Task, folder: Path, jobs: int | None) -> None:
        self.subject = subject
        self.layouts: dict[str, Layout] = {}
        self.clean_builds: dict[str, CleanBuild] = {}
        self.workspaces: dict[str, Workspace] = {}
        self.numbers = count(1)
        self._task = task
        self._folder = folder
        self._jobs = jobs
        self._verifiers: dict[str, Verifier] = {}

    def build(self, name: str, layout: Layout) -> None:
        """Makes a clean build of a layout, under a name."""
        self._task.view.stage(f"Building the layout '{name}'")
        self.clean_builds[name] = self._build(name, layout)
        self.layouts[name] = layout

    def _build(self, name: str, layout: Layout) -> CleanBuild:
        workspace = Workspace(layout, self._folder / name, self._task.toolchain, self._jobs)
        done = workspace.build_clean().finished
        self.workspaces[name] = workspace
        return CleanBuild(layout.target_count, len(layout.files), done.seconds, done.cpu_seconds)

    def step(self, cell: Cell, more: Callable[[Build], Mapping[str, object]] | None = None) -> Step:
        """Times the build after an edit. `more` returns fields of the sample."""
        workspace, placement = self.workspaces[cell.layout], self.subject.placement(cell)

        def take(number: int, position: int) -> Sample:
            edit = workspace.edit(placement, next(self.numbers))
            return sample_of(edit, cell, number, position, more(edit) if more else {})

        return Step(cell.name, take, lambda entry: entry.cell == cell)

    def try_edits(self, layout: str) -> dict[Key, str]:
        """Makes every edit once. Returns why some do not compile."""
        workspace = self.workspaces[layout]
        missing: dict[Key, str] = {}
        for key, placement in self.subject.placements.items():
            self._task.view.stage(f"Trying the edit {place_name(*key)}")
            try:
                workspace.edit(placement, next(self.numbers))
            except BuildFailedError as error:
                workspace.undo(placement)
                workspace.build()
                missing[key] = f"it does not compile: {first_error(str(error))}"
        return missing

    def without(self, missing: Mapping[Key, str]) -> None:
        """Leaves edits out from now on."""
        self.subject = self.subject.without(missing)

    def warm_up(self) -> float:
        """Makes a cheap and an expensive edit in each layout. Returns the mean seconds of an edit with its undoing."""
        examples = {key[0]: placement for key, placement in reversed(list(self.subject.placements.items()))}
        chosen: list[Placement | None] = [examples[edit] for edit in FIRST_EDITS if edit in examples]
        chosen = chosen or [next(iter(examples.values()), None)]
        seconds = []
        for name, workspace in self.workspaces.items():
            self._task.view.stage(f"Warming up the layout '{name}'")
            for placement in chosen:
                edit = workspace.edit(placement, next(self.numbers))
                seconds.append(edit.seconds + (edit.settling.seconds if edit.settling else 0))
        # Half a second goes by on average until a file may be changed again.
        return sum(seconds) / len(seconds) + 0.5

    def verdicts(self, cells: Sequence[Cell], verification: Verification) -> Iterator[None]:
        """Verifies each cell once that has no verdict yet, and lets the caller keep the verification after each."""
        if verification.left_out is not None:
            return
        known = {verdict.cell for verdict in verification.verdicts}
        session = read_session(self._task.session_file, next(iter(self.layouts.values())).program)
        left = [cell for cell in cells if cell not in known]
        verify = self._verifying(left, session)
        for position, cell in enumerate(left, start=1):
            self._task.view.stage(f"Verifying {cell.name} ({position} of {len(left)})")
            verification.verdicts.append(verify(cell))
            yield

    def _verifying(self, cells: Sequence[Cell], session: tuple[ProgramRun, ...]) -> Callable[[Cell], Verdict]:
        return lambda cell: self.verify(cell, session)

    def verify(self, cell: Cell, session: tuple[ProgramRun, ...]) -> Verdict:
        """Verifies a cell; the session is the same each time."""
        if cell.layout not in self._verifiers:
            self._verifiers[cell.layout] = Verifier(self.workspaces[cell.layout], session)
        return self._verifiers[cell.layout].verify(cell, self.subject.placement(cell), next(self.numbers))

    def rebuilds(self, names: Iterable[str]) -> dict[str, Rebuild]:
        """Times the jobs of one rebuild of each layout, after the edit of `_TIMELINE_EDIT` where that is made.

        In build folders of their own, as SwiftPM plans again for another recorder.
        """
        placements = self.subject.placements
        made = sorted(placements, key=lambda key: (key[0] != _TIMELINE_EDIT, key[0], key[1] or ""))
        layouts = {name: self.layouts[name] for name in names}
        # With tests, SwiftPM wants its libraries beside the recorder, and the one of times is alone.
        if not made or any(layout.has_tests for layout in layouts.values()):
            return {}
        placement, folder = placements[made[0]], self._folder / "timelines"
        folder.mkdir()
        environment = {"SWIFT_EXEC": str(times_recorder(folder, self._task.toolchain))}
        found = {}
        for name, layout in layouts.items():
            self._task.view.stage(f"Timing the jobs of one rebuild of the layout '{name}'")
            workspace = Workspace(layout, folder / name, self._task.toolchain, self._jobs, environment=environment)
            workspace.build_clean()
            # The first edit after a clean build compiles more.
            workspace.edit(placement, 1)
            edit = workspace.edit(placement, 2)
            # Without what runs for as long as other jobs, and what takes no noticeable time.
            jobs = tuple(job for job in edit.jobs if job.kind not in (TARGET, QUESTION))
            found[name] = Rebuild(edit=placement.edit, module=placement.module, seconds=edit.seconds, jobs=jobs)
        return found


class SharedLayouts(BuiltLayouts):
    """The same on the machines of a cluster. Each makes the group's layouts on its own; nothing is built here."""

    def __init__(self, subject: Subject, run: Runner[Any, Any], cluster: Cluster, group: Group) -> None:
        super().__init__(subject, run.task, run.folder, group.jobs)
        self._run = run
        self.cluster = cluster
        self.group = group
        self.rounds = Share(cluster, [])

    def _build(self, name: str, layout: Layout) -> CleanBuild:
        built = self.group.layouts
        # What does not build is left out of the group.
        found = self._alone("build", changed(self.group, layouts=(*built, (name, layout.name))))
        self.group = changed(self.group, layouts=(*built, (name, layout.name)))
        return msgspec.convert(found[name], CleanBuild)

    def step(self, cell: Cell, more: Callable[[Build], Mapping[str, object]] | None = None) -> Step:
        def take(number: int, position: int) -> Sample:
            answer = self.rounds.answer((self.group.name, number))
            found = answer.value()[self.group.name][position - 1]
            self._run.answered(answer, number)
            return changed(msgspec.convert(found, Sample), machine=answer.machine)

        return Step(cell.name, take, lambda entry: entry.cell == cell)

    def try_edits(self, layout: str) -> dict[Key, str]:
        return dict(msgspec.convert(self._alone("try", self.group), list[tuple[Key, str]]))

    def without(self, missing: Mapping[Key, str]) -> None:
        super().without(missing)
        self.group = changed(self.group, missing=(*self.group.missing, *missing.items()))

    def warm_up(self) -> float:
        return float(self._alone("warm up", self.group))

    def _verifying(self, cells: Sequence[Cell], session: tuple[ProgramRun, ...]) -> Callable[[Cell], Verdict]:
        layouts = dict(self.group.layouts)
        pieces = []
        for cell in cells:
            # A machine that has none of them needs the cell's own only.
            group = changed(self.group, layouts=((cell.layout, layouts[cell.layout]),))
            pieces.append(([cell], Request("verify", (group,), ((cell,),), session=session)))
        share = Share(self.cluster, pieces)
        return lambda cell: msgspec.convert(share.answer(cell).value(), Verdict)

    def rebuilds(self, names: Iterable[str]) -> dict[str, Rebuild]:
        return msgspec.convert(self._alone("rebuild", self.group, names), dict[str, Rebuild])

    def _alone(self, does: Any, group: Group, names: Iterable[str] = ()) -> Any:  # noqa: ANN401
        cells = (tuple(Cell(name, None, None) for name in names),)
        answer: Answer = self.cluster.ask(Request(does, (group,), cells), alone=True)
        return answer.value()


def share_rounds(rounds: Iterable[tuple[int, Sequence[tuple[BuiltLayouts, Sequence[Cell]]]]]) -> None:
    """Plans rounds that are about to be taken, each with the cells of some layouts in their order. On a cluster, the
    whole of a round is done by one machine."""
    pieces: list[tuple[Sequence[Hashable], Request]] = []
    shared: list[SharedLayouts] = []
    for number, parts in rounds:
        own = [(built, tuple(cells)) for built, cells in parts if isinstance(built, SharedLayouts)]
        groups, cells = tuple(built.group for built, _ in own), tuple(cells for _, cells in own)
        pieces.append(([(each.name, number) for each in groups], Request("round", groups, cells, number)))
        shared += [built for built, _ in own]
    if shared:
        share = Share(shared[0].cluster, pieces)
        for each in shared:
            each.rounds = share


def first_error(message: str) -> str:
    """The first error of the compiler in a message, or else its last line."""
    lines = message.splitlines()
    return next((line for line in lines if _ERROR.match(line)), lines[-1])
