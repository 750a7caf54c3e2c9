"""Samples as comma-separated values."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

from conftest import SCRIPTS
from records import new_record, sample
from records import record as older_record

from buildspeed.csv_text import COLUMNS, csv_text
from buildspeed.record import Record, Sample, read_record

FORMAT = SCRIPTS.parent / "docs/ResultsFormat.md"


def lines(record: Record) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_text(record))))


def expected(each: Sample) -> dict[str, object]:
    conditions = each.conditions
    return {
        "round": each.round,
        "position": each.position,
        "layout": each.layout,
        "edit": each.edit,
        "module": each.module,
        "seconds": each.seconds,
        "cpu_seconds": each.cpu_seconds,
        "settling_seconds": each.settling_seconds,
        "compiled_files": len(each.compiled),
        "emitted_modules": each.emitted_modules,
        "links": each.links,
        "largest_process_bytes": each.largest_process_bytes,
        "peak_memory_bytes": each.peak_memory_bytes,
        "load_average": conditions and conditions.load_average,
        "cpu_pressure_share": conditions and conditions.cpu_pressure,
        "other_cpu_seconds": conditions and conditions.other_cpu_seconds,
        "noisy": conditions and conditions.noisy,
    }


def value(text: str) -> object:
    """What a field says, as a reader would take it."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return float(text)
    except ValueError:
        return text


def test_every_sample_is_a_line_from_which_its_numbers_come_back_to_the_last_digit() -> None:
    record = read_record(SCRIPTS.parent / "docs/results/layouts/results.json")
    found = [{name: value(text) for name, text in line.items()} for line in lines(record)]
    assert found == [expected(each) for each in record.samples]


def test_what_was_not_recorded_is_empty() -> None:
    (line,) = lines(older_record([replace(sample(1, "interface", 1, module=None), settling_seconds=None)]))
    empty = ["module", "settling_seconds", *list(COLUMNS)[11:]]
    assert [name for name, text in line.items() if text == ""] == empty


def test_name_with_commas_quotes_and_line_ends_comes_back() -> None:
    made = new_record({"interface": 1}, count=1)
    made.samples = [replace(made.samples[0], module='A, "B"\nC')]
    assert [line["module"] for line in lines(made)] == ['A, "B"\nC']


def test_every_column_is_documented() -> None:
    text = FORMAT.read_text()
    section = text[text.index("## CSV") :]
    assert [name for name in COLUMNS if f"`{name}`" not in section] == []


def test_record_without_samples_has_a_header(tmp_path: Path) -> None:
    assert csv_text(older_record()) == ",".join(COLUMNS) + "\n"
