"""Comma-separated values, what a terminal shows, and the files that an experiment leaves."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest
from made_records import (
    bench_record,
    build,
    cell,
    floor_record,
    matrix,
    noisy_record,
    run_record,
    sample,
    scale_record,
    simulate_record,
)
from msgspec.structs import replace
from rich.console import Console
from swiftmodules.analysis.compare import analyse
from swiftmodules.records.files import read_record
from swiftmodules.records.kinds import AnyRecord
from swiftmodules.report.csv_lines import COLUMNS, csv_rows, csv_text
from swiftmodules.report.output import print_report, write_report


def lines(record: AnyRecord) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(record))))


def test_columns_that_were_not_recorded_are_empty() -> None:
    (line,) = lines(run_record([replace(sample(1, "interface", 1, module=None), settling_seconds=None)]))
    empty = ["module", "settling_seconds", *list(COLUMNS)[11:]]
    assert [name for name, text in line.items() if text == ""] == empty


def test_numbers_and_names_come_back_to_the_last_digit() -> None:
    made = noisy_record({"interface": 1}, count=2)
    made.samples = [replace(made.samples[0], module='A, "B"\nC'), made.samples[1]]
    first, second = lines(made)
    assert (first["module"], float(first["seconds"])) == ('A, "B"\nC', made.samples[0].seconds)
    assert [first["noisy"], second["noisy"], first["compiled_files"]] == ["true", "false", "1"]
    assert csv_text(run_record()) == ",".join(COLUMNS) + "\n"


@pytest.mark.parametrize(
    ("record", "columns", "first"),
    [
        (scale_record(), ["size", "round"], [5, 1, 1, "interface", "noop", None, 1.2]),
        (floor_record(), ["round", "position", "layout"], [1, 1, "default", None, None, 10]),
        (matrix(cell("body", "fused")), ["layout", "edit", "module"], ["fused", "body", "M", 1, 1, 1, 1]),
        (simulate_record(build({2: (5.0,)})), ["package", "layout"], ["P", "interface", "body", "A", 2, 1, 5.0]),
        (bench_record(), ["operation", "batch"], ["resolve", 1, 80.0]),
    ],
    ids=["scale", "floor", "matrix", "simulate", "bench"],
)
def test_record_of_every_kind_has_a_line_for_each_build(
    record: AnyRecord, columns: list[str], first: list[object]
) -> None:
    header, row, *_ = csv_rows(record)
    assert header[: len(columns)] == columns
    assert row[: len(first)] == pytest.approx(first)
    assert len(header) == len(row)


def shown(record: AnyRecord) -> str:
    console = Console(width=160, file=io.StringIO(), record=True)
    print_report(analyse(record), console)
    return console.export_text()


def test_terminal_shows_the_table_and_what_makes_it_trustworthy() -> None:
    text = shown(replace(noisy_record({"interface": 1, "fused": 2, "control": 1}), is_copy=True))
    first, second = [line.split() for line in text.splitlines()[1:3]]
    assert (first, second) == (
        ["interface", "fused"],
        ["edit", "module", "files", "seconds", *["files", "seconds", "ratio"]],
    )
    assert "A/A control: 'interface' was measured a second time" in text
    assert "- The edit that costs most in the package as it is:" in text
    assert "`" not in text


def test_terminal_shows_the_main_table_of_every_kind() -> None:
    scale = shown(scale_record(sizes=(10, 20, 40), rounds=(0.9, 0.9, 0.9, 1.1, 1.1, 1.1)))
    assert "10, 20, 40 copies" in scale
    assert "100.0 (90.0–110.0)" in scale
    assert "Skipped: 80 copies: about" in shown(scale_record(skipped=(80,)))
    assert "0.50 (0.50–0.50)" in shown(floor_record())
    assert "Of 1 predictions for this machine" in shown(simulate_record(build({1: (6.0,)})))
    assert "1 !" in shown(matrix(cell("body", "fused", smallest=["A.swift", "B.swift"])))
    assert "5,100 ns" in shown(bench_record())


def test_experiment_leaves_its_record_and_reports(tmp_path: Path) -> None:
    for record, names in (
        (noisy_record({"interface": 1}), ["report.html", "results.json", "results.md"]),
        (matrix(cell("body", "interface")), ["files.svg", "results.json", "results.md"]),
        (scale_record(), ["files.svg", "results.json", "results.md", "seconds.svg"]),
        (floor_record(), ["ratio.svg", "results.json", "results.md"]),
    ):
        folder = tmp_path / record.command
        write_report(analyse(record), folder)
        assert sorted(path.name for path in folder.iterdir()) == names
        assert read_record(folder).command == record.command
