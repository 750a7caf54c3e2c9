"""Two runs at once, folders that a run may clear, and what a killed run has left there."""

from __future__ import annotations

import errno
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from psutil import Process
from swiftmodules import process
from swiftmodules.builds.lock import locked, run_folder, scratch_folder
from swiftmodules.process import end_noted, session_members, started
from swiftmodules.errors import BusyError, ToolError, UsageError
from test_build_process import wait_until

# A run whose build is a shell with a child in a process group of its own, as SwiftPM's compilers are.
RUN = """
import sys
from pathlib import Path
from swiftmodules import process
from swiftmodules.builds.lock import run_folder

compiler = f'{sys.executable} -c "import os, time; os.setpgid(0, 0); time.sleep(60)"'
with run_folder(Path(sys.argv[1])) as work:
    (work / "half-built").touch()
    process.run(["sh", "-c", f"{compiler} & sleep 60; true"], {"PATH": "/usr/bin:/bin"}, work, work / "log")
"""


@pytest.fixture(autouse=True)
def machine_lock_of_this_test(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """So that no other run on this machine holds the lock."""
    folder = str(tmp_path_factory.mktemp("temporary"))
    monkeypatch.setenv("TMPDIR", folder)
    monkeypatch.setattr(tempfile, "tempdir", folder)


@pytest.fixture
def sleeper() -> Iterator[subprocess.Popen[bytes]]:
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as sleeping:
        yield sleeping
        sleeping.kill()


@pytest.mark.parametrize("takes_times", [True, False])
def test_second_run_of_a_package_is_refused_and_names_the_first(tmp_path: Path, takes_times: bool) -> None:
    with (
        run_folder(tmp_path) as folder,
        pytest.raises(BusyError, match=rf"process {os.getpid()}, which began at \S+, is measuring this package"),
    ):
        (folder / "half-built").touch()
        try:
            with run_folder(tmp_path, takes_times):
                pass
        finally:
            # The work of the first is left alone.
            assert (folder / "half-built").exists()


def test_second_run_that_takes_times_is_refused_for_another_package_too(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with run_folder(one):
        with (
            pytest.raises(BusyError, match=rf"process {os.getpid()}, .* is taking times on this machine already"),
            run_folder(other),
        ):
            pass
        with run_folder(other, takes_times=False) as folder:
            assert folder.is_dir()
    with run_folder(other):
        pass


def test_lock_can_be_held_by_every_user_and_is_not_a_link(tmp_path: Path) -> None:
    with locked(tmp_path / "lock", "at work", "it is mine", ""):
        assert stat.S_IMODE((tmp_path / "lock").stat().st_mode) == 0o666
    precious = tmp_path / "precious"
    precious.write_text("mine")
    (tmp_path / "link").symlink_to(precious)
    with pytest.raises(ToolError, match="symbolic"), locked(tmp_path / "link", "at work", "it is mine", ""):
        pass
    assert precious.read_text() == "mine"


def test_lock_on_a_full_disk_has_a_remedy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(_: object, *__: str) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(process.SessionNotes, "write", full)
    with pytest.raises(ToolError, match=r"No space left on device\. Name another folder"), run_folder(tmp_path):
        pass


def test_scratch_path_is_not_in_the_package_and_holds_nothing_else(tmp_path: Path) -> None:
    package = tmp_path / "package"
    other = tmp_path / "other"
    other.mkdir()
    for folder in (package, package / "Sources", tmp_path):
        with pytest.raises(UsageError):
            scratch_folder(package, folder)
    assert scratch_folder(package, package / ".build/elsewhere") == package / ".build/elsewhere"
    assert scratch_folder(package, other) == other
    with run_folder(other):
        pass
    (other / "results").mkdir()
    # That of an earlier run.
    assert scratch_folder(package, other) == other
    (other / "lock").write_text("locked by another program\n")
    with pytest.raises(UsageError, match="holds files that are not from a run"):
        scratch_folder(package, other)


def test_work_is_in_the_package_only_where_git_ignores_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "caches"))
    package = tmp_path / "Läden"
    package.mkdir()
    outside = scratch_folder(package, None)
    assert outside.parent == tmp_path / "caches" / "swiftmodules"
    assert outside.name.startswith("Läden-")
    subprocess.run(["git", "init", "--quiet", package], check=True)
    assert scratch_folder(package, None) == outside
    (package / ".gitignore").write_text("/.build/\n")
    assert scratch_folder(package, None) == package / ".build" / "measure"
    assert sorted(path.name for path in package.iterdir()) == [".git", ".gitignore"]


