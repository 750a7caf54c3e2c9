"""Every committed record through every reader and in every form.

That documents agree with the records is tested with scripts/docs.
"""

from __future__ import annotations

import io
import re
import shlex
from functools import cache
from pathlib import Path

import pytest
from rich.console import Console
from swiftmodules.cli import app
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.charts import charts
from swiftmodules.measure.compare import compare, print_comparison
from swiftmodules.measure.page import html_page
from swiftmodules.measure.record import Record
from swiftmodules.measure.report import markdown, print_report
from swiftmodules.measure.store import read_record, record_bytes

RESULTS = Path(__file__).resolve().parents[3] / "docs/results"
# That of scripts/bench is of another kind.
RECORDS = sorted(path.parent.name for path in RESULTS.glob("*/results.json") if path.parent.name != "router")


@cache
def analysis_of(name: str) -> Analysis:
    return Analysis(read_record(RESULTS / name))


@pytest.fixture(scope="module", params=RECORDS)
def record(request: pytest.FixtureRequest) -> Record:
    return analysis_of(str(request.param)).record


def test_every_axis_and_every_use_of_the_record_is_there() -> None:
    assert RECORDS == ["floor", "history", "history-copies", "layouts", "live", "matrix"]
    varied = {name for each in RECORDS for name, values in analysis_of(each).record.axes.items() if len(values) > 1}
    assert varied == {"edit", "module", "layout", "setting", "until", "copies"}


@pytest.mark.parametrize("name", RECORDS)
def test_record_is_complete_and_as_this_program_writes_it(name: str) -> None:
    record = analysis_of(name).record
    assert record.incomplete is None
    assert record_bytes(record) == (RESULTS / name / "results.json").read_bytes()
    for axis, values in record.axes.items():
        found = {value for each in record.samples if (value := getattr(each, axis)) is not None}
        assert found <= {*values}, axis


def test_record_has_every_form_and_a_command_that_repeats_it(record: Record) -> None:
    program, *words = shlex.split(record.command)
    assert program == "scripts/measure"
    app("measure").parse_args(words, exit_on_error=False, print_error=False)
    analysis = Analysis(record)
    text = markdown(analysis)
    assert text.startswith("# ")
    assert "None" not in text
    page = html_page(analysis)
    assert page.count("<img ") == len(charts(analysis)) and "![" not in page
    assert re.findall(r"""<[^>]*(?:src|href)=["']?(?!data:)[^"'\s>]+|url\(|@import""", page) == []
    console = Console(width=160, file=io.StringIO(), record=True)
    print_report(analysis, console)
    assert len(console.export_text().splitlines()) > 5
    comparison = compare(record, record)
    assert comparison.failures(0) == []
    assert list(comparison.differences) == []
    assert all(change.ratio == 1 for change in comparison.changes)
    assert comparison.cells > 0
    print_comparison(comparison, 0.1, Console(file=io.StringIO()))


def test_matrix_is_whole_and_its_smallest_sets_do_not_depend_on_the_layout() -> None:
    matrix = analysis_of("matrix").record
    places = {each.row for each in matrix.samples}
    assert {(each.layout, *each.row) for each in matrix.samples} == {
        (layout, edit, module) for edit, module in places for layout in matrix.values("layout")
    }
    sets: dict[tuple[str, str | None], set[tuple[str, ...] | None]] = {}
    for each in matrix.samples:
        sets.setdefault(each.row, set()).add(each.smallest)
    assert {place: len(found) for place, found in sets.items() if len(found) > 1} == {}
    # This protocol names the struct in a requirement, and does not depend on its layout.
    assert {(*each.row, each.stale) for each in matrix.samples if each.stale} == {
        ("interface-stored-property", "HTTPClient", ("Modules/HTTPClient/Interface/Client.swift",))
    }
