"""Killing the tool at any moment: the checkout stays as it is, and the next run finds nothing in its way."""

from __future__ import annotations

import hashlib
import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest
from conftest import SCRIPTS, SMALLEST

from buildspeed.record import Record, read_record
from buildspeed.run_folder import run_folder

# What the tool says when a stage of its life begins. The kill comes within two seconds after that.
STAGES = (
    "",
    "Reading the package",
    "Building the layout 'interface'",
    "Warming up the layout 'interface'",
    "Building the layout 'control'",
    "Warming up the layout 'control'",
    "[1/",
    "[3/",
    "[4/",
)
ROUNDS = 2
# After the first of these the tool may tidy up; a terminal sends its interrupt to the whole group.
KINDS: dict[str, tuple[tuple[int, bool], ...]] = {
    "SIGINT": ((signal.SIGINT, False),),
    "SIGTERM": ((signal.SIGTERM, False),),
    "SIGKILL": ((signal.SIGKILL, False),),
    "SIGINT to the group": ((signal.SIGINT, True),),
    "SIGKILL to the group": ((signal.SIGKILL, True),),
    "SIGTERM, and SIGKILL while it tidies up": ((signal.SIGTERM, False), (signal.SIGKILL, False)),
}


@dataclass
class Checkout:
    """A package in git that is measured again and again, and killed each time."""

    folder: Path
    generator: random.Random
    record: Path | None = None

    def __post_init__(self) -> None:
        self.package = shutil.copytree(SMALLEST, self.folder / "a package")
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        commit = ["-c", "user.name=A", "-c", "user.email=a@b", "commit", "--quiet", "--message=First"]
        for command in (["init", "--quiet"], ["add", "."], commit):
            subprocess.run(["git", "-C", self.package, *command], check=True)
        # A file that git does not know, and one that was changed.
        (self.package / "Note" / "notes.txt").write_text("mine\n")
        (self.package / "Note/Interface/Note.swift").chmod(0o755)
        self.before = state(self.package)

    @property
    def measure(self) -> Path:
        return self.package / ".build" / "measure"

    def start(self, *arguments: str | Path) -> subprocess.Popen[bytes]:
        with (self.folder / "output").open("wb") as output, (self.folder / "errors").open("wb") as errors:
            return subprocess.Popen(
                [SCRIPTS / "measure", "--package", self.package, *arguments],
                stdout=output,
                stderr=errors,
                env={**os.environ, "TMPDIR": str(self.temporary)},
                start_new_session=True,
            )

    def kill_once(self) -> bool:
        """Begins or resumes a run and kills it; tells whether it was killed before it ended by itself."""
        generator = self.generator
        resumes = self.record is not None and generator.random() < 0.5
        new = ("--layouts", "interface", "--edits", generator.choice(["noop", "noop,body"]), "--rounds", str(ROUNDS))
        arguments = ("--resume", self.record) if resumes and self.record else new
        kind, stage, delay = generator.choice(list(KINDS)), generator.choice(STAGES), generator.uniform(0, 2)
        print(f"{kind}, {delay:.2f} s after '{stage}', {'resumed' if resumes else 'new'}")
        earlier = read_record(self.record) if resumes and self.record else None
        outputs = set(self.measure.glob("results/*"))
        process = self.start(*arguments)
        self.wait_until(lambda: process.poll() is not None or stage in self.said("output"))
        self.wait_until(lambda: process.poll() is not None, seconds=delay)
        was_running = process.poll() is None
        # Once it has ended, its number may be that of another process.
        for index, (number, to_group) in enumerate(KINDS[kind] if was_running else ()):
            if index:
                time.sleep(generator.uniform(0, 0.2))
            try:
                (os.killpg if to_group else os.kill)(process.pid, number)
            except ProcessLookupError:
                break
        process.wait(timeout=60)
        self.check(process, KINDS[kind][-1][0], was_running, earlier, outputs)
        return was_running and process.returncode != 0

    def check(
        self,
        process: subprocess.Popen[bytes],
        number: int,
        was_running: bool,
        earlier: Record | None,
        outputs: set[Path],
    ) -> None:
        # Before the first word of the tool, Python itself may tell where an interrupt has met it.
        assert "Traceback" not in self.said("errors") or not self.said("output"), self.said("errors")
        if number != signal.SIGKILL and process.returncode != -number:
            assert process.returncode in ({128 + number, 0} if was_running else {0}), self.said("errors")
            assert self.processes() == []
            assert not (self.measure / "work").exists()
        assert state(self.package) == self.before
        self.check_record(earlier, outputs)
        # What every command does before its work.
        with run_folder(self.measure, takes_times=False):
            assert self.processes() == []
        assert {path.name for path in self.measure.iterdir()} <= {"lock", "results"}

    def check_record(self, earlier: Record | None, outputs: set[Path]) -> None:
        """What was said to be measured is in a record, with all that was in the earlier one."""
        taken = sum(line.startswith("[") for line in self.said("output").splitlines())
        if earlier is None:
            new = set(self.measure.glob("results/*")) - outputs
            if not taken and not new:
                return
            (output,) = new
        else:
            assert self.record is not None
            output = self.record.parent
        unfinished, complete = output / "unfinished.json", output / "results.json"
        # Killed between the two, it leaves both.
        self.record = unfinished if unfinished.exists() else None
        record = read_record(complete if complete.exists() else unfinished)
        per_round = 2 * len(record.options.edits)
        whole = 0 if earlier is None else len(earlier.samples) - len(earlier.samples) % per_round
        assert record.samples[:whole] == (earlier.samples[:whole] if earlier else [])
        assert not taken or len(record.samples) >= whole + taken
        rounds = [(sample.round, sample.cell) for sample in record.samples]
        assert len(set(rounds)) == len(rounds)
        assert complete.exists() == (len(rounds) == ROUNDS * per_round and record.incomplete is None)

    def finish(self) -> None:
        """A last run, to its end."""
        arguments = ("--resume", self.record) if self.record else ("--layouts", "interface", "--edits", "noop")
        before = set(self.measure.glob("results/*/results.json"))
        assert self.start(*arguments).wait(timeout=120) == 0, self.said("errors")
        (path,) = set(self.measure.glob("results/*/results.json")) - before
        record = read_record(path)
        assert record.incomplete is None
        assert not (path.parent / "unfinished.json").exists()
        assert len(record.samples) == record.options.rounds * 2 * len(record.options.edits)
        assert state(self.package) == self.before
        assert self.processes() == []

    def processes(self) -> list[str]:
        """The processes that work for a run of this package, by their environment, folder or arguments."""
        found = []
        for entry in Path("/proc").iterdir():
            try:
                if not entry.name.isdigit() or "\nState:\tZ" in (entry / "status").read_text():
                    continue
                arguments = (entry / "cmdline").read_bytes()
                known = [(entry / "environ").read_bytes(), arguments, os.fsencode((entry / "cwd").readlink())]
            except OSError:
                continue
            if any(os.fsencode(self.package) in each for each in known):
                found.append(arguments.decode(errors="replace").replace("\0", " "))
        return found

    def said(self, name: str) -> str:
        return (self.folder / name).read_text()

    def wait_until(self, holds: Callable[[], bool], seconds: float = 120) -> None:
        deadline = time.monotonic() + seconds
        while not holds() and time.monotonic() < deadline:
            time.sleep(0.01)


def state(folder: Path) -> str:
    """A digest of the paths, kinds, modes and contents of everything in a folder, also in `.git`, but for `.build`."""
    digest = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.relative_to(folder).parts[0] == ".build":
            continue
        content = os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes() if path.is_file() else b""
        digest.update(f"{path.relative_to(folder)} {path.lstat().st_mode:o} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def kill(folder: Path, seed: str, times: int) -> None:
    checkout = Checkout(folder, random.Random(seed))
    print(f"seed {seed!r}", flush=True)
    while times:
        times -= checkout.kill_once()
    checkout.finish()


pytestmark = pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="looks for processes in /proc")


def test_run_that_is_killed_at_some_moments_leaves_the_checkout_and_no_process(tmp_path: Path) -> None:
    kill(tmp_path, "4", times=2)


@pytest.mark.slow
def test_run_that_is_killed_at_a_hundred_moments_leaves_the_checkout_and_no_process(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    # Two at once, each with half of the cores.
    folders = [tmp_path / "first", tmp_path / "second"]
    for folder in folders:
        folder.mkdir()
    with ThreadPoolExecutor() as pool:
        for ended in [pool.submit(kill, folder, f"{seed} {folder.name}", 50) for folder in folders]:
            ended.result()
