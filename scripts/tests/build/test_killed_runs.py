"""Ending a run: the checkout stays as it is, the samples are kept, and no process is left."""

from __future__ import annotations

import os
import signal
from pathlib import Path

import psutil
import pytest
from made_files import committed, contents, copied, files, wait_until
from runs import start
from swiftmodules.measure.record import read_record
from swiftmodules.process import session_members


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
def test_interrupted_run_keeps_its_samples_and_leaves_no_process(tmp_path: Path, number: int, code: int) -> None:
    package = copied(tmp_path, "Smallest")
    committed(package)
    # A file that git does not know, and one that was changed.
    files(package, {"Note/notes.txt": "mine\n"})
    (package / "Note/Interface/Note.swift").chmod(0o755)
    before, printed, errors = contents(package), tmp_path / "printed", tmp_path / "errors"
    with printed.open("w") as output, errors.open("w") as error_output:
        run = start(package, "body,private-top", 1, streams=(output, error_output))
    wait_until(lambda: "\n[2/" in printed.read_text())
    builds = builds_of(run.pid)
    os.kill(run.pid, number)
    assert run.wait(120) == code
    assert "samples so far are in" in errors.read_text() and "shows them" in errors.read_text()
    assert [member for build in builds for member in session_members(build)] == []
    assert contents(package) == before
    assert [path.name for path in (tmp_path / "scratch").iterdir()] == ["lock"]
    assert [path.name for path in (tmp_path / "output").iterdir()] == ["samples.jsonl"]
    record = read_record(tmp_path / "output")
    assert len(record.samples) >= 2
    assert f"interrupted by {signal.Signals(number).name}" in (record.incomplete or "")
