"""Two runs at once, folders that a run may clear, and what a killed run has left there."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from swiftmodules.builds.folders import run_folder, scratch_folder
from swiftmodules.builds.lock import locked
from swiftmodules.errors import BusyError, ToolError
from swiftmodules.swiftpm.toolchain import Toolchain


def test_second_run_is_refused_of_the_same_package_and_of_any_where_one_takes_times(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    holder = rf"process {os.getpid()}, which began at \S+,"
    for first in (True, False):
        with run_folder(one, toolchain, first) as (work, _):
            for second in (True, False):
                busy = pytest.raises(BusyError, match=f"{holder} is measuring this package")
                with busy, run_folder(one, toolchain, second):
                    pass
                # The work of the first is left alone.
                assert work.is_dir()
            for second in (True, False) if first else (True,):
                busy = pytest.raises(BusyError, match=f"{holder} is building on this machine already")
                with busy, run_folder(other, toolchain, second):
                    pass
    with run_folder(one, toolchain, takes_times=False), run_folder(other, toolchain, takes_times=False) as (work, _):
        assert work.is_dir()


def test_lock_is_no_link(tmp_path: Path) -> None:
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "link").symlink_to(precious)
    with pytest.raises(ToolError, match="symbolic"), locked(tmp_path / "link", "at work"):
        pass
    assert precious.read_text() == "mine"


def test_work_is_in_the_package_only_where_git_ignores_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    monkeypatch.delenv("SWIFTMODULES_CACHE", raising=False)
    package = tmp_path / "Läden"
    package.mkdir()
    outside = scratch_folder(package)
    assert outside.parent == tmp_path / "caches" / "swiftmodules"
    assert outside.name.startswith("Läden-")
    subprocess.run(["git", "init", "--quiet", package], check=True)
    assert scratch_folder(package) == outside
    (package / ".gitignore").write_text("/.build/\n")
    assert scratch_folder(package) == package / ".build" / "measure"
    assert sorted(path.name for path in package.iterdir()) == [".git", ".gitignore"]
    monkeypatch.setattr(os, "access", lambda folder, mode: folder != package)
    assert scratch_folder(package) == outside


def test_folder_that_cannot_be_made_is_named_and_temporary_files_have_plain_paths(
    tmp_path: Path, toolchain: Toolchain
) -> None:
    (tmp_path / ".build").write_text("a file")
    refused = pytest.raises(ToolError, match=r"cannot write .*make it writable")
    with refused, run_folder(tmp_path / ".build/m", toolchain):
        pass
    for measure in (tmp_path / "plain", tmp_path / "größer"):
        with run_folder(measure, toolchain) as (_, made):
            temporary = Path(made.environment["TMPDIR"])
            assert str(temporary).isascii() and temporary.is_dir()
        assert not temporary.exists()


def test_next_run_removes_what_a_killed_run_has_left(tmp_path: Path, toolchain: Toolchain) -> None:
    with run_folder(tmp_path, toolchain) as (work, _):
        copied = shutil.copytree(work, tmp_path / f"{work.name}-of-another")
    with run_folder(tmp_path, toolchain) as (work, _):
        assert not copied.exists() and work.is_dir()
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]
