"""What `measure split` refuses, with the reason, and without a trace in the repository."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import files, git, history, programs, texts
from swiftmodules.builds import machine
from swiftmodules.cli import main
from swiftmodules.errors import DiskFullError, ToolError
from swiftmodules.split import tree
from swiftmodules.split.branch import passing_again
from swiftmodules.split.cut import changed
from swiftmodules.split.tree import Outcome, Tree
from swiftmodules.swiftpm.toolchain import Toolchain

CRASH = "Process 'ZooTests' exited with unexpected signal code 6"


def test_file_behind_a_link_is_not_changed(tmp_path: Path) -> None:
    (shared,) = files(tmp_path, {"Shared/Low.swift": "struct Low {}\n"})
    (tmp_path / "Low.swift").symlink_to(shared)
    with pytest.raises(ToolError, match=r"^The cut changes Low\.swift, which is behind a link\. Replace the link"):
        changed(tmp_path, {Path("High.swift"): b"", Path("Low.swift"): None})
    assert shared.read_text() == "struct Low {}\n" and not (tmp_path / "High.swift").exists()


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


def test_tests_that_hang_are_ended_and_named(
    tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    printed = "◇ Test one() started.\n✔ Test one() passed after 0.1 seconds.\n◇ Test two(_:) started."
    (swift,) = programs(tmp_path, {"bin/swift": f'[ "$1" = test ] || exit 0\necho "{printed}"\nexec sleep 60'})
    monkeypatch.setattr(tree, "_TEST_SECONDS", 1)
    with pytest.raises(
        ToolError,
        match=r"do not end within 1 s.* End or disable what hangs, and cut again\. Begun and not ended: two\(_:\)\.$",
    ):
        Tree(tmp_path, tmp_path, replace(toolchain, bin=swift.parent)).run_tests()


def test_initialisers_of_a_program_are_known_too(tmp_path: Path, toolchain: Toolchain) -> None:
    manifest = "// swift-tools-version: 6.0\nimport PackageDescription\n"
    manifest += 'let package = Package(name: "Some", targets: [.executableTarget(name: "App")])\n'
    files(tmp_path, {"Package.swift": manifest, "Sources/App/main.swift": "struct Low { var one = 1 }\n"})
    built = Tree(tmp_path, tmp_path / ".build", toolchain)
    (tmp_path / ".build").mkdir()
    assert built.build(with_tests=False) is None
    assert "init(one: Int = 1)" in built.initialisers().values()


def test_full_disk_is_no_outcome_of_a_build_or_of_tests(
    tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    (swift,) = programs(tmp_path, {"bin/swift": '[ "$2" = --help ] && exit 0\nexit 1'})
    full = Tree(tmp_path, tmp_path, replace(toolchain, bin=swift.parent))
    monkeypatch.setattr(machine, "_LEAST_FREE_BYTES", 2**62)
    for run, name in ((full.build, "swift build"), (full.run_tests, "swift test")):
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
IN_FOLDER = {
    "Package.swift": """// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Zoo", targets: [.target(name: "Zoo", path: ".", sources: ["Sources"])])
"""
}
BROKEN = {"Package.swift": "// swift-tools-version: 6.0\nimport PackageDescription\nlet package = 1\n"}
# The package, the options, and the error.
REFUSED: Mapping[str, tuple[Mapping[str, str], str, str]] = {
    "resources": (
        {**ZOO, **RESOURCES},
        "",
        "Zoo has resources, which Bundle.module finds in the bundle of its own target. Move the code that loads them "
        "into a target with them first.",
    ),
    "macros": (
        {**ZOO, **MACROS},
        "",
        "Zoo declares macros of Spells, which name their module in '#externalMacro'. Move the declarations of macros "
        "into a target of their own first.",
    ),
    "unknown": (ZOO, "--target Gone", "no target 'Gone' in Swift. Its targets are Guide, Words, Zoo."),
    "folder": (
        {**IN_FOLDER, "Sources/Zoo/Tour.swift": ""},
        "",
        "Zoo takes its sources from the folder of the package, beside which no other target has a place. Move them "
        "into a folder of their own first.",
    ),
    # By the path of the checkout, and not by that of the copy.
    "manifest": ({**ZOO, **BROKEN}, "", "SwiftPM cannot read the package in {}:\n"),
    "file": (ZOO, "--files Cage.swift,Gone.swift", "Zoo has no source Gone.swift."),
    "branch": (
        ZOO,
        "--branch main",
        "git cannot make a branch 'main': a branch named 'main' already exists. Name another one with --branch.",
    ),
    "inside": (ZOO, "--branch main/x", "'refs/heads/main' exists; cannot create 'refs/heads/main/x'. Name "),
    "name": (ZOO, "--branch a..b", "'a..b' is no name for a branch. Name another one with --branch."),
}


def test_git_has_to_know_who_commits_before_anything_is_built(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = history(tmp_path / "Zoo", ZOO, "Sources/Zoo/Tour.swift")
    git(folder, "config", "--unset", "user.name")
    git(folder, "config", "user.useConfigOnly", "true")
    for name in ("GIT_COMMITTER_NAME", "GIT_AUTHOR_NAME", "EMAIL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", "/dev/null")
    assert main(["measure", "split", "--package", str(folder), "--target", "Zoo"]) == 64
    assert "git does not know who commits. Set it first: git config --global user.name" in capsys.readouterr().err


@pytest.mark.parametrize("reason", REFUSED)
def test_refusal_says_why_and_what_to_do(tmp_path: Path, reason: str, capsys: pytest.CaptureFixture[str]) -> None:
    state, options, message = REFUSED[reason]
    folder = history(tmp_path / "Zoo", state, "Sources/Zoo/Tour.swift")
    command = ["measure", "split", "--package", str(folder), *(() if "--target" in options else ("--target", "Zoo"))]
    assert main([*command, *options.split()]) in (1, 64)
    error = capsys.readouterr().err
    assert message.format(folder) in error
    assert git(folder, "branch", "--format=%(refname:short)").splitlines() == ["main"]
