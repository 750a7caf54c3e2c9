"""The ends of a step: what a cache of targets builds, by the keys of sources and by the content of modules, and the
tests that must run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, copied
from runs import CHOICES, files_of, measured
from swiftmodules.errors import UsageError
from swiftmodules.measure.record import SOUND, Rebuilt
from swiftmodules.options import MeasureChoices

COUNTS = replace(CHOICES, rounds=0, layouts=("interface", "fused"), modules=("Store",))
READER, WORDS = "Store/Implementation/MemoryReader.swift", "Store/Implementation/words.txt"


def test_cache_builds_targets_whose_sources_or_dependencies_are_others(tmp_path: Path) -> None:
    choices = replace(COUNTS, until="cached", edits=("body", "interface", "new-file"))
    record = measured(copied(tmp_path, "Tiny"), choices)
    # The build has compiled just these files, or else it would be left out.
    assert not record.left_out and record.until == "cached"
    assert [each.files for each in record.samples] == [each.rebuilt and each.rebuilt.files for each in record.samples]
    assert files_of(record) == {
        "body": {"interface": 4, "fused": 11},
        "interface": {"interface": 10, "fused": 11},
        "new-file": {"interface": 5, "fused": 12},
    }
    (body,) = [each for each in record.samples if (each.layout, each.edit) == ("interface", "body")]
    assert body.rebuilt == Rebuilt(targets=2, files=4)


@pytest.mark.slow
def test_cache_by_content_builds_no_user_of_a_body_and_what_is_built_is_right(tmp_path: Path) -> None:
    choices = replace(COUNTS, until="cached-by-content", edits=("body", "private-top"), verify=True)
    package = copied(tmp_path, "Tiny")
    record = measured(package, choices)
    assert files_of(record) == {
        "body": {"interface": 2, "fused": 4},
        "private-top": {"interface": 4, "fused": 11},
    }
    assert record.verification and record.verification.counts()[SOUND] == 4
    # Of the made-up edits none changes what the program prints.
    committed(package)
    text = (package / READER).read_text()
    committed(package, "Louder", {READER: text.replace("text: text)", 'text: text + "!")')})
    choices = replace(choices, layouts=("interface",), edits=("history:1",), modules=())
    record = measured(package, choices, output=tmp_path / "louder")
    assert [each.files for each in record.samples] == [2]
    assert record.verification and record.verification.counts()[SOUND] == 1


@pytest.mark.slow
def test_only_tests_above_the_edit_run_and_one_that_fails_is_said(tmp_path: Path) -> None:
    package = copied(tmp_path, "Shop")
    choices = replace(CHOICES, until="tests", layouts=("interface",), modules=("Basket", "Price"), edits=("body",))
    record = measured(package, choices)
    found = {each.module: (each.rebuilt, each.seconds is not None) for each in record.samples if each.edit == "body"}
    assert found["Basket"] == (Rebuilt(targets=2, files=4, tests=1, of_tests=3), True)
    (test,) = (package / "Tests/BasketTests").glob("*.swift")
    test.write_text(test.read_text() + "@Test func wrong() { #expect(Bool(false)) }\n")
    record = measured(package, replace(choices, modules=("Basket", "Price")), output=tmp_path / "again")
    assert [each.reason for each in record.left_out if each.module == "Basket"] == ["tests of BasketTests fail: wrong."]


def test_package_without_tests_runs_none(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"^Tiny has no tests that could be run"):
        measured(copied(tmp_path, "Tiny"), replace(COUNTS, until="tests"))


@pytest.mark.slow
def test_commits_change_the_keys_of_targets_by_sources_settings_and_resources(tmp_path: Path) -> None:
    package = copied(tmp_path, "Tiny")
    manifest, path = (package / "Package.swift").read_text(), 'path: "Store/Implementation"'
    resources = manifest.replace(f"{path})", f'{path}, resources: [.copy("words.txt")])')
    committed(package, texts={"Package.swift": resources, WORDS: "one\n"})
    text = (package / READER).read_text().replace("guard let text", "_ = 1\n        guard let text", 1)
    committed(package, "A body", {READER: text})
    committed(package, "A resource", {WORDS: "two\n", READER: f"{text}\n"})
    loop = "for target in package.targets {\n"
    setting = f'package.targets[3].cSettings = [.define("A")]\n{loop}'
    committed(package, "A setting", {"Package.swift": resources.replace(loop, setting)})
    choices = MeasureChoices(rounds=0, layouts=("interface",), edits=("history:9",), until="cached")
    record = measured(package, choices)
    subjects = {each.edit: each.subject for each in record.commits}
    assert not record.left_out
    assert {subjects[each.edit]: each.rebuilt for each in record.samples} == {
        "A body": Rebuilt(targets=2, files=4),
        "A resource": Rebuilt(targets=2, files=4),
        # FeedInterface, what implements it, and the program.
        "A setting": Rebuilt(targets=3, files=6),
    }
