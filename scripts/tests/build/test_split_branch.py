"""The cut of a target on a branch: a package with what makes a cut difficult, and what is refused."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_files import committed, files, git, programs
from runs import cut
from swiftmodules.cli import main
from swiftmodules.errors import ToolError
from swiftmodules.split.branch import Done, passing_again
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

MANIFEST = """// swift-tools-version: 6.0
import PackageDescription

let settings: [SwiftSetting] = [.define("ZOO")]

let package = Package(
    name: "Zoo",
    products: [.library(name: "Zoo", targets: ["Zoo"])],
    targets: [
        // .target(name: "Zoo") was here.
        .target(
            name: "Zoo",
            dependencies: [
                .target(name: "Words"),
            ],
            path: "Sources/Zoo",
            exclude: ["README.md"],
            swiftSettings: settings
        ),
        .target(name: "Words"),
        .target(name: "Guide", dependencies: [.target(name: "Zoo")]),
        .testTarget(name: "ZooTests", dependencies: ["Zoo"]),
        .testTarget(name: "AnimalTests", dependencies: ["Zoo"]),
    ]
)
"""
STATE: Mapping[str, str] = {
    ".gitignore": ".build/\nhooks/\n",
    "Package.swift": MANIFEST,
    "Sources/Zoo/README.md": "",
    "Sources/Words/Words.swift": "",
    # What moves: nearly all of it is internal, and its initialisers are made up by the compiler.
    "Sources/Zoo/Animal.swift": """import Foundation

/// An animal.
struct Animal: Hashable {
    var name: String
    var weight = 1
    var sound: Sound?

    func described() -> String { "\\(key) \\(weight)" }
}

enum Sound: Hashable {
    case roar(Volume)
    case none
}

struct Volume: Hashable, Comparable {
    let value: Int

    static func < (left: Volume, right: Volume) -> Bool { left.value < right.value }
}

func heavier(_ one: Animal, by weight: Int = normalWeight) -> Animal {
    var heavier = one
    heavier.weight += weight
    return heavier
}

let normalWeight = 2
""",
    "Sources/Zoo/Operators.swift": """infix operator <+>: Louder

precedencegroup Louder {
    associativity: left
    higherThan: ComparisonPrecedence
}

func <+> (left: Volume, right: Volume) -> Volume { Volume(value: left.value + right.value) }
""",
    "Sources/Zoo/Pen.swift": """protocol Named {
    var name: String { get }
}

extension Named {
    var isNamed: Bool { !name.isEmpty }
}

final class Pen<Element: Hashable> where Element: Named {
    private(set) var all: Set<Element> = []
    var onChange: (Element) -> Void = { _ in }

    func add(_ one: Element) {
        all.insert(one)
        onChange(one)
    }
}
""",
    # The type with the name of the module.
    "Sources/Zoo/Zoo.swift": """struct Zoo {
    var animals: [Animal] = []
    let opened: Int

    var loudest: Volume {
        animals.reduce(Volume(value: 0)) { sum, each in
            if case .roar(let volume)? = each.sound { sum <+> volume } else { sum }
        }
    }
}
""",
    # Half of it moves: the helper is shared, and private.
    "Sources/Zoo/Text.swift": """import Foundation

private func normal(_ text: String) -> String { text.lowercased().trimmingCharacters(in: .whitespaces) }

extension Animal {
    var key: String { normal(name) }
}

func label(of cage: Cage) -> String { normal(cage.title) }
""",
    "Sources/Zoo/Conformances.swift": """extension Animal: Named {}

extension String: Named {
    var name: String { self }
}

extension Pen where Element == Animal {
    var weight: Int { all.map(\\.weight).reduce(0, +) }
}
""",
    "Sources/Zoo/Platform.swift": """#if os(Linux)
public func platform() -> String { "Linux" }
#else
public func platform() -> String { "another" }
#endif
""",
    # What stays.
    "Sources/Zoo/Cage.swift": """import Foundation

struct Cage {
    var title: String
    var pen = Pen<Animal>()
    var zoo = Zoo(opened: 1900)

    mutating func fill() -> Int {
        pen.add(heavier(Animal(name: " Lion ", sound: .roar(Volume(value: 3)))))
        zoo.animals += pen.all
        return pen.weight + (zoo.loudest <+> Volume(value: 1)).value
    }

    func texts() -> [String] { pen.all.map { $0.described() } + [platform(), title.name] }
}
""",
    "Sources/Zoo/Tour.swift": """public struct Tour {
    public init() {}

    public func steps() -> [String] {
        var cage = Cage(title: " Cats ")
        let filled = cage.fill()
        cage.title += String(filled)
        return cage.texts() + [label(of: cage)]
    }
}
""",
    "Sources/Guide/Guide.swift": "import Zoo\n\npublic func guide() -> [String] { Tour().steps() + [platform()] }\n",
    "Tests/ZooTests/TourTests.swift": """import Testing
@testable import Zoo

@Test func stepsAreTheTextsOfTheCage() {
    #expect(Tour().steps() == ["lion 3", "Linux", " Cats 7", "cats 7"])
}

