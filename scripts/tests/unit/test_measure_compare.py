"""Comparing two records."""

from __future__ import annotations

import pytest
from made_records import MACHINE, counted, counts_record, noisy_record, printed, run_record, sample
from msgspec.structs import replace
from swiftmodules.errors import RecordError
from swiftmodules.measure.compare import Comparison, compare, print_comparison
from swiftmodules.measure.record import Cell, Place, Record


def older(**options: float) -> Record:
    return noisy_record({"interface": 1, "fused": 2, "control": 1}, seed=1, **options)  # type: ignore[arg-type]


def newer(fused: float = 2, **options: float) -> Record:
    return noisy_record({"interface": 1, "fused": fused, "control": 1}, seed=2, **options)  # type: ignore[arg-type]


def shown(comparison: Comparison, fail_above: float = 0.1) -> str:
    return printed(lambda console: print_comparison(comparison, fail_above, console), width=140)


def test_regression_fails_where_the_interval_around_the_ratio_of_the_medians_supports_it() -> None:
    comparison = compare(older(), newer(fused=2.6))
    changes = {change.cell.name: change for change in comparison.changes}
    assert list(changes) == ["interface body Store", "fused body Store"]
    fused, interface = changes["fused body Store"], changes["interface body Store"]
    assert fused.ratio == pytest.approx(1.3, abs=0.03) and fused.files == (1, 1)
    assert fused.interval is not None and fused.ratio in fused.interval
    assert interface.interval is not None and 1 in interface.interval
    assert comparison.failures(0.1) == ["fused body Store"]
    assert comparison.failures(0.4) == []
    text = shown(comparison)
    assert "Slower by more than 10%: fused body Store." in text
    assert "slower" in text.split("Slower")[0]
    assert compare(older(), newer(fused=2.14)).failures(0.1) == []
    assert compare(older(), newer(fused=2.14)).failures(0.02) == ["fused body Store"]
    # The median is 30% above, and the samples reach from half to twice as long.
    unsure = compare(older(noise=0.4), newer(fused=2.6, noise=0.4))
    assert unsure.changes[1].ratio > 1.1 and unsure.failures(0.1) == []


def test_improvement_is_shown_and_too_few_samples_are_not_judged() -> None:
    text = shown(compare(older(), newer(fused=1.5)))
    assert "faster" in text
    assert "None of 2 cells that can be judged is slower by more than 10%." in text
    few = shown(compare(older(), newer(fused=9, count=5)))
    assert "too few samples" in few
    assert "No cell can be judged: it takes 6 samples in both records." in few


CONDITIONS = [
    ({"toolchain": "Swift 7"}, "different toolchains: Swift 6 and Swift 7"),
    ({"machine": replace(MACHINE, cores=4)}, "different machines: 2 cores, A processor"),
    ({"jobs": 1}, "different jobs: 2 and 1"),
]


def test_other_conditions_are_refused_unless_asked_for_and_other_things_in_any_case() -> None:
    for fields, words in CONDITIONS:
        other = replace(newer(), **fields)
        with pytest.raises(RecordError, match=rf"{words}(.|\n)*--different-machines"):
            compare(older(), other)
        assert compare(older(), other, different_machines=True).changes
    # Jobs that were not recorded are those of the machine.
    assert compare(replace(older(), jobs=None), newer()).changes
    for other, words in (
        (replace(newer(), package="Large"), "different packages: Tiny and Large"),
        (noisy_record({"monolith": 1}), "have no layout, edit and module in common"),
        (replace(newer(), with_tests=True), "every build of one record includes the tests"),
    ):
        with pytest.raises(RecordError, match=words):
            compare(older(), other, different_machines=True)


def test_what_weakens_the_comparison_stands_first() -> None:
    first = noisy_record({"interface": 1, "control": 1.3, "monolith": 1})
    second = replace(newer(), incomplete="the run ended after 3 samples")
    second.placements = (Place(edit="body", module="Store", description="a statement elsewhere"),)
    comparison = compare(first, second)
    lines = shown(comparison).splitlines()
    assert comparison.failures(0.1) == []
    assert lines[0].startswith("A: This run cannot be trusted: the second build of 'interface'")
    assert lines[1:5] == [
        "B: Incomplete: the run ended after 3 samples",
        "Only in A: monolith body Store",
        "Only in B: fused body Store",
        "Made at another place in B: body Store",
    ]


