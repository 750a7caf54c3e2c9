"""Every kind of input of a package: what a change of it selects, too little never, and no more than it must."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from made_files import committed, files, git
from made_packages import library
from swiftmodules.cli import main
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.copy import package_files
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.differences import Differences
from swiftmodules.swiftpm.git import Checkout
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.target import Resource, Target
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")

MANIFEST = """// swift-tools-version: 6.1
import PackageDescription

let here = Context.packageDirectory

let package = Package(
    name: "App",
    platforms: [.macOS(.v14)],
    products: [.library(name: "Text", targets: ["Text"])],
    traits: [.trait(name: "Fast")],
    dependencies: [
        .package(path: "../Core"),
        .package(path: "../../Far"),
        .package(path: "../Inner"),
        .package(url: "https://example.com/yams.git", exact: "1.0.0"),
    ],
    targets: [
        .target(name: "Text", exclude: ["old"], resources: [.copy("data.txt")], plugins: ["Generate"]),
        .target(name: "CLib"),
        .target(name: "CUser", cSettings: [.headerSearchPath("../CLib/include")]),
        .target(name: "Other", swiftSettings: [.unsafeFlags(["-I\\(here)/shared"])]),
        .target(name: "Optional"),
        .target(name: "Plain", dependencies: [.target(name: "Optional", condition: .when(traits: ["Fast"]))]),
        .target(name: "Useful", dependencies: [.product(name: "Core", package: "Core")]),
        .target(name: "Wide", dependencies: [.product(name: "Far", package: "Far")]),
        .target(name: "Deep", dependencies: [.product(name: "Inner", package: "Inner")]),
        .target(name: "Remote", dependencies: [.product(name: "Yams", package: "yams")]),
        .executableTarget(name: "Generator"),
        .plugin(name: "Generate", capability: .buildTool(), dependencies: ["Generator"]),
        .testTarget(name: "TextTests", dependencies: ["Text"]),
        .testTarget(name: "core-tests", dependencies: ["CLib"]),
        .testTarget(name: "CUserTests", dependencies: ["CUser"]),
        .testTarget(name: "AppTests"),
        .testTarget(name: "PlainTests", dependencies: ["Plain"]),
        .testTarget(name: "UsefulTests", dependencies: ["Useful"]),
        .testTarget(name: "WideTests", dependencies: ["Wide"]),
        .testTarget(name: "DeepTests", dependencies: ["Deep"]),
        .testTarget(name: "RemoteTests", dependencies: ["Remote"]),
    ]
)
"""
PINS = '{"originHash": "abc", "pins": [{"identity": "yams", "state": {"version": "1.0.0"}}]}'
TARGETS = ("Text", "Other", "Optional", "Plain", "Useful", "Wide", "Deep", "Remote")
TESTS = ("TextTests", "core-tests", "CUserTests", "PlainTests", "UsefulTests", "WideTests", "DeepTests", "RemoteTests")
# By the names of their modules.
ALL = {"AppTests", "core_tests", *TESTS} - {"core-tests"}


def package(name: str, *needs: str) -> dict[str, str]:
    """A package with a library, and what else a package has."""
    return {**library(name, *needs), f"{name}/README.md": "", f"{name}/Sources/{name}/more.txt": ""}


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with three packages and a submodule, and a package beside it that is in none."""
    around = tmp_path_factory.mktemp("around").resolve()
    files(around, {**package("Far"), "words/more.swift": ""})
    files(around / "origin", package("Inner"))
    committed(around / "origin/Inner")
    repository = around / "repository"
    app = {f"App/Sources/{each}/{each}.swift": "" for each in (*TARGETS, "Generator")}
    app |= {f"App/Tests/{each}/Some.swift": "" for each in TESTS}
    files(
        repository,
        {
            **app,
            **package("Core", "Base"),
            **package("Base"),
            "App/Package.swift": MANIFEST,
            "App/Package.resolved": PINS,
            "App/Sources/Text/data.txt": "",
            "App/Sources/Text/schema.idl": "",
            "App/Sources/Text/old/notes.txt": "",
            "App/Sources/Text/NOTES.md": "",
            "App/Sources/Text/tool.sh": "",
            "App/Sources/CLib/c.c": '#include "clib.h"\n',
            "App/Sources/CLib/include/clib.h": '#include "../../../shared/shared.h"\n',
            "App/Sources/CUser/u.c": "#include <clib.h>\n",
            "App/Sources/CUser/include/u.h": "",
            "App/shared/shared.h": "",
            "App/schemas/api.idl": "",
            "App/Plugins/Generate/Generate.swift": "",
            "App/Tests/AppTests/Some.swift": "import Other\n",
            "App/Tests/TextTests/__Snapshots__/one.txt": "",
            "App/Linked/Link.swift": "",
            "App/README.md": "",
            "App/docs/guide.md": "",
            "App/Makefile": "",
            "App/.gitignore": "ignored.*\n.build/\n.DS_Store\n",
            "App/.swift-version": "6.3",
            "LICENSE": "",
            "notes.txt": "",
        },
    )
    (repository / "App/Sources/Plain/Link.swift").symlink_to("../../Linked/Link.swift")
    (repository / "App/Sources/Deep/More.swift").symlink_to("../../../../words/more.swift")
    git(repository, "init")
    git(repository, "-c", "protocol.file.allow=always", "submodule", "add", str(around / "origin/Inner"), "Inner")
    committed(repository)
    return repository


