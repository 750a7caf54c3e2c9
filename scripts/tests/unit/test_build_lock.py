"""Two runs at once, folders that a run may clear, and what a killed run has left there."""

from __future__ import annotations

import os
import signal
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from made_files import wait_until
from psutil import STATUS_ZOMBIE, process_iter
from swiftmodules.builds.folders import run_folder, scratch_folder
from swiftmodules.builds.lock import locked
from swiftmodules.errors import BusyError, ToolError

# A run whose build is a shell with a child in a process group of its own, as SwiftPM's compilers are.
RUN = """
import sys
import tempfile
from pathlib import Path
from swiftmodules import process
from swiftmodules.builds.folders import run_folder

compiler = f'{sys.executable} -c "import os, time; os.setpgid(0, 0); time.sleep(60)"'
with run_folder(Path(sys.argv[1])) as folders:
    work, variables = folders.work, {"PATH": "/usr/bin:/bin", "TMPDIR": str(folders.temporary)}
    (work / "half-built").touch()
    process.run(["sh", "-c", f"{compiler} & sleep 60; true"], variables, work, work / "log")
"""


def test_second_run_is_refused_of_the_same_package_and_of_any_where_one_takes_times(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    holder = rf"process {os.getpid()}, which began at \S+,"
    for first in (True, False):
        with run_folder(one, first) as folders:
            (folders.work / "half-built").touch()
            for second in (True, False):
                with pytest.raises(BusyError, match=f"{holder} is measuring this package"), run_folder(one, second):
                    pass
                # The work of the first is left alone.
                assert (folders.work / "half-built").exists()
            for second in (True, False) if first else (True,):
                busy = pytest.raises(BusyError, match=f"{holder} is building on this machine already")
                with busy, run_folder(other, second):
                    pass
    with run_folder(one, takes_times=False), run_folder(other, takes_times=False) as folders:
        assert folders.work.is_dir()


def test_lock_is_for_every_user_and_no_link(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", "at work"):
        assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o666
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


def test_folder_that_cannot_be_made_is_named_and_temporary_files_have_plain_paths(tmp_path: Path) -> None:
    (tmp_path / ".build").write_text("a file")
    with pytest.raises(ToolError, match=r"cannot write .*make it writable"), run_folder(tmp_path / ".build/m"):
        pass
    for measure in (tmp_path / "plain", tmp_path / "größer"):
        with run_folder(measure) as folders:
            assert str(folders.temporary).isascii() and folders.temporary.is_dir()
        assert not folders.temporary.exists()


@pytest.mark.parametrize("to_group", [False, True], ids=["the run is killed", "its whole group is killed"])
def test_next_run_ends_what_a_killed_run_has_left_and_nothing_that_it_did_not_start(
    tmp_path: Path, to_group: bool
) -> None:
    variables = {**os.environ, "TMPDIR": tempfile.gettempdir()}
    run = subprocess.Popen([sys.executable, "-c", RUN, tmp_path], env=variables, start_new_session=True)
    wait_until(lambda: len(working_in(tmp_path / "work")) == 3)
    # As a user's terminal.
    other = subprocess.Popen(["sleep", "60"], cwd=tmp_path / "work", start_new_session=True)
    (os.killpg if to_group else os.kill)(run.pid, signal.SIGKILL)
    assert run.wait() == -signal.SIGKILL
    with run_folder(tmp_path) as folders:
        assert working_in(folders.work) in ([], [other.pid]) and list(folders.work.iterdir()) == []
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]
    assert other.poll() is None
    other.kill()
    other.wait()


def working_in(folder: Path) -> list[int]:
    found = process_iter(["cwd", "status"])
    return [each.pid for each in found if each.info["cwd"] == str(folder) and each.info["status"] != STATUS_ZOMBIE]
