"""Bringing a folder back to what it was."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from swiftmodules.builds.snapshot import Snapshot


def state(folder: Path) -> dict[str, tuple[object, ...]]:
    """Everything in a folder, with contents and modification times."""
    found: dict[str, tuple[object, ...]] = {}
    for path in (folder, *sorted(folder.rglob("*"))):
        content = path.readlink() if path.is_symlink() else path.read_bytes() if path.is_file() else None
        found[str(path.relative_to(folder))] = (content, path.lstat().st_mode, path.lstat().st_mtime_ns)
    # The time of a link itself cannot be set everywhere.
    return {name: each[:2] if (folder / name).is_symlink() else each for name, each in found.items()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "products/deep").mkdir(parents=True)
    (folder / "empty").mkdir()
    for number, name in enumerate(("a.o", "products/b.o", "products/deep/c.o")):
        (folder / name).write_text(name)
        os.utime(folder / name, (1_000_000 + number, 1_000_000 + number))
    (folder / "link").symlink_to("products")
    (folder / "tool").write_text("run")
    (folder / "tool").chmod(0o755)
    return folder


def test_everything_that_changed_is_as_it_was_in_the_same_files(folder: Path, tmp_path: Path) -> None:
    before = state(folder)
    snapshot = Snapshot(folder, tmp_path / "copy")
    (folder / "a.o").write_text("b.o")
    (folder / "products/b.o").unlink()
    (folder / "products/deep/c.o").unlink()
    (folder / "products/deep").rmdir()
    (folder / "products/deep").write_text("a file")
    (folder / "empty/new").mkdir()
    (folder / "empty/new/d.o").write_text("new")
    (folder / "link").unlink()
    (folder / "link").mkdir()
    (folder / "tool").unlink()
    (folder / "tool").symlink_to("a.o")
    assert state(folder) != before
    snapshot.restore()
    assert state(folder) == before
    # Once more, as nothing of the copy was used up.
    (folder / "a.o").unlink()
    snapshot.restore()
    assert state(folder) == before
    file = (folder / "a.o").stat().st_ino
    (folder / "a.o").write_text("longer than before")
    snapshot.restore()
    assert ((folder / "a.o").stat().st_ino, (folder / "a.o").read_text()) == (file, "a.o")
