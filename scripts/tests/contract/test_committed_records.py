"""Every committed record through every reader and in every form."""

from __future__ import annotations

from pathlib import Path

import pytest
from swiftmodules.records.files import read_record, record_bytes
from swiftmodules.records.kinds import AnyRecord

RESULTS = Path(__file__).resolve().parents[3] / "docs" / "results"
RECORDS = sorted(path for path in RESULTS.rglob("*.json") if path.name != "durations.json")


@pytest.fixture(scope="module", params=[path.relative_to(RESULTS).as_posix() for path in RECORDS])
def path(request: pytest.FixtureRequest) -> Path:
    return RESULTS / str(request.param)


@pytest.fixture(scope="module")
def record(path: Path) -> AnyRecord:
    return read_record(path)


def test_every_kind_is_there() -> None:
    assert {type(read_record(path)) for path in RECORDS} == set(AnyRecord.__args__)


def test_a_record_is_complete_and_as_this_program_writes_it(path: Path, record: AnyRecord) -> None:
    assert record.incomplete is None
    assert record_bytes(record) == path.read_bytes()
