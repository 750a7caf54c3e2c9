"""`measure matrix`: makes every edit once in each layout, and notes what is compiled and why. No times are taken."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import count
from pathlib import Path

from swiftmodules.build import process
from swiftmodules.build.index import Mentions
from swiftmodules.build.reasons import UNKNOWN, mangled_names, read_reasons, readable
from swiftmodules.build.snapshot import Snapshot
from swiftmodules.build.workspace import Workspace
from swiftmodules.edits.catalogue import EDITS, place_all
from swiftmodules.edits.placement import Placement
from swiftmodules.edits.site import Site
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.experiment.run import BuiltLayouts, session_file
from swiftmodules.experiment.runner import Entry, Runner, Step, Task, contents_of
from swiftmodules.experiment.soundness import dependency_gaps, read_session
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.layouts.generate import without_tests
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import MatrixCell, MatrixOptions, MatrixRecord
from swiftmodules.records.model import NOT_ASKED_FOR, Cell, Verification, place_name
from swiftmodules.swiftpm.modules import edited_modules

# One job at a time, and no random order in the driver's sets, so that it finds the reasons in the same order each time.
_JOBS = 1
_OPTIONS = ("--enable-index-store", "-Xswiftc", "-driver-show-incremental")
_ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# The first builds after a clean one compile more.
_FIRST_EDITS = ("body", "interface-extension-member")


def measure(options: MatrixOptions, task: Task, verify: bool = False) -> MatrixRecord:
    """Finds the matrix of a package, with `verify` the soundness of each cell as well; writes and returns it."""
    runner = Runner(task, MatrixRecord, options)
    with runner.running(takes_times=False):
        _Matrix(task, runner).measure(verify)
        # The same code gives the same record.
        runner.record.contents = None
    return runner.record


class _Matrix:
    def __init__(self, task: Task, runner: Runner[MatrixRecord, MatrixOptions]) -> None:
        self._options = runner.options
        self._task = task
        self._runner = runner
        self._numbers = count(1)
        self._demangled: dict[str, str] = {}

    def measure(self, verify: bool) -> None:
        verify = verify or bool(self._runner.earlier and self._runner.earlier.session)
        options, task = self._options, self._task
        earlier = self._runner.earlier
        whole = read_subject(task, self._runner.folder, options.edits or tuple(EDITS), options.modules, earlier=earlier)
        # Tests are part of no build but of those that cannot do without: else they would be compiled in all.
        subjects = [part for tested in (False, True) if (part := _part(whole, tested)).made]
        layouts = [part.layouts(options.layouts, task.view) for part in subjects]
        names = tuple(name for name in options.layouts if all(name in each for each in layouts))
        self._runner.begin(self._record(whole, subjects, layouts, names, verify))
        self._task.view.planned(len(names) * sum(len(part.made) for part in subjects))
        found: list[MatrixCell] = []
        for part, each in zip(subjects, layouts, strict=True):
            for name in names:
                found += self._cells(part, each[name])
        edits = whole.edits
        found.sort(key=lambda cell: (edits.index(cell.edit), cell.module or "", names.index(cell.layout)))
        self._runner.record.cells = found
        self._runner.keep()
        if verify:
            self._verify(subjects, layouts, names)

    def _record(
        self,
        whole: Subject,
        subjects: Sequence[Subject],
        layouts: Sequence[Mapping[str, Layout]],
        names: tuple[str, ...],
        verify: bool,
    ) -> MatrixRecord:
        options = replace(self._options, layouts=names, edits=whole.edits, modules=tuple(whole.modules))
        program = layouts[0][names[0]].program
        return MatrixRecord(
            package=whole.package.name,
            command=self._task.command(self._options),
            toolchain=self._task.toolchain.version,
            options=options,
            targets={target.name: target.folder.as_posix() for target in whole.package.targets},
            placements={name: text for part in subjects for name, text in part.described.items()},
            missing={name: reason for name, reason in whole.reasons.items() if reason == NOT_ASKED_FOR}
            | {place_name(*key): reason for part in subjects for key, reason in part.missing.items()},
            contents=contents_of(layout for each in layouts for layout in each.values()),
            program=program if verify else None,
            session=read_session(session_file(self._task), program) if verify else (),
            gaps={name: dependency_gaps(layouts[0][name].dependencies) for name in names} if verify else {},
        )

    def _cells(self, subject: Subject, layout: Layout) -> list[MatrixCell]:
        """Each cell begins from the same state, after a clean build and the first edits. What an earlier session has
        found is not built again."""
        prepared: _Prepared | None = None
        found: list[MatrixCell] = []
        for cell in subject.cells([layout.name]):

            def take(number: int, position: int, cell: Cell = cell) -> Entry:
                nonlocal prepared
                prepared = prepared or self._prepare(subject, layout)
                return self._cell(cell, subject.placement(cell), layout, prepared)

            def is_meant(entry: Entry, cell: Cell = cell) -> bool:
                return isinstance(entry, MatrixCell) and entry.cell == cell

            found += self._runner.take([Step(cell.name, take, is_meant)], parts=MatrixCell)
        return found

    def _prepare(self, subject: Subject, layout: Layout) -> _Prepared:
        words = "with tests" if layout.has_tests else "alone"
        folder = self._runner.folder / f"{layout.name} {words}"
        workspace = Workspace(layout, folder, self._task.toolchain, _JOBS, _OPTIONS, _ENVIRONMENT)
        self._task.view.stage(f"{layout.name}: building {words}")
        workspace.build_clean()
        mentions = Mentions.read(workspace, self._task.toolchain)
        # Of all modules, so that it does not matter which are chosen.
        site = Site(subject.package, subject.sources)
        everywhere, _ = place_all(_FIRST_EDITS, site, edited_modules(subject.package, subject.naming))
        for placement in {key[0]: placement for key, placement in everywhere.items()}.values():
            try:
                with workspace.edited(placement, next(self._numbers)):
                    pass
            except BuildFailedError:
                workspace.undo(placement)
        workspace.settle()
        # What the compiler records of a file depends on what it compiled with it, and so on the edits before.
        return _Prepared(workspace, mentions, Snapshot(folder, self._runner.folder / f"{layout.name} {words}, settled"))

    def _cell(self, cell: Cell, placement: Placement | None, layout: Layout, prepared: _Prepared) -> MatrixCell:
        workspace = prepared.workspace
        build = workspace.edit_and_build(placement, next(self._numbers)).build
        found = read_reasons(workspace.records, layout, workspace.originals)
        self._demangle(found)
        reasons = {file: readable(reason, self._demangled) for file, reason in found.items()}
        if placement is not None:
            workspace.undo(placement)
        prepared.settled.restore()
        self._require_nothing_to_do(workspace)
        return MatrixCell(
            edit=cell.edit or "",
            module=cell.module,
            layout=cell.layout,
            compiled={file: reasons.get(file, UNKNOWN) for file in build.work.compiled},
            smallest=prepared.mentions.smallest(placement),
            emitted_modules=build.work.emitted_modules,
            linked=build.work.linked,
        )

    def _require_nothing_to_do(self, workspace: Workspace) -> None:
        work = workspace.build().work
        if not work.is_nothing:
            raise ToolError(
                f"the layout '{workspace.layout.name}' was brought back to how it was built, and yet a build found "
                f"something to do: {', '.join(work.compiled) or 'a link'}."
            )

    def _demangle(self, reasons: Mapping[str, str]) -> None:
        names = sorted(mangled_names(reasons.values()) - self._demangled.keys())
        if names:
            command: list[str | Path] = [self._task.toolchain.bin / "swift-demangle", "-compact", *names]
            output = process.read(command, self._task.toolchain.environment, self._runner.folder)
            self._demangled |= dict(zip(names, output.decode().splitlines(), strict=True))

    def _verify(
        self, subjects: Sequence[Subject], layouts: Sequence[Mapping[str, Layout]], names: Sequence[str]
    ) -> None:
        """Verifies each cell; of what tests do, the program shows nothing."""
        record = self._runner.record
        record.verification = record.verification or Verification()
        for subject, each in zip(subjects, layouts, strict=True):
            if subject.package.tests:
                continue
            for name in names:
                built = BuiltLayouts(subject, self._task, self._runner.folder / "verified", None)
                built.build(name, each[name])
                for _ in built.verdicts(subject.cells([name]), record.verification):
                    self._runner.keep()


class _Prepared:
    """A layout in the state from which each cell begins."""

    def __init__(self, workspace: Workspace, mentions: Mentions, settled: Snapshot) -> None:
        self.workspace = workspace
        self.mentions = mentions
        self.settled = settled


def _part(subject: Subject, tested: bool) -> Subject:
    """The edits that need the tests, or the others in the package without its tests."""
    in_tests = {path.as_posix() for target in subject.package.tests for path in target.sources}
    keys = [key for key in subject.keys if (EDITS[key[0]].needs_tests or key[1] in in_tests) == tested]
    if tested or not subject.package.tests:
        kept = {key: each for key, each in subject.placements.items() if key in keys}
        missing = {key: each for key, each in subject.missing.items() if key in keys}
        return replace(subject, keys=keys, placements=kept, missing=missing, refused={})
    package = without_tests(subject.package)
    sources = {path: subject.sources[path] for target in package.targets for path in target.sources}
    return subject.placed(package, sources, keys)
