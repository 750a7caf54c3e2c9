"""A cluster of processes on this machine, for tests: a scheduler on a free port, and workers that can be killed."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
from runs import mounting, processes_in


@dataclass
class LocalCluster:
    """The processes of a cluster; `variables` are those of the scheduler and of the workers."""

    folder: Path
    scheme: str = "tcp"
    variables: dict[str, str] = field(default_factory=dict)
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.address = f"{self.scheme}://127.0.0.1:{port}"
        words = ["--host", self.address, "--no-dashboard", "--no-show"]
        self.scheduler = self._started("scheduler", "distributed.cli.dask_scheduler", *words)
        wait_until(lambda: "Scheduler at" in self.printed("scheduler"))

    def add(self, environment: dict[str, str] | None = None, mount: str | None = None) -> subprocess.Popen[bytes]:
        """Starts one more worker, after a shell command that mounts something where there is one, and waits until the
        scheduler has it."""
        name = f"worker-{len(self.workers)}"
        words = [self.address, "--scratch-path", str(self.folder / "workers")]
        self.workers.append(self._started(name, "swiftmodules", "worker", *words, environment=environment, mount=mount))
        wait_until(lambda: "Registered to" in self.printed(name) or self.workers[-1].poll() is not None)
        return self.workers[-1]

    def kill_the_one_that_takes_times(self) -> None:
        """Kills the worker whose program holds the timing lock, once there is one."""
        lock = self.folder / "swiftmodules-times.lock"
        wait_until(lambda: lock.exists() and lock.read_text())
        holder = lock.read_text().split(",")[0].removeprefix("process ")
        os.kill(psutil.Process(int(holder)).ppid(), signal.SIGKILL)

    def printed(self, name: str) -> str:
        return (self.folder / f"{name}.txt").read_text(errors="replace")

    def _started(
        self,
        name: str,
        module: str,
        *words: str,
        environment: dict[str, str] | None = None,
        mount: str | None = None,
    ) -> subprocess.Popen[bytes]:
        variables = dict(os.environ) | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(self.folder)}
        with (self.folder / f"{name}.txt").open("wb") as output:
            return subprocess.Popen(
                [*mounting(mount), sys.executable, "-m", module, *words],
                env=variables | self.variables | (environment or {}),
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )

    def stop(self) -> None:
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        # A worker's program ends on its own.
        wait_until(lambda: not self.processes(), seconds=20)
        assert self.processes() == []

    def processes(self) -> list[list[str]]:
        """The commands of all processes that work in the folder of a worker."""
        return processes_in(self.folder)

    def builds(self) -> list[list[str]]:
        """The commands of all builds of the workers."""
        return [words for words in self.processes() if words[0].endswith("/swift-build")]


@contextmanager
def local_cluster(folder: Path, workers: int = 2, **more: Any) -> Iterator[LocalCluster]:  # noqa: ANN401
    """A cluster with so many workers, which is stopped in the end."""
    folder.mkdir()
    cluster = LocalCluster(folder, **more)
    try:
        for _ in range(workers):
            cluster.add()
        yield cluster
    finally:
        cluster.stop()


def wait_until(holds: Callable[[], object], seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "waited too long"
        time.sleep(0.02)
