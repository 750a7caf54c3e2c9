"""What the samples say together, and how it is told."""

from __future__ import annotations

import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from buildspeed.machine import Machine
from buildspeed.plan import Cell
from buildspeed.private_copy import Revision
from buildspeed.record import SCHEMA_VERSION, CleanBuild, ModuleFacts, Options, Record, Sample, write_record
from buildspeed.report import markdown, terminal_table
from buildspeed.summary import paired_ratio, summarize


def sample(round: int, layout: str, seconds: float, files: int = 1, module: str | None = "Store") -> Sample:
    compiled = tuple(f"{number}.swift" for number in range(files))
    return Sample(round, 1, layout, "body", module, seconds, 2 * seconds, compiled, 1, 1, 0.5)


@pytest.fixture
def record() -> Record:
    return Record(
        package="Tiny",
        command="scripts/measure --seed 1",
        started="2026-01-01T00:00:00+00:00",
        machine=Machine(2, "A processor", 2**34, "A system"),
        toolchain="Swift 6",
        revision=Revision("abc", True),
        options=Options(("interface", "fused"), ("body",), ("Store",), 3, False, 1),
        placements={"body Store": "a statement somewhere"},
        modules={"Store": ModuleFacts(3, 2)},
        clean_builds={name: CleanBuild(4, 9, 1.5, 2.5) for name in ("interface", "fused")},
        samples=[
            *(sample(round, "interface", seconds) for round, seconds in enumerate([1, 2, 4], start=1)),
            *(sample(round, "fused", seconds, files=round) for round, seconds in enumerate([2, 6, 8], start=1)),
        ],
    )


def test_ratio_is_the_median_of_the_ratios_within_rounds() -> None:
    baseline = [sample(1, "interface", 1), sample(2, "interface", 2), sample(4, "interface", 9)]
    # 3 and 2 in the shared rounds, whose order does not matter; the ratio of the medians would be another.
    assert paired_ratio([sample(2, "fused", 4), sample(1, "fused", 3), sample(3, "fused", 99)], baseline) == 2.5
    assert paired_ratio([sample(3, "fused", 1)], baseline) is None


def test_summary_has_medians_and_extremes(record: Record) -> None:
    cell = Cell("fused", "body", "Store")
    summary = summarize(record, [cell])[cell]
    assert (summary.fewest_files, summary.median_files, summary.most_files) == (1, 2, 3)
    assert (summary.fastest, summary.median_seconds, summary.slowest) == (2, 6, 8)
    assert (summary.median_cpu_seconds, summary.ratio) == (12, 2)


def test_table_tells_files_seconds_and_ratio_and_where_they_varied(record: Record) -> None:
    row = "| body | Store | 1 | 2.00 (1.00–4.00) | 2 (1–3) | 6.00 (2.00–8.00) | 2.00 |"
    assert row in markdown(record)
    console = Console(width=140, record=True, file=io.StringIO())
    console.print(terminal_table(record))
    assert "6.00 (2.00–8.00)" in console.export_text()


def test_report_says_where_the_baseline_does_not_help(record: Record) -> None:
    assert "- `fused` took longer than `interface`, by more than 10%: body Store." in markdown(record)
    record.samples = [sample(1, "interface", 1), sample(1, "fused", 1.05)]
    assert "- `fused` took as long as `interface`, within 10%: body Store." in markdown(record)
    record.samples = [sample(1, "interface", 1), sample(1, "fused", 0.5)]
    assert "- `fused` took less than `interface`, by more than 10%: body Store." in markdown(record)


def test_report_without_the_baseline_has_no_ratios(record: Record) -> None:
    record.options = replace(record.options, layouts=("fused",))
    record.samples = [each for each in record.samples if each.layout == "fused"]
    assert "| body | Store | 2 (1–3) | 6.00 (2.00–8.00) | – |" in markdown(record)


def test_report_of_an_incomplete_run_says_so_and_leaves_gaps(record: Record) -> None:
    record.samples = [sample(1, "interface", 1)]
    record.incomplete = "the run ended after 1 samples"
    text = markdown(record)
    assert "**Incomplete:** the run ended after 1 samples" in text
    assert "| body | Store | 1 | 1.00 (1.00–1.00) | – | – | – |" in text


def test_report_names_conditions_test_targets_and_the_command(record: Record) -> None:
    text = markdown(record)
    for words in (
        "2 cores, A processor, 16 GiB",
        "commit abc with changes",
        "Test targets are left out",
        record.command,
    ):
        assert words in text


def test_report_says_where_an_edit_has_no_place_and_leaves_its_row_out(record: Record) -> None:
    record.options = replace(record.options, edits=("body", "private-member"))
    record.missing = {"private-member Store": "StoreImplementation has no class."}
    text = markdown(record)
    assert "  - not in Store: StoreImplementation has no class." in text
    assert "| private-member" not in text


def test_report_of_an_edit_in_tests_says_that_tests_are_built(record: Record) -> None:
    record.options = replace(record.options, edits=("body", "test-body"))
    text = markdown(record)
    assert "every build is `swift build --build-tests`" in text
    assert "Test targets are left out" not in text


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        ("private", "a private function added at the top level of an implementation file"),
        ("interface", "a public nested type added to the interface"),
    ],
)
def test_record_with_an_earlier_name_is_told_in_the_words_of_its_time(record: Record, edit: str, words: str) -> None:
    record.options = replace(record.options, edits=("body", edit))
    assert f"- `{edit}`: {words}\n" in markdown(record)


def test_record_is_written_with_its_version_and_every_sample(record: Record, tmp_path: Path) -> None:
    write_record(record, tmp_path / "new" / "results.json")
    written = json.loads((tmp_path / "new" / "results.json").read_text())
    assert written["schema_version"] == SCHEMA_VERSION
    assert [each["compiled"] for each in written["samples"]][-1] == ["0.swift", "1.swift", "2.swift"]
    assert [file.name for file in (tmp_path / "new").iterdir()] == ["results.json"]
