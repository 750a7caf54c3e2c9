"""What has changed on a branch, whatever its history is: merges of every kind, work trees, and shallow clones."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from made_files import committed, git, programs
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import since
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.usefixtures("swiftpm_is_asked_once")

NAMES = ("One", "Two", "Three", "Four")
LIBRARIES = ", ".join(f'.target(name: "{name}")' for name in NAMES)
TESTS = ", ".join(f'.testTarget(name: "{name}Tests", dependencies: ["{name}"])' for name in NAMES)
MANIFEST = f"""// swift-tools-version: 6.0
import PackageDescription
let package = Package(name: "Shop", targets: [{LIBRARIES}, {TESTS}])
"""

Selected = Callable[..., set[str]]


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository of four targets, each with its tests, on the branch `main`."""
    package = (tmp_path / "Shop").resolve()
    sources = {f"Sources/{name}/{name}.swift": "\n" for name in NAMES}
    package.mkdir()
    git(package, "init", "--initial-branch", "main")
    tests = {f"Tests/{name}Tests/Tests.swift": "" for name in NAMES}
    committed(package, texts={"Package.swift": MANIFEST, ".gitignore": ".build/\n", **sources, **tests})
    return package


@pytest.fixture
def selected(toolchain: Toolchain) -> Selected:
    """The names of the targets whose tests are selected."""

    def names(package: Path, revision: str) -> set[str]:
        found = since(Architecture(read_package(package, toolchain)), revision, package, toolchain)
        assert not found.everything
        return {name.removesuffix("Tests") for name in found.tests}

    return names


def texts(changes: Mapping[str, str]) -> dict[str, str]:
    return {f"Sources/{name}/{name}.swift": text for name, text in changes.items()}


def on(package: Path, branch: str, start: str | None = None, **changes: str) -> str:
    """A commit with other texts of some targets, on a branch that may begin here."""
    git(package, "checkout", *(("-b", branch, start) if start else (branch,)))
    return committed(package, texts=texts(changes)) if changes else git(package, "rev-parse", "HEAD")


def test_merge_of_the_revision_counts_what_the_branch_and_the_merge_itself_change(
    shop: Path, selected: Selected
) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    git(shop, "checkout", "feature")
    git(shop, "merge", "--no-commit", "main")
    committed(shop, texts=texts({"Three": "// merge"}))
    assert selected(shop, "main") == {"One", "Three"}
    # What CI checks out: the merge of a branch into the revision, whose branch is nowhere.
    git(shop, "checkout", "--detach", "main")
    git(shop, "merge", "--no-ff", "feature")
    assert selected(shop, "main") == {"One", "Three"}
    assert selected(shop, "HEAD~1") == {"One", "Three"}


def test_merge_of_several_branches_counts_all_of_them(shop: Path, selected: Selected) -> None:
    for name in NAMES[:3]:
        on(shop, name.lower(), "main", **{name: "// branch"})
    on(shop, "main", Four="// main")
    git(shop, "merge", "one", "two", "three")
    assert len(git(shop, "rev-parse", "HEAD^@").split()) == 4
    assert selected(shop, "HEAD~1") == {"One", "Two", "Three"}
    assert selected(shop, "three") == {"One", "Two", "Four"}


def test_change_that_a_branch_takes_back_counts_before_and_after_the_merge(shop: Path, selected: Selected) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    git(shop, "checkout", "feature")
    git(shop, "merge", "--no-commit", "main")
    (shop / "Sources/Two/Two.swift").write_text("\n")
    assert selected(shop, "main") == {"One", "Two"}
    committed(shop)
    assert selected(shop, "main") == {"One", "Two"}


