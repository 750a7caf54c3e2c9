"""The ends of a step: what caches of targets build, by source and by interface, and the tests that must run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, copied
from runs import CHOICES, measured
from swiftmodules.errors import UsageError
from swiftmodules.measure.record import SOUND, Rebuilt, Record
from swiftmodules.options import MeasureChoices

COUNTS = replace(CHOICES, rounds=0, layouts=("interface", "fused"), modules=("Store",))
READER, WORDS = "Store/Implementation/MemoryReader.swift", "Store/Implementation/words.txt"


def caches_of(record: Record) -> dict[str, dict[str, tuple[int, int | None]]]:
    """The files that a cache by source and one by interface rebuild, of each edit or commit in each layout."""
    subjects = {each.edit: each.subject for each in record.commits}
    found: dict[str, dict[str, tuple[int, int | None]]] = {}
    for each in record.samples:
        assert each.rebuilt is not None
        counts = each.rebuilt.files, each.rebuilt.by_interface
        found.setdefault(subjects.get(each.edit, each.edit), {})[each.layout] = counts
    return found


def test_cache_by_interface_builds_no_user_of_a_body(tmp_path: Path) -> None:
    choices = replace(COUNTS, until="cached", layouts=("interface",), modules=("Note",), edits=("body",))
    assert caches_of(measured(copied(tmp_path, "Smallest"), choices)) == {"body": {"interface": (2, 1)}}


@pytest.mark.slow
def test_caches_build_what_depends_on_other_sources_or_on_another_compiled_interface(tmp_path: Path) -> None:
    choices = replace(COUNTS, until="cached", edits=("body", "private-top", "interface"), verify=True)
    record = measured(copied(tmp_path, "Tiny"), choices)
    # The builds have compiled just these files, or else they would be left out.
    assert not record.left_out and record.until == "cached"
    assert [each.files for each in record.samples] == [each.rebuilt and each.rebuilt.files for each in record.samples]
    assert caches_of(record) == {
        "body": {"interface": (4, 2), "fused": (11, 4)},
        "private-top": {"interface": (4, 4), "fused": (11, 11)},
        "interface": {"interface": (10, 10), "fused": (11, 11)},
    }
    (body,) = [each for each in record.samples if (each.layout, each.edit) == ("interface", "body")]
    assert body.rebuilt == Rebuilt(targets=2, files=4, by_interface=2)
    # What the last build of a step has made, with the outputs that a cache by interface keeps, is right.
    assert record.verification and record.verification.counts()[SOUND] == len(record.samples)


@pytest.mark.slow
def test_target_without_a_module_counts_as_another_interface(tmp_path: Path) -> None:
    package = copied(tmp_path, "packages/Lathe")
    committed(package)
    source = "Sources/CTurning/turning.c"
    committed(package, "Faster", {source: (package / source).read_text().replace("40", "50")})
    choices = replace(COUNTS, until="cached", layouts=("interface",), edits=("history:1",), modules=())
    assert caches_of(measured(package, choices)) == {"Faster": {"interface": (2, 2)}}


@pytest.mark.slow
def test_only_tests_above_the_edit_run_and_one_that_fails_is_said(tmp_path: Path) -> None:
    package = copied(tmp_path, "Shop")
    # SwiftPM filters tests by their modules.
    manifest = package / "Package.swift"
    manifest.write_text(manifest.read_text().replace('"BasketTests"', '"Basket-Tests"'))
    choices = replace(CHOICES, until="tests", layouts=("interface",), modules=("Basket", "Price"), edits=("body",))
    record = measured(package, choices)
    found = {each.module: (each.rebuilt, each.seconds is not None) for each in record.samples if each.edit == "body"}
    assert found["Basket"] == (Rebuilt(targets=2, files=4, tests=1, of_tests=3), True)
    (test,) = (package / "Tests/BasketTests").glob("*.swift")
    test.write_text(test.read_text() + "@Test func wrong() { #expect(Bool(false)) }\n")
    record = measured(package, replace(choices, modules=("Basket", "Price")), output=tmp_path / "again")
    assert [each.reason for each in record.left_out if each.module == "Basket"] == [
        "tests of Basket_Tests fail: wrong."
    ]


def test_package_without_tests_runs_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^Tiny has no tests to run"):
        measured(copied(tmp_path, "Tiny"), replace(COUNTS, until="tests"))


@pytest.mark.slow
def test_commits_change_the_keys_of_targets_by_sources_settings_and_resources(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    manifest, path = (package / "Package.swift").read_text(), 'path: "Store/Implementation"'
    resources = manifest.replace(f"{path})", f'{path}, resources: [.copy("words.txt")])')
    committed(package, texts={"Package.swift": resources, WORDS: "one\n"})
    text = (package / READER).read_text().replace("guard let text", "_ = 1\n        guard let text", 1)
    committed(package, "A body", {READER: text})
    text += "// A comment.\n"
    committed(package, "A comment", {READER: text})
    committed(package, "A resource", {WORDS: "two\n", READER: f"{text}\n"})
    loop = "for target in package.targets {\n"
    setting = f'package.targets[3].cSettings = [.define("A")]\n{loop}'
    committed(package, "A setting", {"Package.swift": resources.replace(loop, setting)})
    choices = MeasureChoices(rounds=0, layouts=("interface",), edits=("history:9",), until="cached", verify=True)
    record = measured(package, choices)
    subjects = {each.edit: each.subject for each in record.commits}
    assert not record.left_out
    assert {subjects[each.edit]: each.rebuilt for each in record.samples} == {
        "A body": Rebuilt(targets=2, files=4, by_interface=2),
        "A comment": Rebuilt(targets=2, files=4, by_interface=2),
        "A resource": Rebuilt(targets=2, files=4, by_interface=2),
        # FeedInterface, what implements it, and the program; its module is the same.
        "A setting": Rebuilt(targets=3, files=6, by_interface=1),
    }
    assert record.verification and record.verification.counts()[SOUND] == 3
