"""Two runs at once, and folders that a run may clear."""

from __future__ import annotations

import os
import re
import shutil
import signal
import stat
from pathlib import Path

import pytest
from conftest import SMALLEST, contents, measure, start_measure

from buildspeed.failures import BusyError, MeasurementError, UsageError
from buildspeed.locks import locked
from buildspeed.run_folder import run_folder, scratch_folder


@pytest.mark.parametrize("takes_times", [True, False])
def test_second_run_of_a_package_is_refused_and_names_the_first(tmp_path: Path, takes_times: bool) -> None:
    with (
        run_folder(tmp_path),
        pytest.raises(BusyError, match=rf"process {os.getpid()}, which began at \S+, is measuring this package"),
        run_folder(tmp_path, takes_times),
    ):
        pass


def test_second_run_that_takes_times_is_refused_for_another_package_too(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with (
        run_folder(one),
        pytest.raises(BusyError, match=rf"process {os.getpid()}, .* is taking times on this machine already"),
        run_folder(other),
    ):
        pass
    with run_folder(other):
        pass


def test_run_without_times_goes_on_beside_one_with_times(tmp_path: Path) -> None:
    with run_folder(tmp_path / "one"), run_folder(tmp_path / "other", takes_times=False) as folder:
        assert folder.is_dir()


def test_run_that_is_refused_leaves_the_work_of_the_other_alone(tmp_path: Path) -> None:
    with run_folder(tmp_path) as folder:
        (folder / "half-built").touch()
        with pytest.raises(BusyError), run_folder(tmp_path):
            pass
        assert (folder / "half-built").exists()


def test_lock_can_be_held_by_everybody_and_is_no_link(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", "at work", "it is mine"):
        assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o666
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "link").symlink_to(precious)
    with pytest.raises(OSError), locked(tmp_path / "link", "at work", "it is mine"):
        pass
    assert precious.read_text() == "mine"


def test_second_measurement_on_the_machine_is_refused_at_once_and_does_not_disturb_the_first(tmp_path: Path) -> None:
    packages = [shutil.copytree(SMALLEST, tmp_path / name) for name in ("one", "other")]
    process = start_measure("--package", packages[0], "--layouts", "interface", "--edits", "noop", "--rounds", "1")
    assert process.stdout is not None
    for line in process.stdout:
        if line.startswith("Building"):
            break
    for package, doing in ((packages[1], "taking times on this machine"), (packages[0], "measuring this package")):
        before = contents(package)
        result = measure("--package", package, "--edits", "noop")
        assert result.returncode == 75
        assert re.match(rf"error: process {process.pid}, which began at \S+, is {doing} already", result.stderr)
        assert contents(package) == before
    process.send_signal(signal.SIGTERM)
    process.communicate(timeout=20)
    assert process.returncode == 143


def test_scratch_path_is_not_in_the_package_and_holds_nothing_else(tmp_path: Path) -> None:
    package = tmp_path / "package"
    other = tmp_path / "other"
    other.mkdir()
    for folder in (package, package / "Sources", tmp_path):
        with pytest.raises(UsageError):
            scratch_folder(package, folder)
    assert scratch_folder(package, None) == package / ".build/measure"
    assert scratch_folder(package, package / ".build/elsewhere") == package / ".build/elsewhere"
    assert scratch_folder(package, other) == other
    with run_folder(other):
        pass
    (other / "results").mkdir()
    # That of an earlier run.
    assert scratch_folder(package, other) == other
    (other / "lock").write_text("what somebody else locks\n")
    with pytest.raises(UsageError, match="holds other things"):
        scratch_folder(package, other)


def test_folder_that_cannot_be_made_is_told_with_the_way_out(tmp_path: Path) -> None:
    (tmp_path / ".build").write_text("a file")
    with pytest.raises(MeasurementError, match=r"cannot write to .*--scratch-path"), run_folder(tmp_path / ".build/m"):
        pass
