"""`scripts/measure report`: every form from a record."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from records import new_record, write_matrix_file, write_scale_file, write_simulation_file

from buildspeed.cli import main
from buildspeed.csv_text import csv_text
from buildspeed.page.rendering import html_page
from buildspeed.record import Record, read_record, write_record
from buildspeed.record_file import json_text
from buildspeed.report import markdown

OLDER = Path(__file__).with_name("fixtures") / "results-version-1.json"
Report = Callable[..., int]


@pytest.fixture
def record(tmp_path: Path) -> Record:
    """As it is read from its file, where every number of seconds has a point."""
    write_record(new_record({"interface": 1, "fused": 2, "control": 1}), tmp_path / "results.json")
    return read_record(tmp_path / "results.json")


@pytest.fixture
def report(record: Record, tmp_path: Path) -> Report:
    """Runs the command for a record in a file, with options that may name files in the same folder."""

    def run(*options: str) -> int:
        paths = [str(tmp_path / each) if "." in each else each for each in options]
        return main(["report", str(tmp_path / "results.json"), *paths])

    return run


@pytest.mark.parametrize("options", [(), ("--markdown",)])
def test_markdown_is_written_unless_another_form_is_named(
    report: Report, record: Record, capsys: pytest.CaptureFixture[str], options: tuple[str, ...]
) -> None:
    assert report(*options) == 0
    assert capsys.readouterr().out == markdown(record)


def test_every_form_can_be_made_at_once(
    report: Report, record: Record, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert report("--html", "new/report.html", "--csv", "samples.csv", "--json") == 0
    assert (tmp_path / "new/report.html").read_text() == html_page(record)
    assert (tmp_path / "samples.csv").read_text() == csv_text(record)
    assert capsys.readouterr().out == json_text(record.as_json())


def test_csv_goes_to_standard_output(report: Report, record: Record, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--csv", "-") == 0
    assert capsys.readouterr().out == csv_text(record)


def test_table_is_the_only_thing_where_it_is_asked_for(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--table") == 0
    output = capsys.readouterr().out
    assert "A/A control" in output
    assert "# Rebuilding" not in output


def test_older_record_becomes_one_of_the_present_version(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["report", str(OLDER), "--json", "--html", str(tmp_path / "report.html")]) == 0
    (tmp_path / "results.json").write_text(capsys.readouterr().out)
    assert read_record(tmp_path / "results.json") == read_record(OLDER)
    assert json.loads((tmp_path / "results.json").read_text())["schema_version"] == 2


def test_matrix_growth_and_timelines_of_other_records_are_shown(report: Report, tmp_path: Path) -> None:
    write_matrix_file(tmp_path / "matrix.json", {"touch Feed monolith": 77})
    write_scale_file(tmp_path / "scale.json", {5: [("packages", 4.5, 3)], 80: [("packages", 4.5, 3)]})
    write_simulation_file(tmp_path / "simulation.json", {"monolith": ["touch"]})
    others = ("--matrix", "matrix.json", "--scale", "scale.json", "--simulate", "simulation.json")
    assert report("--html", "report.html", *others) == 0
    page = (tmp_path / "report.html").read_text()
    assert '<td class="heat" style="--heat:100%">77</td>' in page
    assert "found it with Swift 6.9" in page
    assert "packages, 80 modules: 4.5 seconds" in page
    assert "<h3>monolith <small>touch Store, 4.00 s</small></h3>" in page


def test_matrix_without_a_page_is_a_wrong_option(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--matrix", "matrix.json") == 64
    assert "are shown by --html only" in capsys.readouterr().err


def test_file_that_cannot_be_written_is_told(report: Report, capsys: pytest.CaptureFixture[str]) -> None:
    assert report("--html", "results.json/report.html") == 1
    assert "error: " in capsys.readouterr().err
