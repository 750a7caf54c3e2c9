"""Disks that are full, checkouts that cannot be written, tools that are missing, code that does not build: one clear
message, an exit code, and the records so far."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
from conftest import SCRIPTS, SMALLEST, TEMPORARY, contents, measure

from buildspeed import disk
from buildspeed.disk import require_space
from buildspeed.failures import DiskFullError
from buildspeed.toolchain import Toolchain

HAS_MOUNTS = (
    shutil.which("unshare") is not None
    and not subprocess.run(
        ["unshare", "--map-root-user", "--mount", "true"], capture_output=True, check=False
    ).returncode
)
needs_mounts = pytest.mark.skipif(not HAS_MOUNTS, reason="this system lets nobody mount a file system of their own")

NOTHING_BUT_NOOP = ("--layouts", "interface", "--edits", "noop", "--rounds", "1")


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return shutil.copytree(SMALLEST, tmp_path / "a package")


def start_with_mount(mount: str, *arguments: str | Path) -> subprocess.Popen[str]:
    """Starts the launcher where a shell command has mounted something that only it sees."""
    script = f'{mount} && exec "$0" "$@"'
    return subprocess.Popen(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script, SCRIPTS / "measure", *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "TMPDIR": str(TEMPORARY)},
        cwd="/",
        start_new_session=True,
    )


def require_one_message(errors: str, *words: str) -> None:
    """One message, and for a run that has samples where they are."""
    messages = [line for line in errors.splitlines() if line.startswith("error: ")]
    assert len(messages) == 1, errors
    assert "Traceback" not in errors
    for word in words:
        assert word in messages[0]


@needs_mounts
def test_full_disk_ends_a_clean_build_with_its_name_and_the_way_out(package: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=2m tmpfs {small}"
    process = start_with_mount(mount, "--package", package, "--scratch-path", small, *NOTHING_BUT_NOOP)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1
    require_one_message(errors, f"the disk of {small}/work/interface is full", "--scratch-path")


@needs_mounts
@pytest.mark.slow
def test_disk_that_fills_up_during_a_run_leaves_the_samples_so_far(package: Path, tmp_path: Path) -> None:
    small = tmp_path / "small"
    small.mkdir()
    mount = f"mount -t tmpfs -o size=200m tmpfs {small}"
    arguments = ("--layouts", "interface", "--edits", "body", "--rounds", "3", "--seed", "1")
    # The record is on the disk that is full, too.
    process = start_with_mount(mount, "--package", package, "--scratch-path", small, *arguments)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("[2/"):
            break
    seen = Path(f"/proc/{process.pid}/root/{small}")
    (results,) = seen.glob("results/*")
    fill(seen / "fill")
    # It sees the disk for as long as it is open, also when the run has ended.
    with Held(results) as held:
        _, errors = process.communicate(timeout=120)
        record = json.loads((held / "unfinished.json").read_text())
    assert process.returncode == 1
    require_one_message(errors, "is full")
    assert "samples so far are in" in errors
    assert len(record["samples"]) >= 2
    assert record["incomplete"]


class Held:
    """A folder that is open, so that its files can be read when nobody else sees its file system any more."""

    def __init__(self, folder: Path) -> None:
        self._descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self) -> Path:
        return Path(f"/proc/self/fd/{self._descriptor}")

    def __exit__(self, *error: object) -> None:
        os.close(self._descriptor)


def fill(path: Path) -> None:
    """Writes until nothing fits any more."""
    block = b"\1" * 2**16
    with path.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(block)
        except OSError:
            pass


def test_disk_with_next_to_no_space_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    require_space(tmp_path, "the build")
    monkeypatch.setattr(disk, "_LEAST_FREE_BYTES", 2**62)
    with pytest.raises(DiskFullError, match=r"so the build cannot be trusted.*--scratch-path"):
        require_space(tmp_path, "the build")


def read_only(package: Path) -> str:
    return f"mount --bind '{package}' '{package}' && mount -o remount,bind,ro '{package}'"


@needs_mounts
def test_checkout_that_cannot_be_written_is_told_with_the_way_out(package: Path) -> None:
    process = start_with_mount(read_only(package), "--package", package, *NOTHING_BUT_NOOP)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 1
    require_one_message(errors, f"cannot write to {package}/.build/measure: Read-only file system", "--scratch-path")


@needs_mounts
@pytest.mark.slow
def test_checkout_that_cannot_be_written_is_measured_with_a_scratch_path(package: Path, tmp_path: Path) -> None:
    before, scratch = contents(package), tmp_path / "scratch"
    arguments = (*NOTHING_BUT_NOOP, "--scratch-path", scratch)
    process = start_with_mount(read_only(package), "--package", package, *arguments)
    output, errors = process.communicate(timeout=300)
    assert process.returncode == 0, errors
    assert f"Wrote {scratch}/results/" in output
    assert sorted(path.name for path in scratch.iterdir()) == ["lock", "results"]
    assert contents(package) == before
    assert not (package / ".build").exists()


def test_output_that_cannot_be_written_is_told_before_the_first_build(package: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no folder")
    for output in (tmp_path / "file", tmp_path / "file" / "below"):
        result = measure("--package", package, *NOTHING_BUT_NOOP, "--output", output)
        assert result.returncode == 64
        require_one_message(result.stderr, f"the results cannot be written to {output}: {tmp_path / 'file'} is no")
    assert not (package / ".build").exists()


def test_toolchain_that_is_not_there_is_told_before_anything_is_written(package: Path, tmp_path: Path) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    for name in ("sh", "dirname", "python3"):
        (programs / name).symlink_to(shutil.which(name) or "")
    environment = {"PATH": str(programs)}
    launched = subprocess.run(
        [SCRIPTS / "measure", "--package", package], env=environment, capture_output=True, text=True, check=False
    )
    assert launched.returncode == 69
    assert "no Swift toolchain" in launched.stderr
    assert not (package / ".build").exists()


@needs_mounts
@pytest.mark.slow
def test_toolchain_that_goes_away_during_a_run_leaves_the_samples_so_far(
    package: Path, tmp_path: Path, toolchain: Toolchain
) -> None:
    output, here = tmp_path / "output", tmp_path / "toolchain"
    here.mkdir()
    mount = f"mount --bind '{toolchain.bin.parent}' '{here}' && export PATH='{here}/bin':\"$PATH\""
    arguments = ("--layouts", "interface", "--edits", "noop,body", "--rounds", "2", "--output", output)
    process = start_with_mount(mount, "--package", package, *arguments)
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("[2/"):
            break
    enter = ["nsenter", "--user", "--preserve-credentials", "--mount", "--target", str(process.pid)]
    subprocess.run([*enter, "umount", "--lazy", here], check=True)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 69
    require_one_message(errors, "has no 'swift' and 'swiftc'")
    assert len(json.loads((output / "unfinished.json").read_text())["samples"]) >= 2


def test_package_that_does_not_build_is_told_with_the_compilers_words(package: Path, tmp_path: Path) -> None:
    file = package / "Note/Implementation/ShortNote.swift"
    file.write_text(file.read_text().replace("return words", "return word"))
    result = measure("--package", package, *NOTHING_BUT_NOOP, "--output", tmp_path / "output")
    assert result.returncode == 1
    require_one_message(result.stderr, "the build of the layout 'interface' failed:")
    assert "ShortNote.swift:11:16: error: cannot find 'word' in scope" in result.stderr
    assert not (tmp_path / "output").exists()
    assert not (package / ".build/measure/work").exists()


def test_manifest_that_cannot_be_read_is_told(package: Path) -> None:
    (package / "Package.swift").write_text("let package = 1\n")
    result = measure("--package", package, *NOTHING_BUT_NOOP)
    assert result.returncode == 1
    assert result.stderr.startswith("error: ")
    assert "is using Swift tools version 3.1.0 which is no longer supported" in result.stderr


@pytest.mark.slow
def test_edit_that_does_not_compile_is_told_and_leaves_the_samples_so_far(package: Path, tmp_path: Path) -> None:
    # An added function that returns a number returns another type here.
    (package / "Note/Implementation/Int.swift").write_text("struct Int {}\n")
    output = tmp_path / "output"
    # With this seed, the edit that does not compile is the third.
    arguments = ("--layouts", "interface", "--edits", "noop,body,private-top", "--rounds", "1", "--seed", "1")
    result = measure("--package", package, *arguments, "--output", output)
    assert result.returncode == 1
    require_one_message(result.stderr, "after the edit 'private-top' (a private function at the end of")
    assert "cannot convert return expression of type" in result.stderr
    record = json.loads((output / "unfinished.json").read_text())
    assert 0 < len(record["samples"]) < 6
    assert "private-top" not in {sample["edit"] for sample in record["samples"]}
    assert "after the edit 'private-top'" in record["incomplete"]
