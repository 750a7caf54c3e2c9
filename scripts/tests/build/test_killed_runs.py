"""Killing a run at any moment: the checkout stays as it is, the samples are kept, and nothing disturbs the next run."""

from __future__ import annotations

import os
import random
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import psutil
import pytest
from runs import FIXTURES, contents, processes_in, start
from swiftmodules.builds.lock import run_folder
from swiftmodules.errors import BusyError
from swiftmodules.measure.record import CLEAN, read_record
from swiftmodules.process import session_members

# The output of a run when a stage of its life begins. The kill comes within two seconds after that.
STAGES = (
    "",
    "Copying and reading",
    "Building interface",
    "Building interface (control)",
    "[1/",
    "[3/",
    "[4/",
)
ROUNDS = 1
# After the first of these the run may tidy up; a terminal sends its interrupt to the whole group.
KINDS: dict[str, tuple[tuple[int, bool], ...]] = {
    "SIGINT": ((signal.SIGINT, False),),
    "SIGTERM": ((signal.SIGTERM, False),),
    "SIGKILL": ((signal.SIGKILL, False),),
    "SIGINT to the group": ((signal.SIGINT, True),),
    "SIGKILL to the group": ((signal.SIGKILL, True),),
    "SIGTERM, and SIGKILL while it tidies up": ((signal.SIGTERM, False), (signal.SIGKILL, False)),
}


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
    """A package in git that is measured again and again, and killed each time."""

    folder: Path
    temporary: Path
    generator: random.Random

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

    def start(self, edits: str = "body") -> Started:
        files = (self.folder / "printed", self.folder / "errors")
        with files[0].open("w") as output, files[1].open("w") as errors:
            process = start(self.package, edits, ROUNDS, self.temporary, streams=(output, errors))
        return Started(process, *files)

    def kill_once(self) -> bool:
        """Begins a run and kills it; returns whether it was killed before it ended on its own."""
        generator = self.generator
        shutil.rmtree(self.output, ignore_errors=True)
        edits = generator.choice(["body", "body,member"])
        kind, stage, delay = generator.choice(list(KINDS)), generator.choice(STAGES), generator.uniform(0, 2)
        print(f"{kind}, {delay:.2f} s after '{stage}'")
        run = self.start(edits)
        wait_until(lambda: run.process.poll() is not None or stage in run.printed)
        wait_until(lambda: run.process.poll() is not None, seconds=delay)
        was_running = run.process.poll() is None
        # Once it has ended, its number may be that of another process.
        for index, (number, to_group) in enumerate(KINDS[kind] if was_running else ()):
            if index:
                time.sleep(generator.uniform(0, 0.2))
            try:
                (os.killpg if to_group else os.kill)(run.process.pid, number)
            except ProcessLookupError:
                break
        code = run.wait()
        self.check(run, code, KINDS[kind][-1][0], was_running)
        return was_running and code != 0

    def check(self, run: Started, code: int, number: int, was_running: bool) -> None:
        # Before the first output of the run, Python itself may print where an interrupt has stopped it.
        assert "Traceback" not in run.errors or not run.printed, run.errors
        if number != signal.SIGKILL and code != -number and run.printed:
            assert code in ({128 + number, 0} if was_running else {0}), run.errors
            assert self.processes() == []
            assert not (self.scratch / "work").exists()
        assert contents(self.package) == self.before
        self.check_record(run)
        self.check_nothing_is_left()

    def check_nothing_is_left(self) -> None:
        """The next run ends what a killed one has left."""
        if self.scratch.exists():
            wait_until(self.is_free, seconds=20)
            assert [path.name for path in self.scratch.iterdir()] == ["lock"]
        assert self.processes() == []
        # A lock that nobody holds.
        assert {each.name for each in self.temporary.glob("swiftmodules-*")} <= {"swiftmodules-times.lock"}

    def is_free(self) -> bool:
        try:
            with run_folder(self.scratch, takes_times=False):
                return True
        except BusyError:
            return False

    def check_record(self, run: Started) -> None:
        """Asserts that a record has what was printed as measured."""
        taken = len(re.findall(r"^\[", run.printed, re.MULTILINE))
        if not self.output.exists() or not list(self.output.iterdir()):
            assert not taken
            return
        record = read_record(self.output)
        found = [each for each in record.samples if each.edit != CLEAN]
        assert len(found) >= taken
        assert len({(each.round, each.cell, each.control) for each in found}) == len(found)
        assert (self.output / "results.json").exists() == (not record.incomplete)

    def finish(self) -> None:
        """A last run, to its end."""
        shutil.rmtree(self.output, ignore_errors=True)
        run = self.start()
        assert run.wait() == 0, run.errors
        record = read_record(self.output)
        assert record.incomplete is None
        assert [path.name for path in self.output.iterdir()] == ["results.json"]
        assert contents(self.package) == self.before
        assert self.processes() == []

    def processes(self) -> list[list[str]]:
        """The processes that work for a run of this package, by their folder or arguments."""
        return processes_in(self.folder)


def wait_until(holds: Callable[[], object], seconds: float = 120) -> None:
    deadline = time.monotonic() + seconds
    while not holds() and time.monotonic() < deadline:
        time.sleep(0.01)


def builds_of(process: int) -> list[int]:
    """The sessions of the builds that a process runs, once there is one with a compiler."""
    found: list[int] = []

    def is_building() -> bool:
        children = [child.pid for child in psutil.Process(process).children()]
        found[:] = [child for child in children if len(session_members(child)) > 1]
        return bool(found)

    wait_until(is_building, seconds=20)
    return found


@pytest.mark.slow
def test_run_that_is_killed_at_random_moments_leaves_the_checkout_and_no_process(
    tmp_path: Path, temporary: Path
) -> None:
    """As often as `RUN_KILLS` asks for."""
    seed = str(random.SystemRandom().randrange(2**32))
    print(f"seed {seed!r}", flush=True)
    checkout, kills = Checkout(tmp_path, temporary, random.Random(seed)), int(os.environ.get("RUN_KILLS", "6"))
    while kills:
        kills -= checkout.kill_once()
    checkout.finish()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), pytest.param(signal.SIGINT, 130, marks=pytest.mark.slow)]
)
def test_interrupted_run_keeps_its_samples_and_leaves_no_process(
    tmp_path: Path, temporary: Path, number: int, code: int
) -> None:
    checkout = Checkout(tmp_path, temporary, random.Random(1))
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


@pytest.mark.slow
def test_run_that_is_killed_keeps_its_samples_and_leaves_no_build_and_nothing_is_overwritten(
    tmp_path: Path, temporary: Path
) -> None:
    checkout = Checkout(tmp_path, temporary, random.Random(1))
    run = checkout.start("body,private-top")
    wait_until(lambda: "\n[3/" in run.printed)
    (leader,) = builds_of(run.process.pid)
    # So that it does not end on its own meanwhile.
    os.kill(leader, signal.SIGSTOP)
    run.process.kill()
    run.wait()
    checkout.check_nothing_is_left()
    assert session_members(leader) == []
    before = read_record(checkout.output)
    assert "the run was killed" in (before.incomplete or "") and len(before.samples) >= 3
    again = checkout.start("body,private-top")
    assert again.wait() == 64
    assert "holds the samples of an unfinished run" in again.errors
    assert read_record(checkout.output) == before
