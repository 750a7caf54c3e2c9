"""What git says has changed, whatever the history is: merges of every kind, work trees, shallow clones, and links."""

from __future__ import annotations

import time
from collections.abc import Mapping
from pathlib import Path

import pytest
from made_files import committed, files, git, programs
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.git import Checkout

NAMES = ("One", "Two", "Three", "Four")


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    """A repository of four folders, each with a file, on the branch `main`."""
    package = (tmp_path / "Shop").resolve()
    package.mkdir()
    git(package, "init", "--initial-branch", "main")
    committed(package, texts=texts(dict.fromkeys(NAMES, "\n")))
    return package


def changed(package: Path, revision: str) -> set[str]:
    """The names of the folders in which files have changed."""
    checkout = Checkout(package)
    return {path.parent.name for path in checkout.changed(checkout.common(revision)[0])}


def texts(changes: Mapping[str, str]) -> dict[str, str]:
    return {f"Sources/{name}/{name}.swift": text for name, text in changes.items()}


def on(package: Path, branch: str, start: str | None = None, **changes: str) -> str:
    """A commit with other texts of some targets, on a branch that may begin here."""
    git(package, "checkout", *(("-b", branch, start) if start else (branch,)))
    return committed(package, texts=texts(changes)) if changes else git(package, "rev-parse", "HEAD")


def test_merge_of_the_revision_counts_what_the_branch_and_the_merge_itself_change(shop: Path) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    git(shop, "checkout", "feature")
    git(shop, "merge", "--no-commit", "main")
    committed(shop, texts=texts({"Three": "// merge"}))
    assert changed(shop, "main") == {"One", "Three"}
    # What CI checks out: the merge of a branch into the revision, whose branch is nowhere.
    git(shop, "checkout", "--detach", "main")
    git(shop, "merge", "--no-ff", "feature")
    assert changed(shop, "main") == {"One", "Three"}
    assert changed(shop, "HEAD~1") == {"One", "Three"}


def test_merge_of_several_branches_counts_all_of_them(shop: Path) -> None:
    for name in NAMES[:3]:
        on(shop, name.lower(), "main", **{name: "// branch"})
    on(shop, "main", Four="// main")
    git(shop, "merge", "one", "two", "three")
    assert len(git(shop, "rev-parse", "HEAD^@").split()) == 4
    assert changed(shop, "HEAD~1") == {"One", "Two", "Three"}
    assert changed(shop, "three") == {"One", "Two", "Four"}


def test_change_that_a_branch_takes_back_counts_before_and_after_the_merge(shop: Path) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    git(shop, "checkout", "feature")
    git(shop, "merge", "--no-commit", "main")
    (shop / "Sources/Two/Two.swift").write_text("\n")
    assert changed(shop, "main") == {"One", "Two"}
    committed(shop)
    assert changed(shop, "main") == {"One", "Two"}


def test_branches_that_were_merged_both_ways_are_compared_as_they_are(shop: Path) -> None:
    one = on(shop, "feature", "main", One="// feature")
    two = on(shop, "main", Two="// main")
    git(shop, "merge", one)
    git(shop, "checkout", "feature")
    git(shop, "merge", two)
    # Each of these is as it was in one of the two commits that both branches have.
    on(shop, "feature", Two="\n", Three="// feature")
    assert len(git(shop, "merge-base", "--all", "main", "feature").split()) == 2
    assert changed(shop, "main") == {"Two", "Three"}
    on(shop, "feature", Two="// main", One="\n")
    assert changed(shop, "main") == {"One", "Three"}


def test_shallow_clone_that_lacks_the_commit_is_compared_with_the_revision(shop: Path, tmp_path: Path) -> None:
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
        assert changed(clone, "origin/main") == {"One", "Two", "Three"}


def test_folder_that_a_file_was_moved_from_has_changed_as_well(shop: Path) -> None:
    git(shop, "mv", "Sources/One/One.swift", "Sources/Two/One.swift")
    (shop / "Sources/One/Other.swift").touch()
    committed(shop)
    assert changed(shop, "HEAD~1") == {"One", "Two"}


