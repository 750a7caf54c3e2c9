"""The verification of builds, on a workspace whose compiler copies a shell script, and the comparison of behaviours."""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from made_files import programs
from made_packages import package_of
from rich.console import Console
from swiftmodules.errors import BuildFailedError
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import verify as verifying
from swiftmodules.measure.place import Place, Step, first_error
from swiftmodules.measure.record import NOT_VERIFIED, SOUND, UNSOUND, Verdict
from swiftmodules.measure.verify import Outcome, Verifier, behaviour, verdicts
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import ProgramRun
from swiftmodules.swiftpm.package import Package

HELLO = "#!/bin/sh\necho hello\n"


@dataclass
class ScriptWorkspace:
    """A fake `Workspace`, whose layouts have a script in the place of a manifest. `skipped` are the numbers of
    incremental builds, from 1, that leave the program as it is, and `failing` of those that fail; scripts with the word
    `wrong` cannot be built."""

    folder: Path
    layout: Layout
    skipped: Sequence[int] = ()
    failing: Sequence[int] = ()
    environment: dict[str, str] = field(default_factory=lambda: {"PATH": os.environ["PATH"]})
    builds: int = 0
    clean_builds: int = 0
    rebuilt: int = -1

    @property
    def scratch(self) -> Path:
        return self.folder / "scratch"

    @property
    def apart(self) -> Path:
        return self.folder / "apart"

    def products(self, scratch: Path) -> Path:
        return scratch / "debug"

    def become(self, layout: Layout) -> bool:
        is_other = layout.manifest != self.layout.manifest
        self.layout = layout
        return is_other

    def build(self) -> None:
        self.builds += 1
        if self.builds in self.failing:
            raise BuildFailedError("the build failed:\nerror: undefined symbol: f")
        if self.builds not in self.skipped:
            self._build_in(self.scratch)

    def build_apart(self) -> None:
        self.clean_builds += 1
        self._build_in(self.apart)

    def build_clean(self, progress: object = None) -> None:
        self.rebuilt += 1
        self._build_in(self.scratch)

    def _build_in(self, scratch: Path) -> None:
        script = self.layout.manifest or ""
        if "wrong" in script:
            raise BuildFailedError("a clean build failed:\nA.swift:1:1: error: that is wrong")
        shutil.rmtree(scratch, ignore_errors=True)
        programs(scratch / "debug", {self.layout.program or "App": script.removeprefix("#!/bin/sh\n")})


@dataclass
class Scripts:
    """Sources and places of scripts: each edit adds a line to one, in each layout."""

    folder: Path
    lines: dict[str, str] = field(default_factory=lambda: {"body": "echo more"})
    base: str = HELLO
    package: Package = field(default_factory=lambda: package_of({"App": []}))
    faults: dict[str, Any] = field(default_factory=dict)
    made: dict[str, Place] = field(default_factory=dict)

    def before(self, step: Step, with_tests: bool) -> Layout:
        return Layout(step.layout, self.base, {}, self.package)

    def after(self, step: Step, with_tests: bool) -> Layout:
        return replace(self.before(step, with_tests), manifest=f"{self.base}{self.lines[step.edit]}\n")

    def built(self, step: Step, place: Place, with_tests: bool) -> None:
        place.take(self.after(step, with_tests))

    def place(self, step: Step, with_tests: bool = False) -> Place:
        if step.layout not in self.made:
            faults = self.faults.get(step.layout, {})
            workspace = ScriptWorkspace(self.folder / step.layout, self.before(step, with_tests), **faults)
            self.made[step.layout] = Place(workspace, lambda done, total: None)  # type: ignore[arg-type]
        return self.made[step.layout]

    def workspace(self, layout: str = "interface") -> Any:  # noqa: ANN401  a fake
        return self.made[layout].workspace


def verified(scripts: Scripts, layouts: Sequence[str] = ("interface",), undoes: bool = True) -> list[Verdict]:
    steps = [Step(layout=layout, edit=edit, module="Store") for layout in layouts for edit in scripts.lines]
    verifier = Verifier(scripts.folder / "run", [ProgramRun()], with_tests=False)
    view = ProgressView(Console(quiet=True))
    return list(verdicts(scripts, scripts, steps, verifier, view, undoes))  # type: ignore[arg-type]


def results(found: Sequence[Verdict]) -> list[str]:
    return [each.result for each in found]


def test_build_that_follows_the_edit_and_its_undoing_is_sound(tmp_path: Path) -> None:
    scripts = Scripts(tmp_path, {"body": "echo more", "member": "echo less"})
    assert results(verified(scripts)) == [SOUND, SOUND]
    # One of the package as it is, and one of each edit.
    assert scripts.workspace().clean_builds == 3


