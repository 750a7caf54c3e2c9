"""What has changed since a revision: the targets, and what that reaches at most."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from made_files import committed, files, git
from swiftmodules.cli import main
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")
READER, READING = "Store/Implementation/MemoryReader.swift", "Store/Interface/Reading.swift"
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


def test_change_reaches_those_above(edited: Edit) -> None:
    found = edited(READER, "guard let text", "_ = 1\n        guard let text")
    assert found.changed == {"StoreImplementation": (READER,)}
    assert not found.everything
    assert found.rebuilt == ("App", "StoreImplementation", "StoreTests") and found.tests == ("StoreTests",)
    lines = str(found).splitlines()
    assert (
        lines[:2] == ["Changed since HEAD:", "  StoreImplementation: MemoryReader.swift"]
        and lines[-1] == "tests: StoreTests"
    )
    found = edited(READING, "extension Store {", "extension Store {\n    public static func more(_ a: Int) {}")
    assert [*found.changed] == ["StoreImplementation", "StoreInterface"]
    assert "FeedImplementation" in found.rebuilt and found.tests == ("StoreTests",)


def test_file_that_git_does_not_know_yet_and_settings_count(edited: Edit, tiny: Path) -> None:
    files(tiny, {"Store/Implementation/New.swift": "struct New {}\n"})
    loop = "for target in package.targets {\n"
    found = edited("Package.swift", loop, f'package.targets[4].cSettings = [.define("A")]\n{loop}')
    assert found.changed == {
        "FeedInterface": ("Package.swift: settings",),
        "StoreImplementation": ("Store/Implementation/New.swift",),
    }


def test_what_the_other_branch_has_changed_meanwhile_does_not_count(edited: Edit, tiny: Path) -> None:
    git(tiny, "switch", "--create", "other")
    (tiny / READING).unlink()
    git(tiny, "commit", "--all", "--message", "Other")
    git(tiny, "switch", "-")
    found = edited(READER, "guard let text", "_ = 1\n        guard let text", revision="other")
    assert [*found.changed] == ["StoreImplementation"]


def test_target_that_is_gone_is_removed_and_those_that_named_it_are_rebuilt(edited: Edit) -> None:
    line = '        .target(name: "StoreTesting", dependencies: ["StoreInterface"], path: "Store/Testing"),\n'
    found = edited("Package.swift", line, "")
    assert found.changed == {"StoreTesting": ("Package.swift: removed",)}
    assert "files in them: 0" in str(found)


def test_nothing_and_a_revision_that_is_not_there(
    edited: Edit, tiny: Path, toolchain: Toolchain, capsys: pytest.CaptureFixture[str]
) -> None:
    found = edited("README.md" if (tiny / "README.md").exists() else ".gitignore", ".", ".")
    assert str(found) == "Changed since HEAD: nothing that is built\ntests:" and found.test_filter == "^$"
    with pytest.raises(UsageError, match="has no revision 'gone'"):
        since(Architecture(read_package(tiny, toolchain)), "gone", tiny, toolchain)
    assert main(["graph", str(tiny), "--since", "HEAD", "--json"]) == 0
    assert '"tests": []' in capsys.readouterr().out
