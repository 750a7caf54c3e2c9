"""`measure matrix`: makes every edit once in each layout, and notes what is compiled and why. No times are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import msgspec

from swiftmodules import process
from swiftmodules.builds.index import Mentions
from swiftmodules.builds.reasons import UNKNOWN, mangled_names, read_reasons, readable
from swiftmodules.builds.snapshot import Snapshot
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, place_all
from swiftmodules.edits.placement import Placement
from swiftmodules.edits.site import Site
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.experiment.built import FIRST_EDITS, BuiltLayouts, SharedLayouts
from swiftmodules.experiment.requests import Group, Request, Share
from swiftmodules.experiment.runner import Runner, Step, Task, contents_of, meanings_of
from swiftmodules.experiment.soundness import dependency_gaps, read_session
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import MatrixCell, MatrixOptions, MatrixRecord
from swiftmodules.records.model import NOT_ASKED_FOR, Cell, Verification, place_name
from swiftmodules.swiftpm.modules import edited_modules

# One job at a time, and no random order in the driver's sets, so that it finds the reasons in the same order each time.
_JOBS = 1
_OPTIONS = ("--enable-index-store", "-Xswiftc", "-driver-show-incremental")
_ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}


def measure(options: MatrixOptions, task: Task, verify: bool = False) -> MatrixRecord:
    """Finds the matrix of a package, with `verify` also the soundness of each cell; writes and returns it."""
    return _Matrix(options, task, verify).run(takes_times=False)


@dataclass(frozen=True)
class _Prepared:
    """A layout in the state from which each cell begins."""

    workspace: Workspace
    mentions: Mentions
    settled: Snapshot


class _Matrix(Runner[MatrixRecord, MatrixOptions]):
    def __init__(self, options: MatrixOptions, task: Task, verify: bool) -> None:
        super().__init__(task, MatrixRecord, options)
        self._verify = verify or bool(self.earlier and self.earlier.session)
        self._shared: Share | None = None

    def measure(self) -> None:
        options = self.options
        edits = options.edits or tuple(EDITS)
        whole = read_subject(self.task, self.folder, edits, options.modules, earlier=self.earlier)
        # Tests are built only where an edit needs them; otherwise they would be compiled in every build.
        parts = [part for tested in (False, True) if (part := whole.part(tested)).made]
        found = [(part, part.layouts(options.layouts, self.view)) for part in parts]
        names = tuple(name for name in options.layouts if all(name in layouts for _, layouts in found))
        self.begin(self._header(whole, found, names))
        self.view.planned(len(names) * sum(len(part.made) for part in parts))
        steps = [step for part, layouts in found for step in self._steps(part, [layouts[name] for name in names])]
        self._share_cells(found, names)
        cells = [cell for step in steps for cell in self.take([step])]
        cells.sort(key=lambda cell: (whole.edits.index(cell.edit), cell.module or "", names.index(cell.layout)))
        self.record.cells = cells
        self.keep()
        if self._verify:
            record = self.record
            record.verification = record.verification or Verification()
            # The program shows nothing of what tests do.
            for part, layouts in [each for each in found if not each[0].package.tests]:
                for name in names:
                    built = self._verified(part, name)
                    built.build(name, layouts[name])
                    for _ in built.verdicts(part.cells([name]), record.verification):
                        self.keep()
        # The same code gives the same record.
        self.record.contents = None

    def _header(
        self, whole: Subject, parts: Sequence[tuple[Subject, Mapping[str, Layout]]], names: tuple[str, ...]
    ) -> MatrixRecord:
        missing = {name: reason for name, reason in whole.reasons.items() if reason == NOT_ASKED_FOR}
        options = replace(self.options, layouts=names, edits=whole.edits, modules=tuple(whole.modules))
        record = MatrixRecord(
            package=whole.package.name,
            command=self.task.command(self.options),
            toolchain=self.task.toolchain.version,
            options=options,
            meanings=meanings_of(options),
            targets={target.name: target.folder.as_posix() for target in whole.package.targets},
            placements={name: text for part, _ in parts for name, text in part.described.items()},
            missing=missing | {place_name(*key): why for part, _ in parts for key, why in part.missing.items()},
            contents=contents_of(layout for _, layouts in parts for layout in layouts.values()),
        )
        if self._verify:
            layouts = parts[0][1]
            record.program = layouts[names[0]].program
            record.session = read_session(self.task.session_file, record.program)
            record.gaps = {name: dependency_gaps(layouts[name].dependencies) for name in names}
        return record

    def _steps(self, subject: Subject, layouts: Sequence[Layout]) -> list[Step]:
        """The cells of some layouts. Those of an earlier session are not built again."""
        builds = MatrixBuilds(subject, self.task, self.folder)

        def step(cell: Cell, layout: Layout) -> Step:
            def take(number: int, position: int) -> MatrixCell:
                if self._shared is not None:
                    return msgspec.convert(self._shared.answer(cell).value(), MatrixCell)
                return builds.cell(cell, layout)

            return Step(cell.name, take, lambda entry: entry.cell == cell, MatrixCell)

        return [step(cell, layout) for layout in layouts for cell in subject.cells([layout.name])]

    def _share_cells(self, parts: Sequence[tuple[Subject, Mapping[str, Layout]]], names: Sequence[str]) -> None:
        """Plans the cells in the order in which they are taken, each for any machine."""
        if self.task.cluster is None:
            return
        pieces = [
            ([cell], Request("cell", (self._group(part, name),), ((cell,),)))
            for part, _ in parts
            for name in names
            for cell in part.cells([name])
        ]
        self._shared = Share(self.offered(), pieces)

    def _verified(self, subject: Subject, layout: str) -> BuiltLayouts:
        if self.task.cluster is None:
            return BuiltLayouts(subject, self.task, self.folder / "verified", None)
        return SharedLayouts(subject, self, self.offered(), self._group(subject, f"verified {layout}"))

    def _group(self, subject: Subject, name: str) -> Group:
        options = self.options
        return Group(
            name=f"{name}, with tests" if subject.package.tests else name,
            kind="matrix",
            edits=options.edits or tuple(EDITS),
            modules=options.modules,
            asked=options.layouts,
            tested=bool(subject.package.tests),
        )


class MatrixBuilds:
    """The builds of some edits, in each layout from the state after a clean build and the first edits."""

    def __init__(self, subject: Subject, task: Task, folder: Path) -> None:
        self.subject = subject
        self._task = task
        self._folder = folder
        self._numbers = count(1)
        self._demangled: dict[str, str] = {}
        self._prepared: dict[str, _Prepared] = {}

    def cell(self, cell: Cell, layout: Layout) -> MatrixCell:
        """Finds a cell of a layout. Each begins from the same state, after a clean build and the first edits."""
        if cell.layout not in self._prepared:
            self._prepared[cell.layout] = self._prepare(layout)
        return self._cell(cell, self.subject.placement(cell), layout, self._prepared[cell.layout])

    def _prepare(self, layout: Layout) -> _Prepared:
        words = "with tests" if layout.has_tests else "alone"
        folder = self._folder / f"{layout.name} {words}"
        workspace = Workspace(layout, folder, self._task.toolchain, _JOBS, _OPTIONS, _ENVIRONMENT)
        self._task.view.stage(f"{layout.name}: building {words}")
        workspace.build_clean()
        mentions = Mentions.read(workspace, self._task.toolchain)
        # Of all modules, so that it does not matter which are chosen.
        subject = self.subject
        site = Site(subject.package, subject.sources)
        everywhere, _ = place_all(FIRST_EDITS, site, edited_modules(subject.package, subject.naming))
        for placement in {key[0]: placement for key, placement in everywhere.items()}.values():
            try:
                workspace.edit(placement, next(self._numbers))
            except BuildFailedError:
                workspace.undo(placement)
        workspace.settle()
        # What the compiler records of a file depends on what it compiled with it, and so on the edits before.
        return _Prepared(workspace, mentions, Snapshot(folder, self._folder / f"{layout.name} {words}, settled"))

    def _cell(self, cell: Cell, placement: Placement | None, layout: Layout, prepared: _Prepared) -> MatrixCell:
        workspace = prepared.workspace
        build = workspace.edit_and_build(placement, next(self._numbers))
        found = read_reasons(workspace.records, layout, workspace.originals)
        self._demangle(found)
        reasons = {file: readable(reason, self._demangled) for file, reason in found.items()}
        workspace.undo(placement)
        prepared.settled.restore()
        left = workspace.build().work
        if not left.is_nothing:
            raise ToolError(
                f"the layout '{layout.name}' was restored to the state of its build, and yet a build found something "
                f"to do: {', '.join(left.compiled) or 'a link'}."
            )
        return MatrixCell(
            edit=cell.edit or "",
            module=cell.module,
            layout=cell.layout,
            compiled={file: reasons.get(file, UNKNOWN) for file in build.work.compiled},
            smallest=prepared.mentions.smallest(placement),
            emitted_modules=build.work.emitted_modules or 0,
            linked=build.work.linked,
        )

    def _demangle(self, reasons: Mapping[str, str]) -> None:
        names = sorted(mangled_names(reasons.values()) - self._demangled.keys())
        if names:
            command: list[str | Path] = [self._task.toolchain.bin / "swift-demangle", "-compact", *names]
            output = process.read(command, self._task.toolchain.environment, self._folder)
            self._demangled |= dict(zip(names, output.decode().splitlines(), strict=True))