# The incremental build that is skipped or fails, the line that the edit adds, and the reason.
FAULTS = {
    ("skipped", 1, "echo more"): "after the edit, `App`: line 2 of the standard output is missing instead of 'more'",
    ("skipped", 1, "echo oh >&2"): "after the edit, `App`: line 1 of the standard errors is missing instead of 'oh'",
    ("skipped", 1, "kill -SEGV $$"): "after the edit, `App`: exit code 0 instead of SIGSEGV (exit code 139 in a shell)",
    ("skipped", 2, "echo more"): "after the edit was undone, `App`: line 2 of the standard output is 'more' instead",
    ("failing", 1, "true"): "after the edit, the build fails, but no clean build does: the link fails: undefined",
    ("failing", 2, "true"): "after the edit was undone, the build fails, but no clean build does: the link fails:",
    ("skipped", 1, "echo wrong"): "after the edit, the build succeeds, but no clean build does: A.swift:1:1: error: ",
}


@pytest.mark.parametrize(("fault", "build", "line"), FAULTS)
def test_build_unlike_a_clean_one_is_unsound_and_stale_code_reaches_no_other_cell(
    tmp_path: Path, fault: str, build: int, line: str
) -> None:
    faults = {"interface": {fault: (build,)}}
    scripts = Scripts(tmp_path, {"body": line, "member": "true"}, faults=faults)
    first, second = verified(scripts)
    assert (first.result, second.result) == (UNSOUND, SOUND)
    assert first.reasons[0].startswith(FAULTS[fault, build, line])
    assert scripts.workspace().rebuilt == 1


def test_commit_that_an_incremental_build_missed_is_unsound(tmp_path: Path) -> None:
    scripts = Scripts(tmp_path, faults={"interface": {"skipped": (3,)}})
    assert results(verified(scripts, undoes=False)) == [UNSOUND]
    assert results(verified(Scripts(tmp_path / "other"), undoes=False)) == [SOUND]


def test_edit_that_does_not_compile_at_all_is_not_verified(tmp_path: Path) -> None:
    (found,) = verified(Scripts(tmp_path, {"body": "echo wrong"}))
    assert (found.result, found.reasons) == (NOT_VERIFIED, ("A.swift:1:1: error: that is wrong",))


def test_other_layout_is_built_clean_only_where_its_program_differs(tmp_path: Path) -> None:
    scripts = Scripts(tmp_path, faults={"fused": {"skipped": (1,)}})
    assert results(verified(scripts, ("interface", "monolith", "fused"))) == [SOUND, SOUND, UNSOUND]
    assert [scripts.workspace(each).clean_builds for each in ("interface", "monolith", "fused")] == [2, 0, 1]


def test_program_that_differs_from_run_to_run_or_is_missing_or_does_not_end_is_not_verified(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(verifying, "_SECONDS", 0.3)
    cases: dict[str, dict[str, Any]] = {
        "a verification requires a package with exactly one executable.": {"package": package_of({})},
        "the program does not behave the same in each run: `App`: line 1": {"base": "#!/bin/sh\necho $$\n"},
        "the program does not end within 0.3 s. Give it arguments or input": {"base": "#!/bin/sh\nsleep 60\n"},
    }
    for number, (reason, fields) in enumerate(cases.items()):
        (found,) = verified(Scripts(tmp_path / str(number), **fields))
        assert found.result == NOT_VERIFIED and found.reasons[0].startswith(reason)
    # Of an edit alone, it is a difference, and so are the ends of lines.
    for line, difference in (
        ("sleep 60", "exit code 0 instead of no end within 0.3 s"),
        ("echo", "the ends of lines differ"),
    ):
        faults = {"interface": {"skipped": (1,)}}
        (found,) = verified(Scripts(tmp_path / line, {"body": line}, "#!/bin/sh\nprintf hello\n", faults=faults))
        assert found.reasons == (f"after the edit, `App`: {difference}",)


ERRORS = {
    "note: a\nA.swift:1:2: error: no\nerror: link command failed": "A.swift:1:2: error: no",
    "A.swift:1: undefined reference to '$s1A1fyyF'\nerror: link command failed": "the link fails: "
    "undefined symbol $s1A1fyyF",
    "ld.lld: error: undefined symbol: A.f() -> ()\n": "the link fails: undefined symbol A.f() -> ()",
    "Program crashed: Signal 11": "Program crashed: Signal 11",
    "one\ntwo": "two",
}


def test_first_error_is_that_of_the_compiler_or_the_symbol_that_a_link_misses() -> None:
    assert {message: first_error(message) for message in ERRORS} == ERRORS


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
