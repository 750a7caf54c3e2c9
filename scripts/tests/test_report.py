"""What the samples say together, and how it is told."""

from __future__ import annotations

import io
import json
import re
from dataclasses import replace
from pathlib import Path

import pytest
from records import new_record, sample
from records import record as older_record
from rich.console import Console

from buildspeed.conditions import NOISY_ABOVE, Conditions
from buildspeed.inference import Interval
from buildspeed.plan import Cell
from buildspeed.record import SCHEMA_VERSION, Instruments, Record, write_record
from buildspeed.report import markdown, print_report
from buildspeed.summary import Ratio, paired_ratios, ratio_of, summarize
from buildspeed.tables import ratio_text


@pytest.fixture
def record() -> Record:
    return older_record(
        [
            *(sample(round, "interface", seconds) for round, seconds in enumerate([1, 2, 4], start=1)),
            *(sample(round, "fused", seconds, files=round) for round, seconds in enumerate([2, 6, 8], start=1)),
        ]
    )


def test_ratio_is_the_median_of_the_ratios_within_rounds() -> None:
    baseline = [sample(1, "interface", 1), sample(2, "interface", 2), sample(4, "interface", 9)]
    # 3 and 2 in the shared rounds, whose order does not matter; the ratio of the medians would be another.
    ratio = ratio_of(paired_ratios([sample(2, "fused", 4), sample(1, "fused", 3), sample(3, "fused", 99)], baseline), 1)
    assert ratio is not None
    assert (ratio.median, ratio.pairs) == (2.5, 2)
    assert ratio_of(paired_ratios([sample(3, "fused", 1)], baseline), 1) is None


def test_summary_has_medians_and_extremes(record: Record) -> None:
    cell = Cell("fused", "body", "Store")
    summary = summarize(record, [cell])[cell]
    assert (summary.fewest_files, summary.median_files, summary.most_files) == (1, 2, 3)
    assert (summary.fastest, summary.median_seconds, summary.slowest) == (2, 6, 8)
    assert summary.median_cpu_seconds == 12
    assert summary.ratio is not None
    assert summary.ratio.median == 2


def test_table_tells_files_seconds_and_ratio_and_where_they_varied(record: Record) -> None:
    row = "| body | Store | 1 | 2.00 (1.00–4.00) | 2 (1–3) | 6.00 (2.00–8.00) | 2.00 |"
    assert row in markdown(record)
    console = Console(width=140, record=True, file=io.StringIO())
    print_report(record, console)
    assert "6.00 (2.00–8.00)" in console.export_text()


def test_report_says_where_the_baseline_does_not_help(record: Record) -> None:
    assert "- `fused` took longer than `interface`: body Store." in markdown(record)
    assert "Judged by the medians alone" in markdown(record)
    record.samples = [sample(1, "interface", 1), sample(1, "fused", 1.05)]
    assert "- `fused` took as long as `interface`, within 10%: body Store." in markdown(record)
    record.samples = [sample(1, "interface", 1), sample(1, "fused", 0.5)]
    assert "- `fused` took less than `interface`: body Store." in markdown(record)


@pytest.mark.parametrize(
    ("low", "high", "text"),
    [
        (0.9, 1.1, "1.05 (0.90–1.10)"),
        (1.0004, 1.1149, "1.05 (1.0004–1.11)"),
        (0.9, 0.997, "1.05 (0.90–0.997)"),
        (1.0, 1.0, "1.05 (1.00–1.00)"),
    ],
)
def test_bound_of_a_ratio_has_the_digits_that_tell_its_side_of_1(low: float, high: float, text: str) -> None:
    assert ratio_text(Ratio(6, 1.05, Interval(low, high), None)) == text


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


def test_enough_samples_give_intervals_and_p_values() -> None:
    text = markdown(new_record({"interface": 1, "fused": 2}))
    header, _, row = text.splitlines()[2:5]
    columns = ["interface: files", "interface: seconds", "fused: files", "fused: seconds", "fused: ratio", "fused: p"]
    assert header == f"| edit | module | {' | '.join(columns)} |"
    number = r"\d\.\d\d"
    interval = rf"{number} \({number}–{number}\)"
    assert re.fullmatch(rf"\| body \| Store \| 1 \| {interval} \| 1 \| {interval} \| {interval} \| 0\.002 \|", row)
    assert "median (95% bootstrap interval) of 10 samples" in text
    assert "Judged by the medians alone" not in text
    assert "Wilcoxon" in text


def test_difference_that_the_interval_does_not_show_is_not_told_as_one() -> None:
    def findings(fused: float, noise: float) -> str:
        return markdown(new_record({"interface": 1, "fused": fused}, noise=noise))

    assert "- `fused` took longer than `interface`: body Store." in findings(1.3, 0.02)
    assert "- `fused` took less than `interface`: body Store." in findings(0.8, 0.02)
    assert "- `fused` took as long as `interface`, within 10%: body Store." in findings(1.04, 0.005)
    assert "- `fused` could not be told from `interface`, nor shown to be equal within 10%" in findings(1.1, 0.5)


def test_memory_noise_jobs_and_load_are_told_where_they_were_recorded(record: Record) -> None:
    text = markdown(new_record({"interface": 1, "fused": 2, "control": 1}))
    assert "| edit | module | interface: CPU s | interface: MiB | interface: noisy | fused: CPU s" in text
    assert "| body | Store | 2.00 | 180 | 1 | 4.00 | 180 | 1 |" in text
    assert "looked at every 50 ms" in text
    assert "samples during which other programs used more than 10% of one core" in text
    for line in ("Jobs of a build: 2", "Noise: 3 of 30 samples are noisy", "Load average before a build: 1.5 to 1.5"):
        assert f"- {line}\n" in text
    older = markdown(record)
    assert "| body | Store | 4.00 | 12.00 |" in older
    for words in ("MiB:", "noisy", "Jobs", "Load"):
        assert words not in older


def test_memory_is_that_of_the_largest_process_where_the_tree_could_not_be_seen() -> None:
    blind = new_record({"interface": 1})
    blind.instruments = Instruments(None, NOISY_ABOVE)
    blind.samples = [
        replace(each, peak_memory_bytes=None, conditions=Conditions(1.5, None, None, None)) for each in blind.samples
    ]
    text = markdown(blind)
    assert "| body | Store | 2.00 | 100 |" in text
    assert "MiB: the most memory of the largest process of the build" in text
    assert "noisy" not in text


def test_report_is_the_same_when_it_is_rendered_again() -> None:
    made = new_record({"interface": 1, "control": 1, "fused": 1.1}, noise=0.2)
    assert markdown(made) == markdown(made)
