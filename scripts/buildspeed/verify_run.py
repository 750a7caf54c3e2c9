"""Verifies every edit once in each layout."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from buildspeed.conventions import application_of
from buildspeed.dependency_gaps import dependency_gaps
from buildspeed.edits import Site, needs_tests, place_all
from buildspeed.layouts import make_layout
from buildspeed.plan import Cell, cells
from buildspeed.program_session import read_session
from buildspeed.soundness import Verdict
from buildspeed.subject import read_subject
from buildspeed.toolchain import Toolchain
from buildspeed.verification import verify_cells
from buildspeed.verify_record import VerifyRecord
from buildspeed.workspace import Workspace


@dataclass(frozen=True)
class VerifyRequest:
    """What the person asked for. `modules` is empty for all, and `session` None for that of the package."""

    package: Path
    layouts: tuple[str, ...]
    edits: tuple[str, ...]
    modules: tuple[str, ...]
    session: Path | None
    jobs: int | None
    command: str


class VerifyRun:
    """One run, in a folder of its own. `record` is there once the first layout is built, and holds the verdicts so
    far."""

    def __init__(self, request: VerifyRequest, toolchain: Toolchain, folder: Path, say: Callable[[str], None]) -> None:
        self.record: VerifyRecord | None = None
        self._request = request
        self._toolchain = toolchain
        self._folder = folder
        self._say = say

    def run(self, keep: Callable[[VerifyRecord], None]) -> VerifyRecord:
        """Verifies everything. `keep` saves what is there after each verdict."""
        request = self._request
        subject = read_subject(
            request.package, self._folder, self._toolchain, request.modules, with_tests=needs_tests(request.edits)
        )
        application = application_of(subject.package)
        program = application.name if application else None
        session = read_session(request.session, request.package, program)
        placements, missing = place_all(request.edits, Site(subject.package, subject.sources), subject.modules)
        for key, reason in missing.items():
            self._say(f"Left out: {_words(key)}: {reason}")
        layouts = {name: make_layout(name, subject.package, subject.sources) for name in request.layouts}
        self.record = record = VerifyRecord(
            package=subject.package.name,
            command=request.command,
            toolchain=self._toolchain.version,
            program=program,
            session=session,
            layouts=request.layouts,
            edits=request.edits,
            modules=tuple(subject.modules),
            placements={_words(key): each.description for key, each in placements.items()},
            missing={_words(key): reason for key, reason in missing.items()},
            gaps={name: dependency_gaps(layout.dependencies) for name, layout in layouts.items()},
            verdicts=(),
        )
        verdicts: list[Verdict] = []
        for name, layout in layouts.items():
            workspace = Workspace(layout, self._folder / name, self._toolchain, request.jobs)
            self._say(f"{name}: building from nothing")
            workspace.build_clean()
            chosen = [each for each in cells([name], request.edits, record.modules) if _key(each) not in missing]
            for verdict in verify_cells(chosen, {name: workspace}, placements, session, count(1), self._say):
                self._say(f"  {verdict.result}")
                verdicts.append(verdict)
                self.record = replace(record, verdicts=tuple(verdicts))
                keep(self.record)
        return self.record


def _key(cell: Cell) -> tuple[str, str | None]:
    return cell.edit, cell.module


def _words(key: tuple[str, str | None]) -> str:
    return " ".join(filter(None, key))
