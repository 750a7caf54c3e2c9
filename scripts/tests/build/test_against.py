"""Two states of a package, before and after a real split, after the same edits."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import FIXTURES, committed, git, written
from runs import CHOICES, files_of, measured
from swiftmodules.errors import UsageError
from swiftmodules.layouts.generate import make_layout
from swiftmodules.measure.report import headline
from swiftmodules.measure.results import Results
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.reader import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

COUNTS = replace(CHOICES, rounds=0, against="main", modules=("Store",))


@pytest.fixture
def split(tmp_path: Path, toolchain: Toolchain) -> Path:
    """The package Tiny with each module in one target, on the branch `main`; what it is now is on another one."""
    tiny, package = FIXTURES / "Tiny", tmp_path / "Tiny"
    found = read_package(tiny, toolchain)
    written(make_layout("fused", found, read_sources(tiny, found, toolchain)), package)
    git(tmp_path, "init", "--initial-branch", "main", "Tiny")
    committed(package)
    git(package, "switch", "--create", "split")
    for path in package.iterdir():
        if path.name != ".git":
            shutil.rmtree(path) if path.is_dir() else path.unlink()
    shutil.copytree(tiny, package, dirs_exist_ok=True)
    committed(package, "A split")
    return package


@pytest.mark.slow
def test_edits_are_made_in_the_same_declarations_before_and_after_a_split(split: Path) -> None:
    edits = ("body", "private-top", "interface", "member")
    record = measured(split, replace(COUNTS, edits=edits))
    assert not record.left_out and record.layouts == {
        "main": "a copy of the package at main, with the same edits",
        "now": "a copy of the package as it is now",
    }
    found = {(each.edit, each.layout): (each.files, each.rebuilt and each.rebuilt.files) for each in record.samples}
    assert {edit: (found[edit, "main"], found[edit, "now"]) for edit in edits} == {
        "body": ((1, 11), (1, 4)),
        "private-top": ((6, 11), (3, 4)),
        "interface": ((7, 11), (7, 10)),
        "member": ((2, 11), (2, 4)),
    }
    # The files have moved.
    edited = {each.layout: [*each.compiled] for each in record.samples if each.edit == "body"}  # type: ignore[misc]
    assert edited == {
        "main": ["Sources/StoreFused/StoreImplementation/MemoryReader.swift"],
        "now": ["Store/Implementation/MemoryReader.swift"],
    }


@pytest.mark.slow
def test_commits_since_a_revision_are_measured_as_they_are_and_fused(split: Path) -> None:
    reader = Path("Store/Implementation/MemoryReader.swift")
    (split / reader).write_text((split / reader).read_text() + "\nprivate func extra() {}\n")
    committed(split, "An addition")
    choices = replace(COUNTS, edits=("history:20",), modules=())
    record = measured(split, choices)
    assert [each.subject for each in record.commits] == ["A split", "An addition"]
    assert files_of(record)["An addition"] == {"interface": 3, "fused": 6}
    assert headline(Results(record)) == [
        "Over 2 commits, `interface`: 14 compiled files, 15 that a cache by source rebuilds; `fused`: 17 compiled "
        "files, 22 that a cache by source rebuilds.",
        f"Commit `{record.commits[0].edit[:9]}` (A split) splits FeedFused, StoreFused: 11 compiled files, 11 that a "
        "cache by source rebuilds.",
    ]
    since_split = replace(choices, against="HEAD~1")
    record = measured(split, since_split, output=split.parent / "since")
    assert [each.subject for each in record.commits] == ["An addition"]


def test_declaration_that_is_new_and_a_wrong_revision_are_said(split: Path) -> None:
    new = split / "Store/Implementation/New.swift"
    # It has the most functions, so the edit is made there.
    body = "{\n        let a = 1\n        return a\n    }\n"
    functions = "".join(f"    func f{number}() -> Int {body}" for number in range(9))
    new.write_text(f"struct New {{\n{functions}}}\n")
    with pytest.raises(UsageError, match=r"^no edit fits .* body: main: there is no such declaration"):
        measured(split, replace(COUNTS, edits=("body",)))
    with pytest.raises(UsageError, match=r"has no revision 'gone'"):
        measured(split, replace(COUNTS, edits=("body",), against="gone"))
