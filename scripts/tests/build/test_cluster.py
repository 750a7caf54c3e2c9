"""Runs on the workers of a cluster on this machine, with real builds: the same answers, and what happens when parts of
the cluster go away."""

from __future__ import annotations

import shutil
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import psutil
import pytest
from clusters import LocalCluster, local_cluster, wait_until
from rich.console import Console
from runs import FIXTURES, OPTIONS, measured, task
from swiftmodules.cluster.client import connected
from swiftmodules.errors import ToolError
from swiftmodules.experiment import matrix
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.options import Certificates
from swiftmodules.records.files import read_record
from swiftmodules.records.kinds import MatrixOptions, RunOptions, RunRecord
from swiftmodules.swiftpm.toolchain import Toolchain

SMALL = replace(OPTIONS, layouts=("interface",), edits=("noop",))


class Watched(ProgressView):
    """Calls something with everything that is shown."""

    def __init__(self, seen: Callable[[str], None]) -> None:
        super().__init__(Console(width=200, force_terminal=False))
        self._seen = seen

    def note(self, text: str) -> None:
        super().note(text)
        self._seen(text)

    def begins(self, name: str) -> None:
        self._seen(name)


@contextmanager
def joined(cluster: LocalCluster, seen: Callable[[str], None] = lambda text: None) -> Iterator[dict[str, Any]]:
    """The fields of a task whose work is done by a cluster."""
    view = Watched(seen)
    with connected(cluster.address, Certificates(), Toolchain.find(), {}, view) as machines:
        yield {"cluster": machines, "view": view}


def package(folder: Path, name: str = "Smallest") -> Path:
    return shutil.copytree(FIXTURES / name, folder / name)


def kill_busy(cluster: LocalCluster) -> None:
    """Kills a worker while its program builds."""
    while not (found := [each for each in cluster.workers if each.poll() is None and is_building(each.pid)]):
        time.sleep(0.02)
    found[0].kill()


def is_building(process: int) -> bool:
    with suppress(psutil.Error):
        return any("build" in child.cmdline() for child in psutil.Process(process).children(recursive=True))
    return False


def samples_are_whole(record: RunRecord) -> None:
    """Asserts that each round was taken once, as a whole, on one machine."""
    rounds = record.options.rounds
    per_round = 2 * len(record.options.edits)
    assert [each.round for each in record.samples] == [n for n in range(1, rounds + 1) for _ in range(per_round)]
    assert [each.position for each in record.samples] == [*range(1, per_round + 1)] * rounds
    assert {each.machine for each in record.samples} == record.machines.keys()
    assert record.incomplete is None


def test_matrix_on_two_workers_equals_that_on_none(tmp_path: Path) -> None:
    options = MatrixOptions(layouts=("interface",), edits=("noop", "body"))
    (tmp_path / "alone").mkdir()
    expected = matrix.measure(options, task(package(tmp_path / "alone")))
    shown: list[str] = []
    with local_cluster(tmp_path / "cluster") as cluster, joined(cluster, shown.append) as more:
        assert matrix.measure(options, task(package(tmp_path), **more)) == expected
        # Each had something to do.
        folders = [file.parent for file in (tmp_path / "cluster" / "workers").rglob("errors")]
        assert len(set(folders)) == 2


def test_round_of_a_killed_worker_is_rerun_and_a_run_without_its_scheduler_is_resumed(tmp_path: Path) -> None:
    small = package(tmp_path)
    killed: list[LocalCluster] = []
    with local_cluster(tmp_path / "cluster") as cluster:

        def fail(text: str) -> None:
            if not killed and ": round 1: " in text:
                killed.append(cluster)
                threading.Thread(target=kill_busy, args=[cluster]).start()
            if text.startswith("[2/"):
                cluster.scheduler.kill()

        with joined(cluster, fail) as more, pytest.raises(ToolError, match=r"the scheduler at .* has gone away"):
            measured(small, replace(SMALL, edits=("body",), rounds=2), **more)
        wait_until(lambda: not cluster.builds(), seconds=10)
    kept = read_record(tmp_path / "output")
    assert isinstance(kept, RunRecord)
    assert len(kept.samples) == 2 and "has gone away" in (kept.incomplete or "")
    assert [(each.round, each.machine) for each in kept.reruns] == [(1, next(iter(kept.machines)))]
    with local_cluster(tmp_path / "another", workers=1) as cluster, joined(cluster) as more:
        record = measured(small, RunOptions(), resume=True, **more)
    samples_are_whole(record)
    assert record.samples[: len(kept.samples)] == kept.samples
    assert record.reruns == kept.reruns
    assert [each.round for each in record.resumptions] == [len(kept.samples) // 2 + 1]
