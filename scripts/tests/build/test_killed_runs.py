"""Ending a run: the checkout stays as it is, the samples are kept, and nothing disturbs the next run."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from made_files import contents, wait_until
from runs import FIXTURES, start
from swiftmodules.measure.record import read_record
from swiftmodules.process import session_members


@dataclass
class Started:
    """A run in a process of its own, with the files that it prints to."""

    process: subprocess.Popen[str]
    output: Path
    error_output: Path

    @property
    def printed(self) -> str:
        return self.output.read_text(errors="replace")

    @property
    def errors(self) -> str:
        return self.error_output.read_text(errors="replace")

    def wait(self) -> int:
        return self.process.wait(120)


@dataclass
class Checkout:
    """A package in git that is measured, and killed meanwhile."""

    folder: Path
    temporary: Path

    def __post_init__(self) -> None:
        self.package = shutil.copytree(FIXTURES / "Smallest", self.folder / "a package")
        self.output, self.scratch = self.folder / "output", self.folder / "scratch"
        commit = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--message=First"]
        for command in (["init", "--quiet"], ["add", "."], commit):
            subprocess.run(["git", "-C", self.package, *command], check=True)
        # A file that git does not know, and one that was changed.
        (self.package / "Note" / "notes.txt").write_text("mine\n")
        (self.package / "Note/Interface/Note.swift").chmod(0o755)
        self.before = contents(self.package)

    def start(self, edits: str) -> Started:
        files = (self.folder / "printed", self.folder / "errors")
        with files[0].open("w") as output, files[1].open("w") as errors:
            process = start(self.package, edits, 1, self.temporary, streams=(output, errors))
        return Started(process, *files)


def builds_of(process: int) -> list[int]:
    """The sessions of the builds that a process runs, once there is one with a compiler."""
    found: list[int] = []

    def is_building() -> bool:
        children = [child.pid for child in psutil.Process(process).children()]
        found[:] = [child for child in children if len(session_members(child)) > 1]
        return bool(found)

    wait_until(is_building)
    return found


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow)]
)
def test_interrupted_run_keeps_its_samples_and_leaves_no_process(
    tmp_path: Path, temporary: Path, number: int, code: int
) -> None:
    checkout = Checkout(tmp_path, temporary)
    run = checkout.start("body,private-top")
    wait_until(lambda: "\n[2/" in run.printed)
    builds = builds_of(run.process.pid)
    os.kill(run.process.pid, number)
    assert run.wait() == code
    assert "samples so far are in" in run.errors and "shows them" in run.errors
    assert [member for build in builds for member in session_members(build)] == []
    assert contents(checkout.package) == checkout.before
    assert [path.name for path in checkout.scratch.iterdir()] == ["lock"]
    assert [path.name for path in checkout.output.iterdir()] == ["samples.jsonl"]
    record = read_record(checkout.output)
    assert len(record.samples) >= 2
    assert f"interrupted by {signal.Signals(number).name}" in (record.incomplete or "")