@pytest.fixture
def repository(original: Path) -> Iterator[Path]:
    """The repository, as it was committed before and after each test; times of other files are put back too."""
    far, words = (original.parent / name for name in ("Far", "words"))
    before = {path: path.stat().st_mtime_ns for folder in (far, words) for path in folder.rglob("*")}
    head = git(original, "rev-parse", "HEAD")
    yield original
    git(original, "reset", "--hard", head)
    git(original, "clean", "-xdff")
    git(original / "Inner", "reset", "--hard", "origin/HEAD")
    git(original / "Inner", "clean", "-xdff")
    (far / "Sources/Far/more.txt").touch()
    for path, moment in before.items():
        os.utime(path, ns=(moment, moment))


def found_in(repository: Path, toolchain: Toolchain, revision: str = "HEAD", patterns: Patterns = Patterns()) -> Since:
    folder = repository / "App"
    return since(Architecture(read_package(folder, toolchain)), revision, folder, toolchain, patterns)


def append(path: str) -> Callable[[Path], object]:
    return lambda repository: files(repository, {path: (repository / path).read_text() + "\n"})


def replace(old: str, new: str, path: str = "App/Package.swift") -> Callable[[Path], object]:
    def edit(repository: Path) -> None:
        text = (repository / path).read_text()
        assert old in text
        (repository / path).write_text(text.replace(old, new))

    return edit


def add(path: str, text: str = "") -> Callable[[Path], object]:
    return lambda repository: files(repository, {path: text})


def ignored_in_submodule(repository: Path) -> None:
    files(repository / "Inner", {"Sources/Inner/ignored.json": ""})
    (repository / ".git/modules/Inner/info").mkdir(exist_ok=True)
    (repository / ".git/modules/Inner/info/exclude").write_text("ignored.*\n")


