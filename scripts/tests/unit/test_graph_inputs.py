"""Every kind of input of a package: what a change of it selects, too little never, and no more than it must."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_files import committed, files, git
from made_inputs import ALL, EVERYTHING, INPUTS, KINDS, NO_EFFECT, ODD_NAMES, apart, append, repository_in
from made_packages import manifest
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


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return repository_in(tmp_path_factory.mktemp("around").resolve())


@pytest.fixture
def repository(original: Path) -> Iterator[Path]:
    """The repository, as it was committed before and after each test; the files that git does not know are put back
    with their times too."""
    unknown = [original.parent / "Far", original.parent / "words", original / "ignored"]
    paths = [path for folder in unknown for path in (folder, *folder.rglob("*"))]
    before = {path: (path.read_bytes() if path.is_file() else None, path.stat().st_mtime_ns) for path in paths}
    head = git(original, "rev-parse", "HEAD")
    yield original
    # What git takes for unchanged stands in its index.
    (original / ".git/index").unlink()
    git(original, "reset", "--hard", head)
    git(original, "clean", "-xdff", "--exclude", "/ignored/")
    git(original / "Inner", "reset", "--hard", "origin/HEAD")
    git(original / "Inner", "clean", "-xdff")
    for path, (content, _) in before.items():
        if content is not None and not (path.is_file() and path.read_bytes() == content):
            path.write_bytes(content)
    for path, (_, moment) in before.items():
        os.utime(path, ns=(moment, moment))


def found_in(repository: Path, toolchain: Toolchain, revision: str = "HEAD", patterns: Patterns = Patterns()) -> Since:
    folder = repository / "App"
    return since(Architecture(read_package(folder, toolchain)), revision, folder, toolchain, patterns)


def test_changes_without_an_effect_select_nothing(repository: Path, toolchain: Toolchain) -> None:
    for edit in NO_EFFECT:
        edit(repository)
    found = found_in(repository, toolchain)
    assert (found.tests, found.rebuilt, found.everything, found.test_filter) == ((), (), (), "^$"), str(found)
    assert [*found.changed] == ["Base/BaseTests", "Near/NearTests"]


def test_each_change_that_selects_everything_is_a_reason_of_its_own(repository: Path, toolchain: Toolchain) -> None:
    for edit in EVERYTHING.values():
        edit(repository)
    found = found_in(repository, toolchain)
    assert {*found.tests} == ALL == found.reasons.keys()
    assert {each.removesuffix(", which is an input of no target") for each in found.everything} >= EVERYTHING.keys()


def test_every_file_in_the_folder_of_a_target_is_an_input_of_it(repository: Path, toolchain: Toolchain) -> None:
    for edit in INPUTS.values():
        edit(repository)
    found = found_in(repository, toolchain)
    assert {name: {*files} for name, files in found.changed.items()} == {
        "Text": {f"Sources/Text/{each}" for each in INPUTS}
    }
    assert found.tests == ("TextTests",) and not found.everything


@pytest.mark.parametrize("kinds", apart(KINDS), ids=" + ".join)
def test_change_selects_what_may_notice_it(kinds: list[str], repository: Path, toolchain: Toolchain) -> None:
    for kind in kinds:
        KINDS[kind][0](repository)
    selected = {test for kind in kinds for test in KINDS[kind][1]}
    found = found_in(repository, toolchain)
    assert {*found.tests} == selected, str(found)
    assert bool(found.everything) == any(KINDS[kind][1] == ALL for kind in kinds)
    # Each selected test has its way from what has changed, through targets.
    assert found.reasons.keys() == selected
    for way in found.reasons.values():
        assert len(way) >= 2 and all(way)
    # The same of what is committed.
    assert {*found.tests} | {*found.skipped} == ALL


def test_names_of_any_bytes_are_printed(repository: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for add in ODD_NAMES:
        add(repository)
    assert main(["graph", str(repository / "App"), "--since", "HEAD"]) == 0
    assert "tests: TextTests" in capsys.readouterr().out


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
        "CLib uses, or may run, Shims, which the manifest does not declare.",
        "CUser uses, or may run, CLib, which the manifest does not declare.",
    ]
    options = ["graph", str(repository / "App"), "--since", "HEAD"]
    assert main([*options, "--all"]) == 0
    text = capsys.readouterr().out
    assert "  UsefulTests: ../Base/Sources/Base/Base.swift → Base → Core → Useful → UsefulTests\n" in text
    assert "  TextTests: skipped\n" in text and "skipped" not in str(found)
    assert main([*options, "--test-filter"]) == 0
    assert capsys.readouterr() == ("^(UsefulTests|core_tests)\\.\n", "")
    assert main(["graph", str(repository / "App"), "--test-filter"]) == 64
    assert main([*options, "--test-filter", "--json"]) == 64


STARTED = "public func start() { _ = Process() }\n"


# Code of a target, that of its test, and whether the test may start a program.
STARTING = [
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
    # Without a call, with a comment in it, and by the name of what starts.
    ('public func go() { _ = ["ls"].map(system) }', "go()", True),
    ("public func go() { let start = posix_spawn }", "go()", True),
    ('public func go() { system /* it */ ("ls") }', "go()", True),
    ('public func go() { dlsym(nil, "sys" + "tem") }', "go()", True),
    ('public func go() { Bundle(path: "x")!.load() }', "go()", True),
    ('@_silgen_name("posix_spawn") func start()\npublic func go() { start() }', "go()", True),
    ("public func go() { title(.system) }", "go()", False),
    ("// A Process() of thought.\npublic func go() {}", "go()", False),
    ("public let info = ProcessInfo.processInfo", "print(info)", False),
]


def test_test_that_may_start_programs_may_run_those_of_the_package(tmp_path: Path, toolchain: Toolchain) -> None:
    needs: dict[str, list[str]] = {"App": []}
    texts = {"Sources/App/main.swift": ""}
    for number, (code, test, _) in enumerate(STARTING):
        needs |= {f"Code{number}": [], f"Code{number}Tests": [f"Code{number}"]}
        texts[f"Sources/Code{number}/Code.swift"] = code
        texts[f"Tests/Code{number}Tests/Some.swift"] = test
    committed(tmp_path, texts={"Package.swift": manifest(needs), **texts})
    files(tmp_path, {"Sources/App/main.swift": "\n"})
    found = since(Architecture(read_package(tmp_path, toolchain)), "HEAD", tmp_path, toolchain)
    selected = {number: f"Code{number}Tests" in found.tests for number in range(len(STARTING))}
    assert selected == {number: runs for number, (_, _, runs) in enumerate(STARTING)}
    # A target cannot declare that it runs a command of SwiftPM.
    assert sorted(found.warnings) == [
        f"{test} uses, or may run, App, which the manifest does not declare." for test in sorted(found.tests)
    ]


def test_code_that_is_not_read_may_start_programs(repository: Path, toolchain: Toolchain) -> None:
    """That of fetched packages, C, and what plugins generate."""
    files(
        repository,
        {
            "App/Sources/Remote/Remote.swift": "public func remote() { parse() }\n",
            "App/Tests/RemoteTests/Some.swift": "let found: Void = remote()\n",
            "App/Sources/CLib/c.c": 'void clib(void) { system("ls"); }\n',
        },
    )
    committed(repository)
    for program in ("Plugins/Tidy/Tidy.swift", "Sources/Generator/Generator.swift"):
        append(f"App/{program}")(repository)
        assert {*found_in(repository, toolchain).tests} == {"TextTests", "RemoteTests", "core_tests", "CUserTests"}
        git(repository, "checkout", ".")


# The source of a target in C, and whether it includes a header of another one.
INCLUDING = [
    ('/* one */ #include "clib.h"', True),
    ('#include /* one */ "clib.h"', True),
    ('#include \\\n"clib.h"', True),
    ('#define HEADER "clib.h"\n#include HEADER', True),
    ("char quote = '\"'; #include <clib.h>", True),
    ('__asm__(".incbin \\"../CLib/include/clib.h\\"");', True),
    ("// clib.h", False),
]


def test_header_is_found_however_it_is_included(tmp_path: Path, toolchain: Toolchain) -> None:
    users = range(len(INCLUDING))
    needs = {
        "CLib": [],
        **{f"User{each}": [] for each in users},
        **{f"User{each}Tests": [f"User{each}"] for each in users},
    }
    texts = {f"Sources/User{each}/u.c": f"{line}\n" for each, (line, _) in enumerate(INCLUDING)}
    texts |= {f"Sources/User{each}/include/u{each}.h": "" for each in users}
    texts |= {f"Tests/User{each}Tests/Some.swift": "" for each in users}
    searching = r'\g<0>, cSettings: [.headerSearchPath("../CLib/include")]'
    texts["Package.swift"] = re.sub(r'target\(name: "User\d", dependencies: \[\]', searching, manifest(needs))
    committed(tmp_path, texts={"Sources/CLib/c.c": "", "Sources/CLib/include/clib.h": "", **texts})
    files(tmp_path, {"Sources/CLib/include/clib.h": "\n"})
    found = since(Architecture(read_package(tmp_path, toolchain)), "HEAD", tmp_path, toolchain)
    assert [f"User{each}Tests" in found.tests for each in users] == [includes for _, includes in INCLUDING]


def test_edge_behind_a_trait_is_followed_where_no_traits_or_that_one_are_chosen(
    repository: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    append("App/Sources/Optional/Optional.swift")(repository)
    options = ["graph", str(repository / "App"), "--since", "HEAD", "--test-filter"]
    followed = r"^(PlainTests)\."
    for traits, selected in (([], followed), (["--traits", "Fast"], followed), (["--traits", "default"], "^$")):
        assert main([*options, *traits]) == 0
        assert capsys.readouterr().out == f"{selected}\n"


def test_files_of_local_packages_are_built_too(repository: Path, toolchain: Toolchain) -> None:
    append("Base/Sources/Base/Base.swift")(repository)
    found = found_in(repository, toolchain)
    assert (found.rebuilt, found.rebuilt_files) == (("Base", "Core", "Useful", "UsefulTests"), 4)


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
    assert [*found.changed.values()] == [("Sources/Text/data.txt",)]
    # Nothing is built from what tests read.
    assert {*found.rebuilt} == {"Text", "TextTests"}
    with pytest.raises(UsageError, match=r"'Text', which changes\.tests .* is no test target"):
        found_in(repository, toolchain, patterns=Patterns(tests={"x": ("Text",)}))


def test_target_with_the_folder_of_the_package_reads_what_it_declares_and_other_files_are_everybodys(
    tmp_path: Path,
) -> None:
    (tmp_path / "Package.swift").touch()
    resource = Resource(Path("README.md"), {"copy": {}})
    target = Target("All", "library", Path(), (Path("Code/all.swift"),), resources=(resource,))
    other = Target("Other", "library", Path("Other"))
    state = State((Package("All", "6.0", targets=(target, other), folder=tmp_path),), {}, None)
    for path, targets in {
        "README.md": ["All"],
        "Code/all.swift": ["All"],
        "Code/schema.idl": ["All", "Other"],
        ".swift-version": ["All", "Other"],
        "CHANGELOG.md": [],
        "docs/guide.html": [],
        "Other/notes.md": ["Other"],
    }.items():
        assert Differences(None, state, [tmp_path / path]).targets == targets, path


def test_package_that_is_edited_in_a_folder_runs_everything(repository: Path, toolchain: Toolchain) -> None:
    """As SwiftPM 6.3.1 keeps it."""
    state = '{"object": {"dependencies": [{"packageRef": {"identity": "yams"}, "state": {"name": "%s"}}]}}'
    for text, reason in (
        (state % "edited", "the package yams, which 'swift package edit' has replaced"),
        (state % "sourceControlCheckout", None),
        ("[]", ".build/workspace-state.json, which cannot be read"),
    ):
        files(repository, {"App/.build/workspace-state.json": text})
        found = found_in(repository, toolchain)
        assert (found.everything, {*found.tests}) == (((reason,), ALL) if reason else ((), set()))


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
