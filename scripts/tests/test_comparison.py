"""Comparing two records."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from records import new_record

from buildspeed.cli import main
from buildspeed.comparison import compare
from buildspeed.record import Record, write_record

Compare = Callable[..., int]


@pytest.fixture
def run(tmp_path: Path) -> Compare:
    """Writes two records and compares them through the command line."""

    def compare(older: Record, newer: Record, *options: str) -> int:
        paths = [tmp_path / "older.json", tmp_path / "newer.json"]
        for record, path in zip((older, newer), paths, strict=True):
            write_record(record, path)
        return main(["compare", *map(str, paths), *options])

    return compare


def older(**options: float) -> Record:
    return new_record({"interface": 1, "fused": 2, "control": 1}, seed=1, **options)


def newer(fused: float = 2, **options: float) -> Record:
    return new_record({"interface": 1, "fused": fused, "control": 1}, seed=2, **options)


def test_change_is_that_of_the_medians_with_an_interval_around_it() -> None:
    changes = {change.cell.layout: change for change in compare(older(), newer(fused=2.6)).changes}
    assert set(changes) == {"interface", "fused"}
    assert changes["fused"].ratio == pytest.approx(1.3, abs=0.03)
    assert changes["fused"].interval is not None
    assert changes["fused"].ratio in changes["fused"].interval
    assert changes["interface"].interval is not None
    assert 1 in changes["interface"].interval


def test_regression_that_the_interval_supports_ends_with_1(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(older(), newer(fused=2.6)) == 1
    output = capsys.readouterr().out
    assert "Slower by more than 10%: fused body Store." in output
    assert "slower" in output.split("Slower")[0]


def test_regression_that_the_interval_does_not_support_ends_with_0(run: Compare) -> None:
    # The median is 30% above, and the samples reach from half to twice as long.
    assert compare(older(noise=0.4), newer(fused=2.6, noise=0.4)).changes[1].ratio > 1.1
    assert run(older(noise=0.4), newer(fused=2.6, noise=0.4)) == 0


def test_limit_is_that_of_the_option(run: Compare) -> None:
    assert run(older(), newer(fused=2.6), "--fail-above", "40%") == 0
    assert run(older(), newer(fused=2.14)) == 0
    assert run(older(), newer(fused=2.14), "--fail-above", "2%") == 1


def test_improvement_is_told_and_ends_with_0(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(older(), newer(fused=1.5)) == 0
    output = capsys.readouterr().out
    assert "faster" in output
    assert "None of the 2 cells that can be judged is slower by more than 10%." in output


def test_too_few_samples_are_shown_and_not_judged(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(older(), newer(fused=9, count=5)) == 0
    output = capsys.readouterr().out
    assert "too few samples" in output
    assert "No cell can be judged: it takes 6 samples in both records." in output


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"toolchain": "Swift 7"}, "different toolchains: Swift 6 and Swift 7"),
        ({"machine": "cores"}, "different machines: 2 cores, A processor"),
        ({"jobs": 1}, "different jobs: 2 and 1"),
    ],
)
def test_other_conditions_are_refused_unless_told(
    run: Compare, capsys: pytest.CaptureFixture[str], change: dict[str, object], words: str
) -> None:
    other = newer()
    if "machine" in change:
        other.machine = replace(other.machine, cores=4)
    elif "jobs" in change:
        other.options = replace(other.options, jobs=1)
    else:
        other.toolchain = str(change["toolchain"])
    assert run(older(), other) == 65
    errors = capsys.readouterr().err
    assert words in errors
    assert "--different-machines" in errors
    assert run(older(), other, "--different-machines") == 0


def test_jobs_that_were_not_recorded_are_those_of_the_machine(run: Compare) -> None:
    first = older()
    first.options = replace(first.options, jobs=None)
    assert run(first, newer()) == 0


def test_other_package_is_refused(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    other = newer()
    other.package = "Large"
    assert run(older(), other, "--different-machines") == 65
    assert "different packages: Tiny and Large" in capsys.readouterr().err


def test_records_with_nothing_in_common_are_refused(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(older(), new_record({"monolith": 1})) == 65
    assert "have no layout, edit and module in common" in capsys.readouterr().err


def test_builds_with_tests_and_builds_without_are_refused(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    other = newer()
    other.options = replace(other.options, edits=("body", "test-body"))
    assert run(older(), other, "--different-machines") == 65
    assert "'test-body' was among its edits" in capsys.readouterr().err


def test_what_weakens_the_comparison_is_told_first(run: Compare, capsys: pytest.CaptureFixture[str]) -> None:
    first = new_record({"interface": 1, "control": 1.3, "monolith": 1})
    second = newer()
    second.incomplete = "the run ended after 3 samples"
    second.placements = {"body Store": "a statement elsewhere"}
    assert run(first, second) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].startswith("A: This run cannot be trusted: 'interface'")
    assert lines[1:5] == [
        "B: Incomplete: the run ended after 3 samples",
        "Only in A: monolith body Store",
        "Only in B: fused body Store",
        "Made at another place in B: body Store",
    ]


@pytest.mark.parametrize("text", ["10", "ten%", "-1%", "nan%", "inf%", "%"])
def test_limit_that_is_no_percentage_is_a_wrong_option(capsys: pytest.CaptureFixture[str], text: str) -> None:
    with pytest.raises(SystemExit) as ending:
        main(["compare", "a.json", "b.json", f"--fail-above={text}"])
    assert ending.value.code == 64
    assert f"'{text}' is no percentage; give one such as 10%" in capsys.readouterr().err


def test_file_that_is_no_record_ends_with_65(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compare", str(tmp_path / "absent.json"), str(tmp_path / "absent.json")]) == 65
    assert "absent.json: No such file" in capsys.readouterr().err