def test_folder_that_cannot_be_made_is_named_with_the_remedy(tmp_path: Path) -> None:
    (tmp_path / ".build").write_text("a file")
    with pytest.raises(ToolError, match=r"cannot write to .*--scratch-path"), run_folder(tmp_path / ".build/m"):
        pass


def test_run_folder_is_cleared_of_a_killed_run_and_removed_at_the_end(tmp_path: Path) -> None:
    (tmp_path / "work" / "interface").mkdir(parents=True)
    with run_folder(tmp_path) as folder:
        assert list(folder.iterdir()) == []
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


def test_programs_have_a_temporary_folder_that_is_removed_and_has_an_ascii_path(tmp_path: Path) -> None:
    for measure in (tmp_path / "plain", tmp_path / "größer"):
        with run_folder(measure) as work:
            process.run(["sh", "-c", "echo $TMPDIR"], {"PATH": "/usr/bin:/bin"}, work, work / "log")
            temporary = (work / "log").read_text().strip()
            assert temporary.isascii() and Path(temporary).is_dir()
        assert not Path(temporary).exists()


@pytest.mark.parametrize("leader_too", [False, True], ids=["leader lives on", "leader is killed too"])
def test_next_run_ends_the_builds_of_a_killed_one(tmp_path: Path, leader_too: bool) -> None:
    run = subprocess.Popen([sys.executable, "-c", RUN, tmp_path])
    lock = tmp_path / "lock"
    wait_until(lambda: lock.exists() and re.search(r"session \d", lock.read_text()))
    leader = int(lock.read_text().split()[-2])
    wait_until(lambda: len(session_members(leader)) == 3)
    run.kill()
    assert run.wait() == -signal.SIGKILL
    if leader_too:
        os.kill(leader, signal.SIGKILL)
        wait_until(lambda: leader not in session_members(leader))
    assert len(session_members(leader)) >= 2
    with run_folder(tmp_path) as work:
        assert session_members(leader) == []
        assert list(work.iterdir()) == []
    assert "session" not in lock.read_text()


def test_noted_session_is_ended(tmp_path: Path, sleeper: subprocess.Popen[bytes]) -> None:
    assert end_noted(f"process 1\nsession {sleeper.pid} {started(sleeper.pid)}\n", tmp_path) == 1
    assert sleeper.wait() == -signal.SIGKILL


def test_programs_of_a_killed_run_that_it_did_not_note_are_ended_in_its_folder_only(tmp_path: Path) -> None:
    command = ["sh", "-c", "sleep 60; true"]
    (tmp_path / "work").mkdir()
    building = subprocess.Popen(command, cwd=tmp_path / "work", start_new_session=True)
    # As those that read a package, in the session of this program.
    reading = subprocess.Popen(command, cwd=tmp_path / "work")
    other = subprocess.Popen(command, start_new_session=True)
    wait_until(lambda: len(session_members(building.pid)) == 2 and len(Process(reading.pid).children()) == 1)
    assert end_noted("process 1\nsession unknown\n", tmp_path) == 4
    assert {building.wait(), reading.wait()} == {-signal.SIGKILL}
    assert other.poll() is None
    os.killpg(other.pid, signal.SIGKILL)
    other.wait()


def test_what_still_reads_in_the_folder_is_ended_with_the_run(tmp_path: Path) -> None:
    with run_folder(tmp_path) as work:
        reading = subprocess.Popen(["sh", "-c", "sleep 60; true"], cwd=work)
        elsewhere = subprocess.Popen(["sleep", "60"], cwd=tmp_path)
        wait_until(lambda: Process(reading.pid).children())
        (child,) = Process(reading.pid).children()
    assert reading.wait() == -signal.SIGKILL and started(child.pid) is None
    assert elsewhere.poll() is None
    elsewhere.kill()
    elsewhere.wait()


def test_session_of_the_same_number_that_started_at_another_time_is_left_alone(
    tmp_path: Path, sleeper: subprocess.Popen[bytes]
) -> None:
    assert end_noted(f"process 1\nsession {sleeper.pid} {(started(sleeper.pid) or 0) - 10}\n", tmp_path) == 0
    assert sleeper.poll() is None


@pytest.mark.parametrize("text", ["", "session", "process 1\nsession x 1.0", "process 1\nsession 1"])
def test_notes_that_cannot_be_read_end_nothing(tmp_path: Path, text: str) -> None:
    assert end_noted(text, tmp_path) == 0
