"""The cut of the package `Zoo` on a branch: it has what makes a cut difficult."""

from __future__ import annotations

import shutil
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import files, git, history, programs, texts
from runs import cut
from swiftmodules.split.branch import Done
from swiftmodules.split.tree import Outcome
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

MOVED = ("Animal.swift", "Operators.swift", "Pen.swift", "Zoo.swift", "Conformances.swift", "Platform.swift")


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    state = texts("Zoo")
    state["Package.swift"] = state["Package.swift"].replace("\n", "\r\n")
    folder = history(tmp_path_factory.mktemp("cut") / "Zoo", state, "Sources/Zoo/Tour.swift")
    # What git runs after a checkout of the user.
    (hook,) = programs(folder.parent, {"hooks/post-checkout": "exit 1"})
    git(folder, "config", "core.hooksPath", str(hook.parent))
    # What asks for a password that nobody types.
    git(folder, "config", "commit.gpgSign", "true")
    git(folder, "config", "gpg.program", "false")
    # A file that git ignores since it was committed.
    files(folder, {".git/info/exclude": "Platform.swift\n"})
    # A worktree of the user on a disk that is not there now, and that of a run that was killed.
    for away in (folder.parent / "away", folder.parent / "scratch/work-0/tree"):
        git(folder, "-c", "core.hooksPath=", "worktree", "add", "--detach", str(away))
        shutil.rmtree(away)
    return folder, cut(folder, files=MOVED)


def text(zoo: tuple[Path, Done], file: str) -> str:
    return git(zoo[0], "show", f"{zoo[1].branch}:{file}")


def test_difficult_package_is_cut_and_its_tests_pass(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    # The known failure is none of them.
    assert (done.tests.passed.total(), done.tests.trouble) == (3, "")
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
    own, away = git(folder, "worktree", "list").splitlines()
    assert str(folder) in own and str(folder.parent / "away") in away


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
    assert lines[0] == "Branch cut-zoo: Zoo is cut into ZooZoo and Zoo. It builds; 3 tests pass."
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
