"""How a program behaves, how behaviours are compared, and what reports say of it."""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path

import pytest
from records import new_record

from buildspeed import program_session
from buildspeed.dependency_gaps import dependency_gaps
from buildspeed.failures import UsageError
from buildspeed.process_table import session_members
from buildspeed.program_session import SESSION, Outcome, ProgramRun, behaviour, differences, read_session
from buildspeed.record import read_record, write_record
from buildspeed.report import markdown, warnings
from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, Verdict, Verification

DONE = Outcome(0, "one\ntwo\n", "")


def difference(found: Outcome, expected: Outcome = DONE) -> list[str]:
    return differences([found], [expected], [ProgramRun(("--check",))], "App")


def test_equal_outcomes_do_not_differ() -> None:
    assert difference(DONE) == []


@pytest.mark.parametrize(
    ("found", "told"),
    [
        (replace(DONE, exit_code=2), "exit code 2 instead of exit code 0"),
        (replace(DONE, exit_code=-11), "SIGSEGV (exit code 139 in a shell) instead of exit code 0"),
        (replace(DONE, exit_code=None), "no end within 60 s instead of exit code 0"),
        (replace(DONE, output="one\n2\n"), "line 2 of the standard output is '2' instead of 'two'"),
        (replace(DONE, output="one\n"), "line 2 of the standard output is missing instead of 'two'"),
        (replace(DONE, errors="oh\n"), "line 1 of the standard errors is 'oh' instead of missing"),
        (replace(DONE, output="one\ntwo"), "the ends of lines differ"),
    ],
)
def test_difference_tells_what_is_and_what_should_be(found: Outcome, told: str) -> None:
    assert difference(found) == [f"`App --check`: {told}"]


def test_session_gives_arguments_and_input_of_each_run(tmp_path: Path) -> None:
    file = tmp_path / "session.txt"
    file.write_text("Not read.\n\n$ App --open 'a b'\n1\n\n  two\n$ App\n")
    assert read_session(file, tmp_path, "App") == (ProgramRun(("--open", "a b"), "1\n\n  two\n"), ProgramRun())


def test_package_without_a_session_is_run_once_with_nothing(tmp_path: Path) -> None:
    assert read_session(None, tmp_path, "App") == (ProgramRun(),)
    (tmp_path / SESSION).parent.mkdir()
    (tmp_path / SESSION).write_text("$ App --check\n")
    assert read_session(None, tmp_path, "App") == (ProgramRun(("--check",)),)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("nothing\n", r"has no line such as '\$ App'"),
        ("$ Other --check\n", r":1: the program is called 'App', not 'Other'"),
        ("$ App 'open\n", r":1: No closing quotation"),
    ],
)
def test_wrong_session_is_refused_with_its_place(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "session.txt"
    file.write_text(text)
    with pytest.raises(UsageError, match=message):
        read_session(file, tmp_path, "App")


def test_missing_session_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"cannot read the session .*none\.txt"):
        read_session(tmp_path / "none.txt", tmp_path, "App")


def run_script(folder: Path, script: str, *runs: ProgramRun) -> tuple[Outcome, ...]:
    program = folder / "build" / "App"
    program.parent.mkdir(exist_ok=True)
    program.write_text(f"#!/bin/sh\n{script}\n")
    program.chmod(0o755)
    return behaviour(program, runs, folder / "run", {"PATH": os.environ["PATH"]})


def test_behaviour_is_exit_code_output_and_errors(tmp_path: Path) -> None:
    script = 'read word; echo "$1 $word"; echo oh >&2; exit 3'
    assert run_script(tmp_path, script, ProgramRun(("a b",), "typed\n")) == (Outcome(3, "a b typed\n", "oh\n"),)


def test_runs_share_a_folder_that_was_emptied(tmp_path: Path) -> None:
    script = 'echo . >>"$HOME/notes"; cat notes; pwd -P; echo "$0"'
    first = run_script(tmp_path, script, ProgramRun(), ProgramRun())
    assert [each.output.count(".\n") for each in first] == [1, 2]
    # Nor does anything tell where the program was built.
    assert "build" not in first[0].output
    assert run_script(tmp_path, script, ProgramRun(), ProgramRun()) == first


def test_signal_is_told_from_an_exit_code(tmp_path: Path) -> None:
    (outcome,) = run_script(tmp_path, "kill -SEGV $$", ProgramRun())
    assert outcome.ending == "SIGSEGV (exit code 139 in a shell)"


def test_program_that_does_not_end_is_ended_with_its_descendants(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(program_session, "_SECONDS", 0.5)
    (outcome,) = run_script(tmp_path, f"sleep 61 & echo $$ >{tmp_path}/session; wait", ProgramRun())
    assert outcome.exit_code is None
    assert session_members(int((tmp_path / "session").read_text())) == []


def test_program_that_never_stops_printing_is_ended(tmp_path: Path) -> None:
    (outcome,) = run_script(tmp_path, "exec yes", ProgramRun())
    assert outcome.ending.startswith("SIGXFSZ")
    assert len(outcome.output) <= 16 * 2**20


def test_gap_is_a_target_that_is_reached_but_not_named() -> None:
    chain = {"C": (), "B": ("C",), "A": ("B",), "Other": ("A", "B", "C")}
    assert dependency_gaps(chain) == {"A": ("C",)}
    assert dependency_gaps(chain | {"A": ("B", "C")}) == {}


def verified(*results: str) -> Verification:
    reasons = {SOUND: (), UNSOUND: ("after the edit, `App`: exit code 1",), NOT_VERIFIED: ("no program.",)}
    layouts = ("interface", "fused", "monolith")
    verdicts = [
        Verdict(layout, "body", "Store", result, reasons[result])
        for layout, result in zip(layouts, results, strict=False)
    ]
    return Verification(verdicts=verdicts)


def test_report_warns_of_unsound_cells_and_marks_them() -> None:
    record = new_record({"interface": 1, "fused": 2, "monolith": 1})
    record.verification = verified(SOUND, UNSOUND, NOT_VERIFIED)
    assert "their times are those of a wrong result: `fused body Store`." in warnings(record)[-1]
    report = markdown(record)
    assert report.index("Unsound builds") < report.index("| edit | module |")
    assert "| body | Store | 1 | 1.0" in report and "| 1 unsound | 2.0" in report
    assert "Of 3 cells, 1 are sound, 1 unsound, and 1 could not be verified." in report
    assert "- `fused body Store`, unsound: after the edit, `App`: exit code 1" in report
    assert "- `monolith body Store`, not verified: no program." in report


def test_report_of_a_sound_run_warns_of_nothing() -> None:
    record = new_record({"interface": 1, "fused": 2})
    record.verification = verified(SOUND, SOUND)
    assert warnings(record) == []
    assert "unsound |" not in markdown(record)


def test_report_says_that_verification_was_left_out() -> None:
    record = new_record({"interface": 1})
    assert "## Soundness" not in markdown(record)
    record.verification = Verification(left_out="--quick leaves it out.")
    assert "Not verified: --quick leaves it out." in markdown(record)


def test_verdicts_are_read_as_they_were_written(tmp_path: Path) -> None:
    record = new_record({"interface": 1, "fused": 2})
    record.verification = verified(SOUND, UNSOUND)
    write_record(record, tmp_path / "results.json")
    assert read_record(tmp_path / "results.json") == record
