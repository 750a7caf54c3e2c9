"""The verification of builds, of programs that are shell scripts, and the comparison of behaviours."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from made_files import programs
from made_packages import package_of
from swiftmodules.errors import BuildFailedError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import verify as verifying
from swiftmodules.measure.record import NOT_VERIFIED, SOUND, UNSOUND, Cell, Step, Verdict
from swiftmodules.measure.verify import NotVerifiedError, Outcome, Verifier, behaviour
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import ProgramRun
from swiftmodules.swiftpm.package import Package

HELLO = "echo hello\n"


@dataclass
class ScriptWorkspace:
    """A fake `Workspace`, whose program is a script; one with the word `wrong` cannot be built."""

    folder: Path
    layout: Layout
    script: str = HELLO
    clean_builds: int = 0
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch"

    @property
    def apart(self) -> Path:
        return self.folder / "apart"

    def products(self, scratch: Path) -> Path:
        return scratch / "debug"

    def build_in(self, scratch: Path) -> None:
        if "wrong" in self.script:
            raise BuildFailedError("a clean build failed:\nA.swift:1:1: error: that is wrong")
        programs(scratch / "debug", {"App": self.script})

    def build_apart(self) -> None:
        self.clean_builds += 1
        self.build_in(self.apart)


@dataclass
class Scripts:
    """A fake `Places`: each edit adds a line to a script, in each layout. `faults` has the layouts whose next build is
    skipped, or fails."""

    folder: Path
    lines: dict[str, str] = field(default_factory=lambda: {"body": "echo more"})
    base: str = HELLO
    package: Package = field(default_factory=lambda: package_of({"App": []}))
    faults: dict[str, str] = field(default_factory=dict)
    made: dict[str, ScriptWorkspace] = field(default_factory=dict)
    closed: int = 0

    def place(self, step: Step) -> SimpleNamespace:
        if step.layout not in self.made:
            layout = Layout(step.layout, None, {}, self.package)
            self.made[step.layout] = ScriptWorkspace(self.folder / step.layout, layout)
        return SimpleNamespace(workspace=self.made[step.layout])

    def stand_before(self, step: Step, place: SimpleNamespace) -> None:
        place.workspace.script = self.base
        place.workspace.build_in(place.workspace.scratch)

    def built(self, step: Step, place: SimpleNamespace) -> None:
        place.workspace.script += f"{self.lines[step.edit]}\n"
        fault = self.faults.pop(step.layout, None)
        if fault == "failing":
            raise BuildFailedError("the build failed:\nerror: undefined symbol: f")
        if fault is None:
            place.workspace.build_in(place.workspace.scratch)

    def close(self) -> None:
        self.closed += 1
        self.made.clear()


def verified(scripts: Scripts, layouts: Sequence[str] = ("interface",)) -> list[Verdict]:
    cells = [Cell(layout=layout, edit=edit, module="Store") for layout in layouts for edit in scripts.lines]
    verifier = Verifier(scripts.folder / "run", [ProgramRun()], with_tests=False)
    return list(verifier.verdicts(scripts, cells, ProgressView(lambda text: None)))  # type: ignore[arg-type]


def results(found: Sequence[Verdict]) -> list[str]:
    return [each.result for each in found]


def test_build_that_follows_the_edit_is_sound(tmp_path: Path) -> None:
    scripts = Scripts(tmp_path, {"body": "echo more", "member": "echo less"})
    assert results(verified(scripts)) == [SOUND, SOUND]
    assert (scripts.made["interface"].clean_builds, scripts.closed) == (2, 0)


# Whether the incremental build is skipped or fails, the line that the edit adds, and the reason.
FAULTS = {
    ("skipped", "echo more"): "`App`: line 2 of the standard output is missing instead of 'more'",
    ("skipped", "echo oh >&2"): "`App`: line 1 of the standard errors is missing instead of 'oh'",
    ("skipped", "kill -SEGV $$"): "`App`: exit code 0 instead of SIGSEGV (exit code 139 in a shell)",
    ("skipped", "echo"): "`App`: the ends of lines differ",
    ("failing", "true"): "the build fails, but no clean build does: the link fails: undefined symbol",
    ("skipped", "echo wrong"): "the build succeeds, but no clean build does: A.swift:1:1: error: that is wrong",
}


@pytest.mark.parametrize(("fault", "line"), FAULTS)
def test_build_unlike_a_clean_one_is_unsound_and_stale_code_reaches_no_other_cell(
    tmp_path: Path, fault: str, line: str
) -> None:
    base = "printf hello\n" if line == "echo" else HELLO
    scripts = Scripts(tmp_path, {"body": line, "member": "true"}, base, faults={"interface": fault})
    first, second = verified(scripts)
    assert (first.result, second.result) == (UNSOUND, SOUND)
    assert first.reasons[0].startswith(FAULTS[fault, line])
    # The next cell has a place of its own.
    assert scripts.closed == 1


def test_edit_that_does_not_compile_at_all_is_not_verified(tmp_path: Path) -> None:
    (found,) = verified(Scripts(tmp_path, {"body": "echo wrong"}))
    assert (found.result, found.reasons) == (NOT_VERIFIED, ("A.swift:1:1: error: that is wrong",))


def test_other_layout_is_built_clean_only_where_its_program_differs(tmp_path: Path) -> None:
    scripts = Scripts(tmp_path, faults={"fused": "skipped"})
    assert results(verified(scripts, ("interface", "monolith"))) == [SOUND, SOUND]
    assert [scripts.made[each].clean_builds for each in ("interface", "monolith")] == [1, 0]
    assert results(verified(scripts, ("fused",))) == [UNSOUND]


def test_program_that_differs_from_run_to_run_or_does_not_end_ends_the_verification(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "_SECONDS", 0.3)
    cases: dict[str, dict[str, Any]] = {
        "the program does not behave the same in each run.": {"base": "echo $$\n"},
        "the program does not end within 0.3 s. Give it arguments or input": {"base": "sleep 60\n"},
    }
    for number, (reason, fields) in enumerate(cases.items()):
        lines = {"body": "true", "member": "true"}
        with pytest.raises(NotVerifiedError, match=reason):
            verified(Scripts(tmp_path / str(number), lines, **fields))


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
