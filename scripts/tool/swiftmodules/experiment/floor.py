"""`measure floor`: how close `swift build` comes to the work that it cannot avoid after an edit in one file: the jobs
that the build itself recorded, done by hand. Compares settings that may bring it closer, in layouts and after edits."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import count

import msgspec

from swiftmodules.analysis.floor import phases
from swiftmodules.builds.conditions import usable_cores
from swiftmodules.builds.recorder import times_recorder
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError, ToolError, UsageError
from swiftmodules.experiment.by_hand import NAMES_ON_COMMAND_LINE, work_by_hand
from swiftmodules.experiment.runner import Runner, Step, Task, sample_of, shuffled
from swiftmodules.experiment.settings import chosen_settings, keeps_results, options_in, words_of
from swiftmodules.experiment.soundness import Outcome, behaviour, differences, read_session
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.generate import INTERFACE, layout_of_libraries, make_layout
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import FloorOptions, FloorRecord, ProgramRun, variant
from swiftmodules.records.model import CONTROL, Cell, Sample
from swiftmodules.swiftpm.config import Setting
from swiftmodules.swiftpm.package import Package, Target


def measure(options: FloorOptions, task: Task) -> FloorRecord:
    """Measures the package as it is, writes the record, and returns it."""
    return _Floor(task, FloorRecord, options).run()


@dataclass
class _Place:
    """Where a setting is built in a layout. `name` is that of the samples."""

    name: str
    layout: str
    setting: Setting
    workspace: Workspace
    is_control: bool
    # Of edits, each of which needs another one.
    numbers: count[int] = field(default_factory=lambda: count(1))

    def make_ready(self) -> None:
        """Builds where an earlier session has taken the clean builds, or where a build has failed."""
        if not self.workspace.scratch.exists():
            self.workspace.build_clean()

    def forget(self, placement: Placement) -> None:
        """Undoes an edit after which a build has failed, and what was built."""
        self.workspace.undo(placement)
        self.workspace.remove_scratch()

    def cell(self, placement: Placement) -> Cell:
        return Cell(self.name, placement.edit, placement.module)


class _Floor(Runner[FloorRecord, FloorOptions]):
    # What the programs of all settings are compared by; nothing where they are not.
    _session: Sequence[ProgramRun] = ()

    def measure(self) -> None:
        options, config = self.options, self.task.config
        settings = chosen_settings(options.settings, config)
        module = options.module or config.measure.scale_module
        subject = read_subject(self.task, self.folder, options.edits, (module,) if module else (), usual=1)
        placements = list(subject.placements.values())
        # The work by hand is that after the first edit.
        file = placements[0].compiled(after_undoing=False) if placements else None
        if file is None or placements[0].edit != options.edits[0]:
            raise UsageError(
                f"The edit '{options.edits[0]}' compiles no file of its own, so there is no work to compare."
            )
        options = self.options = replace(
            options,
            settings=tuple(settings),
            edits=tuple(dict.fromkeys(each.edit for each in placements)),
            jobs=options.jobs or usable_cores(),
            module=placements[0].module,
            control=next(iter(settings)),
        )
        # Generated without a choice of linker, so that every setting makes its own; or as it is, where no such package
        # can be generated.
        subject = replace(subject, package=without_linker(subject.package))
        layouts = {name: _layout(subject, name) for name in options.layouts}
        header = self.header(subject.package.name, layouts.values())
        header["meanings"] |= {name: each.meaning for name, each in settings.items()}
        self.begin(
            FloorRecord(
                **header,
                placements=subject.described,
                words={name: words_of(each) for name, each in settings.items()},
                sources={name: each.source for name, each in settings.items() if each.source},
            )
        )
        places = self._places(subject, settings, layouts)
        clean = [(place, self._clean_step(place)) for place in places]
        self._take_rounds(clean, options.clean_rounds, f"clean {options.seed}")
        tried = self._tried(places, placements)
        steps = [
            (place, self._edit_step(place, placement, file.as_posix() if is_by_hand else None))
            for place, placement in tried
            for is_by_hand in [place.layout == INTERFACE and placement is placements[0]]
        ]
        self._take_rounds(steps, options.rounds, options.seed)

    def _places(self, subject: Subject, settings: Mapping[str, Setting], layouts: Mapping[str, Layout]) -> list[_Place]:
        """Every setting in every layout, and the first one again as A/A control."""
        recorder = times_recorder(self.folder, self.task.toolchain)
        places = []
        for name, layout in layouts.items():
            for own, setting in {**settings, CONTROL: next(iter(settings.values()))}.items():
                place = variant(own, name)
                try:
                    built = _with_libraries(subject, name) if setting.libraries else layout
                except ToolError as error:
                    self._note_broken(place, str(error))
                    continue
                folder = self.folder / place.replace(" ", "-")
                words = (*NAMES_ON_COMMAND_LINE, *options_in(folder, setting))
                environment = {"SWIFT_EXEC": str(recorder), **setting.environment}
                jobs = setting.jobs or self.options.jobs
                workspace = Workspace(built, folder, self.task.toolchain, jobs, words, environment)
                places.append(_Place(place, name, setting, workspace, is_control=own == CONTROL))
        return places

    def _take_rounds(self, steps: Sequence[tuple[_Place, Step]], rounds: int, seed: object) -> None:
        control = [step for place, step in steps if place.is_control]
        orders = shuffled([step for place, step in steps if not place.is_control], rounds, seed, control)
        self.planned(orders)
        for number, order in enumerate(orders, start=1):
            self.take(order, number)
            self.keep()

    def _clean_step(self, place: _Place) -> Step:
        cell, workspace = Cell(place.name, None, None), place.workspace

        def take(number: int, position: int) -> Sample:
            workspace.remove_scratch()
            start = time.monotonic()
            try:
                build = workspace.build()
            except BuildFailedError as error:
                self._breaks(place, cell, error)
                return _failed(cell, number, position, time.monotonic() - start)
            products = [workspace.products / linked for linked in build.work.linked]
            return Sample(
                round=number,
                position=position,
                layout=place.name,
                seconds=build.seconds,
                cpu_seconds=build.finished.cpu_seconds,
                conditions=build.conditions,
                kept_results=keeps_results(place.setting) and number > 1,
                product_bytes=sum(product.stat().st_size for product in products),
            )

        return Step(f"clean build: {place.name}", take, lambda entry: entry.cell == cell)

    def _tried(self, places: Sequence[_Place], placements: Sequence[Placement]) -> list[tuple[_Place, Placement]]:
        """Makes each edit once, as the first one after a clean build compiles more than the next. Returns those after
        which the build succeeds, and makes a program that does what that of the first setting does."""
        edits = [
            (place, placement)
            for place in places
            if place.name not in self.record.broken and not place.setting.only_clean
            for placement in placements
        ]
        # What failed in a round, and not here, is in every round of a run that is resumed.
        timed = {sample.cell for sample in self.earlier.samples} if self.earlier else set()
        expected: dict[tuple[str, Placement], Sequence[Outcome]] = {}
        for place, placement in edits:
            cell, workspace = place.cell(placement), place.workspace
            if cell.name in self.record.broken:
                continue
            self.view.stage(f"Trying {cell.name}")
            try:
                place.make_ready()
                workspace.settle()
                if not expected:
                    self._session = self._comparable_session(workspace)
                outcomes = self._outcomes(place, placement)
            except ToolError as error:
                self._breaks(place, cell, error)
                place.forget(placement)
                continue
            wanted, program = expected.setdefault((place.layout, placement), outcomes), workspace.layout.program or ""
            if wrong := differences(outcomes, wanted, (*self._session, *self._session), program):
                self._breaks(place, cell, ToolError(f"not the program of `{self.options.control}`: {wrong[0]}"))
        self.keep()
        return [
            (place, placement)
            for place, placement in edits
            if (cell := place.cell(placement)).name not in self.record.broken or cell in timed
        ]

    def _comparable_session(self, workspace: Workspace) -> Sequence[ProgramRun]:
        """The runs of the program that are compared; none where that shows nothing."""
        program = workspace.layout.program
        if program is None or self.task.unverified is not None:
            return ()
        session = read_session(self.task.session_file, program)
        first, second = (self._behaviour(workspace, session) for _ in range(2))
        if first == second and all(each.exit_code is not None for each in first):
            return session
        self.view.note("The program does not behave the same each time, or does not end, so it is not compared.")
        return ()

    def _outcomes(self, place: _Place, placement: Placement) -> Sequence[Outcome]:
        """What the program does after an edit, and after it was undone."""
        with place.workspace.edited(placement, next(place.numbers)):
            edited = self._behaviour(place.workspace, self._session)
        return (*edited, *self._behaviour(place.workspace, self._session))

    def _behaviour(self, workspace: Workspace, session: Sequence[ProgramRun]) -> Sequence[Outcome]:
        program = workspace.program
        return behaviour(program, session, self.folder / "run", workspace.environment) if program and session else ()

    def _edit_step(self, place: _Place, placement: Placement, file: str | None) -> Step:
        """Times the build after an edit. Where the edit is in `file`, does its work by hand too."""
        cell, workspace = place.cell(placement), place.workspace

        def take(number: int, position: int) -> Sample:
            start = time.monotonic()
            try:
                place.make_ready()
                if file is not None:
                    edit, more = self._edit_and_work_by_hand(place, placement, file)
                else:
                    edit, more = workspace.edit(placement, next(place.numbers)), {}
            except ToolError as error:
                self._breaks(place, cell, error)
                place.forget(placement)
                return _failed(cell, number, position, time.monotonic() - start)
            if edit.jobs:
                more["phases"] = phases(edit.jobs, edit.seconds)
            return sample_of(edit, cell, number, position, more)

        return Step(cell.name, take, lambda entry: entry.cell == cell)

    def _edit_and_work_by_hand(self, place: _Place, placement: Placement, file: str) -> tuple[Build, dict[str, object]]:
        workspace = place.workspace
        null = workspace.build()
        if not null.work.is_nothing:
            raise ToolError(f"with the setting '{place.name}', a build without an edit compiled or linked something.")
        more: dict[str, object] = {"null_seconds": null.seconds}
        with workspace.edited(placement, next(place.numbers)) as edit:
            # While the edit is in force, so that it is the same work.
            folder, jobs = workspace.scratch.parent, place.setting.jobs or self.options.jobs or 1
            try:
                more["steps"], more["by_hand_seconds"] = work_by_hand(
                    edit.commands, file, self.task.toolchain, workspace.package, folder, jobs
                )
            except ToolError:
                # Another setting may not have these jobs.
                if place.setting.name == self.options.control:
                    raise
        # After the work by hand, the next build may look at its files again.
        workspace.settle()
        if edit.jobs:
            self.record.timelines = {**self.record.timelines, place.name: edit.jobs}
        return edit, more

    def _breaks(self, place: _Place, cell: Cell, error: ToolError) -> None:
        """Notes why a setting cannot be used. Raises what has nothing to do with one: any error with the first setting,
        and that of a full disk, for example."""
        if place.setting.name == self.options.control or type(error) not in (ToolError, BuildFailedError):
            raise error
        lines = str(error).replace(f"{place.workspace.scratch.parent}/", "").splitlines()
        self._note_broken(cell.name, next((line for line in lines if "error:" in line), lines[-1]).strip())

    def _note_broken(self, name: str, reason: str) -> None:
        self.record.broken = {**self.record.broken, name: reason}
        self.view.note(f"Breaks: {name}: {reason}")


def _failed(cell: Cell, number: int, position: int, seconds: float) -> Sample:
    return Sample(**cell._asdict(), round=number, position=position, seconds=seconds, cpu_seconds=0.0, failed=True)


def _layout(subject: Subject, name: str) -> Layout:
    if name == INTERFACE:
        return subject.interface()
    return make_layout(name, subject.package, subject.sources, subject.pairs, subject.copy)


def _with_libraries(subject: Subject, name: str) -> Layout:
    return layout_of_libraries(name, subject.package, subject.sources, subject.pairs)


def without_linker(package: Package) -> Package:
    """The package without a choice of linker in its manifest, so that every setting makes its own."""

    def chooses_linker(setting: Mapping[str, object]) -> bool:
        match setting:
            case {"tool": "linker", "kind": {"unsafeFlags": {"_0": list(flags)}}}:
                return any(str(flag).startswith("-use-ld=") for flag in flags)
        return False

    def stripped(target: Target) -> Target:
        settings = tuple(each for each in target.settings if not chooses_linker(each))
        return msgspec.structs.replace(target, settings=settings)

    return msgspec.structs.replace(package, targets=tuple(map(stripped, package.targets)))
