"""Records are written as a whole, read with precise errors, and kept sample by sample during a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from swiftmodules.errors import RecordError, ToolError
from swiftmodules.measure.record import FORMAT, Cell, Record, Refusal, Sample
from swiftmodules.measure.store import Origin, SampleLog, read_origin, read_record, record_bytes, write_record
from swiftmodules.options import MeasureChoices

AXES: dict[str, Any] = {"layout": ("interface", "fused"), "edit": ("body",), "module": ("Store",)}
ORIGIN = Origin("/Shop", MeasureChoices(rounds=2, edits=("body",), session=Path("typed.txt")))


def sample(round: int = 1, layout: str = "interface", **more: Any) -> Sample:  # noqa: ANN401  fields of a sample
    fields = {"position": 1, "edit": "body", "module": "Store", "seconds": 1.0, "compiled": {"A.swift": ""}}
    return Sample(round=round, layout=layout, **(fields | more))


SAMPLES = [sample(number, layout) for number in (1, 2) for layout in ("interface", "fused")]


def record(*samples: Sample, **more: Any) -> Record:  # noqa: ANN401  fields of a record
    usual = {"package": "Tiny", "command": "measure", "toolchain": "Swift 6", "axes": AXES, "rounds": 2}
    return Record(format=FORMAT, **(usual | {"samples": list(samples)} | more))


def test_record_that_is_written_is_read_back(tmp_path: Path) -> None:
    path = tmp_path / "new folder" / "results.json"
    write_record(record(*SAMPLES), path)
    assert read_record(path) == read_record(path.parent) == record(*SAMPLES)
    written = json.loads(path.read_text())
    assert list(written)[:2] == ["format", "package"]
    # Fields with default values are not written, and unknown ones are ignored.
    assert "incomplete" not in written and "control" not in written["samples"][0]
    assert [file.name for file in path.parent.iterdir()] == ["results.json"]
    path.write_text(json.dumps(written | {"later": 1}))
    assert read_record(path).samples == SAMPLES


def test_samples_have_coordinates_and_counts() -> None:
    cell: dict[str, Any] = {"layout": "fused", "copies": 5, "setting": "lld", "until": "by-hand"}
    one = sample(**cell, compiled={"A": "edited"}, smallest=("A", "B"))
    assert one.cell == Cell(**cell, edit="body", module="Store")
    assert one.cell.name == "fused 5 copies lld body Store by-hand"
    assert (one.files, one.stale, one.links) == (1, ("B",), None)
    assert (sample(compiled=12).files, sample(linked=3).links, sample(compiled=None).files) == (12, 3, None)


def test_refusal_covers_all_values_of_an_axis_that_it_does_not_name() -> None:
    found = record(
        refused=(Refusal(setting="lld", reason="no linker"), Refusal(layout="fused", edit="body", reason="no"))
    )
    assert found.refusal(Cell(setting="lld", edit="noop")) == "no linker"
    assert found.refusal(Cell(layout="fused", edit="body", module="Store")) == "no"
    assert found.refusal(Cell(layout="fused", edit="noop")) is None


WHOLE = json.loads(record_bytes(record(*SAMPLES)))


UNREADABLE = {
    "{": "is not a record of this program: Input data was truncated",
    "{}": "it has no 'format'",
    json.dumps({**WHOLE, "format": 3}): "has format 3, and this program reads 4",
    json.dumps({**WHOLE, "samples": [{**WHOLE["samples"][0], "seconds": 0}]}): "> 0.0 - at `$.samples[0].seconds`",
    json.dumps({k: v for k, v in WHOLE.items() if k != "axes"}): "missing required field `axes`",
}


def test_file_that_is_not_a_record_is_rejected_with_its_place(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    for content, message in UNREADABLE.items():
        path.write_text(content)
        with pytest.raises(RecordError) as raised:
            read_record(path)
        assert str(path) in str(raised.value) and message in str(raised.value)


def test_missing_record_is_named_and_failed_writing_leaves_the_one_before(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"cannot read .*none\.json: No such file"):
        read_record(tmp_path / "none.json")
    with pytest.raises(RecordError, match=r"holds no record: neither results\.json nor samples\.jsonl"):
        read_record(tmp_path)
    (tmp_path / "file").write_text("as it was")
    with pytest.raises(ToolError, match="cannot write"):
        write_record(record(), tmp_path / "file" / "results.json")
    assert (tmp_path / "file").read_text() == "as it was"


def test_killed_run_keeps_every_sample_but_the_line_that_was_cut_off(tmp_path: Path) -> None:
    log = SampleLog(tmp_path)
    log.begin(record(), ORIGIN)
    log.append(*SAMPLES[:2])
    log.keep(record(contents="what was built"))
    log.append(SAMPLES[2])
    with log.path.open("ab") as file:
        file.write(b'{"sample": {"round": 2, "pos')
    found = read_record(tmp_path)
    assert (found.samples, found.contents) == (SAMPLES[:3], "what was built")
    assert found.incomplete == "the run was killed after sample 3 or later."
    assert read_origin(tmp_path) == ORIGIN
    # As the run that resumes this one begins.
    log.begin(replace(found, incomplete=None, samples=SAMPLES[:2]), ORIGIN)
    log.append(SAMPLES[3])
    assert read_record(log.path).samples == [*SAMPLES[:2], SAMPLES[3]]
    log.finish(record(*SAMPLES))
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]


def test_samples_of_another_program_are_not_misread(tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=r"holds no samples\.jsonl"):
        read_origin(tmp_path)
    path = tmp_path / "samples.jsonl"
    for text, message in (
        ("{}\nnothing\n", "line 2: JSON is malformed"),
        ("{}\n", "it has no line with a record"),
        ('{"record":{"format":3}}\n', "has format 3"),
    ):
        path.write_text(text)
        with pytest.raises(RecordError, match=message):
            read_record(path)
    with pytest.raises(RecordError, match="no line with the options of its run"):
        path.write_text("{}\n")
        read_origin(tmp_path)
