"""Runs on plain Dask workers on this machine, with real builds: the same answers as here."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, copied, wait_until
from rich.console import Console
from runs import CHOICES, compiled, measured
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.cluster import Cluster
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.toolchain import Toolchain

COUNTS = MeasureChoices(rounds=0, layouts=("interface", "monolith"), edits=("body", "private-top"))


def started(folder: Path, program: str, *words: str) -> subprocess.Popen[bytes]:
    environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)}
    command = [sys.executable, "-m", f"distributed.cli.{program}", *words, "--host", "127.0.0.1", "--no-dashboard"]
    with (folder / "log").open("wb") as log:
        return subprocess.Popen(command, env=environment, stdout=log, stderr=log)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The scheduler of two workers, which are started as the document of clusters does."""
    scheduler, *workers = (tmp_path_factory.mktemp("cluster") for _ in range(3))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    found = f"tcp://127.0.0.1:{port}"
    processes = [started(scheduler, "dask_scheduler", "--port", str(port), "--no-show")]
    try:
        processes += [started(each, "dask_worker", found, "--nthreads", "1", "--no-nanny") for each in workers]
        wait_until(lambda: all("Registered to" in (each / "log").read_text(errors="replace") for each in workers))
        yield found
    finally:
        for process in processes:
            process.kill()
            process.wait()


@contextmanager
def joined(address: str, package: Path) -> Iterator[Cluster]:
    view = ProgressView(Console(width=200, force_terminal=False))
    with Cluster(address, package, Toolchain.find(), {}, view) as cluster:
        yield cluster


@pytest.mark.slow
def test_two_workers_count_what_this_machine_counts(address: str, tmp_path: Path) -> None:
    tiny = copied(tmp_path, "Tiny")
    with joined(address, tiny) as cluster:
        found = measured(tiny, COUNTS, cluster=cluster)
    shutil.rmtree(tmp_path / "output")
    assert compiled(found) == compiled(measured(tiny, COUNTS)) and len(found.samples) == 8


@pytest.mark.slow
def test_history_is_sent_with_its_commits_and_times_are_those_of_one_worker(address: str, tmp_path: Path) -> None:
    smallest = copied(tmp_path, "Smallest")
    file = next(smallest.glob("Note/Implementation/*.swift"))
    for number in range(3):
        file.write_text(f"{file.read_text()}\nprivate func more{number}() {{}}\n")
        committed(smallest, f"More {number}")
    choices = replace(CHOICES, layouts=("interface",), edits=("history:2",))
    with joined(address, smallest) as cluster:
        found = measured(smallest, choices, cluster=cluster)
    assert [(each.round, bool(each.seconds)) for each in found.samples] == [(1, True)] * 4
    assert {each.files for each in found.samples} == {1}


def test_wrong_clusters_are_named(address: str, tmp_path: Path) -> None:
    other = replace(Toolchain.find(), version="Swift 7")
    view = ProgressView(Console(quiet=True))
    with pytest.raises(ToolError, match=r"has another toolchain: Swift version .* Here it is Swift 7"):
        Cluster(address, tmp_path, other, {}, view)
    with (
        joined(address, copied(tmp_path, "Tiny")) as cluster,
        pytest.raises(UsageError, match="--quick measures on one machine"),
    ):
        measured(tmp_path / "Tiny", replace(COUNTS, rounds=None, quick=True), cluster=cluster)
