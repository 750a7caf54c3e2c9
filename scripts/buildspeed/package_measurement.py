"""Measures any package: as it is, with its own manifest, and in the layouts that can be generated from it."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from pathlib import Path

from buildspeed.edited_build import edited
from buildspeed.edited_files import MANIFEST, EditedFile, file_module, path_in_package, place_in_file, usual_edit
from buildspeed.edits import Placement
from buildspeed.failures import BuildFailedError, MeasurementError, UsageError
from buildspeed.layouts import copied_layout, make_layout
from buildspeed.local_packages import PackageCopy, copy_with_local_packages
from buildspeed.measurement import Measurement, Request
from buildspeed.most_imported import most_imported
from buildspeed.naming import Naming
from buildspeed.package_graph import describe, package_from, read_manifest
from buildspeed.plan import CONTROL, cells
from buildspeed.progress import ProgressView
from buildspeed.record import NOT_ASKED_FOR, CleanBuild, Record
from buildspeed.subject import Subject
from buildspeed.summary import BASELINE
from buildspeed.swift_source import parse_package
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

_ERROR = re.compile(r"^\S.*?:\d+:\d+: error: ")


@dataclass(frozen=True)
class PackageRequest:
    """What the person asked for. `layouts` are those beside the package as it is, `edits` is empty where the tool
    chooses, and `rounds` is None for a quick run."""

    package: Path
    edits: tuple[EditedFile, ...]
    layouts: tuple[str, ...]
    naming: Naming
    rounds: int | None
    seed: int
    jobs: int
    # The record of the run that is resumed.
    earlier: Record | None = None


class PackageMeasurement(Measurement):
    """One run on somebody's package."""

    _measures_a_copy = True

    def __init__(self, request: PackageRequest, toolchain: Toolchain, folder: Path, view: ProgressView) -> None:
        self._asked = request
        self._files: dict[Path, list[str]] = {}
        for each in request.edits:
            path = path_in_package(each, request.package)
            self._files.setdefault(path, []).append(each.edit or usual_edit(path))
        super().__init__(
            Request(
                package=request.package,
                layouts=(BASELINE, *request.layouts),
                edits=tuple(dict.fromkeys(edit for edits in self._files.values() for edit in edits)),
                modules=tuple(path.as_posix() for path in self._files if path != MANIFEST),
                rounds=request.rounds,
                seed=request.seed,
                jobs=request.jobs,
                earlier=request.earlier,
                unverified="`scripts/measure verify --package` runs a package's program, this command does not.",
            ),
            toolchain,
            folder,
            view,
        )
        self._placements: dict[tuple[str, str | None], Placement] = {}
        self._clean_builds: dict[str, CleanBuild] = {}
        self._copy: PackageCopy | None = None

    def _read(self) -> Subject:
        self._view.stage("Copying and reading the package")
        scratch = self._folder / "package-scratch"
        copy = copy_with_local_packages(self._asked.package, self._folder / "original", self._toolchain, scratch)
        try:
            dump = read_manifest(copy.folder, self._toolchain, scratch)
            description = describe(copy.folder, self._toolchain, scratch)
        except MeasurementError as error:
            raise MeasurementError(copy.original_names(str(error))) from error
        package = package_from(dump, description, with_tests=True)
        edits_tests = any(path in target.sources for target in package.tests for path in self._files)
        package = replace(package_from(dump, description, edits_tests), naming=self._asked.naming)
        if not package.targets:
            raise UsageError(f"{package.name} has no target in Swift, so there is nothing to edit.")
        modules = {path.as_posix(): file_module(path, package) for path in self._files if path != MANIFEST}
        self._view.stage("Parsing its files")
        sources = parse_package(copy.folder, package, self._toolchain)
        self._copy = copy
        return Subject(package, sources, modules if self._files else most_imported(package, sources))

    def _place(self, subject: Subject) -> dict[tuple[str, str | None], Placement]:
        if not self._files:
            self._placements = super()._place(subject)
            return self._placements
        for path, edits in self._files.items():
            label = None if path == MANIFEST else path.as_posix()
            for edit in edits:
                self._placements[edit, label] = place_in_file(path, edit, subject.package, subject.sources)
        for cell in cells([BASELINE], self._request.edits, list(subject.modules)):
            if (cell.edit, cell.module) not in self._placements:
                self._missing[cell.edit, cell.module] = NOT_ASKED_FOR
        return self._placements

    def _workspaces(self, subject: Subject) -> dict[str, Workspace]:
        """Builds the package as it is, tries every edit in it, and keeps the layouts that can be built too."""
        workspaces = {BASELINE: self._workspace(BASELINE, subject)}
        self._build_copy(workspaces[BASELINE])
        self._try_edits(workspaces[BASELINE])
        for name in self._asked.layouts:
            try:
                workspaces[name] = self._workspace(name, subject)
                self._clean_builds[name] = super()._build_clean(name, workspaces[name])
            except BuildFailedError as error:
                self._leave_out(name, f"it was generated, and does not build: {_first_error(str(error))}")
            except MeasurementError as error:
                self._leave_out(name, str(error))
        kept = tuple(name for name in workspaces if name not in self._refused)
        self._request = replace(self._request, layouts=kept)
        return {name: workspaces[name] for name in kept} | {CONTROL: self._workspace(CONTROL, subject)}

    def _workspace(self, name: str, subject: Subject) -> Workspace:
        assert self._copy is not None
        package, sources = subject.package, subject.sources
        if name in (BASELINE, CONTROL):
            layout = copied_layout(BASELINE, package, sources, self._copy)
        else:
            layout = make_layout(name, package, sources, self._copy)
        return Workspace(layout, self._folder / name, self._toolchain, self._request.jobs)

    def _build_clean(self, name: str, workspace: Workspace) -> CleanBuild:
        return self._clean_builds.pop(name, None) or super()._build_clean(name, workspace)

    def _build_copy(self, workspace: Workspace) -> None:
        try:
            self._clean_builds[BASELINE] = super()._build_clean(BASELINE, workspace)
        except BuildFailedError as error:
            _, _, message = str(error).partition("\n")
            raise BuildFailedError(
                f"{self._asked.package} does not build, so it cannot be measured. (It was copied without the files "
                "that git ignores, and the manifest saw no environment variables but those of --variable.) "
                f"'swift build' said:\n{message}"
            ) from error

    def _try_edits(self, workspace: Workspace) -> None:
        """Makes every edit once. One that does not compile ends the run where the person asked for it, and is left
        out where not."""
        for key, placement in list(self._placements.items()):
            self._view.stage(f"Trying the edit {' '.join(filter(None, key))}")
            self._edits_made += 1
            try:
                with edited(workspace, placement, self._edits_made):
                    pass
            except BuildFailedError as error:
                if self._files:
                    raise
                workspace.undo(placement)
                workspace.build()
                del self._placements[key]
                self._missing[key] = f"it does not compile: {_first_error(str(error))}"
                self._view.note(f"Left out: {' '.join(filter(None, key))}: {self._missing[key]}")
        if not self._placements:
            raise UsageError("none of the edits compiles in this package. Name one with --edit.")

    def _leave_out(self, layout: str, reason: str) -> None:
        reason = reason.removeprefix(f"the layout '{layout}' is not possible: ")
        self._refused[layout] = reason
        self._view.note(f"The layout '{layout}' is left out: {reason}")


def _first_error(message: str) -> str:
    lines = message.splitlines()
    return next((line for line in lines if _ERROR.match(line)), lines[-1])
