"""Makes every edit once in each layout, and notes what is compiled and why. No times are taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

from buildspeed import processes
from buildspeed.conventions import edited_modules
from buildspeed.edited_build import edit_and_build, edited
from buildspeed.edits import Placement, Site, mutator, needs_tests, place_all
from buildspeed.failures import MeasurementError
from buildspeed.layouts import make_layout
from buildspeed.matrix import Matrix, MatrixCell, place_name
from buildspeed.mentions import read_mentions, smallest
from buildspeed.plan import Cell, cells
from buildspeed.reasons import NOT_TOLD, mangled_names, readable
from buildspeed.snapshot import Snapshot
from buildspeed.subject import Subject, read_subject
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Build, Workspace

# One job at a time, and no random order in the driver's sets, so that it finds the reasons in the same order each time.
_JOBS = 1
_OPTIONS = ("--enable-index-store", "-Xswiftc", "-driver-show-incremental")
_ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}
# The first builds after a clean one compile more.
_FIRST_EDITS = ("body", "interface-extension-member")

_Places = Mapping[tuple[str, str | None], Placement]


class MatrixRun:
    """One run, in a folder of its own. `keep` is given what there is after each build."""

    def __init__(
        self, toolchain: Toolchain, folder: Path, say: Callable[[str], None], keep: Callable[[Matrix], None]
    ) -> None:
        self._toolchain = toolchain
        self._folder = folder
        self._say = say
        self._keep = keep
        self._edits_made = 0
        self._demangled: dict[str, str] = {}

    def run(
        self, package: Path, layouts: Sequence[str], edits: Sequence[str], modules: Sequence[str], command: str
    ) -> Matrix:
        """Finds the matrix of a package. `modules` is empty for all."""
        subject = read_subject(package, self._folder, self._toolchain, modules, with_tests=needs_tests(edits))
        placements: dict[tuple[str, str | None], Placement] = {}
        missing: dict[tuple[str, str | None], str] = {}
        found: list[MatrixCell] = []

        def so_far() -> Matrix:
            return Matrix(
                package=subject.package.name,
                command=command,
                toolchain=self._toolchain.version,
                layouts=tuple(layouts),
                edits=tuple(edits),
                modules=tuple(subject.modules),
                targets={target.name: target.folder.as_posix() for target in subject.package.all_targets},
                placements={place_name(*key): each.description for key, each in placements.items()},
                missing={place_name(*key): reason for key, reason in missing.items()},
                cells=tuple(sorted(found, key=lambda cell: _order(cell, edits, layouts))),
            )

        # Tests are part of no build but of those that cannot do without: else they would be compiled in all.
        for with_tests in (False, True):
            fitting = [edit for edit in edits if mutator(edit).needs_tests == with_tests]
            if not fitting:
                continue
            seen = subject if with_tests else without_tests(subject)
            site = Site(seen.package, seen.sources)
            places, none = place_all(fitting, site, subject.modules)
            missing |= none
            placements |= places
            # Of all modules, so that it does not matter which are chosen.
            everywhere, _ = place_all(_FIRST_EDITS, site, edited_modules(seen.package))
            first_edits = list({key[0]: placement for key, placement in everywhere.items()}.values())
            for name in layouts:
                chosen = [cell for cell in cells([name], fitting, list(subject.modules)) if _key(cell) not in none]
                for cell in self._cells(name, seen, chosen, places, first_edits):
                    found.append(cell)
                    self._keep(so_far())
        return so_far()

    def _cells(
        self, name: str, subject: Subject, chosen: Sequence[Cell], places: _Places, first_edits: Sequence[Placement]
    ) -> Iterator[MatrixCell]:
        """Each cell begins from the same state, after a clean build and the first edits."""
        layout = make_layout(name, subject.package, subject.sources)
        words = "with tests" if layout.has_tests else "alone"
        folder = self._folder / f"{name} {words}"
        workspace = Workspace(layout, folder, self._toolchain, _JOBS, _OPTIONS, _ENVIRONMENT)
        self._say(f"{name}: building {words} from nothing")
        workspace.build_clean()
        mentions = read_mentions(workspace, self._toolchain)
        for placement in first_edits:
            with edited(workspace, placement, self._next_edit()):
                pass
        workspace.settle()
        # What the compiler records of a file depends on what it compiled with it, and so on the edits before.
        settled = Snapshot(folder, self._folder / f"{name} {words}, settled")
        for cell in chosen:
            self._say(cell.name)
            placement = places.get(_key(cell))
            build = edit_and_build(workspace, placement, self._next_edit()).build
            yield self._cell(cell, build, smallest(placement, mentions))
            if placement is not None:
                workspace.undo(placement)
            settled.restore()
            self._require_nothing_to_do(workspace)

    def _cell(self, cell: Cell, build: Build, necessary: tuple[str, ...]) -> MatrixCell:
        self._demangle(build.reasons)
        reasons = {file: readable(reason, self._demangled) for file, reason in build.reasons.items()}
        return MatrixCell(
            edit=cell.edit,
            module=cell.module,
            layout=cell.layout,
            compiled={file: reasons.get(file, NOT_TOLD) for file in build.work.compiled},
            smallest=necessary,
            emitted_modules=build.work.emitted_modules,
            linked=build.work.linked,
        )

    def _require_nothing_to_do(self, workspace: Workspace) -> None:
        work = workspace.build().work
        if not work.is_nothing:
            raise MeasurementError(
                f"the layout '{workspace.layout.name}' was brought back to how it was built, and yet a build found "
                f"something to do: {', '.join(work.compiled) or 'a link'}."
            )

    def _next_edit(self) -> int:
        self._edits_made += 1
        return self._edits_made

    def _demangle(self, reasons: Mapping[str, str]) -> None:
        names = sorted(mangled_names(reasons.values()) - self._demangled.keys())
        if names:
            command = [self._toolchain.bin / "swift-demangle", "-compact", *names]
            output = processes.read(command, self._toolchain.environment, self._folder)
            self._demangled |= dict(zip(names, output.decode().splitlines(), strict=True))


def without_tests(subject: Subject) -> Subject:
    """The same without its tests, as if they had not been read."""
    package = replace(subject.package, tests=())
    kept = {path for target in package.targets for path in target.sources}
    return replace(
        subject, package=package, sources={path: subject.sources[path] for path in subject.sources if path in kept}
    )


def _key(cell: Cell) -> tuple[str, str | None]:
    return cell.edit, cell.module


def _order(cell: MatrixCell, edits: Sequence[str], layouts: Sequence[str]) -> tuple[int, str, int]:
    return edits.index(cell.edit), cell.module or "", layouts.index(cell.layout)
