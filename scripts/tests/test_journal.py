"""Ending what a killed run has left, and nothing else."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from conftest import SCRIPTS

from buildspeed.journal import MARK, Journal
from buildspeed.process_table import environment, session_members, started
from buildspeed.run_folder import run_folder

# A run whose build is a shell with a child in a process group of its own, as SwiftPM's compilers are.
RUN = """
import sys
from pathlib import Path
from buildspeed import processes
from buildspeed.run_folder import run_folder

compiler = f'{sys.executable} -c "import os, time; os.setpgid(0, 0); time.sleep(60)"'
with run_folder(Path(sys.argv[1])) as work:
    (work / "half-built").touch()
    processes.run(["sh", "-c", f"{compiler} & sleep 60; true"], {"PATH": "/usr/bin:/bin"}, work, work / "log")
"""


@pytest.fixture
def sleeper() -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts programs that lead sessions, and ends them after the test."""
    sleepers: list[subprocess.Popen[bytes]] = []

    def start(**environment: str) -> subprocess.Popen[bytes]:
        sleepers.append(subprocess.Popen(["sleep", "60"], env={**os.environ, **environment}, start_new_session=True))
        return sleepers[-1]

    yield start
    for each in sleepers:
        each.kill()
        each.wait()


def wait_until(holds: Callable[[], object]) -> None:
    deadline = time.monotonic() + 10
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.01)


@pytest.mark.parametrize("leader_too", [False, True], ids=["leader lives on", "leader is killed too"])
def test_next_run_ends_the_builds_of_a_killed_one_and_clears_its_folder(tmp_path: Path, leader_too: bool) -> None:
    run = subprocess.Popen([sys.executable, "-c", RUN, tmp_path], cwd=SCRIPTS)
    journal = tmp_path / "running.json"
    wait_until(journal.exists)
    leader = json.loads(journal.read_text())["leader"]
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
        assert not journal.exists()
    assert [file.name for file in tmp_path.iterdir()] == ["lock"]


def test_process_of_the_same_number_that_started_at_another_time_is_left_alone(
    tmp_path: Path, sleeper: Callable[..., subprocess.Popen[bytes]]
) -> None:
    stranger = sleeper()
    journal = Journal(tmp_path / "running.json")
    journal.note(stranger.pid)
    noted = json.loads(journal.path.read_text())
    ticks, boot = noted["started"].split()
    journal.path.write_text(json.dumps(noted | {"started": f"{int(ticks) - 1} {boot}"}))
    assert journal.end_leftovers() == 0
    assert stranger.poll() is None
    assert not journal.path.exists()


def test_noted_process_is_ended(tmp_path: Path, sleeper: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = sleeper()
    journal = Journal(tmp_path / "running.json")
    journal.note(process.pid)
    assert journal.end_leftovers() == 1
    assert process.wait() == -signal.SIGKILL


def test_process_that_bears_the_mark_of_the_run_is_ended_though_it_was_not_noted(
    tmp_path: Path, sleeper: Callable[..., subprocess.Popen[bytes]]
) -> None:
    journal = Journal(tmp_path / "running.json")
    own = sleeper(**{MARK: str(journal.path)})
    other = sleeper(**{MARK: str(tmp_path / "another package" / "running.json")})
    wait_until(lambda: {own.pid, other.pid} <= environment(MARK).keys())
    assert journal.end_leftovers() == 1
    assert own.wait() == -signal.SIGKILL
    assert other.poll() is None


def test_noted_and_marked_processes_are_both_ended(
    tmp_path: Path, sleeper: Callable[..., subprocess.Popen[bytes]]
) -> None:
    journal = Journal(tmp_path / "running.json")
    noted, marked = sleeper(), sleeper(**{MARK: str(journal.path)})
    journal.note(noted.pid)
    wait_until(lambda: marked.pid in environment(MARK))
    assert journal.end_leftovers() == 2


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"leader": 1'])
def test_journal_that_cannot_be_read_ends_nothing(tmp_path: Path, text: str) -> None:
    journal = Journal(tmp_path / "running.json")
    journal.path.write_text(text)
    assert journal.end_leftovers() == 0
    assert not journal.path.exists()


def test_start_of_a_process_is_its_own_and_ends_with_it(sleeper: Callable[..., subprocess.Popen[bytes]]) -> None:
    process = sleeper()
    first = started(process.pid)
    assert first is not None
    assert started(process.pid) == first
    assert started(os.getpid()) != first
    process.kill()
    wait_until(lambda: started(process.pid) is None)
