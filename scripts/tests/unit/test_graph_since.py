"""What has changed since a revision: the targets, how, and what that reaches at most."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import FIXTURES, committed, files, git
from swiftmodules.cli import main
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.steps.edit import EDITS, place_all
from swiftmodules.steps.placement import Site, rewrite
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")
GOLDEN = FIXTURES.parent / "golden/Tiny.json"
READER, READING = "Store/Implementation/MemoryReader.swift", "Store/Interface/Reading.swift"
TELLER = "Feed/Implementation/StoredTeller.swift"
TESTS = '.testTarget(name: "StoreTests", dependencies: ["StoreImplementation"], path: "Tests"),'

Edit = Callable[..., Since]


@pytest.fixture
def edited(tiny: Path, toolchain: Toolchain) -> Edit:
    """Replaces a text in a file of a package that was committed, and returns what has changed since."""
    manifest = tiny / "Package.swift"
    manifest.write_text(manifest.read_text().replace("    targets: [\n", f"    targets: [\n        {TESTS}\n"))
    files(tiny, {"Tests/SomeTests.swift": "import StoreImplementation\n", ".gitignore": ".build/\n"})
    # What an archive would leave out is there all the same.
    files(tiny, {".gitattributes": "Feed export-ignore\n"})
    committed(tiny)

    def edit(path: str, old: str, new: str, revision: str = "HEAD") -> Since:
        text = (tiny / path).read_text()
        assert old in text
        (tiny / path).write_text(text.replace(old, new, 1))
        return since(Architecture(read_package(tiny, toolchain)), revision, tiny, toolchain)

    return edit


def test_body_compiles_its_file_and_a_cache_rebuilds_those_above(edited: Edit) -> None:
    found = edited(READER, "guard let text", "_ = 1\n        guard let text")
    (changed,) = found.changed
    assert (changed.target, changed.module, changed.how, changed.files) == (
        "StoreImplementation",
        "Store",
        "bodies",
        (READER,),
    )
    assert found.compiled_at_most == (READER,) and not found.everything
    assert found.rebuilt == ("App", "StoreImplementation", "StoreTests") and found.tests == ("StoreTests",)
    assert str(found).splitlines()[-1] == "tests: StoreTests"


def test_declaration_that_nobody_else_sees_reaches_those_that_import_the_target(edited: Edit) -> None:
    found = edited(READER, "final class", "private func more() {}\n\nfinal class")
    assert [each.how for each in found.changed] == ["inside"]
    assert found.compiled_at_most is not None and TELLER not in found.compiled_at_most
    assert {READER, "App/Support.swift", "Tests/SomeTests.swift"} <= {*(found.compiled_at_most or ())}


def test_declarations_of_an_interface_are_named_and_reach_all_above(edited: Edit) -> None:
    found = edited(READING, "extension Store {", "extension Store {\n    public static func more(_ a: Int) {}")
    (changed,) = found.changed
    assert (changed.how, changed.added, changed.removed, changed.changed) == ("interface", ("Store.more(_:)",), (), ())
    assert str(changed) == "StoreInterface, interface: added Store.more(_:)"
    assert {TELLER, READER, "App/main.swift"} <= {*(found.compiled_at_most or ())}
    assert "FeedImplementation" in found.rebuilt and found.tests == ("StoreTests",)


def test_file_that_git_does_not_know_yet_and_settings_count(edited: Edit, tiny: Path) -> None:
    files(tiny, {"Store/Implementation/New.swift": "struct New {}\n"})
    loop = "for target in package.targets {\n"
    found = edited("Package.swift", loop, f'package.targets[4].cSettings = [.define("A")]\n{loop}')
    assert {each.target: each.how for each in found.changed} == {
        "FeedInterface": "manifest",
        "StoreImplementation": "inside",
    }


def test_at_most_holds_for_all_that_edits_compile(edited: Edit, tiny: Path, tiny_site: Site) -> None:
    placements, _ = place_all(EDITS, tiny_site, tiny_site.package.modules)
    counted = json.loads(GOLDEN.read_text())["layouts"]["interface"]
    assert len(placements) > 10
    for (kind, module), placement in placements.items():
        text = (tiny / placement.file).read_bytes()
        edits = [each.numbered(1) for each in placement.insertions]
        (tiny / placement.file).write_bytes(rewrite(text, edits))
        found = edited(".gitignore", ".", ".")
        assert {*counted[f"{kind} {module}"]["compiled"]} <= {*(found.compiled_at_most or ())}, (kind, module)
        assert (kind == "body") == ([each.how for each in found.changed] == ["bodies"])
        (tiny / placement.file).write_bytes(text)


def test_what_the_other_branch_has_changed_meanwhile_does_not_count(edited: Edit, tiny: Path) -> None:
    git(tiny, "switch", "--create", "other")
    (tiny / READING).unlink()
    git(tiny, "commit", "--all", "--message", "Other")
    git(tiny, "switch", "-")
    found = edited(READER, "guard let text", "_ = 1\n        guard let text", revision="other")
    assert [each.target for each in found.changed] == ["StoreImplementation"]


def test_target_that_is_gone_is_removed_and_those_that_named_it_are_rebuilt(edited: Edit) -> None:
    line = '        .target(name: "StoreTesting", dependencies: ["StoreInterface"], path: "Store/Testing"),\n'
    found = edited("Package.swift", line, "")
    assert [str(each) for each in found.changed] == ["StoreTesting, removed"]
    assert "files in them: 0" in str(found)


def test_nothing_and_a_revision_that_is_not_there(
    edited: Edit, tiny: Path, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    found = edited("README.md" if (tiny / "README.md").exists() else ".gitignore", ".", ".")
    assert str(found) == "Changed since HEAD: nothing that is built\ntests:"
    with pytest.raises(UsageError, match="has no revision 'gone'"):
        since(Architecture(read_package(tiny, toolchain)), "gone", tiny, toolchain)
    assert main(["graph", str(tiny), "--since", "HEAD", "--json"]) == 0
    assert '"tests": []' in capsys.readouterr().out
