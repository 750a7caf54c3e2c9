"""Comparing two records of one kind."""

from __future__ import annotations

import io

import pytest
from made_records import (
    bench_record,
    build,
    cell,
    floor_record,
    matrix,
    noisy_record,
    scale_record,
    simulate_record,
    with_options,
)
from msgspec.structs import replace
from rich.console import Console
from swiftmodules.analysis.compare import Comparison, compare
from swiftmodules.errors import RecordError
from swiftmodules.records.kinds import AnyRecord, MatrixRecord, RunRecord
from swiftmodules.records.model import Cell
from swiftmodules.report.output import print_comparison


def older(**options: float) -> RunRecord:
    return noisy_record({"interface": 1, "fused": 2, "control": 1}, seed=1, **options)  # type: ignore[arg-type]


def newer(fused: float = 2, **options: float) -> RunRecord:
    return noisy_record({"interface": 1, "fused": fused, "control": 1}, seed=2, **options)  # type: ignore[arg-type]


def shown(comparison: Comparison, fail_above: float = 0.1) -> str:
    console = Console(width=140, file=io.StringIO(), record=True)
    print_comparison(comparison, fail_above, console)
    return console.export_text()


def test_change_is_that_of_the_medians_with_an_interval_around_it() -> None:
    comparison = compare(older(), newer(fused=2.6))
    changes = {change.title: change for change in comparison.changes}
    assert list(changes) == ["interface body Store", "fused body Store"]
    fused, interface = changes["fused body Store"], changes["interface body Store"]
    assert fused.ratio == pytest.approx(1.3, abs=0.03)
    assert fused.interval is not None and fused.ratio in fused.interval
    assert interface.interval is not None and 1 in interface.interval
    assert (fused.files, fused.unit) == ((1, 1), "seconds")


def test_regression_that_the_interval_supports_fails() -> None:
    comparison = compare(older(), newer(fused=2.6))
    assert comparison.failures(0.1) == ["fused body Store"]
    assert comparison.failures(0.4) == []
    text = shown(comparison)
    assert "Slower by more than 10%: fused body Store." in text
    assert "slower" in text.split("Slower")[0]
    assert compare(older(), newer(fused=2.14)).failures(0.1) == []
    assert compare(older(), newer(fused=2.14)).failures(0.02) == ["fused body Store"]


def test_regression_that_the_interval_does_not_support_does_not_fail() -> None:
    # The median is 30% above, and the samples reach from half to twice as long.
    comparison = compare(older(noise=0.4), newer(fused=2.6, noise=0.4))
    assert comparison.changes[1].ratio > 1.1
    assert comparison.failures(0.1) == []


def test_improvement_is_shown_and_too_few_samples_are_not_judged() -> None:
    text = shown(compare(older(), newer(fused=1.5)))
    assert "faster" in text
    assert "None of the 2 cells that can be judged is slower by more than 10%." in text
    few = shown(compare(older(), newer(fused=9, count=5)))
    assert "too few samples" in few
    assert "No cell can be judged: it takes 6 samples in both records." in few


def with_fact(name: str) -> RunRecord:
    other = newer()
    if name == "machines":
        other.machine = replace(other.machine, cores=4)
    elif name == "jobs":
        other.options = with_options(other.options, jobs=1)
    else:
        other.toolchain = "Swift 7"
    return other


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("toolchains", "different toolchains: Swift 6 and Swift 7"),
        ("machines", "different machines: 2 cores, A processor"),
        ("jobs", "different jobs: 2 and 1"),
    ],
)
def test_other_conditions_are_refused_unless_asked_for(name: str, words: str) -> None:
    with pytest.raises(RecordError, match=words) as raised:
        compare(older(), with_fact(name))
    assert "--different-machines" in str(raised.value)
    assert compare(older(), with_fact(name), different_machines=True).changes


def test_jobs_that_were_not_recorded_are_those_of_the_machine() -> None:
    first = older()
    first.options = with_options(first.options, jobs=None)
    assert compare(first, newer()).changes


