"""The cut of the package `Zoo` on a branch: it has what makes a cut difficult."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import files, git, history, programs, texts
from runs import whole
from swiftmodules.errors import ToolError
from swiftmodules.split.branch import Done, Whole
from swiftmodules.split.costs import Edit
from swiftmodules.split.tree import Outcome
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

MOVED = ("Animal.swift", "Operators.swift", "Pen.swift", "Zoo.swift", "Conformances.swift", "Platform.swift")


# Its targets are made by functions.
PROGRAM = """// swift-tools-version: 6.0
import PackageDescription
func library(_ name: String) -> Target { .target(name: name) }
func tests(_ name: String) -> Target { .testTarget(name: name, dependencies: ["Zoo"]) }
let package = Package(name: "Zoo", targets: [library("Zoo"), tests("ZooTests"), tests("AnimalTests")])
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    state = texts("Zoo")
    state["Package.swift"] = state["Package.swift"].replace("\n", "\r\n")
    folder = history(tmp_path_factory.mktemp("cut") / "Zoo", state, "Sources/Zoo/Tour.swift")
    # What git runs after a checkout of the user.
    (hook,) = programs(folder.parent, {"hooks/post-checkout": "exit 1"})
    git(folder, "config", "core.hooksPath", str(hook.parent))
    # What asks for a password that nobody types.
    git(folder, "config", "commit.gpgSign", "true")
    git(folder, "config", "gpg.program", "false")
    # A sparse checkout, which has no tests.
    git(folder, "sparse-checkout", "set", "Sources/Zoo")
    # A file that git ignores since it was committed.
    files(folder, {".git/info/exclude": "Platform.swift\n"})
    return folder


@pytest.fixture(scope="module")
def built(folder: Path) -> Iterator[Whole]:
    """The package, built to be cut."""
    with whole(folder, files=MOVED) as built:
        yield built


@pytest.fixture(scope="module")
def zoo(folder: Path, built: Whole) -> tuple[Path, Done]:
    """The package, and the cut that was made of it."""
    return folder, built.cut("cut-zoo")


def text(zoo: tuple[Path, Done], file: str) -> str:
    return git(zoo[0], "show", f"{zoo[1].branch}:{file}")


