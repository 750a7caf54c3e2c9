"""Makes every edit once in each layout, and notes what is compiled and why. No times are taken."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from buildspeed import processes
from buildspeed.edited_build import edited
from buildspeed.edits import Placement, Site, needs_tests, place_all
from buildspeed.layouts import make_layout
from buildspeed.matrix import Matrix, MatrixCell
from buildspeed.plan import cells
from buildspeed.reasons import NOT_TOLD, mangled_names, readable
from buildspeed.subject import read_subject
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Build, Workspace

# One job at a time, so that the driver finds the reasons in the same order each time.
_OPTIONS = ("-Xswiftc", "-driver-show-incremental")
# The first builds after a clean one compile more.
_WARM_UP = ("body", "interface-extension-member")


class MatrixRun:
    """One run, in a folder of its own."""

    def __init__(self, toolchain: Toolchain, folder: Path, say: Callable[[str], None]) -> None:
        self._toolchain = toolchain
        self._folder = folder
        self._say = say
        self._edits_made = 0
        self._demangled: dict[str, str] = {}

    def run(
        self, package: Path, layouts: Sequence[str], edits: Sequence[str], modules: Sequence[str], command: str
    ) -> Matrix:
        """Finds the matrix of a package. `modules` is empty for all."""
        subject = read_subject(package, self._folder, self._toolchain, modules, with_tests=needs_tests(edits))
        chosen = subject.modules
        placements, missing = place_all(edits, Site(subject.package, subject.sources), chosen)
        found: dict[tuple[str, str | None, str], MatrixCell] = {}
        for name in layouts:
            layout = make_layout(name, subject.package, subject.sources)
            workspace = Workspace(layout, self._folder / name, self._toolchain, jobs=1, options=_OPTIONS)
            self._say(f"{name}: building from nothing")
            workspace.build_clean()
            self._warm_up(workspace, placements)
            for cell in cells([name], edits, list(chosen)):
                key = (cell.edit, cell.module)
                if key not in missing:
                    self._say(cell.name)
                    found[(*key, name)] = self._cell(workspace, cell.edit, cell.module, placements.get(key))
        return Matrix(
            package=subject.package.name,
            command=command,
            toolchain=self._toolchain.version,
            layouts=tuple(layouts),
            edits=tuple(edits),
            modules=tuple(chosen),
            placements={_words(key): each.description for key, each in placements.items()},
            missing={_words(key): reason for key, reason in missing.items()},
            cells=tuple(found[key] for key in sorted(found, key=lambda key: _order(key, edits, layouts))),
        )

    def _warm_up(self, workspace: Workspace, placements: Mapping[tuple[str, str | None], Placement]) -> None:
        examples = {key[0]: placement for key, placement in placements.items() if key[0] in _WARM_UP}
        for placement in examples.values():
            self._build_with(workspace, placement)

    def _cell(self, workspace: Workspace, edit: str, module: str | None, placement: Placement | None) -> MatrixCell:
        build = self._build_with(workspace, placement)
        self._demangle(build.reasons)
        return MatrixCell(
            edit=edit,
            module=module,
            layout=workspace.layout.name,
            compiled={
                file: readable(build.reasons.get(file, NOT_TOLD), self._demangled) for file in build.work.compiled
            },
            emitted_modules=build.work.emitted_modules,
            linked=build.work.linked,
        )

    def _build_with(self, workspace: Workspace, placement: Placement | None) -> Build:
        self._edits_made += 1
        with edited(workspace, placement, self._edits_made) as edit:
            return edit.build

    def _demangle(self, reasons: Mapping[str, str]) -> None:
        names = sorted(mangled_names(reasons.values()) - self._demangled.keys())
        if names:
            command = [self._toolchain.bin / "swift-demangle", "-compact", *names]
            output = processes.read(command, self._toolchain.environment, self._folder)
            self._demangled |= dict(zip(names, output.decode().splitlines(), strict=True))


def _words(key: tuple[str, str | None]) -> str:
    return " ".join(filter(None, key))


def _order(key: tuple[str, str | None, str], edits: Sequence[str], layouts: Sequence[str]) -> tuple[int, str, int]:
    edit, module, layout = key
    return edits.index(edit), module or "", layouts.index(layout)
