"""Whole runs on small packages, with real builds: in the test's own process, and in one that can be killed."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from cyclopts import App
from swiftmodules.advise.advice import Advice, find_advice
from swiftmodules.builds import workspace
from swiftmodules.builds.folders import run_folder
from swiftmodules.command_line import run_app
from swiftmodules.interrupts import run_interruptibly
from swiftmodules.measure.loop import Run
from swiftmodules.measure.record import Cell, Record
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.split.branch import Whole
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.toolchain import Toolchain

# For builds whose debug information nothing reads.
WITHOUT_DEBUG = ("-Xswiftc", "-gnone")
# For those without tests, too, which SwiftPM finds by the index: a clean one takes a quarter less.
PLAIN = ("--disable-index-store", *WITHOUT_DEBUG)
CHOICES = MeasureChoices(rounds=1, verify=False)
HAS_MOUNTS = (
    shutil.which("unshare") is not None
    and not subprocess.run(
        ["unshare", "--map-root-user", "--mount", "true"], capture_output=True, check=False
    ).returncode
)


def task(package: Path, **more: Any) -> Run:  # noqa: ANN401  fields of a run
    """A run whose work and results stand beside the package."""
    config = more.pop("config", None)
    made = Run(
        choices=CHOICES,
        package=package.resolve(),
        output=package.resolve().parent / "output",
        scratch=package.resolve().parent / "scratch",
        toolchain=Toolchain.find(),
        view=ProgressView(print),
        # That of the package may be one of another time.
        config=config or config_of(package),
    )
    return replace(made, **more)


def measured(package: Path, choices: MeasureChoices = CHOICES, **more: Any) -> Record:  # noqa: ANN401
    with pytest.MonkeyPatch.context() as patch:
        options = WITHOUT_DEBUG if choices.verify or choices.until == "tests" else PLAIN
        patch.setattr(workspace, "_OPTIONS", (*workspace._OPTIONS, *options))
        return task(package, choices=choices, **more).run()


def advice_on(package: Path, commits: int = 20) -> Advice:
    """The advice to the last commits of a package."""
    made = task(package, view=ProgressView(lambda text: None))
    return find_advice(made.package, made.scratch, made.toolchain, made.config, made.view, commits)


@contextmanager
def whole(package: Path, target: str = "Zoo", files: Sequence[str] = ()) -> Iterator[Whole]:
    """A target of a package, which was built to be cut."""
    made = task(package, view=ProgressView(lambda text: None))
    with run_folder(made.scratch, made.toolchain, takes_times=False) as (work, toolchain):
        yield Whole(Repository(made.package), work, toolchain, made.config, made.view, target, files)


def files_of(record: Record) -> dict[str, dict[str, int | None]]:
    """The number of compiled files of each edit, or commit by its subject, in each layout."""
    subjects = {each.edit: each.subject for each in record.commits}
    found: dict[str, dict[str, int | None]] = {subject: {} for subject in subjects.values()}
    for sample in record.samples:
        found.setdefault(subjects.get(sample.edit, sample.edit), {})[sample.layout] = sample.files
    return found


def compiled(record: Record) -> dict[tuple[Cell, bool], set[str]]:
    """The files that the last build of each cell compiled, and of its control; of clean builds there are numbers."""
    return {(each.cell, each.control): set(each.compiled) for each in record.samples if isinstance(each.compiled, dict)}


def start(
    package: Path, edits: str, rounds: int, mount: str | None = None, verify: bool = False
) -> subprocess.Popen[str]:
    """Starts a run of the layout `interface` as `scripts/measure` does, in a process of its own, which prints what it
    does; where a shell command is given, after it has mounted something that only the run sees."""
    script = f'{mount} && exec "$0" "$@"'
    mounting = ["unshare", "--map-root-user", "--mount", "sh", "-c", script] if mount else []
    environment = dict(os.environ) | {"TMPDIR": tempfile.gettempdir(), "PYTHONPATH": os.pathsep.join(sys.path)}
    environment["SWIFTMODULES_PROGRAM"] = "scripts/measure"
    return subprocess.Popen(
        [*mounting, sys.executable, "-u", __file__, str(package), edits, str(rounds), *["--verify"] * verify],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
        start_new_session=True,
    )


def main(package: Path, edits: str, rounds: int, verify: bool = False) -> None:
    choices = replace(CHOICES, layouts=("interface",), edits=tuple(edits.split(",")), rounds=rounds, verify=verify)
    measured(package, choices)


if __name__ == "__main__":
    app = App(name="runs", version_flags=[])
    app.default(main)
    sys.exit(run_interruptibly(lambda: run_app(app, sys.argv[1:])))