def test_records_of_clusters_are_compared_by_the_seconds_of_one_machine() -> None:
    made = [sample(number, "interface", 1 + number % 2, machine="ab"[number % 2]) for number in range(1, 10)]
    (change,) = compare(run_record(made), run_record(made)).changes
    assert (change.older, change.newer) == (2, 2)


def test_values_stay_apart_in_names_and_columns() -> None:
    made = [sample(number, layout, 1, setting=name) for number in (1, 2) for layout, name in _SETTINGS]
    comparison = compare(run_record(made), run_record(made))
    assert [(each.cell.layout, each.cell.setting) for each in comparison.changes] == [*_SETTINGS]
    assert [axis.name for axis in comparison.axes] == ["edit", "module", "layout", "setting"]


_SETTINGS = (("interface", "default"), ("interface", "lld in fused"), ("fused", "default"))


def changes(before: Record, after: Record) -> list[str]:
    return [str(change) for change in compare(before, after).differences]


def test_cell_that_compiles_or_links_more_fails_with_its_files() -> None:
    before = counts_record(counted("body", "interface"))
    more = counts_record(counted("body", "interface", ["A.swift", "B.swift"], linked=("App", "Tool")))
    comparison = compare(before, more)
    (found,) = comparison.differences
    cell = Cell(layout="interface", edit="body", module="M")
    assert (found.cell, found.new) == (cell, ["B.swift", "the product Tool"])
    assert str(found) == ("interface body M: 2 → 4 compiled files and linked products; new: B.swift, the product Tool")
    assert comparison.failures(0.1) == ["interface body M"]
    assert shown(comparison).endswith("More is compiled or linked than in A: interface body M.\n")


def test_cell_that_compiles_less_or_for_other_reasons_does_not_fail() -> None:
    more = counts_record(counted("body", "interface", ["A.swift", "B.swift"]))
    less = counts_record(counted("body", "interface"))
    assert changes(more, less) == ["interface body M: 3 → 2 compiled files and linked products; gone: B.swift"]
    assert compare(more, less).failures(0.1) == []
    other = counts_record(counted("body", "interface", [], reasons={"A.swift": "interface of the module X"}))
    assert changes(less, other) == []
    assert "None of 1 cell compiles or links more than in A." in shown(compare(less, other))


def test_file_that_has_moved_is_not_more() -> None:
    before = counts_record(counted("body", "interface", ["Cart/A.swift", "Cart/B.swift", "Cart/C.swift"]))
    split = counts_record(counted("body", "interface", ["CartInterface/A.swift", "CartInterface/New.swift"]))
    assert changes(before, split) == [
        "interface body M: 4 → 3 compiled files and linked products; new: CartInterface/New.swift; gone: Cart/B.swift, "
        "Cart/C.swift"
    ]
    assert compare(before, split).failures(0.1) == []
    moved = counts_record(counted("body", "interface", ["X/A.swift", "X/B.swift", "X/C.swift"]))
    assert changes(before, moved) == []


def test_numbers_without_names_are_compared() -> None:
    def counts(number: int) -> Record:
        return counts_record(replace(counted("body", "interface"), compiled=number, linked=1))

    assert changes(counts(5), counts(500)) == ["interface body M: 6 → 501 compiled files and linked products"]
    assert compare(counts(5), counts(500)).failures(0.1) == ["interface body M"]
    assert compare(counts(500), counts(5)).failures(0.1) == []


def test_times_are_compared_with_counts_by_what_was_compiled() -> None:
    counts = counts_record(counted("body", "interface", ["S/0.swift"], module="Store"))
    times = run_record([sample(1, "interface", 1, files=2)], toolchain="Swift 6")
    assert compare(counts, times).failures(0.1) == ["interface body Store"]
