"""The machines of a Dask cluster: plain workers, of which each takes whole rounds, as this machine would."""

from __future__ import annotations

import io
import os
import tarfile
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from pathlib import Path

from distributed import Client, as_completed
from rich.console import Console

from swiftmodules.builds.lock import building
from swiftmodules.builds.machine import this_machine
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.place import Places, Step, states_of
from swiftmodules.measure.plan import Plan
from swiftmodules.measure.record import LeftOut, Sample
from swiftmodules.measure.subject import ORIGINAL, Origin
from swiftmodules.observed import Machine
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.git import git_output
from swiftmodules.swiftpm.toolchain import Toolchain, read

_CONNECT_SECONDS = 10
# Of a history, in one piece of work.
_COMMITS = 10

Round = tuple[int, list[Step]]


class Cluster(AbstractContextManager["Cluster"]):
    """The workers of a scheduler, which have the same toolchain and, where times are taken, are alike."""

    def __init__(
        self, address: str, package: Path, toolchain: Toolchain, variables: Mapping[str, str], view: ProgressView
    ) -> None:
        """Raises `ToolError` where no scheduler answers, or it has no worker."""
        try:
            self._client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise ToolError(
                f"No scheduler answers at {address}: {error}. Start one with 'dask scheduler', and a worker on each "
                f"machine with 'dask worker {address} --nthreads 1'."
            ) from error
        self._package = package
        self._toolchain = toolchain
        self._variables = dict(variables)
        self._view = view
        found = self._client.run(_facts)
        if not found:
            raise ToolError(f"The scheduler has no worker. Start one: dask worker {address} --nthreads 1")
        for worker, (version, _) in found.items():
            if version != toolchain.version:
                raise ToolError(
                    f"The worker {worker} has another toolchain: {version}. Here it is {toolchain.version}."
                )
        self.machines: list[Machine] = list(dict.fromkeys(machine for _, machine in found.values()))

    def __exit__(self, *error: object) -> None:
        self._client.close(timeout=2)

    def take(self, plan: Plan, rounds: Iterable[Round], scratch: Path) -> Iterator[Sample | LeftOut]:
        """Has all rounds taken, and yields what each gave when it is complete. Raises what a worker raised."""
        if plan.is_timed and len(self.machines) > 1:
            differing = "; ".join(machine.summary for machine in self.machines)
            raise UsageError(f"The workers differ, so their times cannot be compared: {differing}. Use --rounds 0.")
        self._view.note("Sending the package to the workers")
        archive = self._bundle(scratch) if plan.history else _archive(scratch / ORIGINAL)
        sent = self._client.scatter(archive, broadcast=True)
        parts = [part for number, steps in rounds for part in _parts(number, steps, plan)]
        futures = self._client.map(
            perform, parts, plan=plan, sent=sent, place=self._place(plan), variables=self._variables, pure=False
        )
        try:
            with self._client.as_current():
                for future in as_completed(futures):
                    yield from future.result()
        finally:
            self._client.cancel(futures, force=True)

    def _place(self, plan: Plan) -> str:
        """The folder of the package in what is sent: of a history, below its repository."""
        top = (git_output(self._package, "rev-parse", "--show-toplevel") or "/").strip("\n") if plan.history else "/"
        return self._package.resolve().relative_to(Path(top).resolve()).as_posix()

    def _bundle(self, scratch: Path) -> bytes:
        file = scratch / "history.bundle"
        if git_output(self._package, "bundle", "create", "--quiet", str(file), "HEAD") is None:
            raise ToolError(f"{self._package} has no history that can be sent.")
        return file.read_bytes()


def perform(part: Round, plan: Plan, sent: bytes, place: str, variables: Mapping[str, str]) -> list[Sample | LeftOut]:
    """Takes a round, or a part of one, on a worker, in a folder of its own."""
    with tempfile.TemporaryDirectory(prefix="swiftmodules-", ignore_cleanup_errors=True) as name:
        root, work = Path(name) / "package", Path(name) / "work"
        work.mkdir()
        if plan.history:
            bundle = work / "bundle"
            bundle.write_bytes(sent)
            read(["git", "clone", "--quiet", bundle, root], os.environ, work)
        else:
            # It comes from the user's own command.
            with tarfile.open(fileobj=io.BytesIO(sent)) as file:
                file.extractall(root, filter="fully_trusted")
        package, toolchain = root / place, Toolchain.find({**os.environ, **variables}, variables)
        config, view = read_config(config_file(package)), ProgressView(Console(quiet=True))
        origin = Origin(package, work, toolchain.keeping(TMPDIR=name), config, view)
        with building(plan.is_timed, waits=True):
            number, steps = part
            return list(Places(states_of(plan, origin), number).take(steps))


def _archive(folder: Path) -> bytes:
    """The copy of the package that was read, with the local packages that it needs."""
    archive = io.BytesIO()
    with tarfile.open(fileobj=archive, mode="w:gz") as file:
        file.add(folder, arcname=".")
    return archive.getvalue()


def _parts(number: int, steps: list[Step], plan: Plan) -> Iterator[Round]:
    """What one worker takes at a time: samples of one round are pairs; without times, each variant is alone."""
    if plan.history:
        names = list(dict.fromkeys(step.edit for step in steps))
        for first in range(0, len(names), _COMMITS):
            own = names[first : first + _COMMITS]
            yield number, [step for step in steps if step.edit in own]
    elif plan.is_timed:
        yield number, steps
    else:
        for variant in dict.fromkeys(step.variant for step in steps):
            yield number, [step for step in steps if step.variant == variant]


def _facts() -> tuple[str, Machine]:
    return Toolchain.find().version, this_machine()
