"""The verification of builds, on a workspace whose compiler copies a shell script, and the comparison of behaviours."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from made_files import programs
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError, UsageError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import verify as verifying
from swiftmodules.measure.record import NOT_VERIFIED, SOUND, UNSOUND, Cell, ProgramRun, Verdict
from swiftmodules.measure.verify import Outcome, Verifier, behaviour, dependency_gaps, differences, read_session

CELL = Cell(edit="body", module="Store")


@dataclass
class ScriptWorkspace:
    """A fake `Workspace`. `skipped` are the numbers of incremental builds, from 1, that leave the program as it is, and
    `failing` of those that fail; sources with the word `wrong` cannot be built."""

    package: Path
    skipped: tuple[int, ...] = ()
    failing: tuple[int, ...] = ()
    layout: Layout = field(default_factory=lambda: Layout("interface", "", {}, program="App"))
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    builds: int = 0
    clean_builds: int = 0
    rebuilt: int = 0
    before: str | None = None

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
        return self.before is not None

    def build(self) -> None:
        self.builds += 1
        if self.builds in self.failing:
            raise BuildFailedError("the build failed:\nerror: undefined symbol")
        if self.builds not in self.skipped:
            self._build_in(self.scratch)

    @property
    def apart(self) -> Path:
        return self.package.parent / "apart"

    def build_apart(self) -> None:
        self.clean_builds += 1
        self._build_in(self.apart)

    def build_clean(self) -> None:
        self.rebuilt += 1
        self._build_in(self.scratch)

    @contextmanager
    def edited(self, placement: Placement | None, number: int) -> Iterator[None]:
        if placement is not None:
            self.before = (self.package / "main.sh").read_text()
            (self.package / "main.sh").write_text(f"{self.before}{placement.description}\n")
        self.build()
        yield
        if placement is not None:
            self.undo(placement)
            self.build()

    def undo(self, placement: Placement | None) -> None:
        assert self.before is not None
        (self.package / "main.sh").write_text(self.before)
        self.before = None

    def _build_in(self, scratch: Path) -> None:
        if "wrong" in (self.package / "main.sh").read_text():
            raise BuildFailedError("a clean build failed:\nerror: that is wrong")
        (scratch / "debug").mkdir(parents=True, exist_ok=True)
        shutil.copy(self.package / "main.sh", scratch / "debug/App")
        (scratch / "debug/App").chmod(0o755)


def verifier(workspace: ScriptWorkspace) -> Any:  # noqa: ANN401  of fake workspaces
    return Verifier(workspace.package.parent / "run", [ProgramRun()])


def verify(workspace: ScriptWorkspace, line: str = "echo more") -> Verdict:
    return verifier(workspace).verify(workspace, CELL, edit(line), 1)


def edit(line: str = "echo more") -> Placement:
    return Placement("body", "Store", line, None)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return tmp_path / "package"


def test_build_that_follows_the_edit_and_its_undoing_is_sound(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    checked = verifier(workspace)
    assert checked.verify(workspace, CELL, edit(), 1) == Verdict(cell=CELL, result=SOUND)
    # One of the package as it is, and one with the edit. Equal sources are built clean once.
    for number in (2, 3):
        assert checked.verify(workspace, Cell(edit="noop"), None, number).result == SOUND
    assert workspace.clean_builds == 2


def test_build_missing_the_edit_or_its_undoing_is_unsound(package: Path) -> None:
    lines = {"edit": "missing instead of 'more'", "edit was undone": "'more' instead of missing"}
    for skipped, (moment, line) in enumerate(lines.items(), start=1):
        found = verify(ScriptWorkspace(package.with_name(f"package {skipped}"), skipped=(skipped,)))
        reason = f"after the {moment}, `App`: line 2 of the standard output is {line}"
        assert (found.result, found.reasons) == (UNSOUND, (reason,))


def test_commit_that_an_incremental_build_missed_is_unsound_also_where_it_is_the_first(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    checked = verifier(workspace)
    (package / "main.sh").write_text("#!/bin/sh\necho hello\necho more\n")
    reason = "after the commit, `App`: line 2 of the standard output is missing instead of 'more'"
    first, second = Cell(edit="a1"), Cell(edit="b2")
    assert checked.compare(workspace, first) == Verdict(cell=first, result=UNSOUND, reasons=(reason,))
    workspace.build()
    assert checked.compare(workspace, first).result == SOUND
    (package / "main.sh").write_text("#!/bin/sh\necho hello\n")
    assert checked.compare(workspace, second).result == UNSOUND
    assert workspace.rebuilt == 1


def test_build_before_the_first_edit_that_is_wrong_is_unsound_and_cured(package: Path) -> None:
    workspace = ScriptWorkspace(package)
    (package / "main.sh").write_text("#!/bin/sh\necho bye\n")
    checked = verifier(workspace)
    reason = "before the edit, `App`: line 1 of the standard output is 'hello' instead of 'bye'"
    assert checked.verify(workspace, CELL, edit(), 1) == Verdict(cell=CELL, result=UNSOUND, reasons=(reason,))
    assert checked.verify(workspace, CELL, edit(), 2).result == SOUND
    assert workspace.rebuilt == 1


def test_stale_program_is_rebuilt_before_the_next_cell(package: Path) -> None:
    workspace = ScriptWorkspace(package, skipped=(1, 2, 3))
    checked = verifier(workspace)
    assert checked.verify(workspace, CELL, edit(), 1).result == UNSOUND
    assert workspace.rebuilt == 0
    assert checked.verify(workspace, Cell(edit="noop"), None, 2).result == SOUND
    assert workspace.rebuilt == 1


def test_build_that_fails_where_a_clean_one_does_not_is_unsound_and_leaves_no_edit(package: Path) -> None:
    workspace = ScriptWorkspace(package, failing=(1,))
    found = verify(workspace)
    assert found.reasons == ("after the edit, the build fails, but no clean build does: error: undefined symbol",)
    assert not workspace.is_edited
    workspace = ScriptWorkspace(package.with_name("other"), failing=(2,))
    assert verify(workspace).reasons == (
        "after the edit was undone, the build fails, but no clean build does: error: undefined symbol",
    )


def test_build_that_succeeds_where_a_clean_one_fails_is_unsound(package: Path) -> None:
    found = verify(ScriptWorkspace(package, skipped=(1,)), line="echo wrong")
    assert found.reasons == ("after the edit, the build succeeds, but no clean build does: error: that is wrong",)


def test_edit_that_does_not_compile_at_all_is_an_error(package: Path) -> None:
    with pytest.raises(BuildFailedError, match="that is wrong"):
        verify(ScriptWorkspace(package), line="echo wrong")


def test_setting_that_makes_another_program_is_unsound_and_costs_no_clean_build(package: Path) -> None:
    first = ScriptWorkspace(package)
    checked = verifier(first)
    assert checked.verify(first, CELL, edit(), 1).result == SOUND
    (package.parent / "other").mkdir()
    second = ScriptWorkspace(package.parent / "other" / "package")
    assert checked.verify(second, CELL, edit(), 1).result == SOUND
    # The same sources, of which it makes something else.
    third = ScriptWorkspace(package.parent / "other" / "third", skipped=(1, 2, 3))
    (third.scratch / "debug/App").write_text("#!/bin/sh\necho bye\n")
    found = checked.verify(third, CELL, edit(), 1)
    assert found.result == UNSOUND
    assert found.reasons[0] == "after the edit, `App`: line 1 of the standard output is 'bye' instead of 'hello'"
    assert [each.clean_builds for each in (first, second, third)] == [2, 0, 0]


def test_other_layout_is_built_clean_only_where_its_program_differs(package: Path) -> None:
    first = ScriptWorkspace(package)
    checked = verifier(first)
    assert checked.verify(first, CELL, edit(), 1).result == SOUND
    cases = (("same", (), "", (SOUND, 0)), ("stale", (1,), "", (UNSOUND, 1)), ("named", (), "echo more\n", (SOUND, 2)))
    for name, skipped, more, expected in cases:
        (package.parent / name).mkdir()
        other = ScriptWorkspace(package.parent / name / "package", skipped, layout=replace(first.layout, name=name))
        (other.package / "main.sh").write_text(f"#!/bin/sh\necho hello\n{more}")
        other.build_clean()
        found = checked.verify(other, CELL, edit(), 1)
        assert (found.result, other.clean_builds) == expected


def test_program_that_differs_from_run_to_run_or_is_missing_is_not_verified(package: Path) -> None:
    without = verify(ScriptWorkspace(package.with_name("other"), layout=Layout("interface", "", {})))
    assert without.result == NOT_VERIFIED
    assert without.reasons == ("the package has not exactly one executable, so there is no program to run.",)
    workspace = ScriptWorkspace(package)
    (package / "main.sh").write_text("#!/bin/sh\necho $$\n")
    found = verify(workspace)
    assert found.result == NOT_VERIFIED
    assert found.reasons[0].startswith("the program does not behave the same each time: `App`: line 1")
    assert workspace.builds == 0


def test_program_that_does_not_end_is_not_verified(package: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verifying, "_SECONDS", 0.3)
    workspace = ScriptWorkspace(package)
    (package / "main.sh").write_text("#!/bin/sh\nsleep 60\n")
    found = verify(workspace)
    assert (found.result, workspace.builds) == (NOT_VERIFIED, 0)
    assert "the program does not end within 0.3 s; a session file can give" in found.reasons[0]


DONE = Outcome(0, "one\ntwo\n", "")


DIFFERENCES = [
    (replace(DONE, exit_code=-11), "SIGSEGV (exit code 139 in a shell) instead of exit code 0"),
    (replace(DONE, exit_code=None), "no end within 60 s instead of exit code 0"),
    (replace(DONE, output="one\n2\n"), "line 2 of the standard output is '2' instead of 'two'"),
    (replace(DONE, errors="oh\n"), "line 1 of the standard errors is 'oh' instead of missing"),
    (replace(DONE, output="one\ntwo"), "the ends of lines differ"),
]


def test_difference_has_what_is_and_what_should_be() -> None:
    run = [ProgramRun(("--check",))]
    assert differences([DONE], [DONE], run, "App") == []
    for found, expected in DIFFERENCES:
        assert differences([found], [DONE], run, "App") == [f"`App --check`: {expected}"]


WRONG_SESSIONS = {
    "nothing\n": r"has no line such as '\$ App'",
    "$ Other --check\n": r":1: the program is called 'App', not 'Other'",
    "$ App 'open\n": r":1: No closing quotation",
}


def test_session_gives_arguments_and_input_of_each_run(tmp_path: Path) -> None:
    file = tmp_path / "session.txt"
    with pytest.raises(UsageError, match=r"cannot read the session .*session\.txt"):
        read_session(file, "App")
    for text, message in WRONG_SESSIONS.items():
        file.write_text(text)
        with pytest.raises(UsageError, match=message):
            read_session(file, "App")
    file.write_text("Not read.\n\n$ App --open 'a b'\n1\n\n  two\n$ App\n")
    assert read_session(file, "App") == (ProgramRun(("--open", "a b"), "1\n\n  two\n"), ProgramRun())
    assert read_session(None, "App") == (ProgramRun(),)


def run_script(folder: Path, script: str, *runs: ProgramRun) -> tuple[Outcome, ...]:
    (program,) = programs(folder, {"build/App": script})
    return behaviour(program, runs, folder / "run", {"PATH": os.environ["PATH"]})


def test_behaviour_is_exit_code_output_and_errors_of_runs_that_share_an_emptied_folder(tmp_path: Path) -> None:
    script = 'read word; echo "$1 $word"; echo oh >&2; exit 3'
    assert run_script(tmp_path, script, ProgramRun(("a b",), "typed\n")) == (Outcome(3, "a b typed\n", "oh\n"),)
    script = 'echo . >>"$CFFIXED_USER_HOME/notes"; cat "$HOME/notes"; pwd -P; echo "$0"'
    first = run_script(tmp_path, script, ProgramRun(), ProgramRun())
    assert [each.output.count(".\n") for each in first] == [1, 2]
    # Nor does anything show where the program was built.
    assert "build" not in first[0].output
    assert run_script(tmp_path, script, ProgramRun(), ProgramRun()) == first


def test_program_that_never_stops_printing_is_ended(tmp_path: Path) -> None:
    (outcome,) = run_script(tmp_path, "exec yes", ProgramRun())
    assert outcome.ending.startswith("SIGXFSZ")
    assert len(outcome.output) <= 16 * 2**20


def test_gap_is_a_target_that_is_reached_but_not_named() -> None:
    chain = {"C": (), "B": ("C",), "A": ("B",), "Other": ("A", "B", "C")}
    assert dependency_gaps(chain) == {"A": ("C",)}
    assert dependency_gaps(chain | {"A": ("B", "C")}) == {}
