"""`measure run`: times `swift build` after edits, in several layouts of the same code."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from swiftmodules.build.noise import usable_cores
from swiftmodules.build.recorder import times_recorder
from swiftmodules.build.workspace import Build, Workspace
from swiftmodules.edits.catalogue import DEFAULT_EDITS, Key
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError, UsageError
from swiftmodules.experiment.runner import INSTRUMENTS, Runner, Step, Task, sample_of, shuffled
from swiftmodules.experiment.soundness import Verifier, read_session
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.layout import Layout
from swiftmodules.observed import QUESTION, TARGET
from swiftmodules.records.kinds import Rebuild, RunOptions, RunRecord
from swiftmodules.records.model import (
    CONTROL,
    Cell,
    CleanBuild,
    Sample,
    Verification,
    place_name,
)

# Where neither the user nor the configuration names modules, and the rounds of a quick run.
USUAL_MODULES = 3
LEAST_ROUNDS, MOST_ROUNDS = 2, 10
# About 5 minutes: the estimate rests on a few samples, and errs on the high side.
_QUICK_SECONDS = 350
# A cheap and an expensive edit, as the first builds after a clean one are slower.
_WARM_UP = ("body", "interface-extension-member")
# Whose rebuild is shown job by job, where it is made: it differs between the layouts.
_TIMELINE_EDIT = "private-top"
_ERROR = re.compile(r"^\S.*?:\d+:\d+: error: ")


def measure(options: RunOptions, task: Task) -> RunRecord:
    """Measures a package, writes the record, and returns it."""
    return _Run(task, RunRecord, options).run()


class BuiltLayouts:
    """Layouts as they are built again and again, with the edits of a subject."""

    def __init__(self, subject: Subject, task: Task, folder: Path, jobs: int | None) -> None:
        self.subject = subject
        self.clean_builds: dict[str, CleanBuild] = {}
        self.workspaces: dict[str, Workspace] = {}
        self.numbers = count(1)
        self._task = task
        self._folder = folder
        self._jobs = jobs

    def build(self, name: str, layout: Layout) -> None:
        """Makes a clean build of a layout, under a name."""
        self._task.view.stage(f"Building the layout '{name}'")
        workspace = Workspace(layout, self._folder / name, self._task.toolchain, self._jobs)
        done = workspace.build_clean().finished
        self.workspaces[name] = workspace
        self.clean_builds[name] = CleanBuild(layout.target_count, len(layout.files), done.seconds, done.cpu_seconds)

    def step(self, cell: Cell, more: Callable[[Build], Mapping[str, object]] | None = None) -> Step:
        """Times the build after an edit. `more` returns fields of the sample."""
        workspace, placement = self.workspaces[cell.layout], self.subject.placement(cell)

        def take(number: int, position: int) -> Sample:
            edit = workspace.edit(placement, next(self.numbers))
            return sample_of(edit, cell, number, position, more(edit) if more else {})

        return Step(cell.name, take, lambda entry: entry.cell == cell)

    def warm_up(self) -> float:
        """Makes a cheap and an expensive edit in each layout. Returns the mean seconds of an edit with its undoing."""
        examples = {key[0]: placement for key, placement in reversed(list(self.subject.placements.items()))}
        chosen: list[Placement | None] = [examples[edit] for edit in _WARM_UP if edit in examples]
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
        program = next(iter(self.workspaces.values())).layout.program
        session = read_session(self._task.session_file, program)
        verifiers = {name: Verifier(workspace, session) for name, workspace in self.workspaces.items()}
        left = [cell for cell in cells if cell not in known]
        for position, cell in enumerate(left, start=1):
            self._task.view.stage(f"Verifying {cell.name} ({position} of {len(left)})")
            placement = self.subject.placement(cell)
            verification.verdicts.append(verifiers[cell.layout].verify(cell, placement, next(self.numbers)))
            yield


class _Run(Runner[RunRecord, RunOptions]):
    def measure(self) -> None:
        earlier = self.earlier
        missing = earlier.missing if earlier else {}
        options = self.options = replace(self.options, jobs=self.options.jobs or usable_cores())
        edits = options.edits or DEFAULT_EDITS
        subject = read_subject(self.task, self.folder, edits, options.modules, USUAL_MODULES, earlier)
        # Without the edits that did not compile in an earlier session.
        subject = subject.without({key: missing[name] for key in subject.made if (name := place_name(*key)) in missing})
        layouts = subject.layouts(options.layouts, self.view, earlier.is_copy if earlier else None)
        built = BuiltLayouts(subject, self.task, self.folder, options.jobs)
        self._build(built, layouts)
        keys, rounds = self._extent(built, seconds_per_sample=built.warm_up())
        names = tuple(name for name in built.workspaces if name != CONTROL)
        self._begin(built, names, keys, rounds)
        cells = built.subject.cells(names, keys)
        control = [built.step(cell) for cell in built.subject.cells([CONTROL], keys)]
        orders = shuffled([built.step(cell) for cell in cells], rounds, options.seed, control)
        self.planned(orders)
        for number, steps in enumerate(orders, start=1):
            self.take(steps, number)
            if number == 1 and options.quick and self.task.first_words is not None and rounds > 1:
                for line in self.task.first_words(self.record):
                    self.view.note(line)
        self.record.verification = self.record.verification or Verification()
        for _ in built.verdicts(cells, self.record.verification):
            self.keep()
        if not options.quick:
            self._time_rebuilds(built, names)

    def _build(self, built: BuiltLayouts, layouts: Mapping[str, Layout]) -> None:
        """Builds the first layout, tries the edits in it, and keeps those of the others that can be built too."""
        first, *others = layouts
        try:
            built.build(first, layouts[first])
        except BuildFailedError as error:
            if layouts[first].manifest is not None:
                raise
            _, _, message = str(error).partition("\n")
            raise BuildFailedError(
                f"{self.task.package} does not build, so it cannot be measured. (It was copied without the files "
                "that git ignores, and the manifest saw no environment variables but those of --variable.) "
                f"'swift build' said:\n{message}"
            ) from error
        if self.earlier is None and not self.options.edits and not self.task.config.measure.modules:
            self._try_edits(built, first)
        for name in others:
            try:
                built.build(name, layouts[name])
            except BuildFailedError as error:
                reason = f"it was generated, and does not build: {_first_error(str(error))}"
                built.subject.refuse(name, reason, self.view)
        built.build(CONTROL, layouts[first])

    def _try_edits(self, built: BuiltLayouts, layout: str) -> None:
        """Makes every edit once. One that the tool chose and that does not compile is left out."""
        workspace = built.workspaces[layout]
        missing: dict[Key, str] = {}
        for key, placement in built.subject.placements.items():
            self.view.stage(f"Trying the edit {place_name(*key)}")
            try:
                workspace.edit(placement, next(built.numbers))
            except BuildFailedError as error:
                workspace.undo(placement)
                workspace.build()
                missing[key] = f"it does not compile: {_first_error(str(error))}"
                self.view.note(f"Left out: {place_name(*key)}: {missing[key]}")
        built.subject = built.subject.without(missing)
        if not built.subject.placements:
            raise UsageError("none of the edits compiles in this package. Name one with --edits.")

    def _extent(self, built: BuiltLayouts, seconds_per_sample: float) -> tuple[list[Key], int]:
        """Decides what is measured, and in how many rounds, before the first sample: everything, or in a quick run what
        fits."""
        keys, options = built.subject.made, self.options
        if not options.quick or self.earlier is not None:
            return keys, options.rounds
        left = _QUICK_SECONDS - self.elapsed
        modules = [] if options.modules else list(built.subject.modules)
        for chosen in quick_choices(keys, not options.edits, modules):
            per_round = len(chosen) * len(built.workspaces) * seconds_per_sample
            rounds = int(left / max(per_round, 0.001))
            if rounds >= LEAST_ROUNDS:
                break
        dropped = [place_name(*key) for key in keys if key not in chosen]
        if dropped:
            self.view.note(f"Left out to end in about 5 minutes: {', '.join(dropped)}")
        return chosen, min(max(rounds, LEAST_ROUNDS), MOST_ROUNDS)

    def _begin(self, built: BuiltLayouts, names: tuple[str, ...], keys: Sequence[Key], rounds: int) -> None:
        chosen = [key for key in built.subject.keys if key in keys or key in built.subject.missing]
        subject = replace(built.subject, keys=chosen)
        modules = tuple(name for name in subject.modules if any(name == module for _, module in keys))
        self.options = replace(
            self.options, layouts=names, edits=subject.edits, modules=modules, rounds=rounds, control=names[0]
        )
        places = {place_name(*key) for key in keys}
        layouts = [built.workspaces[name].layout for name in names]
        self.begin(
            RunRecord(
                **self.header(subject.package.name, layouts),
                placements={name: text for name, text in subject.described.items() if name in places},
                missing=subject.reasons,
                modules={name: subject.facts(name) for name in modules},
                clean_builds=built.clean_builds,
                instruments=INSTRUMENTS,
                is_copy=layouts[0].manifest is None,
                with_tests=layouts[0].has_tests,
                refused_layouts=subject.refused,
                verification=Verification(self.task.unverified),
            )
        )

    def _time_rebuilds(self, built: BuiltLayouts, names: Iterable[str]) -> None:
        """Times the jobs of one rebuild of each layout, after the edit of `_TIMELINE_EDIT` where that is made.

        In build folders of their own, as SwiftPM plans again for another recorder.
        """
        placements = built.subject.placements
        made = sorted(placements, key=lambda key: (key[0] != _TIMELINE_EDIT, key[0], key[1] or ""))
        layouts = {name: built.workspaces[name].layout for name in names}
        # With tests, SwiftPM needs its libraries beside the recorder, and the one of times is alone.
        if not made or any(layout.has_tests for layout in layouts.values()):
            return
        placement, folder = placements[made[0]], self.folder / "timelines"
        folder.mkdir()
        environment = {"SWIFT_EXEC": str(times_recorder(folder, self.task.toolchain))}
        for name, layout in layouts.items():
            self.view.stage(f"Timing the jobs of one rebuild of the layout '{name}'")
            workspace = Workspace(
                layout, folder / name, self.task.toolchain, self.options.jobs, environment=environment
            )
            workspace.build_clean()
            # The first edit after a clean build compiles more.
            workspace.edit(placement, 1)
            edit = workspace.edit(placement, 2)
            # Without what runs for as long as other jobs, and what takes no noticeable time.
            jobs = tuple(job for job in edit.jobs if job.kind not in (TARGET, QUESTION))
            rebuild = Rebuild(edit=placement.edit, module=placement.module, seconds=edit.seconds, jobs=jobs)
            self.record.rebuilds = {**self.record.rebuilds, name: rebuild}


def quick_choices(keys: Sequence[Key], may_drop_edits: bool, modules: Sequence[str]) -> Iterator[list[Key]]:
    """Ever smaller choices: everything, then without `public-top`, which reaches the same files as `private-top`, then
    with fewer of the modules, from the end of the list."""
    chosen = list(keys)
    yield chosen
    if may_drop_edits and {"private-top", "public-top"} <= {edit for edit, _ in chosen}:
        chosen = [key for key in chosen if key[0] != "public-top"]
        yield chosen
    for name in list(reversed(modules))[: len(modules) - 1]:
        chosen = [key for key in chosen if key[1] != name]
        yield chosen


def _first_error(message: str) -> str:
    lines = message.splitlines()
    return next((line for line in lines if _ERROR.match(line)), lines[-1])