def test_work_tree_has_its_own_branch_files_and_merge(shop: Path, tmp_path: Path) -> None:
    on(shop, "feature", "main", One="// feature")
    on(shop, "main", Two="// main")
    tree = tmp_path / "trees/Shop"
    git(shop, "worktree", "add", "--detach", str(tree), "feature")
    (tree / "Sources/Three/Three.swift").write_text("// not committed")
    (shop / "Sources/Four/Four.swift").write_text("// not committed")
    assert changed(tree, "main") == {"One", "Three"}
    assert changed(shop, "feature") == {"Two", "Four"}
    assert Repository(tree).commits(1)[0].changed == {Path("Sources/One/One.swift"): "M"}
    git(tree, "merge", "--no-commit", "main")
    (tree / "Sources/Two/Two.swift").write_text("\n")
    assert changed(tree, "main") == {"One", "Two", "Three"}


def test_signatures_that_git_is_asked_to_show_are_no_part_of_commits(
    shop: Path, monkeypatch: pytest.MonkeyPatch
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
    assert changed(shop, signed) == {"One"}
    assert Repository(shop).commits(1)[0].changed == {Path("Sources/One/One.swift"): "M"}


def test_environment_of_a_hook_names_no_other_repository(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_DIR", ".git")
    monkeypatch.setenv("GIT_INDEX_FILE", "/nowhere/index")
    assert Checkout(shop).changed("HEAD") == set()


def test_package_outside_that_was_switched_back_has_changed_also_behind_its_links(
    shop: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / "other"
    outside = other / "package"
    files(outside, {"some.txt": ""})
    (outside / "link.txt").symlink_to("some.txt")
    with monkeypatch.context() as former:
        for year in (2020, 2021):
            former.setenv("GIT_COMMITTER_DATE", f"{year}-01-01T00:00:00")
            committed(other, texts={"beside.txt": f"{year}", "package/some.txt": f"{year}"})
    hour_ago = time.time_ns() - 3600 * 10**9
    checkout = Checkout(shop)
    assert checkout.changed_outside(hour_ago, outside, []) == set()
    git(other, "checkout", "HEAD~1")
    assert checkout.changed_outside(hour_ago, outside, []) == {outside / "some.txt", outside / "link.txt"}


def test_links_that_lead_in_a_cycle_give_each_path_its_names_once(tmp_path: Path) -> None:
    files(tmp_path, {"one/some.txt": "", "two/other.txt": ""})
    (tmp_path / "one/link").symlink_to("../two")
    (tmp_path / "two/link").symlink_to("../one")
    committed(tmp_path)
    found = Checkout(tmp_path).aliases(tmp_path.resolve() / "one/some.txt")
    names = ["two/link/some.txt", "one/link/link/some.txt"]
    assert [each.relative_to(tmp_path.resolve()).as_posix() for each in found] == names


def test_commit_is_written_with_what_an_archive_leaves_out(shop: Path, tmp_path: Path) -> None:
    committed(shop, texts={".gitattributes": "One export-ignore\n"})
    written = Checkout(shop).write("HEAD", tmp_path / "copy")
    assert (written / "Sources/One/One.swift").is_file()


def test_contents_are_those_of_files_also_behind_links_and_of_nothing_else(shop: Path) -> None:
    (shop / "link").symlink_to("Sources/One/One.swift")
    (shop / "away").symlink_to("nowhere")
    (shop / "loop").symlink_to("loop")
    committed(shop, texts={"two lines.txt": "a\nb\n"})
    names = ("two lines.txt", "Sources/Gone.swift", "Sources", "link", "away", "loop", "Sources/One/One.swift/x")
    found = Checkout(shop).contents([f"HEAD:{name}" for name in names])
    assert found == [b"a\nb\n", b"", b"", b"\n", b"", b"", b""]