def test_records_of_other_things_are_refused_in_any_case() -> None:
    for other, words in (
        (replace(newer(), package="Large"), "different packages: Tiny and Large"),
        (noisy_record({"monolith": 1}), "have no layout, edit and module in common"),
        (replace(newer(), with_tests=True), "every build of one record includes the tests"),
        (matrix(cell("body", "interface")), "different kinds: run and matrix"),
    ):
        with pytest.raises(RecordError, match=words):
            compare(older(), other, different_machines=True)


def test_what_weakens_the_comparison_stands_first() -> None:
    first = noisy_record({"interface": 1, "control": 1.3, "monolith": 1})
    second = newer()
    second.incomplete = "the run ended after 3 samples"
    second.placements = {"body Store": "a statement elsewhere"}
    lines = shown(compare(first, second)).splitlines()
    assert lines[0].startswith("A: This run cannot be trusted: 'interface'")
    assert lines[1:5] == [
        "B: Incomplete: the run ended after 3 samples",
        "Only in A: monolith body Store",
        "Only in B: fused body Store",
        "Made at another place in B: body Store",
    ]


@pytest.mark.parametrize(
    ("record", "first"),
    [
        (scale_record(), "5 copies interface noop"),
        (floor_record(), "default clean build"),
        (simulate_record(build({1: (6.0,), 2: (5.0,)})), "P interface body A 1 job"),
        (bench_record(), "resolve"),
    ],
    ids=["scale", "floor", "simulate", "bench"],
)
def test_record_of_every_kind_compares_with_itself(record: AnyRecord, first: str) -> None:
    comparison = compare(record, record)
    assert comparison.changes[0].title == first
    assert {change.ratio for change in comparison.changes} == {1}
    assert comparison.failures(0.1) == []
    assert first.split()[0] in shown(comparison)


def changes(before: MatrixRecord, after: MatrixRecord) -> list[str]:
    return [str(change) for change in compare(before, after).differences]


def test_cell_that_compiles_or_links_more_fails_with_its_files() -> None:
    before = matrix(cell("body", "interface"))
    comparison = compare(before, matrix(cell("body", "interface", ["A.swift", "B.swift"], linked=("App", "Tool"))))
    (found,) = comparison.differences
    assert (found.cell, found.more) == (Cell("interface", "body", "M"), ("B.swift", "the product Tool"))
    assert str(found) == "interface body M: compiles B.swift, the product Tool, which it did not"
    assert comparison.failures(0.1) == ["interface body M"]
    assert shown(comparison).endswith("More is compiled or linked than in A: interface body M.\n")


def test_cell_that_compiles_less_or_for_other_reasons_does_not_fail() -> None:
    more, less = matrix(cell("body", "interface", ["A.swift", "B.swift"])), matrix(cell("body", "interface"))
    comparison = compare(more, less)
    assert [str(each) for each in comparison.differences] == ["interface body M: no longer compiles or links B.swift"]
    assert comparison.failures(0.1) == []
    other = matrix(cell("body", "interface", [], reasons={"A.swift": "interface of the module X"}))
    assert changes(less, other) == []
    assert "None of 1 cell compiles or links more than in A." in shown(compare(less, other))


def test_cells_that_came_or_went_are_named_with_the_reason_and_do_not_fail() -> None:
    before = matrix(
        cell("body", "interface"),
        cell("signature", "interface", ["B.swift"]),
        cell("body", "interface", ["C.swift"], module="Gone"),
        cell("touch", "interface", ["D.swift"]),
        cell("body", "fused", ["E.swift"]),
    )
    missing = {"signature M": "there is no public function."}
    after = matrix(
        cell("body", "interface"),
        cell("noop", "interface", [], module=None, linked=()),
        more_edits=["signature"],
        missing=missing,
    )
    comparison = compare(before, after)
    assert [str(each) for each in comparison.differences] == [
        "interface noop: not in the record; compiles nothing",
        "interface signature M: in the record only: there is no public function.",
        "interface body Gone: in the record only: the module is no longer there",
    ]
    assert comparison.failures(0.1) == []
    assert "3 cells are in one record only." in shown(comparison)
    # Where modules were named, the others were not looked for.
    assert len(changes(before, replace(after, command="measure matrix --modules M"))) == 2
