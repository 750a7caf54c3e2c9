"""The worker of a cluster: Dask's own, and the program beside it that builds.

Dask runs tasks in a thread that it cannot stop. So a task only hands a request to a program, waits for its answer, and
ends it with all its builds when the task is cancelled. The program ends on its own where the worker was killed.
"""

from __future__ import annotations

import os
import queue
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import dask
import msgspec
from distributed import Reschedule, Security, Worker, WorkerPlugin, get_worker

from swiftmodules import errors
from swiftmodules.builds.conditions import this_machine
from swiftmodules.builds.lock import run_folder
from swiftmodules.cluster.archive import Archive, Facts
from swiftmodules.experiment import replica
from swiftmodules.process import kill_session
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.toolchain import Toolchain

if TYPE_CHECKING:
    from swiftmodules.options import Certificates, WorkerChoices

# What a worker has one of, and every task asks for: workers that were not started for this get none.
RESOURCE = "timing"
# How often a task looks whether it is still wanted, and how long the program may take to end.
_POLL_SECONDS = 0.2
_ENDING_SECONDS = 5.0
# What Dask watches of itself takes 4% of a core, beside builds that are timed; with this 0.5%.
_QUIET = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}


def start(scheduler: str, choices: WorkerChoices) -> int:
    """Runs a worker until it is ended."""
    from distributed.cli.dask_worker import main

    security_of(scheduler, choices)
    scratch = choices.scratch_path or cache_folder() / "worker"
    scratch.mkdir(parents=True, exist_ok=True)
    words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", choices.host, "--memory-limit", "0"]
    words += ["--resources", f"{RESOURCE}=1", "--local-directory", str(scratch)]
    for option in ("tls_ca_file", "tls_cert", "tls_key"):
        file = getattr(choices, option)
        words += [f"--{option.replace('_', '-')}", str(file)] if file else []
    with dask.config.set(_QUIET):
        main([scheduler, *words], standalone_mode=False)
    return 0


def security_of(scheduler: str, certificates: Certificates) -> Security:
    """The certificates that are given, or else those of Dask's own configuration.

    Raises `UsageError` where the scheduler's address needs some and there are none.
    """
    given = {
        "tls_ca_file": certificates.tls_ca_file,
        "tls_client_cert": certificates.tls_cert,
        "tls_client_key": certificates.tls_key,
    }
    security = Security(**{name: str(file) for name, file in given.items() if file})
    if scheduler.startswith("tls:") and security.get_connection_args("client")["ssl_context"] is None:
        raise errors.UsageError("tls:// needs certificates. Give --tls-ca-file, --tls-cert and --tls-key.")
    return security


class Host(WorkerPlugin):
    """Keeps the package of a run on each worker, also on those that come later, and the program that builds it."""

    def __init__(
        self,
        name: str,
        archive: Archive,
        package: Path,
        facts: Facts,
        variables: Mapping[str, str],
        present: Iterable[str],
    ) -> None:
        self.name = name
        self._present = set(present)
        self._archive = archive
        self._package = package
        self._facts = facts
        self._variables = dict(variables)
        self._process: subprocess.Popen[bytes] | None = None
        self._folder = Path()

    def setup(self, worker: Worker) -> None:
        """Unpacks the package. Raises where the worker is not like the machine of the command."""
        host, address = socket.gethostname(), urlsplit(worker.address).hostname
        # Machines may have the same name.
        self.machine = host if address == "127.0.0.1" else f"{host} ({address})"
        self._folder = Path(worker.local_directory) / self.name
        try:
            self._facts.require_equal(self.machine, Facts.of(Toolchain.find()))
            self._archive.unpack(self._folder / "package")
        except Exception:
            # That of one that was there ends the run. One that comes later only goes away.
            if worker.address not in self._present:
                worker.loop.add_callback(worker.close, reason="refused")
            raise

    def teardown(self, worker: Worker) -> None:
        """Ends the program, and removes its folder."""
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def answer(self, request: bytes, is_wanted: Callable[[], bool], show: Callable[[str], None]) -> Any:  # noqa: ANN401
        """Has a request answered. Raises the program's error, and `Reschedule` where nobody wants the answer."""
        process, lines = self._started()
        assert process.stdin is not None
        process.stdin.write(request + b"\n")
        process.stdin.flush()
        while True:
            try:
                found = lines.get(timeout=_POLL_SECONDS)
            except queue.Empty:
                if is_wanted():
                    continue
                self._end()
                raise Reschedule from None
            if found is None:
                self._end()
                message = (self._folder / "errors").read_text(errors="replace").strip()
                raise errors.ToolError(f"on {self.machine}, the program that builds has ended: {message[-2000:]}")
            line = msgspec.json.decode(found, type=replica.Line)
            if line.shown is not None:
                show(line.shown)
            elif line.error is not None:
                kind, message = line.error
                raise getattr(errors, kind)(f"on {self.machine}: {message}")
            else:
                return line.value

    def _started(self) -> tuple[subprocess.Popen[bytes], queue.Queue[bytes | None]]:
        if self._process is not None and self._process.poll() is not None:
            self._end()
        if self._process is None:
            place = self._folder / "package" / self._package.relative_to("/")
            words = ["-m", replica.__name__, str(place), str(self._folder / "scratch"), *self._variables]
            with (self._folder / "errors").open("wb") as log:
                self._process = subprocess.Popen(
                    [sys.executable, *words],
                    stdin=subprocess.PIPE,
                    stdout=subprocess.PIPE,
                    stderr=log,
                    env=os.environ | self._variables,
                    start_new_session=True,
                )
            self._lines: queue.Queue[bytes | None] = queue.Queue()
            threading.Thread(target=_read, args=[self._process, self._lines], daemon=True).start()
        return self._process, self._lines

    def _end(self) -> None:
        """Ends the program, which ends its builds and removes its work."""
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin is not None
        with suppress(OSError):
            process.stdin.close()
        try:
            process.wait(_ENDING_SECONDS)
        except subprocess.TimeoutExpired:
            kill_session(process.pid)
            process.wait()
            # Ends what it has left.
            with run_folder(self._folder / "scratch", takes_times=False):
                pass


def _read(process: subprocess.Popen[bytes], lines: queue.Queue[bytes | None]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line)
    lines.put(None)


def perform(name: str, request: bytes) -> tuple[str, str, dict[str, Any], Any]:
    """A task: has a request answered by the worker. Returns the worker's address, its machine, and the answer."""
    worker = get_worker()
    key = worker.get_current_task()
    host = cast(Host, worker.plugins[name])

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    worker.log_event(name, {"key": key, "machine": host.machine, "worker": worker.address})
    value = host.answer(
        request, is_wanted, lambda text: worker.log_event(name, {"machine": host.machine, "shown": text})
    )
    return worker.address, host.machine, msgspec.to_builtins(this_machine()), value
