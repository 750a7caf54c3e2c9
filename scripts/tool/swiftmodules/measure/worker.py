"""The worker of a cluster: Dask's own, and the program beside it that builds.

Dask runs tasks in a thread that it cannot stop. So a task only hands a call to a program, and kills it when the task is
cancelled. What the program was building is ended by its guard, as after any run.
"""

from __future__ import annotations

import hashlib
import io
import os
import pickle
import platform
import select
import shutil
import socket
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import urlsplit

import dask
from distributed import Reschedule, Security, Worker, WorkerPlugin, get_worker

import swiftmodules
from swiftmodules import errors, process
from swiftmodules.builds.conditions import this_machine
from swiftmodules.measure import answers
from swiftmodules.observed import Machine
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.toolchain import Toolchain

if TYPE_CHECKING:
    from swiftmodules.options import WorkerChoices

# What a worker has one of, and every task asks for: workers that were not started for this get none.
RESOURCE = "timing"
# How often a task looks whether it is still wanted.
_POLL_SECONDS = 0.2
# What Dask watches of itself takes 4% of a core, beside builds that are timed; with this 0.5%.
_QUIET = {"distributed.worker.profile.enabled": False, "distributed.admin.tick.interval": "1s"}


def start(scheduler: str, choices: WorkerChoices) -> int:
    """Runs a worker until it is ended."""
    from distributed.cli.dask_worker import main

    require_certificates(scheduler, "worker")
    scratch = choices.scratch_path or cache_folder() / "worker"
    scratch.mkdir(parents=True, exist_ok=True)
    words = ["--nthreads", "1", "--no-nanny", "--no-dashboard", "--host", choices.host, "--memory-limit", "0"]
    words += ["--resources", f"{RESOURCE}=1", "--local-directory", str(scratch)]
    with dask.config.set(_QUIET):
        main([scheduler, *words], standalone_mode=False)
    return 0


def require_certificates(scheduler: str, role: str) -> None:
    """Raises `UsageError` where the scheduler's address needs certificates, and Dask's configuration names none."""
    if scheduler.startswith("tls:") and Security().get_connection_args(role)["ssl_context"] is None:
        raise errors.UsageError("tls:// needs certificates. Set distributed.comm.tls in Dask's configuration.")


def facts(toolchain: Toolchain) -> dict[str, str]:
    """What is equal on all machines of a run: results of others are not compared."""
    system = platform.mac_ver()[0] or " ".join(platform.libc_ver())
    folder = Path(swiftmodules.__file__).parent
    digest = hashlib.sha256()
    for path in sorted(files_below(folder, folder, ["__pycache__"])):
        digest.update(f"{path} ".encode() + (folder / path).read_bytes())
    return {
        "toolchain": toolchain.version,
        "platform": f"{platform.system()} {platform.machine()} {system}",
        "version of swiftmodules": digest.hexdigest()[:12],
    }


def require_equal(wanted: Mapping[str, str], machine: str, found: Mapping[str, str]) -> None:
    """Raises `ToolError`, with both versions, where a machine is not like that of the command."""
    for what, own in found.items():
        if own != wanted[what]:
            raise errors.ToolError(
                f"the machine {machine} has another {what}: {own}, and the command runs with {wanted[what]}. Give all "
                "machines the same, or leave this one out."
            )


def packed(folder: Path) -> bytes:
    """The files of a folder, as they are sent."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        file.add(folder, arcname=".")
    return archive.getvalue()


def unpack(archive: bytes, folder: Path) -> None:
    """Writes the files that were packed. They come from the user's own command."""
    with tarfile.open(fileobj=io.BytesIO(archive)) as file:
        file.extractall(folder, filter="fully_trusted")


class Host(WorkerPlugin):
    """Keeps the package of a run on each worker, also on those that come later, and the program that builds it."""

    def __init__(
        self, name: str, archive: bytes, package: Path, wanted: Mapping[str, str], variables: Mapping[str, str]
    ) -> None:
        self.name = name
        self._archive = archive
        self._package = package
        self._wanted = wanted
        self._variables = dict(variables)

    def setup(self, worker: Worker) -> None:
        """Unpacks the package. Raises where the worker is not like the machine of the command, and ends the worker."""
        host, address = socket.gethostname(), urlsplit(worker.address).hostname
        # Machines may have the same name.
        self.machine = host if address == "127.0.0.1" else f"{host} ({address})"
        self._folder = Path(worker.local_directory) / self.name
        self._program: subprocess.Popen[bytes] | None = None
        self._running = ExitStack()
        try:
            require_equal(self._wanted, self.machine, facts(Toolchain.find()))
            unpack(self._archive, self._folder / "package")
        except Exception:
            worker.loop.add_callback(worker.close, reason="refused")
            raise

    def teardown(self, worker: Worker) -> None:
        """Ends the program, and removes its folder."""
        self._end()
        shutil.rmtree(self._folder, ignore_errors=True)

    def answer(self, call: bytes, is_wanted: Callable[[], bool]) -> Any:  # noqa: ANN401  of a bench
        """Has a call answered. Raises the program's error, and `Reschedule` where nobody wants the answer."""
        program = self._started()
        assert program.stdin is not None and program.stdout is not None
        program.stdin.write(call)
        while not select.select([program.stdout], [], [], _POLL_SECONDS)[0]:
            if not is_wanted():
                self._end()
                raise Reschedule
        try:
            found = pickle.load(program.stdout)
        except EOFError:
            self._end()
            message = (self._folder / "errors").read_text(errors="replace").strip()
            found = errors.ToolError(f"the program that builds has ended: {message[-2000:]}")
        if isinstance(found, errors.ToolError):
            raise type(found)(f"on {self.machine}: {found}")
        return found

    def _started(self) -> subprocess.Popen[bytes]:
        if self._program is None:
            # Each in a folder of its own, as the guard of the one before may still clean up.
            scratch = tempfile.mkdtemp(prefix="scratch-", dir=self._folder)
            words = [str(self._folder / "package" / self._package.relative_to("/")), scratch, *self._variables]
            log = self._running.enter_context((self._folder / "errors").open("wb"))
            program = process.started(
                [sys.executable, "-m", answers.__name__, *words],
                os.environ | self._variables,
                self._folder,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                bufsize=0,
            )
            self._program = self._running.enter_context(program)
        return self._program

    def _end(self) -> None:
        self._program = None
        self._running.close()


def perform(name: str, call: bytes) -> tuple[str, Machine, Any]:
    """A task: has a call answered by the worker. Returns the name of its machine, the machine, and the answer."""
    worker = get_worker()
    key = worker.get_current_task()
    host = cast(Host, worker.plugins[name])

    def is_wanted() -> bool:
        task = worker.state.tasks.get(key)
        return task is not None and task.state == "executing"

    return host.machine, this_machine(), host.answer(call, is_wanted)