def test_branches_that_were_merged_both_ways_are_compared_as_they_are(shop: Path, selected: Selected) -> None:
    one = on(shop, "feature", "main", One="// feature")
    two = on(shop, "main", Two="// main")
    git(shop, "merge", one)
    git(shop, "checkout", "feature")
    git(shop, "merge", two)
    # Each of these is as it was in one of the two commits that both branches have.
    on(shop, "feature", Two="\n", Three="// feature")
    assert len(git(shop, "merge-base", "--all", "main", "feature").split()) == 2
    assert selected(shop, "main") == {"Two", "Three"}
    on(shop, "feature", Two="// main", One="\n")
    assert selected(shop, "main") == {"One", "Three"}


def test_shallow_clone_that_lacks_the_commit_is_compared_with_the_revision(
    shop: Path, tmp_path: Path, selected: Selected
) -> None:
    first = git(shop, "rev-parse", "HEAD")
    on(shop, "main", Two="// main")
    on(shop, "side", first, Three="// side")
    on(shop, "feature", "main", One="// feature")
    on(shop, "feature", Two="\n")
    git(shop, "merge", "side")
    (tmp_path / "clone").mkdir()
    for depth, common in ((3, True), (1, False)):
        clone = tmp_path / f"clone/{depth}/Shop"
        options = ["--depth", str(depth), "--no-single-branch", "--branch", "feature"]
        git(tmp_path, "clone", *options, shop.as_uri(), str(clone))
        # The branch left the revision at its tip, which the clone does not know.
        found = git(clone, "merge-base", "origin/main", "HEAD") if common else ""
        assert found == (first if common else "")
        assert selected(clone, "origin/main") == {"One", "Two", "Three"}


def test_target_that_moves_its_file_to_another_has_changed_as_well(shop: Path, selected: Selected) -> None:
    git(shop, "mv", "Sources/One/One.swift", "Sources/Two/One.swift")
    (shop / "Sources/One/Other.swift").touch()
    committed(shop)
    assert selected(shop, "HEAD~1") == {"One", "Two"}


def test_work_tree_has_its_own_branch_files_and_merge(shop: Path, tmp_path: Path, selected: Selected) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    tree = tmp_path / "trees/Shop"
    git(shop, "worktree", "add", "--detach", str(tree), "feature")
    (tree / "Sources/Three/Three.swift").write_text("// not committed")
    (shop / "Sources/Four/Four.swift").write_text("// not committed")
    assert selected(tree, "main") == {"One", "Three"}
    assert selected(shop, "feature") == {"Two", "Four"}
    assert Repository(tree).commits(1)[0].changed == {Path("Sources/One/One.swift"): "M"}
    git(tree, "merge", "--no-commit", "main")
    (tree / "Sources/Two/Two.swift").write_text("\n")
    assert selected(tree, "main") == {"One", "Two", "Three"}


def test_signatures_that_git_is_asked_to_show_are_no_part_of_commits(
    shop: Path, selected: Selected, monkeypatch: pytest.MonkeyPatch
) -> None:
    (program,) = programs(shop.parent, {"gpg": "echo 'gpg: no key' >&2; exit 1"})
    settings = {"log.showSignature": "true", "gpg.program": str(program)}
    monkeypatch.setenv("GIT_CONFIG_COUNT", str(len(settings)))
    for number, (name, value) in enumerate(settings.items()):
        monkeypatch.setenv(f"GIT_CONFIG_KEY_{number}", name)
        monkeypatch.setenv(f"GIT_CONFIG_VALUE_{number}", value)
    signature = "gpgsig -----BEGIN PGP SIGNATURE-----\n -----END PGP SIGNATURE-----"
    text = git(shop, "cat-file", "commit", "HEAD").replace("\n\n", f"\n{signature}\n\n", 1)
    (shop.parent / "commit").write_text(f"{text}\n")
    signed = git(shop, "hash-object", "-t", "commit", "-w", str(shop.parent / "commit"))
    git(shop, "reset", "--hard", signed)
    assert "gpg: no key" in git(shop, "show", "--no-patch", "--format=%ct", "HEAD")
    on(shop, "main", One="// main")
    assert selected(shop, signed) == {"One"}
    assert Repository(shop).commits(1)[0].changed == {Path("Sources/One/One.swift"): "M"}
