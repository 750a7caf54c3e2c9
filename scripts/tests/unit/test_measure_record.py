"""Records are written as a whole, read with precise errors, and kept sample by sample during a run."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from made_records import rounds_of, run_record
from swiftmodules.errors import RecordError, ToolError
from swiftmodules.measure.record import Cell, LeftOut, Record, SampleLog, read_record, record_bytes

SAMPLES = rounds_of({"interface": [1.0, 2.0], "fused": [3.0, 4.0]})
RECORD = run_record(SAMPLES)


def log_of(record: Record, folder: Path) -> SampleLog:
    log = SampleLog(folder)
    log.begin(record)
    return log


def test_record_that_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    log_of(RECORD, tmp_path).finish(RECORD)
    assert read_record(path) == read_record(tmp_path) == RECORD
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]
    # Fields with default values are not written, and unknown ones are ignored.
    written = json.loads(path.read_text())
    assert "incomplete" not in written and "control" not in written["samples"][0]
    path.write_text(json.dumps(written | {"later": 1}))
    assert read_record(path) == RECORD


def test_what_is_left_out_covers_all_values_of_a_coordinate_that_it_does_not_name() -> None:
    cell = Cell(setting="lld", edit="body", module="Store")
    assert LeftOut(setting="lld", reason="no linker").covers(cell)
    assert LeftOut(edit="body", module="Store", reason="no place").covers(cell)
    assert not LeftOut(layout="fused", edit="body", reason="no").covers(cell)


def test_file_that_is_not_a_record_is_rejected_with_its_place(tmp_path: Path) -> None:
    whole, path = json.loads(record_bytes(RECORD)), tmp_path / "results.json"
    for content, message in {
        "{": "is not a record of this program: Input data was truncated",
        "{}": "missing required field `format`",
        json.dumps({**whole, "format": 4}): "Invalid enum value 4 - at `$.format`",
        json.dumps({**whole, "samples": [{**whole["samples"][0], "seconds": 0}]}): "> 0.0 - at `$.samples[0].seconds`",
        json.dumps({key: value for key, value in whole.items() if key != "axes"}): "missing required field `axes`",
    }.items():
        path.write_text(content)
        with pytest.raises(RecordError) as raised:
            read_record(path)
        assert str(path) in str(raised.value) and message in str(raised.value)
    with pytest.raises(RecordError, match=r"cannot read .*none\.json: No such file"):
        read_record(tmp_path / "none.json")
    path.unlink()
    with pytest.raises(RecordError, match=r"holds no record: neither results\.json nor samples\.jsonl"):
        read_record(tmp_path)


def test_killed_run_keeps_every_sample_but_the_line_that_was_cut_off(tmp_path: Path) -> None:
    log = log_of(run_record(rounds=2), tmp_path)
    for each in SAMPLES[:2]:
        log.append(each)
    log.keep(run_record(rounds=2, seconds=7))
    log.append(SAMPLES[2])
    with log.path.open("ab") as file:
        file.write(b'{"sample": {"round": 2, "lay')
    found = read_record(tmp_path)
    assert (found.samples, found.seconds) == (SAMPLES[:3], 7)
    assert found.incomplete == "the run was killed after sample 3 or later."
    # Where the run goes on, nothing is appended to that line.
    log.append(SAMPLES[3])
    assert read_record(tmp_path).samples == SAMPLES


def test_line_that_was_cut_off_costs_no_other_one(tmp_path: Path) -> None:
    log = log_of(run_record(rounds=2), tmp_path)
    for each in SAMPLES:
        log.append(each)
    lines = log.path.read_bytes().splitlines(keepends=True)
    log.path.write_bytes(b"".join([lines[0], lines[1][:40], *lines[2:]]))
    assert read_record(tmp_path).samples == SAMPLES[2:]


def test_samples_of_another_program_are_not_misread_and_failed_writing_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    for text, message in (
        ("{}\nnothing\n", "it has no line with a record"),
        ("{}\n", "it has no line with a record"),
        ('{}\n{"record":{"format":4}}\n', "line 2: Invalid enum value 4"),
    ):
        path.write_text(text)
        with pytest.raises(RecordError, match=message):
            read_record(path)
    with pytest.raises(ToolError, match="cannot write"):
        log_of(RECORD, path)
