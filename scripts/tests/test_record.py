"""The format of results.json, as it is documented."""

from __future__ import annotations

import json
import re
from dataclasses import fields
from pathlib import Path

import pytest
from conftest import SCRIPTS
from records import new_record

from buildspeed.conditions import Conditions
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.record import (
    SCHEMA_VERSION,
    CleanBuild,
    Instruments,
    ModuleFacts,
    Options,
    Record,
    Resumption,
    Sample,
    read_record,
    write_record,
)
from buildspeed.soundness import Verdict, Verification

FORMAT = (SCRIPTS.parent / "docs/ResultsFormat.md").read_text()
OLDER = SCRIPTS / "tests/fixtures/results-version-1.json"
SECTIONS = {
    "## The record": Record,
    "### `machine`": Machine,
    "### `revision`": Revision,
    "### `options`": Options,
    "### `modules`": ModuleFacts,
    "### `clean_builds`": CleanBuild,
    "### `samples`": Sample,
    "### `conditions`": Conditions,
    "### `instruments`": Instruments,
    "### `resumptions`": Resumption,
    "### `verification`": Verification,
    "### `verdicts`": Verdict,
}


def documented(section: str) -> dict[str, int]:
    """The fields of a section with the version that brought each."""
    text = FORMAT.partition(f"\n{section}\n")[2].partition("\n##")[0]
    rows = re.findall(r"^\| `(\w+)` \| [^|]+ \| (\d) \| .+ \|$", text, re.MULTILINE)
    return {name: int(version) for name, version in rows}


@pytest.mark.parametrize("section", SECTIONS)
def test_every_field_is_documented_and_no_other(section: str) -> None:
    expected = [field.name for field in fields(SECTIONS[section])]
    if SECTIONS[section] is Record:
        expected.insert(0, "schema_version")
    assert list(documented(section)) == expected


def test_document_tells_the_present_version_and_which_fields_the_first_had() -> None:
    assert f"The present version is {SCHEMA_VERSION};" in FORMAT
    first = json.loads(OLDER.read_text())
    assert first["schema_version"] == 1
    for section, content in (
        ("## The record", first),
        ("### `options`", first["options"]),
        ("### `samples`", first["samples"][0]),
    ):
        assert {name for name, version in documented(section).items() if version == 1} == content.keys()


def test_record_of_this_version_is_read_as_it_was_written(tmp_path: Path) -> None:
    record = new_record({"interface": 1, "control": 1, "fused": 2})
    write_record(record, tmp_path / "results.json")
    assert json.loads((tmp_path / "results.json").read_text())["schema_version"] == 2
    assert read_record(tmp_path / "results.json") == record


def test_record_of_version_1_has_nothing_of_what_came_later() -> None:
    record = read_record(OLDER)
    assert (record.instruments, record.options.control, record.options.jobs) == (None, None, None)
    assert {(each.conditions, each.peak_memory_bytes, each.largest_process_bytes) for each in record.samples} == {
        (None, None, None)
    }


def test_record_that_cannot_be_put_in_place_leaves_the_one_before(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "results.json"
    write_record(new_record({"interface": 1}), path)
    before = path.read_bytes()

    def fail(*paths: Path) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", fail)
    with pytest.raises(OSError):
        write_record(new_record({"interface": 2}), path)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