@Test func cageIsFilled() {
    var cage = Cage(title: "A")
    let filled = cage.fill()
    #expect(filled == 7)
}
""",
    "Tests/AnimalTests/AnimalTests.swift": """import Testing
@testable import Zoo

@Test(arguments: [1, 2]) func volumesAdd(_ value: Int) {
    #expect(Volume(value: value) <+> Volume(value: 1) > Volume(value: value))
    #expect(Zoo(opened: 1).loudest == Volume(value: 0))
}

@Test func knownToFail() {
    #expect(normalWeight == 3)
}
""",
}
MOVED = ("Animal.swift", "Operators.swift", "Pen.swift", "Zoo.swift", "Conformances.swift", "Platform.swift")


def repository(folder: Path) -> None:
    """A repository whose user has a name, and a hook that refuses."""
    folder.mkdir()
    git(folder, "init", "--initial-branch", "main")
    git(folder, "config", "user.name", "A")
    git(folder, "config", "user.email", "a@example.com")
    (hook,) = programs(folder, {"hooks/post-checkout": "exit 1"})
    git(folder, "config", "core.hooksPath", str(hook.parent))


def history(folder: Path, state: Mapping[str, str] = STATE, edited: str = "Sources/Zoo/Tour.swift") -> Path:
    """A repository with a package, and ten commits that edit one file."""
    repository(folder)
    committed(folder, "First", state)
    for number in range(10):
        committed(folder, f"Edit {number}", {edited: f"{state[edited]}\n// {number}\n"})
    return folder


@pytest.fixture(scope="module")
def zoo(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Done]:
    folder = history(tmp_path_factory.mktemp("cut") / "Zoo")
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
    assert done.tests == 3
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
    assert text(zoo, "Tests/AnimalTests/AnimalTests.swift").startswith("import Testing\n@testable import ZooZoo\n")
    assert text(zoo, "Tests/ZooTests/TourTests.swift").startswith("import Testing\n@testable import Zoo\n")


def test_part_has_the_settings_of_its_target_and_users_depend_on_what_they_name(zoo: tuple[Path, Done]) -> None:
    _, _, targets = text(zoo, "Package.swift").partition('// .target(name: "Zoo") was here.\n')
    assert (
        targets
        == """        .target(
            name: "ZooZoo",
            dependencies: [
                .target(name: "Words"),
            ], path: "Sources/ZooZoo",
            swiftSettings: settings
        ),
        .target(
            name: "Zoo",
            dependencies: [
                "ZooZoo", .target(name: "Words"),
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


def test_end_names_what_was_not_compiled_and_how_the_gain_is_measured(zoo: tuple[Path, Done]) -> None:
    folder, done = zoo
    lines = [*done.lines("scripts/measure", folder)]
    assert lines[0] == "Branch cut-zoo: Zoo is cut into ZooZoo and Zoo. It builds; 3 tests pass."
    assert "    Sources/Zoo/Platform.swift:3 #if … #else" in lines
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


# One target of two files, of which the upper one is edited.
PAIR: Mapping[str, str] = {
    ".gitignore": ".build/\nhooks/\n",
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
    #expect(String(reflecting: Low.self) == "Zoo.Low")
}
""",
}


def test_nothing_is_committed_where_a_test_fails_that_passed(tmp_path: Path) -> None:
    folder = history(tmp_path / "Zoo", PAIR, "Sources/Zoo/High.swift")
    with pytest.raises(ToolError, match=r"1 tests that passed before the cut do not pass after it.*isOfZoo"):
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
    before, flaky = Counter({"one": 1, "two": 2}), Counter({"one": 1, "two": 1})
    runs = iter([flaky, before])
    assert passing_again(before, lambda: next(runs)) == ["two"]
    # A test that failed before is none of them, and a run without failures is the only one.
    runs = iter([before + Counter(["three"])])
    assert passing_again(before, lambda: next(runs)) == []
    runs = iter([flaky, flaky])
    with pytest.raises(ToolError, match=r"^1 tests that passed before the cut do not pass after it.*: two\.$"):
        passing_again(before, lambda: next(runs))


RESOURCES = {
    "Package.swift": MANIFEST.replace('exclude: ["README.md"]', 'exclude: ["README.md"], resources: [.copy("a.txt")]'),
    "Sources/Zoo/a.txt": "a",
}
MACROS = {
    "Package.swift": MANIFEST.replace(
        "import PackageDescription", "import CompilerPluginSupport\nimport PackageDescription"
    )
    .replace('                .target(name: "Words"),', '"Spells",')
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
        {**STATE, **RESOURCES},
        "Tour",
        "",
        "Zoo has resources, which Bundle.module finds in the bundle of its own target. Move the code that loads them "
        "into a target with them first.",
    ),
    "macros": (
        {**STATE, **MACROS},
        "Tour",
        "",
        "Zoo declares macros of Spells, which name their module in '#externalMacro'. Move the declarations of macros "
        "into a target of their own first.",
    ),
    "unknown": (STATE, "Tour", "--target Gone", "no target 'Gone' in Swift. Its targets are Guide, Words, Zoo."),
    "branch": (STATE, "Tour", "--branch main", "has a branch 'main' already. Name another one with --branch."),
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
