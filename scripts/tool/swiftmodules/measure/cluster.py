"""The side of a run that sends its work to the machines of a Dask cluster."""

from __future__ import annotations

import asyncio
import concurrent.futures
import pickle
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from distributed import Client, Future, KilledWorker
from distributed.comm.core import CommClosedError
from msgspec.structs import replace as changed

from swiftmodules.edits.catalogue import Key
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.answers import Call
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.plan import Step
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import SCREEN, ProgramRun, Sample, Variant, Verdict
from swiftmodules.measure.subject import COPY
from swiftmodules.measure.worker import RESOURCE, Host, facts, packed, perform, require_certificates
from swiftmodules.observed import Machine
from swiftmodules.swiftpm.toolchain import Toolchain

_CONNECT_SECONDS = 10
# What Dask raises where it has lost the connection.
_GONE = (CommClosedError, asyncio.CancelledError, concurrent.futures.CancelledError)
# A piece of work during which so many workers went away is at fault itself.
_MOST_LOST = 10


class Cluster(AbstractContextManager["Cluster"]):
    """The machines of a cluster, whose builds see some environment variables. Dask decides which does what, and what a
    worker that went away was doing is done again by another; `machines` are those that have answered."""

    def __init__(self, address: str, toolchain: Toolchain, variables: Mapping[str, str], view: ProgressView) -> None:
        """Raises `ToolError` where no scheduler answers."""
        require_certificates(address, "client")
        try:
            self.client = Client(address, timeout=_CONNECT_SECONDS, set_as_default=False)
        except OSError as error:
            raise ToolError(
                f"No scheduler answers at {address}: {error}. Start one with 'dask scheduler', and workers with "
                f"'swiftmodules worker {address}'."
            ) from error
        self.machines: dict[str, Machine] = {}
        self._view = view
        self._address = address
        self._name = f"swiftmodules-{secrets.token_hex(4)}"
        self._wanted = facts(toolchain)
        self._variables = variables
        self._has_workers = True
        self._is_offered = False
        self._futures: list[Future[Any]] = []

    def __exit__(self, *error: object) -> None:
        """Ends all work of this run on all machines."""
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel(self._futures, force=True)
                self.client.unregister_worker_plugin(self._name)
        self.client.close(timeout=2)

    def bench(self, *inputs: Any) -> ClusterBench:  # noqa: ANN401  those of `Bench`
        """The bench of a run whose builds these machines make."""
        return ClusterBench(self, *inputs)

    def offer(self, root: Path, package: Path) -> None:
        """Sends the package, whose copy is below `root`, to every machine. Raises `ToolError` where one of them has
        another toolchain, platform or version of this program. Later calls do nothing."""
        if self._is_offered:
            return
        self._is_offered = True
        self._view.stage("Sending the package to the workers")
        host = Host(self._name, packed(root), package, self._wanted, self._variables)
        with self._present():
            self.client.register_plugin(host, name=self._name)

    def ask(self, call: Call) -> Future[Any]:
        """Has a call answered by any worker that has nothing else to do."""
        with self._present():
            future = self.client.submit(perform, self._name, pickle.dumps(call), pure=False, resources={RESOURCE: 1})
        self._futures.append(future)
        return future

    def answer(self, future: Future[Any]) -> tuple[str, Any]:
        """Waits for an answer, with the machine that gave it. Raises what the work raised."""
        killed = 0
        while True:
            try:
                machine, facts, value = future.result(timeout=2)
                self.machines[machine] = facts
                return machine, value
            except TimeoutError:
                self._require()
            except KilledWorker as error:
                # Dask counts also the workers on which it only waited.
                killed += 1
                if killed >= _MOST_LOST:
                    raise ToolError("workers went away again and again during the same piece of work.") from error
                future.retry()
            except _GONE as error:
                raise ToolError(f"the scheduler at {self._address} has gone away.") from error

    def _require(self) -> None:
        """Raises `ToolError` where the scheduler has gone away. Shows once that no worker is there."""
        with self._present():
            if self.client.status != "running":
                raise CommClosedError
            workers = bool(self.client.scheduler_info()["workers"])
            if self._has_workers and not workers:
                self._view.note(f"No worker is there. Start one: swiftmodules worker {self._address}")
            self._has_workers = workers

    @contextmanager
    def _present(self) -> Iterator[None]:
        try:
            yield
        except (*_GONE, TimeoutError) as error:
            raise ToolError(f"the scheduler at {self._address} has gone away.") from error


class ClusterBench(Bench):
    """What the machines of a cluster build, each of them when it first needs it."""

    def __init__(self, cluster: Cluster, *inputs: Any) -> None:  # noqa: ANN401  those of `Bench`
        super().__init__(*inputs)
        if SCREEN in self.plan.until:
            raise UsageError("Screens are not looked at on a cluster. Leave out --cluster, or --until screen.")
        if self.plan.history:
            raise UsageError("A history is replayed on one machine. Leave out --cluster.")
        self._cluster = cluster

    def build(self, variant: Variant, control: bool = False) -> None:
        self._alone("build", variant, control)

    def try_edits(self, variant: Variant) -> list[tuple[Key, str]]:
        return cast(list[tuple[Key, str]], self._alone("try_edits", variant))

    def warm_up(self, variant: Variant, control: bool = False) -> float:
        return cast(float, self._alone("warm_up", variant, control))

    def rounds(self, pieces: Iterable[tuple[int, Sequence[Step]]]) -> Iterator[Iterator[list[Sample]]]:
        """The whole of a round is done by one machine, as its samples are pairs; without times, each step by any."""
        parts = [(number, [[step] for step in steps] if self.plan.counts else [steps]) for number, steps in pieces]
        asked = [[self._ask("round", number, each) for each in part] for number, part in parts]
        return (self._taken(own) for own in asked)

    def verdicts(self, cells: Sequence[Step], session: tuple[ProgramRun, ...]) -> Iterator[Verdict]:
        asked = [self._ask("verdict", cell, session) for cell in cells]
        return (self._cluster.answer(each)[1] for each in asked)

    def _taken(self, asked: Iterable[Future[Any]]) -> Iterator[list[Sample]]:
        for each in asked:
            machine, found = self._cluster.answer(each)
            own = None if self.plan.counts else machine
            for samples in found:
                yield [changed(sample, machine=own) for sample in samples]

    def _alone(self, *call: Any) -> Any:  # noqa: ANN401  of a bench
        return self._cluster.answer(self._ask(*call))[1]

    def _ask(self, method: str, *arguments: Any) -> Future[Any]:  # noqa: ANN401  of a bench
        # Only here, as the package has been copied by now.
        self._cluster.offer(self._folder / COPY, self._package)
        return self._cluster.ask(Call(self.plan, method, arguments))
