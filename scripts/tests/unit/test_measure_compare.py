"""Comparing two records."""

from __future__ import annotations

import json

import pytest
from made_records import CONTROL, MACHINE, counted, counts_record, printed, run_record, sample, spread_record
from msgspec.structs import replace
from swiftmodules.errors import RecordError
from swiftmodules.measure.compare import Comparison, compare, print_comparison
from swiftmodules.measure.record import CLEAN, PlacedEdit, Rebuilt, Record


def older(**options: float) -> Record:
    return spread_record({"interface": 1, "fused": 2, CONTROL: 1}, seed=1, **options)  # type: ignore[arg-type]


def newer(fused: float = 2, **options: float) -> Record:
    return spread_record({"interface": 1, "fused": fused, CONTROL: 1}, seed=2, **options)  # type: ignore[arg-type]


def shown(comparison: Comparison, fail_above: float = 0.1) -> str:
    return printed(lambda console: print_comparison(comparison, fail_above, console), width=140)


def differences(before: Record, after: Record) -> list[str]:
    return [str(change) for change in compare(before, after).changes if change.is_other]


def test_slower_cell_fails_where_the_interval_around_the_ratio_of_the_medians_supports_it() -> None:
    comparison = compare(older(), newer(fused=2.6))
    interface, fused = comparison.changes
    assert fused.ratio == pytest.approx(1.3, abs=0.03) and fused.interval is not None and fused.ratio in fused.interval
    assert interface.interval is not None and 1 in interface.interval
    assert (comparison.failures(0.1), comparison.failures(0.4)) == (["fused body Store"], [])
    text = shown(comparison)
    assert "slower" in text.split("Slower")[0] and "Slower by more than 10%: fused body Store." in text
    assert compare(older(), newer(fused=2.14)).failures(0.1) == []
    assert compare(older(), newer(fused=2.14)).failures(0.02) == ["fused body Store"]
    # The median is 30% above, and the samples reach from half to twice as long.
    unsure = compare(older(noise=0.4), newer(fused=2.6, noise=0.4))
    assert (unsure.changes[1].ratio or 0) > 1.1 and unsure.failures(0.1) == []


def test_improvement_is_shown_and_too_few_samples_are_not_judged() -> None:
    text = shown(compare(older(), newer(fused=1.5)))
    assert "faster" in text and "None of 2 cells that can be judged is slower by more than 10%." in text
    few = shown(compare(older(), newer(fused=9, count=5)))
    assert "too few samples" in few and "No time can be judged: it takes 6 samples in both records." in few


def test_under_other_conditions_counts_are_compared_and_other_things_are_refused() -> None:
    for fields, words in (
        ({"toolchain": "Swift 7"}, "Different toolchains: Swift 6 and Swift 7. Times are not compared"),
        ({"machine": replace(MACHINE, cores=4)}, "Different machines: 2 cores, A processor"),
        ({"jobs": 1}, "Different numbers of jobs: 2 and 1."),
    ):
        comparison = compare(older(), replace(newer(fused=9), **fields))
        assert shown(comparison).startswith(words)
        assert comparison.changes and comparison.failures(0.1) == []
    for other, words in (
        (replace(newer(), package="Large"), "different packages: Tiny and Large"),
        (spread_record({"monolith": 1}), "have no layout, edit and module in common"),
        (replace(newer(), with_tests=True), "every build of one record includes the tests"),
    ):
        with pytest.raises(RecordError, match=words):
            compare(older(), other)


def test_what_weakens_the_comparison_stands_first() -> None:
    first = spread_record({"interface": 1, CONTROL: 1.3, "monolith": 1})
    second = replace(newer(), incomplete="the run ended after 3 samples")
    second.placements = (PlacedEdit(edit="body", module="Store", description="a statement elsewhere"),)
    lines = shown(compare(first, second)).splitlines()
    assert lines[0].startswith("A: This run cannot be trusted: the second build of 'interface'")
    assert lines[1:5] == [
        "Only in A: monolith body Store",
        "B: Incomplete: the run ended after 3 samples",
        "Only in B: fused body Store",
        "Edited at another place in B: body Store",
    ]


