"""What is told of a verification."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from conftest import measure

from buildspeed.failures import RecordError
from buildspeed.program_session import ProgramRun
from buildspeed.soundness import NOT_VERIFIED, SOUND, UNSOUND, Verdict
from buildspeed.verify_record import VerifyRecord, read_verify_record, write_verify_record
from buildspeed.verify_report import markdown, summary


def record(*verdicts: Verdict) -> VerifyRecord:
    return VerifyRecord(
        package="Tiny",
        command="scripts/measure verify --edits body,noop",
        toolchain="Swift 6",
        program="App",
        session=(ProgramRun(("--check",)), ProgramRun((), "1\n2\n")),
        layouts=("interface", "fused"),
        edits=("body", "noop"),
        modules=("Store", "Feed"),
        placements={"body Store": "a statement somewhere"},
        missing={"body Feed": "it has no function."},
        gaps={"interface": {}, "fused": {"App": ("Store",)}},
        verdicts=verdicts,
    )


def verdict(layout: str, result: str = SOUND, *reasons: str, edit: str = "body") -> Verdict:
    return Verdict(layout, edit, "Store" if edit == "body" else None, result, reasons)


SOUND_RECORD = record(verdict("interface"), verdict("fused"), verdict("fused", edit="noop"))
UNSOUND_RECORD = record(verdict("interface"), verdict("fused", UNSOUND, "after the edit, `App`: exit code 1"))


def test_summary_counts_the_cells() -> None:
    assert summary(SOUND_RECORD).startswith("3 of 3 cells are sound:")
    assert summary(UNSOUND_RECORD).startswith("1 of 2 cells is unsound:")
    skipped = verdict("fused", NOT_VERIFIED, "there is no program.")
    assert summary(record(verdict("interface"), skipped)).endswith("1 could not be verified.")
    assert summary(record(skipped)) == "None of 1 cell was verified."


def test_report_shows_results_and_what_differed() -> None:
    text = markdown(UNSOUND_RECORD)
    assert "| edit | module | interface | fused |" in text
    assert "| body | Store | sound | unsound |" in text
    assert "- `fused body Store`, unsound: after the edit, `App`: exit code 1" in text
    assert "## What was found" not in markdown(SOUND_RECORD)
    assert "| noop |  | – | sound |" in markdown(SOUND_RECORD)


def test_report_tells_the_session_the_edits_and_the_gaps() -> None:
    text = markdown(SOUND_RECORD)
    assert "- `App --check`\n- `App`, with 2 lines of input\n" in text
    assert "  - Store: a statement somewhere\n  - not in Feed: it has no function.\n" in text
    assert "- `fused`: App reaches Store" in text
    without = replace(SOUND_RECORD, gaps={"interface": {}, "fused": {}})
    assert "Every target names all targets that it reaches" in markdown(without)


def test_unfinished_run_says_so() -> None:
    assert markdown(replace(SOUND_RECORD, incomplete="it was ended.")).splitlines()[2] == (
        "**Incomplete:** it was ended."
    )


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    write_verify_record(UNSOUND_RECORD, tmp_path / "results.json")
    assert read_verify_record(tmp_path / "results.json") == UNSOUND_RECORD
    (tmp_path / "results.json").write_text('{"schema_version": 2}')
    with pytest.raises(RecordError, match="schema version 2"):
        read_verify_record(tmp_path / "results.json")


def test_command_renders_a_record_again(tmp_path: Path) -> None:
    write_verify_record(UNSOUND_RECORD, tmp_path / "results.json")
    result = measure("verify", "--report", tmp_path / "results.json")
    assert (result.returncode, result.stdout) == (0, markdown(UNSOUND_RECORD))


def test_session_that_cannot_be_read_ends_the_command_before_any_build(tiny: Path) -> None:
    result = measure("verify", "--package", tiny, "--session", tiny / "none.txt")
    assert result.returncode == 64
    assert "cannot read the session" in result.stderr