# What is changed, and the tests that are selected. With `ALL`, everything is, and the name is the reason.
KINDS: dict[str, tuple[Callable[[Path], object], set[str]]] = {
    "nothing": (lambda repository: None, set()),
    # Packages in folders.
    "a source of a package two away": (append("Base/Sources/Base/Base.swift"), {"UsefulTests"}),
    "a file of no target there": (add("Base/generate.sh"), ALL),
    "a test of such a package": (append("Base/Tests/BaseTests/Some.swift"), set()),
    "its README": (append("Base/README.md"), set()),
    "a setting of its target": (
        replace(
            "dependencies: []), .test", 'dependencies: [], cSettings: [.define("A")]), .test', "Base/Package.swift"
        ),
        {"UsefulTests"},
    ),
    "a field of its package": (
        replace('name: "Base", products', 'name: "Base", platforms: [.macOS(.v13)], products', "Base/Package.swift"),
        {"UsefulTests"},
    ),
    "the kind of its product": (
        replace('.library(name: "Base",', '.library(name: "Base", type: .dynamic,', "Base/Package.swift"),
        {"UsefulTests"},
    ),
    "a package outside of the repository": (append("../Far/Sources/Far/Far.swift"), {"WideTests"}),
    "a file that is gone there": (lambda each: (each.parent / "Far/Sources/Far/more.txt").unlink(), {"WideTests"}),
    "a source of a submodule": (append("Inner/Sources/Inner/Inner.swift"), {"DeepTests"}),
    "a file that a submodule ignores": (ignored_in_submodule, {"DeepTests"}),
    "the README of a submodule": (append("Inner/README.md"), set()),
    # Other packages.
    "an exact version": (replace('exact: "1.0.0"', 'exact: "1.1.0"'), {"RemoteTests"}),
    "resolved versions": (replace("1.0.0", "1.0.1", "App/Package.resolved"), {"RemoteTests"}),
    "resolved versions that cannot be read": (add("App/Package.resolved", "null"), {"RemoteTests"}),
    "the hash of the manifest alone": (replace("abc", "def", "App/Package.resolved"), set()),
    # Files below a target's folder.
    "a resource": (append("App/Sources/Text/data.txt"), {"TextTests"}),
    "an input of a plugin": (append("App/Sources/Text/schema.idl"), {"TextTests"}),
    "an excluded file": (append("App/Sources/Text/old/notes.txt"), {"TextTests"}),
    "a document in the folder of a target": (append("App/Sources/Text/NOTES.md"), {"TextTests"}),
    "a mode": (lambda each: (each / "App/Sources/Text/tool.sh").chmod(0o755), {"TextTests"}),
    "a snapshot of a test": (append("App/Tests/TextTests/__Snapshots__/one.txt"), {"TextTests"}),
    "a header": (append("App/Sources/CLib/include/clib.h"), {"core_tests", "CUserTests"}),
    "a header that no other target includes": (append("App/Sources/CUser/include/u.h"), {"CUserTests"}),
    "a source behind a link": (append("App/Linked/Link.swift"), {"PlainTests"}),
    "a source behind a link that leads out": (append("../words/more.swift"), {"DeepTests"}),
    "a file that git ignores": (add("App/Sources/Text/ignored.json"), {"TextTests"}),
    "what was built in a package that ignores nothing": (add("Core/.build/debug.yaml"), set()),
    "a file of the file browser": (add("App/Sources/Text/.DS_Store"), set()),
    "a source that is gone": (lambda each: (each / "App/Sources/Text/schema.idl").unlink(), {"TextTests"}),
    # Programs that plugins run.
    "the program of a plugin": (append("App/Sources/Generator/Generator.swift"), {"TextTests"}),
    "a plugin": (append("App/Plugins/Generate/Generate.swift"), {"TextTests"}),
    # Edges.
    "a target that is imported without an edge": (append("App/Sources/Other/Other.swift"), {"AppTests"}),
    "a target behind a trait": (append("App/Sources/Optional/Optional.swift"), {"PlainTests"}),
    # Fields of the manifest.
    "a comment": (replace("let package", "// Words.\nlet package"), set()),
    "where public headers are": (
        replace('.target(name: "CLib")', '.target(name: "CLib", publicHeadersPath: ".")'),
        {"core_tests", "CUserTests"},
    ),
    "packageAccess": (
        replace('.target(name: "Other",', '.target(name: "Other", packageAccess: false,'),
        {"AppTests"},
    ),
    "cLanguageStandard": (replace("    ]\n)", "    ],\n    cLanguageStandard: .c99\n)"), ALL),
    "defaultLocalization": (replace('name: "App",\n', 'name: "App",\n    defaultLocalization: "en",\n'), ALL),
    "platforms": (replace(".v14", ".v15"), ALL),
    "traits": (replace('.trait(name: "Fast")', '.trait(name: "Fast"), .trait(name: "Small")'), ALL),
    "Package@swift-6.swift": (
        lambda each: files(each, {"App/Package@swift-6.swift": MANIFEST.replace(".v14", ".v15")}),
        ALL,
    ),
    # What nothing is known of.
    "Makefile": (append("App/Makefile"), ALL),
    "schemas/api.idl": (append("App/schemas/api.idl"), ALL),
    "shared/shared.h": (append("App/shared/shared.h"), ALL),
    ".swift-version": (append("App/.swift-version"), ALL),
    "../notes.txt": (append("notes.txt"), ALL),
    # Documents.
    "README.md": (append("App/README.md"), set()),
    "docs": (append("App/docs/guide.md"), set()),
    ".github": (add("App/.github/workflows/ci.yml"), set()),
    "LICENSE of the repository": (append("LICENSE"), set()),
}


@pytest.mark.parametrize("kind", KINDS)
def test_change_selects_what_may_notice_it(kind: str, repository: Path, toolchain: Toolchain) -> None:
    edit, selected = KINDS[kind]
    edit(repository)
    found = found_in(repository, toolchain)
    assert {*found.tests} == selected, str(found)
    assert bool(found.everything) == (selected == ALL)
    # Each selected test has its way from what has changed, through targets.
    assert found.reasons.keys() == selected
    for way in found.reasons.values():
        assert len(way) >= 2 and all(way)
    # The same of what is committed.
    assert {*found.tests} | {*found.skipped} == ALL


