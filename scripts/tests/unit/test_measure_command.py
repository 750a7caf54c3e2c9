"""The command `measure` with runs that build nothing, and its reports and comparisons."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import pytest
from made_records import rounds_of, run_record
from msgspec.structs import replace
from swiftmodules import progress
from swiftmodules.cli import main
from swiftmodules.files import write_atomically
from swiftmodules.measure import loop
from swiftmodules.measure.loop import Run
from swiftmodules.measure.record import Cell, Record, Verdict, Verification, read_record, record_bytes
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"


@dataclass
class Asked(Run):
    """A run that measures nothing, and keeps what it was called with."""

    last: ClassVar[Any] = None
    results: ClassVar[tuple[Any, ...]] = ()
    left_out: ClassVar[str | None] = None

    def run(self) -> Record:
        Asked.last = self
        verdicts = [Verdict(cell=Cell(edit="body"), result=each) for each in self.results]
        command = self._command(self.choices.rounds or 10)
        found = Verification(verdicts=verdicts, left_out=self.left_out)
        return replace(read_record(RESULTS / "layouts"), command=command, verification=found)


@pytest.fixture(autouse=True)
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Takes the place of a run, in a folder with a package."""
    monkeypatch.setattr(loop, "Run", Asked)
    monkeypatch.setattr(Asked, "results", ())
    (tmp_path / "Package.swift").touch()
    (tmp_path / "swiftmodules.toml").write_text('[measure]\nmodules = ["Cart"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SWIFTMODULES_CACHE", str(tmp_path / "cache"))


def typed(words: str) -> int:
    return main(words.split())


def test_run_has_its_options_and_its_report(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--layouts interface,fused --copies 5 --settings no-index --edits body,public-top "
        "--modules Cart --rounds 2 --no-verify --variable A,B"
    )
    assert typed(f"measure {words} --output out") == 0
    task = Asked.last
    assert (task.package, task.output) == (tmp_path, Path("out"))
    assert task.config.measure.modules == ("Cart",)
    assert tmp_path in task.scratch.parents
    assert sorted(task._command(2).split()) == sorted(f"swiftmodules measure {words}".split())
    assert task._command(2) in (tmp_path / "out/results.md").read_text()
    assert "Wrote the record and its report to out." in capsys.readouterr().out


def test_default_run_is_measured_in_a_folder_of_its_own() -> None:
    assert main(["measure"]) == 0
    assert Asked.last.choices == MeasureChoices()
    assert Asked.last.output.parent == Asked.last.scratch / "results"
    assert main(["measure", "--quick"]) == 0
    assert Asked.last.choices.quick
    assert Asked.last._command(4) == "swiftmodules measure --rounds 4 --no-verify"
    Asked.results = ("sound",)
    assert typed("measure --rounds 0 --verify") == 0
    assert Asked.last._command(0) == "swiftmodules measure --rounds 0 --verify"


def test_history_has_the_same_folder_when_its_command_is_repeated_and_another_when_not() -> None:
    def output(words: str) -> Path:
        assert typed(f"measure {words}") == 0
        found: Path = Asked.last.output
        return found

    first = output("--edits history:5")
    assert first.name.startswith("history-5-") and output("--edits history:5") == first
    assert len({first, output("--edits history:6"), output("--edits history:5 --layouts interface")}) == 3


def test_requested_verification_fails_where_a_program_is_wrong_or_not_all_was_verified(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for results, code in ((["sound", "not verified"], 0), (["unsound", "sound"], 1), (["not verified"], 1)):
        Asked.results = tuple(results)
        assert main(["measure", "--rounds", "0", "--verify"]) == code
        assert main(["measure"]) == 0
    Asked.results = ("sound",)
    monkeypatch.setattr(Asked, "left_out", "the program does not behave the same in each run.")
    assert main(["measure", "--rounds", "0", "--verify"]) == 1


def test_steps_are_counted_with_those_of_an_interrupted_run_and_the_time_that_is_left(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, shown = iter((1, 101, 201)), list[str]()
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    view = ProgressView(shown.append)
    view.planned(steps=2, earlier=5)
    view.finished("body")
    view.finished("member")
    assert shown == ["[6/7] body (about 2 min left)", "[7/7] member"]


def test_progress_goes_to_the_error_output(capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("measure") == 0
    Asked.last.view.finished("body")
    shown = capsys.readouterr()
    assert "body" in shown.err and "[1/" not in shown.out


def write_record(record: Record, path: Path) -> None:
    write_atomically(path, record_bytes(record))


def test_comparison_fails_where_more_is_compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, files in (("before", 1), ("after", 2)):
        write_record(run_record(rounds_of({"interface": [1.0]}, files=files)), tmp_path / name / "results.json")
    assert main(["measure", "compare", str(tmp_path / "before"), str(tmp_path / "after")]) == 1
    assert "More is compiled or linked than in A: interface body Store." in capsys.readouterr().out
    assert main(["measure", "compare", str(tmp_path / "after"), str(tmp_path / "before")]) == 0