def test_difficult_package_is_cut_and_its_tests_pass(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    # The known failure is none of them.
    assert (done.tests.passed.total(), done.tests.trouble) == (4, "")
    # Of nine files of sources, one of the guide and two of tests, those of the animals are not rebuilt any more: three
    # are, with the file that passes the animals on, the guide and one file of tests.
    assert (done.proposal.before.files, done.proposal.after.files) == (10 * 12, 10 * 6)
    assert (done.proposal.before.tests, done.proposal.after.tests) == (10 * 2, 10 * 1)
    changes = git(folder, "show", "--name-status", "--format=", "-M30%", done.branch).splitlines()
    renamed = [line.split("\t")[1:] for line in changes if line.startswith("R")]
    assert ["Sources/Zoo/Operators.swift", "Sources/ZooZoo/Operators.swift"] in renamed


def test_cut_leaves_the_checkout_alone(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    assert git(folder, "status", "--porcelain") == ""
    assert git(folder, "rev-parse", f"{done.branch}~1") == git(folder, "rev-parse", "HEAD")
    assert len(git(folder, "worktree", "list").splitlines()) == 1


def test_access_is_raised_as_far_as_others_use_it(zoo: tuple[Path, Done]) -> None:
    animal, shared = text(zoo, "Sources/ZooZoo/Animal.swift"), text(zoo, "Sources/ZooZoo/Text.swift")
    assert "package struct Animal: Hashable {\n    package var name: String\n    var weight = 1\n" in animal
    assert "    package init(name: String, weight: Int = 1, sound: Sound? = nil) {\n" in animal
    # A default value is seen by callers.
    assert "package let normalWeight = 2" in animal
    assert "package func normal(" in shared and "label(of" not in shared and "    var key: String" in shared
    assert text(zoo, "Sources/Zoo/Text.swift").count("func ") == 1


def test_users_import_what_they_use(zoo: tuple[Path, Done]) -> None:
    assert text(zoo, "Sources/Zoo/ZooExports.swift") == "@_exported import ZooZoo"
    assert text(zoo, "Tests/AnimalTests/AnimalTests.swift").startswith("import Testing\n\n@testable import ZooZoo\n")
    assert text(zoo, "Tests/ZooTests/TourTests.swift").startswith("import Testing\n\n@testable import Zoo\n")


def test_part_has_the_settings_of_its_target_and_users_depend_on_what_they_name(zoo: tuple[Path, Done]) -> None:
    _, _, targets = text(zoo, "Package.swift").partition(
        '// .testTarget(name: "AnimalTests", dependencies: ["Zoo"]) was here.\n'
    )
    assert (
        targets
        == """        .target(
            name: "ZooZoo",
            dependencies: [
                .target(name: "Words")
            ], path: "Sources/ZooZoo",
            swiftSettings: settings
        ),
        .target(
            name: "Zoo",
            dependencies: [
                "ZooZoo", .target(name: "Words")
            ],
            path: "Sources/Zoo",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(name: "Words"),
        .target(name: "Guide", dependencies: [.target(name: "Zoo")]),
        .testTarget(name: "ZooTests", dependencies: ["Zoo"]),
        .testTarget(name: "AnimalTests", dependencies: ["ZooZoo"]),
    ]
)"""
    )


def test_manifest_keeps_its_line_breaks(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    added, removed, _ = git(folder, "show", "--numstat", "--format=", done.branch, "--", "Package.swift").split()
    assert (int(added), int(removed)) == (9, 2)


def test_end_names_what_no_build_has_checked_and_how_the_gain_is_measured(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    lines = [*done.lines("scripts/measure", folder)]
    assert lines[0] == "Branch cut-zoo: Zoo is cut into ZooZoo and Zoo. It builds; 4 tests pass."
    crashed = Outcome(Counter(), "Exited with unexpected signal code 6")
    assert (
        "It builds; no test passed before the cut, so none has checked it; before the cut, the run of the tests ended "
        "with 'Exited with unexpected signal code 6'."
    ) in next(replace(done, tests=crashed).lines("", folder))
    # What moves counts, and what names an animal or a tour where that was seen before the cut.
    assert done.unseen == [
        "Sources/Zoo/Cage.swift:16 #if os(Windows)",
        "Sources/Zoo/Platform.swift:3 #if … #else",
        "Tests/AnimalTests/AnimalTests.swift:14 #if os(Windows)",
    ]
    assert {f"    {each}" for each in done.unseen} < {*lines}
    assert "another" in text(zoo, "Sources/ZooZoo/Platform.swift")
    assert lines[-1] == f"  scripts/measure {folder} --against cut-zoo~1 --edits history:20"


def test_prediction_is_what_the_same_commits_rebuild_on_the_branch(
    zoo: tuple[Path, Done], toolchain: Toolchain, tmp_path: Path
) -> None:
    folder, done = zoo
    clone = tmp_path / "Zoo"
    git(tmp_path, "clone", "--quiet", "--branch", done.branch, str(folder), str(clone))
    package, rebuilt = read_package(clone, toolchain), 0
    for commit in git(folder, "rev-list", "--max-count", str(done.proposal.unseen), "main").splitlines():
        git(clone, "revert", "--no-edit", commit)
        changed = git(clone, "show", "--name-only", "--format=").splitlines()
        targets = {target.name for file in changed if (target := package.target_of(Path(file)))}
        rebuilt += sum(len(each.sources) for each in package.above(targets))
    assert rebuilt > 0 and done.proposal.after.files == pytest.approx(rebuilt, rel=0.15)


@contextmanager
def refused(folder: Path, message: str) -> Iterator[pytest.MonkeyPatch]:
    """Expects that a cut is refused, and leaves no trace."""
    branches, status = git(folder, "branch"), git(folder, "status", "--porcelain")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(ToolError, match=message):
        yield patch
    assert (git(folder, "branch"), git(folder, "status", "--porcelain")) == (branches, status)


def test_manifest_that_does_not_write_targets_out_is_not_changed(folder: Path, built: Whole) -> None:
    lines = [
        "Package.swift does not write these targets out, so it has to be changed by hand:",
        '  Zoo: before it, .target(name: "ZooZoo"), with its settings; it depends on ZooZoo',
        '  AnimalTests: "ZooZoo" in place of Zoo',
    ]
    with refused(folder, re.escape("\n".join(lines))) as patch:
        patch.setattr(built, "_manifest", PROGRAM)
        built.cut("another")


def test_cut_that_saves_little_is_not_made(folder: Path, built: Whole) -> None:
    with refused(folder, "^No cut of `Zoo` saves 10%: in 2 targets, after the last 10 .* nothing to gain") as patch:
        animal = built.graph.of_file[Path("Sources/Zoo/Animal.swift")]
        patch.setattr(built, "edits", [Edit(frozenset(animal), frozenset())] * 10)
        built.cut("another")


def test_nothing_is_committed_where_a_test_fails_that_passed(folder: Path, built: Whole) -> None:
    with refused(folder, r"^1 test passed before the cut and not after it.*cageIsOfTheZoo") as patch:
        patch.setattr(built, "_files", [Path("Sources/Zoo/Cage.swift")])
        built.cut("another")
