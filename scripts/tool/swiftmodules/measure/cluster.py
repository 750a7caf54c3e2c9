"""The side of a run that sends its work to the machines of a cluster."""

from __future__ import annotations

import secrets
from asyncio import CancelledError
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from distributed import Client, Future, KilledWorker
from distributed.comm.core import CommClosedError

from swiftmodules.cluster.archive import Archive, Facts
from swiftmodules.cluster.worker import RESOURCE, Host, perform, security_of
from swiftmodules.errors import ToolError
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.requests import Lost, Request
from swiftmodules.observed import Machine
from swiftmodules.swiftpm.toolchain import Toolchain

if TYPE_CHECKING:
    from swiftmodules.options import Certificates

_CONNECT_SECONDS = 10
# A piece of work during which so many workers went away is at fault itself.
_MOST_LOST = 10


@contextmanager
def connected(
    address: str, certificates: Certificates, toolchain: Toolchain, variables: Mapping[str, str], view: ProgressView
) -> Iterator[DaskCluster]:
    """A cluster, whose builds see these environment variables; in the end, ends all work there.

    Raises `ToolError` where no scheduler answers.
    """
    security = security_of(address, certificates)
    try:
        client = Client(address, timeout=_CONNECT_SECONDS, security=security, set_as_default=False)
    except OSError as error:
        raise ToolError(
            f"No scheduler answers at {address}: {error}. Start one with 'dask scheduler', and workers with "
            f"'swiftmodules worker {address}'."
        ) from error
    cluster = DaskCluster(client, address, Facts.of(toolchain), variables, view)
    try:
        yield cluster
    finally:
        cluster.end()


class DaskCluster:
    """The machines of a Dask cluster. Dask decides which does what; `machines` are those that have answered."""

    def __init__(
        self, client: Client, address: str, facts: Facts, variables: Mapping[str, str], view: ProgressView
    ) -> None:
        self.client = client
        self.view = view
        self.machines: dict[str, Machine] = {}
        self.address = address
        self._name = f"swiftmodules-{secrets.token_hex(4)}"
        self._facts = facts
        self._variables = variables
        self._is_offered = False
        self._has_workers = True
        self._futures: list[Future[Any]] = []
        self._alone: str | None = None
        # By the key of a task, what began it last, and those that went away before.
        self._begun: dict[str, dict[str, str]] = {}
        self._lost: dict[str, list[Lost]] = {}

    def offer(self, root: Path, package: Path) -> None:
        """Sends a package, whose copy is below `root`, to every machine; later calls do nothing."""
        if self._is_offered:
            return
        self._is_offered = True
        self.view.stage("Sending the package to the workers")
        self.client.subscribe_topic(self._name, self._seen)
        with self._present():
            present = self.client.scheduler_info(n_workers=-1)["workers"]
            host = Host(self._name, Archive.of(root), package, self._facts, self._variables, present)
            self.client.register_plugin(host, name=self._name)

    def ask(self, request: Request, alone: bool = False) -> DaskAnswer:
        """Sends a request to a machine; `alone`, to the same one each time, as long as it is there."""
        return DaskAnswer(self, msgspec.json.encode(request), alone)

    def submit(self, request: bytes, alone: bool) -> Future[Any]:
        """Has a task run by any worker that has nothing else to do."""
        place = {"workers": [self._alone], "allow_other_workers": True} if alone and self._alone else {}
        with self._present():
            future = self.client.submit(
                perform, self._name, request, pure=False, resources={RESOURCE: 1}, priority=1 if alone else 0, **place
            )
        self._futures.append(future)
        return future

    def answered(self, worker: str, machine: str, facts: dict[str, Any], alone: bool) -> None:
        """Notes who has answered."""
        self._alone = worker if alone else self._alone
        self.machines[machine] = msgspec.convert(facts, Machine)

    def lost(self, key: str) -> Sequence[Lost]:
        """The workers that went away while they did the task of this key."""
        return tuple(self._lost.get(key, ()))

    def require(self) -> None:
        """Raises `ToolError` where the scheduler has gone away. Shows once that no worker is there."""
        with self._present():
            if self.client.status != "running":
                raise CommClosedError
            workers = bool(self.client.scheduler_info()["workers"])
            if self._has_workers and not workers:
                self.view.note(f"No worker is there. Start one: swiftmodules worker {self.address}")
            self._has_workers = workers

    @contextmanager
    def _present(self) -> Iterator[None]:
        try:
            yield
        # Dask raises the second where it has lost the connection.
        except (CommClosedError, CancelledError, TimeoutError) as error:
            raise ToolError(f"the scheduler at {self.address} has gone away.") from error

    def _seen(self, event: tuple[float, dict[str, str]]) -> None:
        _, found = event
        if "shown" in found:
            self.view.begins(f"{found['machine']}: {found['shown']}")
            return
        key = found["key"]
        if key in self._begun:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            before = self._begun[key]["machine"]
            self._lost.setdefault(key, []).append(Lost(before, now))
            self.view.note(f"A worker on {before} went away; what it did is done again on {found['machine']}.")
        self._begun[key] = found

    def end(self) -> None:
        """Ends all work of this run on all machines."""
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel(self._futures, force=True)
                self.client.unregister_worker_plugin(self._name)
        self.client.close(timeout=2)


class DaskAnswer:
    """The answer of a machine, once it is there."""

    def __init__(self, cluster: DaskCluster, request: bytes, alone: bool) -> None:
        self.machine = ""
        self.lost: Sequence[Lost] = ()
        self._cluster = cluster
        self._request = request
        self._alone = alone
        self._value: Any = None
        self._future: Future[Any] | None = cluster.submit(request, alone)

    def value(self) -> Any:  # noqa: ANN401  JSON
        """Waits for the answer. Raises what the work raised."""
        while self._future is not None:
            key = str(self._future.key)
            try:
                worker, self.machine, facts, self._value = self._future.result(timeout=2)
            except TimeoutError:
                self._cluster.require()
                continue
            except KilledWorker as error:
                # Dask counts also the workers on which it only waited.
                self.lost = (*self.lost, *self._cluster.lost(key))
                if len(self.lost) >= _MOST_LOST:
                    raise ToolError(f"{len(self.lost)} workers went away during the same piece of work.") from error
                self._future = self._cluster.submit(self._request, self._alone)
                continue
            except (CancelledError, CommClosedError) as error:
                raise ToolError(f"the scheduler at {self._cluster.address} has gone away.") from error
            self._cluster.answered(worker, self.machine, facts, self._alone)
            self.lost = (*self.lost, *self._cluster.lost(key))
            self._future = None
        return self._value
