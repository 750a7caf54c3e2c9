"""Copying a package."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import committed, files, git
from swiftmodules.errors import MissingToolError, UsageError
from swiftmodules.observed import Revision
from swiftmodules.swiftpm.copy import copy_package, copy_with_local_packages, revision
from swiftmodules.swiftpm.toolchain import Toolchain


@pytest.fixture
def package(tmp_path: Path) -> Path:
    names = ("Package.swift", "Sources/ä b.swift", "ignored.txt", ".build/debug/object", "gone.swift")
    files(tmp_path / "package", {name: name for name in names} | {".gitignore": "ignored.txt\n.build/\n"})
    return tmp_path / "package"


def copied(package: Path, destination: Path) -> set[str]:
    copy_package(package, destination)
    return {path.relative_to(destination).as_posix() for path in destination.rglob("*") if path.is_file()}


def test_git_checkout_gives_tracked_and_unignored_files(package: Path, tmp_path: Path) -> None:
    git(package, "init")
    git(package, "add", "gone.swift", "Package.swift")
    (package / "gone.swift").unlink()
    assert copied(package, tmp_path / "copy") == {".gitignore", "Package.swift", "Sources/ä b.swift"}


def test_plain_folder_gives_all_files_but_build_products(package: Path, tmp_path: Path) -> None:
    assert copied(package, tmp_path / "copy") == {
        ".gitignore",
        "Package.swift",
        "Sources/ä b.swift",
        "ignored.txt",
        "gone.swift",
    }
    git(tmp_path, "init")
    (tmp_path / ".gitignore").write_text("package/\n")
    assert "ignored.txt" in copied(package, tmp_path / "another")
    with pytest.raises(UsageError, match=r"no Package\.swift"):
        copy_package(tmp_path, tmp_path / "other")


def test_checkout_without_git_is_not_taken_for_a_plain_folder(
    package: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert "ignored.txt" in copied(package, tmp_path / "copy") and revision(package) == Revision()
    (package / ".git").mkdir()
    for ask in (lambda: copied(package, tmp_path / "another"), lambda: revision(package)):
        with pytest.raises(MissingToolError, match="is in a git repository, and 'git' is not in PATH"):
            ask()


def test_revision_has_commit_and_changes(package: Path) -> None:
    assert revision(package) == Revision()
    committed(package)
    assert revision(package).has_changes is False
    (package / "Package.swift").write_text("changed")
    assert (revision(package).has_changes, len(revision(package).commit or "")) == (True, 40)


def test_links_that_lead_out_are_replaced_by_what_they_lead_to(package: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "Shared.swift").write_text("shared")
    (package / "Sources/Shared").symlink_to("../../outside")
    (package / "Sources/One.swift").symlink_to(outside / "Shared.swift")
    (package / "Sources/Inner.swift").symlink_to("../gone.swift")
    (package / "Sources/Whole").symlink_to(tmp_path)
    (package / "Sources/Loop.swift").symlink_to("Pool.swift")
    (package / "Sources/Pool.swift").symlink_to(package / "Sources/Loop.swift")
    copy_package(package, tmp_path / "copy")
    copied = tmp_path / "copy/Sources"
    assert (copied / "Inner.swift").readlink() == Path("../gone.swift")
    assert (copied / "Loop.swift").is_symlink()
    assert not (copied / "Whole").exists()
    for name in ("Shared/Shared.swift", "One.swift"):
        (copied / name).write_text("edited")
    assert (outside / "Shared.swift").read_text() == "shared"


def test_files_of_submodules_and_of_a_build_folder_that_git_does_not_ignore(package: Path, tmp_path: Path) -> None:
    files(package, {".gitignore": "ignored.txt\n", "Vendor/Inner/Inner.swift": "inner"})
    committed(package / "Vendor/Inner")
    git(package, "init")
    git(package, "add", ".")
    assert copied(package, tmp_path / "copy") == {
        ".gitignore",
        "Package.swift",
        "Sources/ä b.swift",
        "Vendor/Inner/Inner.swift",
        "gone.swift",
    }


def test_copy_of_a_write_protected_file_can_be_edited(package: Path, tmp_path: Path) -> None:
    (package / "gone.swift").chmod(0o444)
    copy_package(package, tmp_path / "copy")
    assert (tmp_path / "copy/gone.swift").stat().st_mode & 0o200


def test_local_packages_are_copied_with_it_and_relative_paths_still_hold(tmp_path: Path, toolchain: Toolchain) -> None:
    manifest = '// swift-tools-version: 6.0\nimport PackageDescription\nlet package = Package(name: "{}", {})\n'
    names = {"Äpp": "../Kits/Kit", "Kits/Kit": "../Base", "Kits/Base": None}
    for name, needed in names.items():
        folder = tmp_path / "own" / name
        folder.mkdir(parents=True)
        words = f'dependencies: [.package(path: "{needed}")], ' if needed else ""
        (folder / "Package.swift").write_text(manifest.format(folder.name, f"{words}targets: []"))
    base = tmp_path / "own/Kits/Base/Package.swift"
    base.write_text(
        base.read_text().replace("targets", 'dependencies: [.package(url: "../Far", branch: "a")], targets')
    )
    copy = copy_with_local_packages(tmp_path / "own/Äpp", tmp_path / "copy", toolchain)
    # SwiftPM makes a clone of it.
    assert copy.copy_of(tmp_path / "own/Kits/Far").readlink() == tmp_path / "own/Kits/Far"
    assert copy.others == (tmp_path / "own/Kits/Kit", tmp_path / "own/Kits/Base")
    assert (copy.folder / "../Kits/Base/Package.swift").is_file()
    assert set(copy.files()) == {Path(name, "Package.swift") for name in names}
    assert set(copy.files(only_others=True)) == {Path("Kits/Kit/Package.swift"), Path("Kits/Base/Package.swift")}
    assert copy.place == Path("Äpp")
    assert copy.original_names(f"in {copy.folder}") == f"in {tmp_path}/own/Äpp"
