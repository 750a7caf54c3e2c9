"""Runs on plain Dask workers on this machine, with real builds: the same answers as here."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from made_files import committed, copied
from rich.console import Console
from runs import CHOICES, compiled, measured
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.cluster import Cluster
from swiftmodules.measure.progress import ProgressView
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.toolchain import Toolchain

COUNTS = MeasureChoices(rounds=0, layouts=("interface", "monolith"), edits=("body", "private-top"))


class Processes:
    """The scheduler and the workers of a cluster, and what they print."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.all: list[subprocess.Popen[bytes]] = []
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{port}"
        words = ("--host", "127.0.0.1", "--port", str(port), "--no-dashboard", "--no-show")
        self._start("distributed.cli.dask_scheduler", "Scheduler at", *words)

    def add_worker(self) -> None:
        """Starts a worker as the document of clusters does, and waits until the scheduler has it."""
        words = (self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", "127.0.0.1")
        self._start("distributed.cli.dask_worker", "Registered to", *words)

    def _start(self, module: str, sign: str, *words: str) -> None:
        log = self._folder / f"{len(self.all)}.txt"
        environment = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(self._folder)}
        with log.open("wb") as output:
            command = [sys.executable, "-m", module, *words]
            self.all.append(subprocess.Popen(command, env=environment, stdout=output, stderr=subprocess.STDOUT))
        deadline = time.monotonic() + 60
        while sign not in log.read_text(errors="replace"):
            assert time.monotonic() < deadline and self.all[-1].poll() is None, log.read_text(errors="replace")
            time.sleep(0.05)


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The scheduler of two workers."""
    processes = Processes(tmp_path_factory.mktemp("cluster"))
    try:
        for _ in range(2):
            processes.add_worker()
        yield processes.address
    finally:
        for process in processes.all:
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
        pytest.raises(UsageError, match="A quick run is of one machine"),
    ):
        measured(tmp_path / "Tiny", replace(COUNTS, rounds=None, quick=True), cluster=cluster)
