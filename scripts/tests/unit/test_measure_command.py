"""The command `measure` with runs that build nothing, and its reports and comparisons."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from made_records import rounds_of, run_record
from msgspec.structs import replace
from rich.console import Console
from swiftmodules import progress
from swiftmodules.cli import main
from swiftmodules.files import write_atomically
from swiftmodules.measure import loop
from swiftmodules.measure.loop import Task
from swiftmodules.measure.record import Cell, Record, Verdict, Verification, read_record, record_bytes
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.steps.edit import EDITS

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"


@dataclass
class Asked:
    """What a run was called with, and what it finds."""

    choices: Any = None
    task: Any = None
    results: tuple[Any, ...] = ()

    def measure(self, choices: MeasureChoices, task: Task) -> Record:
        self.choices, self.task = choices, task
        verdicts = [Verdict(cell=Cell(edit="body"), result=each) for each in self.results]
        command = task.command(choices.rounds or 10, choices.seed or 0)
        return replace(read_record(RESULTS / "layouts"), command=command, verification=Verification(verdicts=verdicts))


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Asked:
    """Takes the place of a run, in a folder with a package."""
    found = Asked()
    monkeypatch.setattr(loop, "measure", found.measure)
    (tmp_path / "Package.swift").touch()
    (tmp_path / "swiftmodules.toml").write_text('[measure]\nmodules = ["Cart"]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SWIFTMODULES_CACHE", str(tmp_path / "cache"))
    return found


def typed(words: str) -> int:
    return main(words.split())


def test_run_has_its_options_and_its_report(asked: Asked, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = (
        "--layouts interface,fused --copies 10,5 --settings default,no-index --edits body,A.swift:public-top "
        "--modules Cart --rounds 2 --no-verify --seed 0 --variable A --variable B"
    )
    assert typed(f"measure {words} --output out") == 0
    task: Task = asked.task
    assert (task.package, task.output) == (tmp_path, Path("out"))
    assert task.config.measure.modules == ("Cart",)
    assert tmp_path in task.scratch.parents
    repeated = f"swiftmodules measure {words.replace('10,5', '5,10')}"
    assert sorted(task.command(2, 0).split()) == sorted(repeated.split())
    assert read_record(tmp_path / "out").command == task.command(2, 0)
    assert {"results.json", "results.md"} <= {each.name for each in (tmp_path / "out").iterdir()}
    assert "Wrote the record and its report to out." in capsys.readouterr().out


def test_default_run_is_measured_with_new_random_choices_in_a_folder_of_its_own(asked: Asked) -> None:
    assert main(["measure"]) == 0
    first = asked.choices
    assert first == MeasureChoices(seed=first.seed)
    assert asked.task.output.parent == asked.task.scratch / "results"
    assert main(["measure", "--quick"]) == 0
    assert asked.choices.quick and asked.choices.seed != first.seed
    assert asked.task.command(4, 7) == "swiftmodules measure --rounds 4 --no-verify --seed 7"
    asked.results = ("sound",)
    assert typed("measure --rounds 0 --verify --seed 1") == 0
    # Nothing is random without times.
    assert asked.task.command(0, 1) == "swiftmodules measure --rounds 0 --verify"


def test_all_edits_and_settings_are_those_that_exist(asked: Asked) -> None:
    assert typed("measure --edits all --settings all") == 0
    assert asked.choices.edits == tuple(EDITS)
    assert asked.choices.settings[0] == "default" and "no-index" in asked.choices.settings


def test_history_has_the_same_folder_when_its_command_is_repeated_and_another_when_not(asked: Asked) -> None:
    def output(words: str) -> Path:
        assert typed(f"measure {words}") == 0
        found: Path = asked.task.output
        return found

    first = output("--edits history:5")
    assert first.name.startswith("history-5-") and output("--edits history:5") == first
    assert len({first, output("--edits history:6"), output("--edits history:5 --layouts interface")}) == 3


def test_requested_verification_fails_where_a_program_is_wrong_or_none_was_verified(asked: Asked) -> None:
    for results, code in ((["sound", "not verified"], 0), (["unsound", "sound"], 1), (["not verified"], 1)):
        asked.results = tuple(results)
        assert main(["measure", "--rounds", "0", "--verify"]) == code
        assert main(["measure"]) == 0


def test_time_that_is_left_includes_clean_builds(monkeypatch: pytest.MonkeyPatch) -> None:
    now = iter((0, 100, 110))
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(now))
    console = Console(record=True, file=io.StringIO())
    view = ProgressView(console)
    view.planned(steps=2, builds=2)
    view.built()
    view.finished("body")
    assert console.export_text() == "[1/2] body (about 2 min left)\n"


def test_resumed_run_counts_on_from_the_steps_that_it_has() -> None:
    console = Console(record=True, file=io.StringIO())
    view = ProgressView(console)
    view.planned(steps=1, builds=0, earlier=5)
    view.finished("body")
    assert console.export_text() == "[6/6] body\n"


def test_progress_goes_to_the_error_output(asked: Asked, capsys: pytest.CaptureFixture[str]) -> None:
    assert typed("measure") == 0
    asked.task.view.finished("body")
    shown = capsys.readouterr()
    assert "body" in shown.err and "[1/" not in shown.out


def write_record(record: Record, path: Path) -> None:
    write_atomically(path, record_bytes(record))


def test_report_is_printed_of_a_record_and_its_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "results.json"
    write_record(run_record(rounds_of({"interface": [1, 1.1], "fused": [2, 2.1]})), record)
    reports = []
    for path in (tmp_path, record):
        assert main(["measure", "report", str(path)]) == 0
        reports.append(capsys.readouterr().out)
    assert reports[0].startswith("# ") and reports[0] == reports[1]


def test_comparison_fails_where_something_became_slower(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, seconds in (("before", 1.0), ("after", 1.2)):
        samples = rounds_of({"interface": [seconds + number / 1000 for number in range(10)]})
        write_record(run_record(samples), tmp_path / name / "results.json")
    compared = ["measure", "compare", str(tmp_path / "before"), str(tmp_path / "after")]
    assert [main(compared), main([*compared, "--fail-above", "30%"])] == [1, 0]
    assert "Slower by more than 10%: interface body Store." in capsys.readouterr().out
