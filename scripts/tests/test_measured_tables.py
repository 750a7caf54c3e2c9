"""Parts of the results in documents."""

from __future__ import annotations

from pathlib import Path
from textwrap import indent
from typing import NoReturn

import pytest

from buildspeed import documents
from buildspeed.code_blocks import with_code
from buildspeed.failures import MeasurementError
from buildspeed.measured_tables import measured_tables
from buildspeed.record import Record, read_record

DOCUMENT = Path("docs/Guide.md")
SOURCE = Path("results.json")
CELL = ("interface", "private-top", "HTTPClient")


@pytest.fixture(scope="module")
def record() -> Record:
    return read_record(documents.REPOSITORY / documents.RESULTS)


def shown(argument: str, record: Record) -> str:
    text = f"A\n<!-- measured: begin {argument} -->\nold\n<!-- measured: end -->\nB\n"
    once = with_code(text, measured_tables(text, DOCUMENT, lambda: record, SOURCE))
    assert with_code(once, measured_tables(once, DOCUMENT, lambda: record, SOURCE)) == once
    assert "old" not in once and once.endswith("\n<!-- measured: end -->\nB\n")
    return once


def rows(text: str) -> list[list[str]]:
    return [line.split(" | ")[:2] for line in text.splitlines() if line.startswith("| ") and "edit" not in line][1:]


def test_rows_are_those_of_the_edits_and_modules_named(record: Record) -> None:
    assert rows(shown("private-top,body HTTPClient", record)) == [
        ["| body", "HTTPClient"],
        ["| private-top", "HTTPClient"],
    ]
    assert rows(shown("app-body", record)) == [["| app-body", ""]]
    assert [module for _, module in rows(shown("body", record))] == list(record.options.modules)
    assert f"`{record.command}` repeats it." in shown("body", record)


def test_clean_builds_are_those_of_the_record(record: Record) -> None:
    text = shown("clean-builds", record)
    for layout, build in record.clean_builds.items():
        if layout in record.options.layouts:
            assert f"| {layout} | {build.targets} | {build.files} | {build.seconds:.1f} s |" in text


def test_reach_counts_the_compiled_files_of_each_folder(record: Record) -> None:
    text = shown("reach private-top HTTPClient", record)
    compiled = next(sample.compiled for sample in record.samples if (sample.layout, sample.edit, sample.module) == CELL)
    own = sum(file.startswith("Modules/HTTPClient/Implementation/") for file in compiled)
    assert f"| Modules/HTTPClient/Implementation | {own} | " in text
    assert f"| together | {len(compiled)} | " in text


def test_part_within_a_list_is_indented_as_its_markers_are(record: Record) -> None:
    text = "- A\n\n  <!-- measured: begin clean-builds -->\n  <!-- measured: end -->\n"
    once = with_code(text, measured_tables(text, DOCUMENT, lambda: record, SOURCE))
    table = shown("clean-builds", record).split("-->\n", 1)[1].partition("<!--")[0]
    assert once == text.replace("-->\n  <!--", f"-->\n{indent(table, '  ')}  <!--")
    assert with_code(once, measured_tables(once, DOCUMENT, lambda: record, SOURCE)) == once


def test_whole_results_are_no_part_and_nothing_is_read_for_them() -> None:
    def never() -> NoReturn:
        raise AssertionError("the record is read without need")

    assert measured_tables("<!-- measured: begin -->\n<!-- measured: end -->\n", DOCUMENT, never, SOURCE) == []


@pytest.mark.parametrize(
    ("argument", "message"),
    [
        ("bod", "the results have no edit 'bod'. They have: noop, body,"),
        ("reach body Logn", "the results have no module 'Logn'. They have: HTTPClient,"),
        ("reach bod Login", "the results have no edit 'bod'. They have: noop,"),
        ("body Logn", "the results have no module 'Logn'. They have: HTTPClient, Login, Profile."),
        ("body Login interface", "'body Login interface' is too much. Name edits"),
    ],
)
def test_what_was_not_measured_is_refused_with_its_place(record: Record, argument: str, message: str) -> None:
    text = f"\n<!-- measured: begin {argument} -->\n<!-- measured: end -->\n"
    with pytest.raises(MeasurementError) as caught:
        measured_tables(text, DOCUMENT, lambda: record, SOURCE)
    assert str(caught.value).startswith(f"docs/Guide.md:2: {message}")


def test_part_of_another_record_is_left_to_that(record: Record) -> None:
    text = "<!-- measured: begin scale -->\nold\n<!-- measured: end scale -->\n"
    assert measured_tables(text, DOCUMENT, lambda: record, SOURCE, ["scale"]) == []
    with pytest.raises(MeasurementError, match="no edit 'scale'"):
        measured_tables(text, DOCUMENT, lambda: record, SOURCE)
