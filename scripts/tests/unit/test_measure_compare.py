"""Comparing two records."""

from __future__ import annotations

import pytest
from made_records import CONTROL, counted, counts_record, run_record, sample, spread_record
from msgspec.structs import replace
from swiftmodules.errors import UsageError
from swiftmodules.measure.compare import compare
from swiftmodules.measure.record import CLEAN, PlacedEdit, Rebuilt, Record


def failures(before: Record, after: Record) -> list[str]:
    return compare(before, after).failures


def test_other_toolchains_and_jobs_are_named_and_unlike_records_are_refused() -> None:
    older = counts_record(counted("interface"))
    for fields, words in (
        ({"toolchain": "Swift 7"}, "Different toolchains: Swift 6 and Swift 7. Counts may differ"),
        ({"jobs": 1}, "Different numbers of jobs: 2 and 1."),
    ):
        assert str(compare(older, replace(older, **fields))).startswith(words)
    for other, words in (
        (replace(older, package="Large"), "of two packages, Tiny and Large"),
        (counts_record(counted("monolith")), "have no layout, edit and module in common"),
        (replace(older, until="tests"), "one record is of --until built, and the other of --until tests"),
        (replace(older, copies=2), "one record is of --copies 0, and the other of --copies 2"),
    ):
        with pytest.raises(UsageError, match=words):
            compare(older, other)


def test_what_weakens_the_comparison_stands_first() -> None:
    first = spread_record({"interface": 1, CONTROL: 1.3, "monolith": 1})
    second = spread_record({"interface": 1, "fused": 2}, seed=2)
    second.incomplete = "the run ended after 3 samples"
    second.placements = (PlacedEdit(edit="body", module="Store", description="a statement elsewhere"),)
    lines = str(compare(first, second)).splitlines()
    assert lines[0].startswith("A: **This run cannot be trusted.** The second build of `interface`")
    assert lines[1:5] == [
        "Only in A: monolith body Store",
        "B: **Incomplete:** the run ended after 3 samples",
        "Only in B: fused body Store",
        "Edited at another place in B: body Store",
    ]


def test_cell_that_compiles_or_links_more_fails_with_its_files() -> None:
    less, more = counts_record(counted("interface")), counts_record(counted("interface", ["A.swift", "B.swift"]))
    more.samples = [replace(each, linked=("App", "Tool")) for each in more.samples]
    assert failures(less, more) == ["interface body M"]
    text = str(compare(less, more))
    assert "| body | M      | 1 → 2 | 1 → 2 |    more |" in text
    assert "New in interface body M: B.swift, the product Tool" in text
    assert text.endswith("More is compiled or linked than in A: interface body M.")
    assert failures(more, less) == []
    assert str(compare(more, less)).endswith("None of 1 cell compiles or links more than in A.")
    # So it does where nothing was compiled or linked before.
    none = counts_record(counted("interface", compiled={}, linked=()))
    assert "New in interface body M: A.swift, the product App" in str(compare(none, less))
    # The same files for another reason are no difference.
    other = counts_record(counted("interface", compiled={"A.swift": "interface of the module X"}))
    assert not compare(less, other).changes[0].is_other
    timed = [run_record([sample(number, "interface", 1, files) for number in range(1, 7)]) for files in (1, 2)]
    assert failures(*timed) == ["interface body Store"]


def test_values_stay_apart_in_names_and_columns() -> None:
    values = (("interface", "default"), ("fused", "default"), ("interface", "lld in fused"))
    before, after = (
        run_record([sample(1, layout, 1, files, setting=setting) for layout, setting in values]) for files in (1, 2)
    )
    comparison = compare(before, after)
    assert [(each.cell.layout, each.cell.setting) for each in comparison.changes] == [*values]
    assert "| edit | module | layout    | setting" in str(comparison)


def test_clean_build_of_more_files_does_not_fail() -> None:
    before, after = (
        run_record([sample(1, "interface", 9, edit=CLEAN, module=None, compiled=files)]) for files in (100, 101)
    )
    assert failures(before, after) == []


def test_numbers_without_names_and_files_of_a_cache_by_interface_are_compared() -> None:
    before, after = (counts_record(counted("interface", compiled=number)) for number in (5, 500))
    assert "| 5 → 500 | 1 → 1 |" in str(compare(before, after))
    assert (failures(before, after), failures(after, before)) == (["interface body M"], [])

    def record(by_interface: int | None) -> Record:
        return counts_record(counted("interface", rebuilt=Rebuilt(targets=1, files=4, by_interface=by_interface)))

    assert failures(record(2), record(3)) == ["interface body M"]
    assert failures(record(3), record(2)) == failures(record(2), record(None)) == []
