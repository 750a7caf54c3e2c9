"""The commands `measure report` and `measure compare`."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_records import rounds_of, run_record
from msgspec.structs import replace
from swiftmodules.cli import main
from swiftmodules.files import write_atomically
from swiftmodules.measure.record import Record, read_record, record_bytes

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
RECORD = run_record(rounds_of({"interface": [1, 1.1], "fused": [2, 2.1]}))


def write_record(record: Record, path: Path) -> None:
    write_atomically(path, record_bytes(record))


@pytest.fixture
def record(tmp_path: Path) -> Path:
    write_record(RECORD, tmp_path / "a" / "results.json")
    return tmp_path / "a"


def test_report_has_every_form(record: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def reported(*form: str) -> str:
        assert main(["measure", "report", str(record), *form]) == 0
        return capsys.readouterr().out

    assert reported().startswith("# ")
    assert reported("--html", "-").lower().startswith("<!doctype html>")
    assert main(["measure", "report", str(record / "results.json"), "--html", str(tmp_path / "new" / "page.html")]) == 0
    assert capsys.readouterr().out == ""
    assert (tmp_path / "new" / "page.html").read_text() == reported("--html", "-")


def test_file_that_is_not_a_record_exits_with_65(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "a.json").write_text("{}")
    assert main(["measure", "report", str(tmp_path / "a.json")]) == 65
    assert main(["measure", "compare", str(tmp_path / "a.json"), str(tmp_path / "b.json")]) == 65
    assert capsys.readouterr().err.count("error: ") == 2


def test_comparison_fails_where_something_became_slower(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, seconds in (("before", 1.0), ("after", 1.2)):
        samples = rounds_of({"interface": [seconds + number / 1000 for number in range(10)]})
        write_record(run_record(samples), tmp_path / name / "results.json")
    compared = ["measure", "compare", str(tmp_path / "before"), str(tmp_path / "after")]
    assert [main(compared), main([*compared, "--fail-above", "30%"])] == [1, 0]
    assert "Slower by more than 10%: interface body Store." in capsys.readouterr().out
    after = read_record(tmp_path / "after")
    other = replace(after, machine=replace(after.machine, cores=8))
    write_record(other, tmp_path / "other" / "results.json")
    compared = ["measure", "compare", str(tmp_path / "after"), str(tmp_path / "other")]
    assert main(compared) == 0
    assert "Different machines" in capsys.readouterr().out
