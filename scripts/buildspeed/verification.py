"""Compares the program after an incremental build with that of a clean build of the same sources."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path

from buildspeed.edited_build import edited
from buildspeed.edits import Placement
from buildspeed.failures import BuildFailedError
from buildspeed.plan import Cell
from buildspeed.program_session import Outcome, ProgramRun, behaviour, differences
from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, Verdict
from buildspeed.workspace import Workspace

_AFTER_EDIT, _AFTER_UNDOING = "after the edit", "after the edit was undone"


class Verifier:
    """Verifies cells of one workspace, which has been built.

    Clean builds go to a folder of their own. Sources that are equal to the byte are built from nothing only once,
    so that edits of nothing but a time, and the undoing of every edit, cost no clean build.
    """

    def __init__(self, workspace: Workspace, session: Sequence[ProgramRun]) -> None:
        self._workspace = workspace
        self._session = session
        self._folder = workspace.package.parent / "verification"
        # By the digest of the sources.
        self._expected: dict[str, tuple[Outcome, ...] | BuildFailedError] = {}
        self._obstacle: str | None = None
        self._is_prepared = False
        self._is_stale = False

    def verify(self, cell: Cell, placement: Placement | None, number: int) -> Verdict:
        """Makes an edit, builds, compares, undoes the edit, builds, and compares again.

        No two edits of a workspace may have the same number. Raises `MeasurementError` where the sources do not
        compile at all.
        """
        if not self._is_prepared:
            self._obstacle = self._find_obstacle()
            self._is_prepared = True
        if self._obstacle is not None:
            return _verdict(cell, NOT_VERIFIED, [self._obstacle])
        if self._is_stale:
            # What is stale would be found again in this cell, where it does not belong.
            self._workspace.build_clean()
        found = self._compare(placement, number)
        self._is_stale = bool(found)
        return _verdict(cell, UNSOUND if found else SOUND, found)

    def _compare(self, placement: Placement | None, number: int) -> list[str]:
        workspace = self._workspace
        found: list[str] = []
        try:
            with edited(workspace, placement, number):
                found += self._problems(_AFTER_EDIT if placement else "in a build without an edit")
        except BuildFailedError as error:
            if not workspace.is_edited:
                return [*found, f"{_AFTER_UNDOING}, the build fails, but not from nothing: {_last_line(error)}"]
            if isinstance(self._clean(), BuildFailedError):
                raise
            found.append(f"{_AFTER_EDIT}, the build fails, but not from nothing: {_last_line(error)}")
            if placement is not None:
                workspace.undo(placement)
            return found
        return found + self._problems(_AFTER_UNDOING) if placement else found

    def _find_obstacle(self) -> str | None:
        """Why nothing can be compared. Leaves what is expected of the package as it is."""
        if self._workspace.program is None:
            return "the package has not exactly one executable, so there is no program to run."
        expected = self._clean()
        if isinstance(expected, BuildFailedError):
            raise expected
        again = self._run(self._clean_program)
        if found := self._told(again, expected):
            return f"the program does not behave the same each time: {found[0]}."
        return None

    def _problems(self, moment: str) -> list[str]:
        program = self._workspace.program
        expected = self._clean()
        if isinstance(expected, BuildFailedError):
            return [f"{moment}, the build succeeds, but not from nothing: {_last_line(expected)}"]
        return [f"{moment}, {each}" for each in self._told(self._run(program), expected)] if program else []

    def _told(self, found: Sequence[Outcome], expected: Sequence[Outcome]) -> list[str]:
        return differences(found, expected, self._session, self._clean_program.name)

    def _clean(self) -> tuple[Outcome, ...] | BuildFailedError:
        """How the program behaves when the present sources are built from nothing."""
        digest = _digest(self._workspace.package)
        if digest not in self._expected:
            try:
                self._workspace.build_apart(self._scratch)
                self._expected[digest] = self._run(self._clean_program)
            except BuildFailedError as error:
                self._expected[digest] = error
        return self._expected[digest]

    def _run(self, program: Path) -> tuple[Outcome, ...]:
        return behaviour(program, self._session, self._folder / "run", self._workspace.environment)

    @property
    def _scratch(self) -> Path:
        return self._folder / "scratch"

    @property
    def _clean_program(self) -> Path:
        return self._scratch / "debug" / (self._workspace.layout.program or "")


def verify_cells(
    cells: Sequence[Cell],
    workspaces: Mapping[str, Workspace],
    placements: Mapping[tuple[str, str | None], Placement],
    session: Sequence[ProgramRun],
    numbers: Iterator[int],
    tell: Callable[[str], None],
) -> Iterator[Verdict]:
    """Verifies cells one after the other. `workspaces` are by layout and have been built; `numbers` gives numbers
    that no edit of theirs had before; `tell` is told what begins."""
    verifiers = {name: Verifier(workspace, session) for name, workspace in workspaces.items()}
    for position, cell in enumerate(cells, start=1):
        tell(f"Verifying {cell.name} ({position} of {len(cells)})")
        yield verifiers[cell.layout].verify(cell, placements.get((cell.edit, cell.module)), next(numbers))


def _digest(package: Path) -> str:
    """Of the names and bytes of all files of a package."""
    digest = hashlib.sha256()
    for file in sorted(path for path in package.rglob("*") if path.is_file()):
        for part in (str(file.relative_to(package)).encode(), file.read_bytes()):
            digest.update(len(part).to_bytes(8, "big"))
            digest.update(part)
    return digest.hexdigest()


def _verdict(cell: Cell, result: str, reasons: Sequence[str]) -> Verdict:
    return Verdict(cell.layout, cell.edit, cell.module, result, tuple(reasons))


def _last_line(error: BuildFailedError) -> str:
    lines = [line for line in str(error).splitlines() if "error:" in line]
    return (lines or str(error).splitlines())[-1].strip()
