"""What is verified of a build, on a workspace whose compiler copies a shell script."""

from __future__ import annotations

import os
import shutil
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from buildspeed.compiler_records import CompilerWork
from buildspeed.edits import Made, Placement
from buildspeed.failures import BuildFailedError
from buildspeed.layouts import Layout
from buildspeed.plan import Cell
from buildspeed.processes import Finished
from buildspeed.program_session import ProgramRun
from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, Verdict
from buildspeed.verification import Verifier
from buildspeed.workspace import Build, Workspace

CELL = Cell("interface", "body", "Store")


@dataclass(frozen=True)
class Rewriting:
    """An edit that appends a line to the script."""

    line: str

    def make(self, folder: Path, layout: Layout, number: int) -> Made:
        file = folder / "main.sh"
        before = file.read_text()
        file.write_text(f"{before}{self.line}\n")
        return Made(lambda: file.write_text(before))

    def compiled(self, after_undoing: bool) -> Path | None:
        return None


@dataclass
class ScriptWorkspace:
    """As a `Workspace`. `skipped` are the numbers of incremental builds, from 1, that leave the program as it is, and
    `failing` of those that fail; sources with the word `wrong` cannot be built."""

    package: Path
    skipped: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()
    layout: Layout = field(default_factory=lambda: Layout("interface", "", {}, 1, program="App"))
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    builds: int = 0
    clean_builds: int = 0
    rebuilt: int = 0
    made: dict[Placement, Made] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.package.mkdir()
        (self.package / "main.sh").write_text("#!/bin/sh\necho hello\n")
        self._build_in(self.scratch)

    @property
    def scratch(self) -> Path:
        return self.package.parent / "scratch"

    @property
    def program(self) -> Path | None:
        return self.scratch / "debug/App" if self.layout.program else None

    @property
    def is_edited(self) -> bool:
        return bool(self.made)

    def build(self) -> Build:
        self.builds += 1
        if self.builds in self.failing:
            raise BuildFailedError("the build failed:\nerror: undefined symbol")
        if self.builds not in self.skipped:
            self._build_in(self.scratch)
        return Build(0, Finished(0, 1, 1, None, None), CompilerWork((), 0, ()), {})

    def build_apart(self, scratch: Path) -> None:
        self.clean_builds += 1
        self._build_in(scratch)

    def build_clean(self) -> None:
        self.rebuilt += 1
        self._build_in(self.scratch)

    def apply(self, placement: Placement, number: int) -> None:
        self.made[placement] = placement.change.make(self.package, self.layout, number)

    def undo(self, placement: Placement) -> None:
        self.made.pop(placement).undo()

    def _build_in(self, scratch: Path) -> None:
        if "wrong" in (self.package / "main.sh").read_text():
            raise BuildFailedError("a clean build failed:\nerror: that is wrong")
        (scratch / "debug").mkdir(parents=True, exist_ok=True)
        shutil.copy(self.package / "main.sh", scratch / "debug/App")
        (scratch / "debug/App").chmod(0o755)


def verifier(workspace: ScriptWorkspace) -> Verifier:
    return Verifier(cast(Workspace, workspace), [ProgramRun()])


def verify(workspace: ScriptWorkspace, line: str = "echo more") -> Verdict:
    return verifier(workspace).verify(CELL, edit(line), 1)


def edit(line: str = "echo more") -> Placement:
    return Placement("body", "Store", "a line", Rewriting(line))


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return tmp_path / "package"


def test_build_that_follows_the_edit_and_its_undoing_is_sound(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    assert verify(workspace) == Verdict("interface", "body", "Store", SOUND)
    # One of the package as it is, and one with the edit.
    assert workspace.clean_builds == 2


def test_build_that_misses_the_edit_is_unsound(package: Path) -> None:
    found = verify(ScriptWorkspace(package, skipped=(1,)))
    assert (found.result, found.reasons) == (
        UNSOUND,
        ("after the edit, `App`: line 2 of the standard output is missing instead of 'more'",),
    )


def test_build_that_misses_the_undoing_is_unsound(package: Path) -> None:
    found = verify(ScriptWorkspace(package, skipped=(2,)))
    assert found.result == UNSOUND
    assert found.reasons == (
        "after the edit was undone, `App`: line 2 of the standard output is 'more' instead of missing",
    )


def test_stale_program_is_built_anew_before_the_next_cell(package: Path) -> None:
    workspace = ScriptWorkspace(package, skipped=(1, 2, 3))
    checked = verifier(workspace)
    assert checked.verify(CELL, edit(), 1).result == UNSOUND
    assert workspace.rebuilt == 0
    assert checked.verify(Cell("interface", "noop", None), None, 2).result == SOUND
    assert workspace.rebuilt == 1


def test_build_that_fails_where_a_clean_one_does_not_is_unsound_and_leaves_no_edit(package: Path) -> None:
    workspace = ScriptWorkspace(package, failing=(1,))
    found = verify(workspace)
    assert found.reasons == ("after the edit, the build fails, but not from nothing: error: undefined symbol",)
    assert not workspace.is_edited
    workspace = ScriptWorkspace(package.with_name("other"), failing=(2,))
    assert verify(workspace).reasons == (
        "after the edit was undone, the build fails, but not from nothing: error: undefined symbol",
    )


def test_build_that_succeeds_where_a_clean_one_fails_is_unsound(package: Path) -> None:
    found = verify(ScriptWorkspace(package, skipped=(1,)), line="echo wrong")
    assert found.reasons == ("after the edit, the build succeeds, but not from nothing: error: that is wrong",)


def test_edit_that_does_not_compile_at_all_is_an_error(package: Path) -> None:
    with pytest.raises(BuildFailedError, match="that is wrong"):
        verify(ScriptWorkspace(package), line="echo wrong")


def test_equal_sources_are_built_from_nothing_once(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    checked = verifier(workspace)
    for number in range(3):
        assert checked.verify(Cell("interface", "noop", None), None, number).result == SOUND
    assert workspace.clean_builds == 1


def test_program_that_differs_from_run_to_run_is_not_verified(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    (package / "main.sh").write_text("#!/bin/sh\necho $$\n")
    found = verify(workspace)
    assert found.result == NOT_VERIFIED
    assert found.reasons[0].startswith("the program does not behave the same each time: `App`: line 1")
    assert workspace.builds == 0


def test_package_without_a_program_is_not_verified(package: Path) -> None:
    layout: Any = Layout("interface", "", {}, 1)
    found = verify(ScriptWorkspace(package, layout=layout))
    assert (found.result, found.reasons) == (
        NOT_VERIFIED,
        ("the package has not exactly one executable, so there is no program to run.",),
    )
