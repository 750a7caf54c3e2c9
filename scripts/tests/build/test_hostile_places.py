"""Disks that are full, checkouts that cannot be written, a toolchain that is removed: one clear message, an exit code,
and the samples so far."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from runs import FIXTURES, HAS_MOUNTS, contents, samples_in, start
from swiftmodules.swiftpm.toolchain import Toolchain

pytestmark = pytest.mark.skipif(not HAS_MOUNTS, reason="this system does not let users mount file systems")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(FIXTURES / "Smallest", tmp_path / "a package")


def read_until_second_sample(process: subprocess.Popen[str]) -> None:
    assert process.stdout is not None
    assert any(line.startswith("[2/") for line in process.stdout)


def require_one_message(errors: str, *words: str) -> None:
    """One message, and for a run that has samples where they are."""
    messages = [line for line in errors.splitlines() if line.startswith("error: ")]
    assert len(messages) == 1, errors
    assert "Traceback" not in errors
    assert all(word in messages[0] for word in words), messages


def test_full_disk_ends_a_clean_build_with_its_name_and_the_remedy(package: Path, temporary: Path) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    mount = f"mount -t tmpfs -o size=2m tmpfs '{scratch}'"
    process = start(package, "body", 1, temporary, mount)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    require_one_message(errors, f"the disk of {scratch}/work is full", "--scratch-path")


@pytest.mark.slow
def test_disk_that_fills_up_during_a_run_leaves_the_samples_so_far(package: Path, temporary: Path) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    # The samples are on another disk.
    process = start(package, "body", 3, temporary, f"mount -t tmpfs -o size=200m tmpfs '{scratch}'")
    read_until_second_sample(process)
    fill(Path(f"/proc/{process.pid}/root/{scratch}/fill"))
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    require_one_message(errors, "is full")
    assert "samples so far are in" in errors
    assert len(samples_in(package.parent / "output" / "samples.jsonl")) >= 2


def fill(path: Path) -> None:
    """Writes until nothing fits any more."""
    block = b"\1" * 2**16
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(block)
        except OSError:
            pass


@pytest.mark.slow
def test_read_only_checkout_is_measured_elsewhere_and_a_read_only_folder_is_named(
    package: Path, temporary: Path
) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    before = contents(package)
    for folder, code in ((package, 0), (scratch, 1)):
        mount = f"mount --bind '{folder}' '{folder}' && mount -o remount,bind,ro '{folder}'"
        process = start(package, "body", 1, temporary, mount)
        _, errors = process.communicate(timeout=300)
        assert process.returncode == code, errors
        assert contents(package) == before
    require_one_message(errors, f"cannot write {scratch}/lock: Read-only file system", "name a folder")


@pytest.mark.slow
def test_toolchain_that_is_removed_during_a_run_leaves_the_samples_so_far(
    package: Path, temporary: Path, toolchain: Toolchain, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = package.parent / "toolchain"
    here.mkdir()
    monkeypatch.setenv("PATH", f"{here}/bin{os.pathsep}{os.environ['PATH']}")
    process = start(package, "body,member", 2, temporary, f"mount --bind '{toolchain.bin.parent}' '{here}'")
    read_until_second_sample(process)
    enter = ["nsenter", "--user", "--preserve-credentials", "--mount", "--target", str(process.pid)]
    subprocess.run([*enter, "umount", "--lazy", here], check=True)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 69
    require_one_message(errors, "has no 'swift' and 'swiftc'")
    assert len(samples_in(package.parent / "output" / "samples.jsonl")) >= 2
