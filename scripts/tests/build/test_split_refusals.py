"""What `measure split` refuses, with the reason, and without a trace in the repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, files, git, history, programs, texts
from runs import cut
from swiftmodules.builds import machine
from swiftmodules.cli import main
from swiftmodules.errors import DiskFullError, ToolError
from swiftmodules.split.branch import passing_again
from swiftmodules.split.tree import Outcome, Tree
from swiftmodules.swiftpm.toolchain import Toolchain

CRASH = "Process 'ZooTests' exited with unexpected signal code 6"
# One target of two files, of which the upper one is edited.
PAIR: Mapping[str, str] = {
    "Package.swift": """// swift-tools-version: 6.0
import PackageDescription
let package = Package(
    name: "Zoo",
    targets: [.target(name: "Zoo"), .testTarget(name: "ZooTests", dependencies: ["Zoo"])]
)
""",
    "Sources/Zoo/Low.swift": "struct Low {}\n",
    "Sources/Zoo/High.swift": "struct High {\n    var low = Low()\n}\n",
    "Tests/ZooTests/Some.swift": """import Testing
@testable import Zoo

@Test func isOfZoo() {
    #expect(String(reflecting: Zoo.Low.self) == "Zoo.Low")
}
""",
}


def test_nothing_is_committed_where_a_test_fails_that_passed(tmp_path: Path) -> None:
    folder = history(tmp_path / "Zoo", PAIR, "Sources/Zoo/High.swift")
    with pytest.raises(ToolError, match=r"1 test passed before the cut and not after it.*isOfZoo"):
        cut(folder, files=("Low.swift",))
    assert git(folder, "branch", "--format=%(refname:short)").splitlines() == ["main"]
    assert len(git(folder, "worktree", "list").splitlines()) == 1


def test_file_behind_a_link_is_not_changed(tmp_path: Path) -> None:
    folder, low = history(tmp_path / "Zoo", PAIR, "Sources/Zoo/High.swift"), PAIR["Sources/Zoo/Low.swift"]
    (shared,) = files(folder, {"Shared/Low.swift": low})
    (folder / "Sources/Zoo/Low.swift").unlink()
    (folder / "Sources/Zoo/Low.swift").symlink_to(shared)
    committed(folder, "Link")
    with pytest.raises(ToolError, match=r"The cut changes Sources/Zoo/Low\.swift, which is behind a link"):
        cut(folder, files=("Low.swift",))
    assert git(folder, "status", "--porcelain") == "" and shared.read_text() == low


def test_failed_tests_are_run_again_and_named_where_they_pass_then() -> None:
    before, flaky = Outcome(Counter({"one": 1, "two": 2})), Outcome(Counter({"one": 1, "two": 1}))
    runs = iter([flaky, before])
    assert passing_again(before, lambda: next(runs)) == ["two"]
    # A test that failed before is none of them, and a run without failures is the only one.
    runs = iter([Outcome(before.passed + Counter(["three"]))])
    assert passing_again(before, lambda: next(runs)) == []
    runs = iter([flaky, flaky])
    with pytest.raises(ToolError, match=r"^1 test passed before the cut and not after it.*: two\.$"):
        passing_again(before, lambda: next(runs))


def test_run_that_crashes_after_all_tests_is_as_one_with_a_failed_test() -> None:
    before, crashed = Outcome(Counter(["one"])), Outcome(Counter(["one"]), CRASH)
    runs = iter([crashed, before])
    assert passing_again(before, lambda: next(runs)) == [CRASH]
    runs = iter([crashed, crashed])
    with pytest.raises(ToolError, match=rf"run of the tests fails after the cut, and did not before.*: {CRASH}\.$"):
        passing_again(before, lambda: next(runs))
    runs = iter([Outcome(Counter(), CRASH)] * 2)
    with pytest.raises(ToolError, match=rf"^1 test passed .*: one: {CRASH}\.$"):
        passing_again(before, lambda: next(runs))
    # One that crashed before the cut too is no worse.
    runs = iter([crashed])
    assert passing_again(crashed, lambda: next(runs)) == []


@pytest.mark.parametrize(
    ("printed", "code", "expected"),
    [
        ("Test Case 'A.one' passed (0.1 seconds)\n✔ Test two() passed after 0.1 seconds.", 0, (2, "")),
        ("Test Case 'A.one' passed (0.1 seconds)\n✘ Test two() failed after 0.1 seconds.", 1, (1, "")),
        (f"✔ Test two() passed after 0.1 seconds.\nerror: {CRASH}", 1, (1, CRASH)),
        (f"✘ Test two() failed after 0.1 seconds.\nerror: {CRASH}", 1, (0, CRASH)),
        ("Building\nerror: cannot load libTesting.so", 1, (0, "cannot load libTesting.so")),
        ("✔ Test two() passed after 0.1 seconds.", 3, (1, "exit code 3")),
    ],
)
def test_run_has_the_tests_that_passed_and_an_end_that_no_failed_test_explains(
    printed: str, code: int, expected: tuple[int, str], tmp_path: Path, toolchain: Toolchain
) -> None:
    (swift,) = programs(tmp_path, {"bin/swift": f'[ "$1" = test ] || exit 0\ncat << END\n{printed}\nEND\nexit {code}'})
    found = Tree(tmp_path, tmp_path, replace(toolchain, bin=swift.parent)).run_tests()
    assert (found.passed.total(), found.trouble) == expected


def test_full_disk_is_no_outcome_of_a_build_or_of_tests(
    tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    (swift,) = programs(tmp_path, {"bin/swift": '[ "$2" = --help ] && exit 0\nexit 1'})
    tree = Tree(tmp_path, tmp_path, replace(toolchain, bin=swift.parent))
    monkeypatch.setattr(machine, "_LEAST_FREE_BYTES", 2**62)
    for run, name in ((tree.build, "swift build"), (tree.run_tests, "swift test")):
        with pytest.raises(DiskFullError, match=rf"so '{name}' cannot be trusted.*on another disk"):
            run()


ZOO = texts("Zoo")
RESOURCES = {
    "Package.swift": ZOO["Package.swift"].replace('"README.md"]', '"README.md"], resources: [.copy("a.txt")]'),
    "Sources/Zoo/a.txt": "a",
}
MACROS = {
    "Package.swift": ZOO["Package.swift"]
    .replace("import Pack", "import CompilerPluginSupport\nimport Pack")
    .replace('                .target(name: "Words")', '"Spells"')
    .replace('        .target(name: "Words"),', '.macro(name: "Spells"), .target(name: "Words"),'),
    "Sources/Spells/Spells.swift": "",
}
PROGRAM = """// swift-tools-version: 6.0
import PackageDescription
func library(_ name: String) -> Target { .target(name: name) }
func tests(_ name: String) -> Target { .testTarget(name: name, dependencies: ["Zoo"]) }
let package = Package(name: "Zoo", targets: [library("Zoo"), tests("ZooTests")])
"""
# What differs in the package, the file that is edited, the options, and the error.
REFUSED: Mapping[str, tuple[Mapping[str, str], str, str, str]] = {
    "resources": (
        {**ZOO, **RESOURCES},
        "Tour",
        "",
        "Zoo has resources, which Bundle.module finds in the bundle of its own target. Move the code that loads them "
        "into a target with them first.",
    ),
    "macros": (
        {**ZOO, **MACROS},
        "Tour",
        "",
        "Zoo declares macros of Spells, which name their module in '#externalMacro'. Move the declarations of macros "
        "into a target of their own first.",
    ),
    "unknown": (ZOO, "Tour", "--target Gone", "no target 'Gone' in Swift. Its targets are Guide, Words, Zoo."),
    "folder": (
        {**PAIR, "Package.swift": PAIR["Package.swift"].replace('Zoo")', 'Zoo", path: ".", sources: ["Sources"])', 1)},
        "High",
        "",
        "Zoo takes its sources from the folder of the package, beside which no other target has a place. Move them "
        "into a folder of their own first.",
    ),
    "file": (ZOO, "Tour", "--files Cage.swift,Gone.swift", "Zoo has no source Gone.swift."),
    "branch": (
        ZOO,
        "Tour",
        "--branch main",
        "git cannot make a branch 'main': a branch named 'main' already exists. Name another one with --branch.",
    ),
    "inside": (ZOO, "Tour", "--branch main/x", "'refs/heads/main' exists; cannot create 'refs/heads/main/x'. Name "),
    "name": (ZOO, "Tour", "--branch a..b", "'a..b' is no name for a branch. Name another one with --branch."),
    "program": (
        {**PAIR, "Package.swift": PROGRAM},
        "High",
        "--files Low.swift",
        "Package.swift does not write these targets out, so it has to be changed by hand:\n"
        '  Zoo: before it, .target(name: "ZooLow"), with its settings; it depends on ZooLow\n'
        '  ZooTests: "ZooLow" in place of Zoo',
    ),
    "saving": (
        PAIR,
        "Low",
        "--files Low.swift",
        "No cut of `Zoo` saves 10%: in 2 targets, after the last 10",
    ),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_refusal_says_why_and_what_to_do(tmp_path: Path, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    state, edited, options, message = REFUSED[reason]
    folder = history(tmp_path / "Zoo", state, f"Sources/Zoo/{edited}.swift")
    command = ["measure", "split", "--package", str(folder), *(() if "--target" in options else ("--target", "Zoo"))]
    assert main([*command, *options.split()]) in (1, 64)
    error = capsys.readouterr().err
    assert message in error
    assert git(folder, "branch", "--format=%(refname:short)").splitlines() == ["main"]
    assert len(git(folder, "worktree", "list").splitlines()) == 1
