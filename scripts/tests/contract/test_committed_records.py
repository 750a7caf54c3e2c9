"""Every committed record through every reader and in every form.

That documents agree with the records is tested with scripts/docs.
"""

from __future__ import annotations

import csv
import io
import json
import re
import shlex
import sys
from functools import cache
from pathlib import Path
from typing import get_args

import pytest
from rich.console import Console

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit"))

from pages import Page
from swiftmodules.analysis.compare import AnyAnalysis, analyse, compare
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.cli import app
from swiftmodules.records.files import kind_of, read_record, record_bytes
from swiftmodules.records.kinds import AnyRecord, MatrixRecord, RunRecord
from swiftmodules.report.csv_lines import COLUMNS, csv_text, sample_value
from swiftmodules.report.markdown import markdown
from swiftmodules.report.output import print_comparison, print_report
from swiftmodules.report.page import html_page

REPOSITORY = Path(__file__).resolve().parents[3]
RESULTS = REPOSITORY / "docs/results"
RECORDS = [
    path.relative_to(RESULTS).as_posix() for path in sorted(RESULTS.rglob("*.json")) if path.name != "durations.json"
]


@cache
def analysis_of(name: str) -> AnyAnalysis:
    return analyse(read_record(RESULTS / name))


@pytest.fixture(scope="module", params=RECORDS)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def of_kind(kind: str) -> AnyAnalysis:
    return next(found for name in RECORDS if kind_of((found := analysis_of(name)).record) == kind)


def test_every_kind_is_there() -> None:
    assert {type(analysis_of(name).record) for name in RECORDS} == set(get_args(AnyRecord))


def test_record_is_complete_and_as_this_program_writes_it(name: str) -> None:
    record = analysis_of(name).record
    assert record.incomplete is None
    assert record_bytes(record) == (RESULTS / name).read_bytes()
    used = set(getattr(record.options, "edits", ())) | set(getattr(record.options, "layouts", ()))
    assert used <= record.meanings.keys() or kind_of(record) == "bench"


def test_command_that_repeats_a_record_is_one_of_this_program(name: str) -> None:
    program, *words = shlex.split(analysis_of(name).record.command)
    if program == "scripts/measure":
        app("measure").parse_args(words, exit_on_error=False, print_error=False)


def test_report_has_a_title_and_no_value_that_is_absent(name: str) -> None:
    text = markdown(analysis_of(name))
    assert text.startswith("# ")
    assert "None" not in text


def test_comma_separated_values_have_a_line_for_each_sample(name: str) -> None:
    record = analysis_of(name).record
    rows = list(csv.DictReader(io.StringIO(csv_text(record))))
    samples = getattr(record, "samples", rows)
    assert len(rows) == len(samples) > 0
    if isinstance(record, RunRecord):
        for row, sample in zip(rows, record.samples, strict=True):
            assert list(row) == list(COLUMNS)
            assert {name: _value(text) for name, text in row.items()} == {
                name: sample_value(sample, name) for name in COLUMNS
            }


def _value(text: str) -> object:
    """Returns the value of a field, as a reader would take it."""
    if text in ("", "true", "false"):
        return {"": None, "true": True, "false": False}[text]
    try:
        return float(text)
    except ValueError:
        return text


def test_page_is_well_formed_holds_the_record_and_makes_no_request(name: str) -> None:
    text = html_page([analysis_of(name)])
    page = Page(text)
    assert json.loads(page.records[0]) == json.loads((RESULTS / name).read_bytes())
    assert "default-src 'none'" in text
    assert re.findall(r"""<[^>]*(?:src|href)=["']?(?!#|data:)[^"'\s>]+|url\(|@import""", text) == []
    assert html_page([analyse(analysis_of(name).record)]) == text
    if isinstance(analysis_of(name), RunAnalysis):
        # Beside the record itself, less than a kilobyte for each sample.
        assert len(text) - len(page.records[0]) < 1000 * len(page.of("circle"))


def test_all_records_make_one_page_with_growth_and_timelines() -> None:
    text = html_page([analysis_of(name) for name in RECORDS])
    page = Page(text)
    assert {"Compiled files", "Seconds", "Growth", "Timelines"} <= set(page.text("h2"))
    assert len(page.records) == len(RECORDS)


def test_timelines_come_from_the_record_of_simulate_as_it_is() -> None:
    text = html_page([of_kind("run"), of_kind("simulate")])
    titles = re.findall(r"<h3>(\w+) <small>([\w-]+ \w+), ([\d.]+) s</small></h3>", text)
    assert [layout for layout, _, _ in titles] == ["interface", "fused", "monolith"]
    assert len({edit for _, edit, _ in titles}) == 1
    assert 'class="lane"' in text


def test_terminal_shows_a_table(name: str) -> None:
    console = Console(width=160, file=io.StringIO(), record=True)
    print_report(analysis_of(name), console)
    assert len(console.export_text().splitlines()) > 5


def test_record_compared_with_itself_has_no_failure(name: str) -> None:
    record = analysis_of(name).record
    comparison = compare(record, record)
    assert comparison.failures(0) == []
    assert comparison.differences == ()
    assert all(change.ratio == 1 for change in comparison.changes)
    assert comparison.cells > 0
    print_comparison(comparison, 0.1, Console(file=io.StringIO()))


def test_matrix_is_whole_and_its_smallest_sets_do_not_depend_on_the_layout() -> None:
    matrix = of_kind("matrix").record
    assert isinstance(matrix, MatrixRecord)
    places = {(each.edit, each.module) for each in matrix.cells}
    assert {each.cell for each in matrix.cells} == {
        (layout, edit, module) for edit, module in places for layout in matrix.options.layouts
    }
    sets: dict[tuple[str, str | None], set[tuple[str, ...]]] = {}
    for each in matrix.cells:
        sets.setdefault((each.edit, each.module), set()).add(each.smallest)
    assert {place: len(found) for place, found in sets.items() if len(found) > 1} == {}
    # These protocols name the struct in requirements, and the interactor hands an array of it on. Neither depends on
    # the struct's layout: compiled again, the interactor gives the same object file.
    library = "Modules/Notes/Interface/Library.swift"
    named_only = {
        "HTTPClient": {("Modules/HTTPClient/Interface/Client.swift",)},
        "Notes": {(library,), ("Modules/Notes/Implementation/List/NoteListInteractor.swift", library)},
        "Storage": {("Modules/Storage/Interface/Store.swift",)},
    }
    assert {each.edit for each in matrix.cells if each.stale} == {"interface-stored-property"}
    found = {each.module: {cell.stale for cell in matrix.cells if cell.module == each.module} for each in matrix.cells}
    assert {module: stale - {()} for module, stale in found.items() if stale != {()}} == named_only


def test_format_is_documented_as_the_model_has_it() -> None:
    text = (REPOSITORY / "scripts/tool/ResultsFormat.md").read_text()
    kinds = [kind_of(kind) for kind in get_args(AnyRecord)]
    assert re.findall(r"<!-- fields: begin (\w+) -->", text) == ["shared", *kinds, "log"]
    csv_section = text[text.index("## CSV") :]
    assert [column for column in COLUMNS if f"`{column}`" not in csv_section] == []
