"""Disks that are full, and checkouts that cannot be written: one clear message, and an exit code."""

from __future__ import annotations

from pathlib import Path

import pytest
from made_files import contents, copied
from runs import HAS_MOUNTS, start

pytestmark = pytest.mark.skipif(not HAS_MOUNTS, reason="this system does not let users mount file systems")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return copied(tmp_path / "a package", "Smallest")


def require_one_message(errors: str, *words: str) -> None:
    messages = [line for line in errors.splitlines() if line.startswith("error: ")]
    assert len(messages) == 1, errors
    assert "Traceback" not in errors
    assert all(word in messages[0] for word in words), messages


def test_full_disk_ends_a_clean_build_with_its_name_and_the_remedy(package: Path) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    mount = f"mount -t tmpfs -o size=2m tmpfs '{scratch}'"
    process = start(package, "body", 1, mount)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    require_one_message(errors, f"the disk of {scratch}/work is full", "--scratch-path")


@pytest.mark.slow
def test_read_only_checkout_is_measured_elsewhere_and_a_read_only_folder_is_named(package: Path) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    before = contents(package)
    for folder, code in ((package, 0), (scratch, 1)):
        mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}'"
        process = start(package, "body", 1, mount)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == code, errors
        assert contents(package) == before
    require_one_message(errors, f"cannot write {scratch}/lock: Read-only file system", "name a folder")