def test_cell_that_compiles_or_links_more_fails_with_its_files() -> None:
    less, more = counts_record(counted("interface")), counts_record(counted("interface", ["A.swift", "B.swift"]))
    more.samples = [replace(each, linked=("App", "Tool")) for each in more.samples]
    words = "interface body M: 2 → 4 compiled files and linked products; new: B.swift, the product Tool"
    assert differences(less, more) == [words]
    assert compare(less, more).failures(0.1) == ["interface body M"]
    assert shown(compare(less, more)).endswith("More is compiled or linked than in A: interface body M.\n")
    assert compare(more, less).failures(0.1) == []
    assert "None of 1 cell compiles or links more than in A." in shown(compare(more, less))
    # The same files for another reason are no difference.
    other = counts_record(counted("interface", compiled={"A.swift": "interface of the module X"}))
    assert differences(less, other) == []
    # Times that are as they were do not hide that more is compiled.
    timed = [run_record([sample(number, "interface", 1, files) for number in range(1, 7)]) for files in (1, 2)]
    assert compare(*timed).failures(0.1) == ["interface body Store"]
    assert compare(less, run_record([sample(1, "interface", 1, 3, module="M")])).failures(0.1) == ["interface body M"]


def test_values_stay_apart_in_names_and_columns() -> None:
    values = (("interface", "default"), ("fused", "default"), ("interface", "lld in fused"))
    made = run_record([sample(1, layout, 1, setting=setting) for layout, setting in values])
    comparison = compare(made, made)
    assert [(each.cell.layout, each.cell.setting) for each in comparison.changes] == [*values]
    assert "edit   module   layout      setting" in shown(comparison)


def test_clean_build_of_more_files_does_not_fail() -> None:
    before, after = (run_record([sample(1, "interface", 9, edit=CLEAN, compiled=files)]) for files in (100, 101))
    assert compare(before, after).failures(0.1) == []


def test_file_that_has_moved_is_not_new() -> None:
    before = counts_record(counted("interface", ["Cart/A.swift", "Cart/B.swift", "Cart/C.swift"]))
    split = counts_record(counted("interface", ["CartInterface/A.swift", "CartInterface/New.swift"]))
    assert differences(before, split) == [
        "interface body M: 4 → 3 compiled files and linked products; new: CartInterface/New.swift; gone: Cart/B.swift, "
        "Cart/C.swift"
    ]
    assert differences(before, counts_record(counted("interface", ["X/A.swift", "X/B.swift", "X/C.swift"]))) == []


def test_numbers_without_names_are_compared() -> None:
    before, after = (counts_record(counted("interface", compiled=number, linked=1)) for number in (5, 500))
    assert differences(before, after) == ["interface body M: 6 → 501 compiled files and linked products"]
    assert (compare(before, after).failures(0.1), compare(after, before).failures(0.1)) == (["interface body M"], [])


def test_files_of_a_cache_by_interface_are_compared_where_both_records_have_them() -> None:
    def record(by_interface: int | None) -> Record:
        return counts_record(counted("interface", rebuilt=Rebuilt(targets=1, files=4, by_interface=by_interface)))

    assert differences(record(2), record(3)) == [
        "interface body M: 2 → 2 compiled files and linked products; 2 → 3 files by interface"
    ]
    assert compare(record(2), record(3)).failures(0.1) == ["interface body M"]
    assert compare(record(3), record(2)).failures(0.1) == compare(record(2), record(None)).failures(0.1) == []


def test_comparison_as_json_has_each_cell_and_the_verdict() -> None:
    found = json.loads(json.dumps(compare(older(), newer(fused=2.6)).as_json(0.1)))
    assert found["failures"] == ["fused body Store"] and "Slower by more than 10%" in found["verdict"]
    cells = {each["layout"]: each for each in found["cells"]}
    assert cells["fused"]["is_slower"] and not cells["interface"]["is_slower"]
    assert cells["fused"]["ratio"] == pytest.approx(1.3, abs=0.03)
    assert cells["fused"]["interval"]["low"] < 1.3 < cells["fused"]["interval"]["high"]
