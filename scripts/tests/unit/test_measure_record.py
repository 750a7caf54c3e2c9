"""Records are written as a whole, read with precise errors, and kept sample by sample during a run."""

from __future__ import annotations

import errno
import json
from pathlib import Path

import pytest
from made_records import rounds_of, run_record
from swiftmodules.errors import DiskFullError, UsageError
from swiftmodules.measure.record import Cell, LeftOut, finish, keep, read_record, record_bytes

SAMPLES = rounds_of({"interface": [1.0, 2.0], "fused": [3.0, 4.0]})
RECORD = run_record(SAMPLES)


def test_record_that_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    finish(RECORD, tmp_path)
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
        json.dumps({**whole, "format": 6}): "Invalid enum value 6 - at `$.format`",
        json.dumps({**whole, "samples": [{**whole["samples"][0], "seconds": 0}]}): "> 0.0 - at `$.samples[0].seconds`",
        json.dumps({key: value for key, value in whole.items() if key != "jobs"}): "missing required field `jobs`",
    }.items():
        path.write_text(content)
        with pytest.raises(UsageError) as raised:
            read_record(path)
        assert str(path) in str(raised.value) and message in str(raised.value)
    with pytest.raises(UsageError, match=r"cannot read .*none\.json: No such file"):
        read_record(tmp_path / "none.json")
    path.unlink()
    with pytest.raises(UsageError, match=r"holds no record: neither results\.json nor unfinished\.json"):
        read_record(tmp_path)


def test_killed_run_keeps_every_sample_and_says_so(tmp_path: Path) -> None:
    keep(RECORD, tmp_path)
    found = read_record(tmp_path)
    assert found.samples == SAMPLES and found.incomplete == "the run was killed after sample 4 or later."
    assert RECORD.incomplete is None
    keep(run_record(SAMPLES, incomplete="it was interrupted."), tmp_path)
    assert read_record(tmp_path).incomplete == "it was interrupted."
    finish(RECORD, tmp_path)
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]
    # As if the run was killed before it removed the unfinished record.
    keep(run_record(), tmp_path)
    assert read_record(tmp_path) == RECORD


def test_failed_writing_is_reported_and_leaves_what_was_written_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep(RECORD, tmp_path)

    def cut_off(path: Path, content: bytes) -> int:
        with path.open("wb") as file:
            file.write(content[:100])
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", cut_off)
    with pytest.raises(DiskFullError, match=r"cannot write .*unfinished\.json: No space left"):
        keep(run_record(), tmp_path)
    assert read_record(tmp_path).samples == SAMPLES and len([*tmp_path.iterdir()]) == 1
