"""Records are written as a whole, read with precise errors, and kept sample by sample during a run."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
from made_records import cell, conditions, matrix, rounds_of, run_record, sample
from swiftmodules.errors import RecordError, ToolError, UsageError
from swiftmodules.records.files import SampleLog, read_kind, read_record, record_bytes, write_record
from swiftmodules.records.kinds import RunRecord, ScaleRecord
from swiftmodules.records.model import FORMAT, Cell

SAMPLES = rounds_of({"interface": [1.0, 1.5], "fused": [2.0, 2.5]})


def test_record_that_is_written_is_read_back(tmp_path: Path) -> None:
    record = run_record([*SAMPLES, sample(3, "interface", 1, conditions=conditions(True))])
    path = tmp_path / "new folder" / "results.json"
    write_record(record, path)
    assert read_record(path) == msgspec.structs.replace(record, format=FORMAT)
    assert read_record(path.parent) == read_record(path)
    assert list(json.loads(path.read_text()))[:3] == ["kind", "format", "package"]
    assert [file.name for file in path.parent.iterdir()] == ["results.json"]


def test_fields_with_default_values_are_not_written() -> None:
    written = json.loads(record_bytes(run_record([sample(1, "interface", 1, module=None)])))
    assert "incomplete" not in written
    assert "module" not in written["samples"][0]


def test_fields_that_are_unknown_are_ignored(tmp_path: Path) -> None:
    path = tmp_path / "results.json"
    path.write_text(json.dumps(json.loads(record_bytes(run_record(SAMPLES))) | {"later": 1}))
    assert read_kind(path, RunRecord).samples == SAMPLES


WHOLE = json.loads(record_bytes(run_record(SAMPLES)))


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("{", "is not a record of this program: Input data was truncated"),
        ("[]", "is not a record of this program: Expected `object`, got `array`"),
        ("{}", "it has no 'format' and 'kind'"),
        (json.dumps({"schema_version": 2}), "earlier version of this program (schema_version 2)"),
        (json.dumps({**WHOLE, "format": 9}), "has format 9, and this program reads 3"),
        (json.dumps({**WHOLE, "kind": "walk"}), "its kind is 'walk', and this program reads run, matrix, scale"),
        (json.dumps({**WHOLE, "seconds": "long"}), "Expected `float`, got `str` - at `$.seconds`"),
        (
            json.dumps({**WHOLE, "samples": [{**WHOLE["samples"][0], "seconds": 0}]}),
            "Expected `float` > 0.0 - at `$.samples[0].seconds`",
        ),
        (json.dumps({k: v for k, v in WHOLE.items() if k != "machine"}), "missing required field `machine`"),
    ],
)
def test_file_that_is_not_a_record_is_rejected_with_its_place(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "results.json"
    path.write_text(content)
    with pytest.raises(RecordError) as raised:
        read_record(path)
    assert str(path) in str(raised.value)
    assert message in str(raised.value)
    assert raised.value.exit_code == 65


def test_a_record_of_another_kind_or_none_is_refused(tmp_path: Path) -> None:
    write_record(matrix(cell("body", "fused")), tmp_path / "matrix.json")
    with pytest.raises(RecordError, match=r"matrix\.json is a record of 'matrix'; one of 'scale' is needed"):
        read_kind(tmp_path / "matrix.json", ScaleRecord)
    with pytest.raises(RecordError, match=r"cannot read .*none\.json: No such file"):
        read_record(tmp_path / "none.json")
    with pytest.raises(RecordError, match=r"holds no record: neither results\.json nor samples\.jsonl"):
        read_record(tmp_path)


def test_a_record_that_cannot_be_written_leaves_the_one_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("as it was")
    with pytest.raises(ToolError, match="cannot write"):
        write_record(run_record(), tmp_path / "file" / "results.json")
    assert (tmp_path / "file").read_text() == "as it was"


def test_a_killed_run_keeps_every_sample_but_the_line_that_was_cut_off(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    log = SampleLog.begin(path, run_record())
    for each in SAMPLES[:2]:
        log.append(each)
    log.keep(run_record(contents="what was built"))
    log.append(SAMPLES[2])
    with path.open("ab") as file:
        file.write(b'{"sample": {"round": 2, "pos')
    found = read_kind(tmp_path, RunRecord)
    assert (found.samples, found.contents) == (SAMPLES[:3], "what was built")
    assert found.incomplete == "the run was killed after 3 samples or later."

    resumed, kept = SampleLog.resume(tmp_path)
    assert isinstance(kept.record, RunRecord)
    assert kept.record.samples == SAMPLES[:3]
    resumed.append(SAMPLES[3])
    assert read_kind(path, RunRecord).samples == SAMPLES

    resumed.replace(run_record(SAMPLES[:2]))
    assert read_kind(path, RunRecord).samples == SAMPLES[:2]
    resumed.finish(run_record(SAMPLES), tmp_path / "results.json")
    assert [file.name for file in tmp_path.iterdir()] == ["results.json"]


def test_the_reason_of_an_interruption_and_parts_are_kept(tmp_path: Path) -> None:
    log = SampleLog.begin(tmp_path / "samples.jsonl", run_record())
    log.append_part(sample(1, "interface", 1))
    log.keep(run_record(incomplete="the run ended after 1 part (SIGTERM)."))
    _, kept = SampleLog.resume(log.path)
    assert kept.record.incomplete == "the run ended after 1 part (SIGTERM)."
    assert [part["layout"] for part in kept.parts] == ["interface"]


def test_samples_of_another_run_are_never_replaced_or_misread(tmp_path: Path) -> None:
    path = tmp_path / "samples.jsonl"
    with pytest.raises(RecordError, match=r"holds no samples\.jsonl"):
        SampleLog.resume(tmp_path)
    SampleLog.begin(path, run_record())
    with pytest.raises(UsageError, match="Resume it with --resume"):
        SampleLog.begin(path, run_record())
    path.write_text("{}\n" + "nothing\n")
    with pytest.raises(RecordError, match="line 2: JSON is malformed"):
        read_record(path)
    path.write_text("{}\n")
    with pytest.raises(RecordError, match="it has no line with a record"):
        read_record(path)


def test_one_sample_has_one_name_and_memory() -> None:
    tree = sample(1, "fused", 1, peak_memory_bytes=5, largest_process_bytes=7)
    assert (tree.cell, tree.cell.name) == (Cell("fused", "body", "Store"), "fused body Store")
    assert [tree.memory_bytes, sample(1, "fused", 1).memory_bytes] == [7, None]
    assert [sample(1, "fused", 1, compiled=12).files, tree.files] == [12, 1]
