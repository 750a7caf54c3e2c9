"""The side of a run that sends its work to the machines of a Dask cluster."""

from __future__ import annotations

import secrets
from asyncio import CancelledError
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec
from distributed import Client, Future, KilledWorker
from distributed.comm.core import CommClosedError

from swiftmodules.edits.catalogue import Key
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.measure.answers import Request
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.plan import Step, Taken
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import SCREEN, CleanBuild, ProgramRun, Rerun, Variant, Verdict
from swiftmodules.measure.subject import COPY
from swiftmodules.measure.worker import RESOURCE, Host, facts, packed, perform, security_of
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
) -> Iterator[Cluster]:
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
    cluster = Cluster(client, address, facts(toolchain), variables, view)
    try:
        yield cluster
    finally:
        cluster.end()


class Cluster:
    """The machines of a cluster. Dask decides which does what; `machines` are those that have answered, and `reruns`
    the pieces of work that were done again because a worker went away."""

    def __init__(
        self,
        client: Client,
        address: str,
        wanted: Mapping[str, str],
        variables: Mapping[str, str],
        view: ProgressView,
    ) -> None:
        self.client = client
        self.machines: dict[str, Machine] = {}
        self.reruns: list[Rerun] = []
        self._view = view
        self._address = address
        self._name = f"swiftmodules-{secrets.token_hex(4)}"
        self._wanted = wanted
        self._variables = variables
        self._has_workers = True
        self._is_offered = False
        self._futures: dict[str, tuple[Future[Any], int]] = {}
        # By the key of a task, the machine that began it last.
        self._begun: dict[str, str] = {}

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
            self.client.subscribe_topic(self._name, self._seen)
            self.client.register_plugin(host, name=self._name)

    def ask(self, request: Request) -> str:
        """Has a request done by any worker that has nothing else to do; returns the key of the task."""
        with self._present():
            future = self.client.submit(
                perform, self._name, msgspec.json.encode(request), pure=False, resources={RESOURCE: 1}
            )
        self._futures[str(future.key)] = (future, request.number)
        return str(future.key)

    def answer(self, key: str) -> tuple[str, Any]:
        """Waits for the answer to a request, with the machine that gave it. Raises what the work raised."""
        future, _ = self._futures[key]
        killed = 0
        while True:
            try:
                machine, facts, value = future.result(timeout=2)
                self.machines[machine] = msgspec.convert(facts, Machine)
                return machine, value
            except TimeoutError:
                self._require()
            except KilledWorker as error:
                # Dask counts also the workers on which it only waited.
                killed += 1
                if killed >= _MOST_LOST:
                    raise ToolError("workers went away again and again during the same piece of work.") from error
                future.retry()
            except (CancelledError, CommClosedError) as error:
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
        # Dask raises the second where it has lost the connection.
        except (CommClosedError, CancelledError, TimeoutError) as error:
            raise ToolError(f"the scheduler at {self._address} has gone away.") from error

    def _seen(self, event: tuple[float, dict[str, str]]) -> None:
        """Notes which machine begins a piece of work."""
        key, machine = event[1]["key"], event[1]["machine"]
        number = self._futures[key][1] if key in self._futures else 0
        if key in self._begun:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            self.reruns.append(Rerun(now, number, self._begun[key]))
            self._view.note(f"A worker on {self._begun[key]} went away; what it did is done again on {machine}.")
        self._begun[key] = machine
        self._view.begins(f"{machine}: round {number}" if number else machine)

    def end(self) -> None:
        """Ends all work of this run on all machines."""
        with suppress(Exception):
            if self.client.status == "running":
                self.client.cancel([future for future, _ in self._futures.values()], force=True)
                self.client.unregister_worker_plugin(self._name)
        self.client.close(timeout=2)


class ClusterBench(Bench):
    """What the machines of a cluster build, each of them when it first needs it."""

    def __init__(self, cluster: Cluster, *inputs: Any) -> None:  # noqa: ANN401  those of `Bench`
        super().__init__(*inputs)
        if SCREEN in self.plan.until:
            raise UsageError("Screens are not looked at on a cluster. Leave out --cluster, or --until screen.")
        self._cluster = cluster

    def build(self, variant: Variant, control: bool = False) -> CleanBuild:
        return msgspec.convert(self._alone("build", variant, control), CleanBuild)

    def try_edits(self, variant: Variant) -> list[tuple[Key, str]]:
        return msgspec.convert(self._alone("try_edits", variant), list[tuple[Key, str]])

    def warm_up(self, variant: Variant, control: bool = False) -> float:
        return float(self._alone("warm_up", variant, control))

    def rounds(self, pieces: Iterable[tuple[int, Sequence[Step]]]) -> Iterator[Iterator[Taken]]:
        """The whole of a round is done by one machine, as its samples are pairs; without times, each step by any."""
        parts = [(number, [[step] for step in steps] if self.plan.counts else [steps]) for number, steps in pieces]
        keys = [[self._ask("round", steps=tuple(each), number=number) for each in part] for number, part in parts]
        return (self._taken(own) for own in keys)

    def verdicts(self, cells: Sequence[Step], session: tuple[ProgramRun, ...]) -> Iterator[Verdict]:
        keys = [self._ask("verdict", steps=(cell,), session=session) for cell in cells]
        return (msgspec.convert(self._cluster.answer(key)[1], Verdict) for key in keys)

    def _taken(self, keys: Iterable[str]) -> Iterator[Taken]:
        for key in keys:
            machine, value = self._cluster.answer(key)
            own = None if self.plan.counts else machine
            for each in msgspec.convert(value, list[Taken]):
                samples = tuple(msgspec.structs.replace(sample, machine=own) for sample in each.samples)
                yield msgspec.structs.replace(each, samples=samples)

    def _alone(self, does: str, variant: Variant, control: bool = False) -> Any:  # noqa: ANN401  JSON
        return self._cluster.answer(self._ask(does, variant=variant, control=control))[1]

    def _ask(self, does: str, **more: Any) -> str:  # noqa: ANN401  fields of a request
        # Only here, as the package has been copied by now.
        self._cluster.offer(self._folder / COPY, self._package)
        return self._cluster.ask(Request(self.plan, does, **more))
