"""Runs that end early: signals, full disks, and checkouts that cannot be written. The checkout stays as it is, samples
are kept, no process is left, and one message says why."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from functools import partial
from pathlib import Path

import psutil
import pytest
from made_files import committed, contents, copied, files, wait_until
from repo_checkout import REPOSITORY
from runs import HAS_MOUNTS, start
from swiftmodules.measure.record import read_record
from swiftmodules.process import session_members

needs_mounts = pytest.mark.skipif(not HAS_MOUNTS, reason="this system does not let users mount file systems")


def builds_of(process: int) -> list[int]:
    """The sessions of the builds that a process runs, and in which there is a compiler."""
    children = [child.pid for child in psutil.Process(process).children()]
    return [child for child in children if len(session_members(child)) > 1]


@pytest.mark.parametrize(
    ("number", "code", "rounds", "moment"),
    [(signal.SIGTERM, 143, 0, "[1/"), pytest.param(signal.SIGINT, 130, 1, "Verifying ", marks=pytest.mark.slow)],
)
def test_interrupted_run_keeps_its_samples_and_leaves_no_process(
    tmp_path: Path, number: int, code: int, rounds: int, moment: str
) -> None:
    package = copied(tmp_path, "Smallest")
    committed(package)
    # A file that git does not know, and one that was changed.
    files(package, {"Note/notes.txt": "mine\n"})
    (package / "Note/Interface/Note.swift").chmod(0o755)
    before, run = contents(package), start(package, "body,private-top", rounds, verify=True)
    assert run.stdout is not None
    assert any(line.startswith(moment) for line in run.stdout)
    builds = wait_until(lambda: builds_of(run.pid))
    os.kill(run.pid, number)
    _, errors = run.communicate(timeout=120)
    assert run.returncode == code
    samples = tmp_path / "output/unfinished.json"
    assert f"The samples so far are in {samples}, beside their report." in errors
    assert [member for build in builds for member in session_members(build)] == []
    assert contents(package) == before
    assert [path.name for path in (tmp_path / "scratch").iterdir()] == ["lock"]
    record = read_record(tmp_path / "output")
    # With two clean builds in a round.
    assert len(record.samples) == (1 if rounds == 0 else 6)
    assert f"interrupted by {signal.Signals(number).name}" in (record.incomplete or "")
    assert f"**Incomplete:** {record.incomplete}" in (tmp_path / "output/results.md").read_text()


def test_interrupt_in_the_first_seconds_leaves_nothing_and_no_traceback(tmp_path: Path) -> None:
    package = copied(tmp_path, "Smallest")
    temporary, cache = tmp_path / "temporary", tmp_path / "cache"
    temporary.mkdir()
    variables = {"TMPDIR": str(temporary), "SWIFTMODULES_CACHE": str(cache), "PYTHONUNBUFFERED": "1"}
    options = ["--rounds", "0", "--edits", "body", "--layouts", "interface", "--output", tmp_path / "output"]
    command = [REPOSITORY / "scripts/measure", "--package", package, *options]
    streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE}
    # In seconds, while the launcher and Python start; then, while a compiler runs for the manifest and for a build.
    for moment in (0.1, 0.3, 0.6, 1, "Copying and reading", "Building interface"):
        run = subprocess.Popen(command, env=os.environ | variables, text=True, start_new_session=True, **streams)
        assert run.stderr
        if isinstance(moment, str):
            assert any(line.startswith(moment) for line in run.stderr)
            wait_until(partial(builds_of, run.pid))
        else:
            time.sleep(moment)
        assert run.poll() is None
        run.send_signal(signal.SIGINT)
        _, errors = run.communicate(timeout=120)
        # The signal ends the launcher, which a shell shows as 130 too, before its first line.
        assert run.returncode in (130, -signal.SIGINT) and "Traceback" not in errors, errors
        assert [each.name() for each in psutil.process_iter() if is_below(each, temporary)] == []
        # The driver of the compiler leaves folders there by itself.
        left = [path.name for path in temporary.iterdir() if not path.name.startswith("TemporaryDirectory.")]
        assert left in ([], [f"swiftmodules-times-{os.getuid()}.lock"])
        assert [path.name for path in cache.glob("Smallest-*/*")] in ([], ["lock"])


def is_below(process: psutil.Process, folder: Path) -> bool:
    """Whether a process that still runs keeps its temporary files in a folder."""
    try:
        running = process.status() != psutil.STATUS_ZOMBIE
        return running and process.environ().get("TMPDIR", "").startswith(str(folder))
    except psutil.Error:
        return False


@pytest.fixture
def package(tmp_path: Path) -> Path:
    return copied(tmp_path / "a package", "Smallest")


def require_one_message(errors: str, *words: str) -> None:
    messages = [line for line in errors.splitlines() if line.startswith("error: ")]
    assert len(messages) == 1, errors
    assert "Traceback" not in errors
    assert all(word in messages[0] for word in words), messages


@needs_mounts
def test_full_disk_ends_a_clean_build_with_its_name_and_the_remedy(package: Path) -> None:
    scratch = package.parent / "scratch"
    scratch.mkdir()
    mount = f"mount -t tmpfs -o size=1m tmpfs '{scratch}'"
    process = start(package, "body", 1, mount)
    _, errors = process.communicate(timeout=120)
    assert process.returncode == 1, errors
    require_one_message(errors, f"the disk of {scratch}/work-", "on another disk")


@needs_mounts
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
    require_one_message(errors, f"cannot write {scratch}/lock: Read-only file system", "make it writable")
