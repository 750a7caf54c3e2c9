"""Every committed record through every reader and in every form.

That documents agree with the records is tested with scripts/docs.
"""

from __future__ import annotations

import re
import shlex
import tomllib
from pathlib import Path

import pytest
from swiftmodules.cli import app
from swiftmodules.measure.compare import compare
from swiftmodules.measure.record import read_record, record_bytes
from swiftmodules.measure.report import in_short, markdown
from swiftmodules.measure.results import Results

RESULTS = Path(__file__).resolve().parents[3] / "docs/results"
# That of scripts/bench is of another kind.
RECORDS = sorted(path.parent.name for path in RESULTS.glob("*/results.json") if path.parent.name != "router")


def test_records_are_those_that_are_measured_again() -> None:
    # A new one has to be measured first.
    assert {*RECORDS} <= {*tomllib.loads((RESULTS / "records.toml").read_text())}


@pytest.mark.parametrize("name", RECORDS)
def test_record_is_complete_with_a_command_that_repeats_it_and_has_every_form(name: str) -> None:
    record = read_record(RESULTS / name)
    assert record.incomplete is None
    assert record_bytes(record) == (RESULTS / name / "results.json").read_bytes()
    # No path of the machine that measured.
    assert not re.search(rb"(?<![\w.])/(?:home|root|private|tmp|Users|work)/\w", record_bytes(record))
    for each in record.samples:
        assert each.variant in record.variants and each.row in record.rows
    program, *words = shlex.split(record.command)
    assert program == "scripts/measure"
    app("measure").parse_args(words, exit_on_error=False, print_error=False)

    results = Results(record)
    text = markdown(results)
    assert text.startswith("# ") and text.count("![") == (not record.commits) and "None" not in text
    assert len(in_short(results).splitlines()) > 5
    comparison = compare(record, record)
    assert comparison.failures == [] and not any(each.is_other for each in comparison.changes)


def test_matrix_is_whole() -> None:
    matrix = read_record(RESULTS / "matrix")
    places = {each.row for each in matrix.samples}
    assert {(each.layout, *each.row) for each in matrix.samples} == {
        (layout, edit, module) for edit, module in places for layout in matrix.values("layout")
    }