def test_ways_lead_through_packages_and_undeclared_imports_are_warned_of(
    repository: Path, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    append("Base/Sources/Base/Base.swift")(repository)
    append("App/Tests/core-tests/Some.swift")(repository)
    found = found_in(repository, toolchain)
    assert found.reasons == {
        "UsefulTests": ("../Base/Sources/Base/Base.swift", "Base", "Core", "Useful", "UsefulTests"),
        "core_tests": ("Tests/core-tests/Some.swift", "core-tests"),
    }
    assert found.test_filter == r"^(UsefulTests|core_tests)\."
    assert found.warnings == [
        "AppTests uses, or may run, Other, which the manifest does not declare.",
        "CUser uses, or may run, CLib, which the manifest does not declare.",
    ]
    text = found.text(with_skipped=True)
    assert "  UsefulTests: ../Base/Sources/Base/Base.swift → Base → Core → Useful → UsefulTests\n" in text
    assert "  TextTests: skipped\n" in text and "skipped" not in str(found)
    options = ["graph", str(repository / "App"), "--since", "HEAD"]
    assert main([*options, "--test-filter"]) == 0
    assert capsys.readouterr() == ("^(UsefulTests|core_tests)\\.\n", "")
    assert main([*options, "--traits", "Fast", "--test-filter"]) == 0
    assert main(["graph", str(repository / "App"), "--test-filter"]) == 64
    assert main([*options, "--test-filter", "--json"]) == 64


STARTED = "public func start() { _ = Process() }\n"


@pytest.mark.parametrize(
    ("code", "test", "runs"),
    [
        (STARTED, "let started: Void = start()", True),
        (STARTED, "let other = restart()", False),
        # Through other code, and by a value of a type.
        ('func spawn() { posix_spawn(&id, "Tool", nil, nil, nil, nil) }\npublic func go() { spawn() }', "go()", True),
        ("public struct Tool { let process = Process() }\npublic func tool() -> Tool { Tool() }", "tool().run()", True),
        ("public struct Tool {}\nextension Tool { public func go() { _ = Process() } }", "other(Tool())", True),
        ("extension XCTest { public func go() { _ = Process() } }", "func test() { go() }", True),
        ("extension XCTest { public func go() { _ = Process() } }", "func test() { other() }", False),
        # Without a name.
        ("extension String: Tool { public func go() { _ = Process() } }", "", True),
        ("extension String { public init(_ tool: Int) { _ = Process() } }", "", True),
        ("public prefix func - (tool: [Int]) { _ = Process() }", "", True),
        ('@_cdecl("other") public func go() { _ = Process() }', "", True),
        # Of another package.
        ("import Subprocess\npublic func go() {}", "go()", True),
        ('public func go() { #if os(Linux)\nprint("\\(system("ls"))")\n#endif\n}', "go()", True),
        ("// A Process() of thought.\npublic func go() {}", "go()", False),
        ("public let info = ProcessInfo.processInfo", "print(info)", False),
    ],
)
def test_test_that_may_start_programs_may_run_those_of_the_package(
    repository: Path, toolchain: Toolchain, code: str, test: str, runs: bool
) -> None:
    files(repository, {"App/Sources/Optional/Optional.swift": code, "App/Tests/PlainTests/Some.swift": test})
    committed(repository)
    append("App/Sources/Generator/Generator.swift")(repository)
    found = found_in(repository, toolchain)
    assert {*found.tests} == {"TextTests", *(["PlainTests"] if runs else [])}
    assert ("PlainTests uses, or may run, Generator, which the manifest does not declare." in found.warnings) == runs


def test_code_that_is_not_read_may_start_programs(repository: Path, toolchain: Toolchain) -> None:
    """That of fetched packages, and C."""
    files(
        repository,
        {
            "App/Sources/Remote/Remote.swift": "public func remote() { parse() }\n",
            "App/Tests/RemoteTests/Some.swift": "let found: Void = remote()\n",
            "App/Sources/CLib/c.c": 'void clib(void) { system("ls"); }\n',
        },
    )
    committed(repository)
    append("App/Sources/Generator/Generator.swift")(repository)
    assert {*found_in(repository, toolchain).tests} == {"TextTests", "RemoteTests", "core_tests", "CUserTests"}


def test_edge_behind_a_trait_is_followed_where_no_traits_or_that_one_are_chosen(
    repository: Path, toolchain: Toolchain
) -> None:
    append("App/Sources/Optional/Optional.swift")(repository)
    folder = repository / "App"
    for traits, tests in (((), {"PlainTests"}), (("Fast",), {"PlainTests"}), (("default",), set())):
        architecture = Architecture(read_package(folder, toolchain, traits=traits))
        found = since(architecture, "HEAD", folder, toolchain, traits=traits)
        assert {*found.tests} == tests


def test_what_a_plugin_generates_has_no_bound_of_compiled_files(repository: Path, toolchain: Toolchain) -> None:
    append("App/Sources/Text/Text.swift")(repository)
    found = found_in(repository, toolchain)
    assert found.compiled_at_most is None and "at most: not known" in str(found)


def test_files_of_local_packages_are_built_too(repository: Path, toolchain: Toolchain) -> None:
    append("Base/Sources/Base/Base.swift")(repository)
    found = found_in(repository, toolchain)
    assert found.rebuilt == ("Base", "Core", "Useful", "UsefulTests")
    names = ("../Base/Sources/Base/Base.swift", "../Core/Sources/Core/Core.swift", "Sources/Useful/Useful.swift")
    assert {*names} <= {*(found.compiled_at_most or ())}


def test_patterns_declare_what_has_no_effect_and_which_tests_read_a_file(
    repository: Path, toolchain: Toolchain
) -> None:
    for path in ("Makefile", "schemas/api.idl", "docs/guide.md", "Sources/Text/NOTES.md", "Sources/Text/data.txt"):
        append(f"App/{path}")(repository)
    append("notes.txt")(repository)
    no_effect = ("Make*", "../*.txt", "Sources/**/*.md", "**/data.txt")
    patterns = Patterns(no_effect, {"schemas/": ("PlainTests",), "docs/**": ("core-tests",)})
    found = found_in(repository, toolchain, patterns=patterns)
    # What a target declares is its input, whatever a pattern says.
    assert {*found.tests} == {"PlainTests", "core_tests", "TextTests"} and not found.everything
    assert found.reasons["PlainTests"] == ("schemas/api.idl", "PlainTests")
    assert [each.files for each in found.changed] == [("Sources/Text/data.txt",)]
    # Nothing is built from what tests read.
    assert {*found.rebuilt} == {"Text", "TextTests"}
    with pytest.raises(UsageError, match=r"'Text', which changes\.tests .* is no test target"):
        found_in(repository, toolchain, patterns=Patterns(tests={"x": ("Text",)}))


def test_target_with_the_folder_of_the_package_reads_what_it_declares_and_no_other_document(tmp_path: Path) -> None:
    (tmp_path / "Package.swift").touch()
    resource = Resource(Path("README.md"), {"copy": {}})
    target = Target("All", "library", Path(), (Path("Code/all.swift"),), resources=(resource,))
    state = State((Package("All", "6.0", targets=(target,), folder=tmp_path),), {}, None)
    for path, targets in {
        "README.md": ["All"],
        "Code/all.swift": ["All"],
        "Code/schema.idl": ["All"],
        "Makefile": ["All"],
        "CHANGELOG.md": [],
        "docs/guide.html": [],
    }.items():
        differences = Differences(None, state, [tmp_path / path])
        assert (differences.targets, differences.everything) == (targets, []), path


def test_earlier_state_that_cannot_be_read_runs_everything(repository: Path, toolchain: Toolchain) -> None:
    manifest = repository / "App/Package.swift"
    good = manifest.read_text()
    manifest.write_text("// swift-tools-version: 6.1\nbroken\n")
    broken = committed(repository, "Broken")
    manifest.unlink()
    gone = committed(repository, "Gone")
    manifest.write_text(good)
    for revision, words in ((broken, "an earlier state that cannot be read: "), (gone, "Package.swift, which is new")):
        found = found_in(repository, toolchain, revision)
        assert {*found.tests} == ALL and found.test_filter == "." and found.everything[0].startswith(words)


def test_shallow_clone_and_repository_of_another_user_are_named_with_what_to_do(
    original: Path, tmp_path: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    git(tmp_path, "clone", "--depth", "1", original.as_uri(), "shallow")
    with pytest.raises(UsageError, match=r"no revision 'origin/other'.*is a shallow clone.*fetch-depth: 0"):
        Checkout(tmp_path / "shallow/App").common("origin/other")
    monkeypatch.setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
    with pytest.raises(UsageError, match=r"(?s)belongs to another user.*git config --global --add safe\.directory"):
        Checkout(original / "App")
    # Else a copy would hold what git ignores.
    with pytest.raises(UsageError, match="belongs to another user"):
        package_files(original / "App")
