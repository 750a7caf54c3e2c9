"""The requests that a run sends to other machines, and what it expects of those who carry them there."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, Protocol

from msgspec import Struct

from swiftmodules.edits.catalogue import Key
from swiftmodules.observed import Machine
from swiftmodules.records.kinds import ProgramRun
from swiftmodules.records.model import Cell


class Group(Struct, frozen=True, omit_defaults=True):
    """Layouts that are built beside one another, as every machine makes them from the same package.

    `edits`, `modules` and `asked` are the options of the run; `layouts` has the layout of each name that is built, such
    as that of the control. `missing` are edits that do not compile.
    """

    name: str
    kind: Literal["run", "matrix", "scale"]
    edits: tuple[str, ...]
    modules: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    layouts: tuple[tuple[str, str], ...] = ()
    missing: tuple[tuple[Key, str], ...] = ()
    jobs: int | None = None
    # Of `run`: whether the layout `interface` is a copy, where that is decided.
    as_it_is: bool | None = None
    # Of `matrix`: whether these are the edits that need the tests.
    tested: bool = False
    # Of `scale`: the number of copies.
    size: int = 0


class Request(Struct, frozen=True, omit_defaults=True):
    """One piece of work. A round is that of several groups, one after another; all else is done in the first."""

    does: Literal["build", "try", "warm up", "round", "rebuild", "verify", "cell"]
    groups: tuple[Group, ...]
    cells: tuple[tuple[Cell, ...], ...] = ()
    number: int = 1
    session: tuple[ProgramRun, ...] = ()

    @property
    def takes_times(self) -> bool:
        """Whether nothing else may use the machine meanwhile."""
        return self.does not in ("verify", "cell")


class Lost(Struct, frozen=True):
    """A worker that went away while it did a piece of work."""

    machine: str
    moment: str


class Answer(Protocol):
    """What a machine answers, once it does."""

    def value(self) -> Any:  # noqa: ANN401  JSON
        """Waits for the answer. Raises what the work raised."""

    @property
    def machine(self) -> str:
        """The name of the machine that answered."""

    @property
    def lost(self) -> Sequence[Lost]:
        """The workers that went away before."""


class Cluster(Protocol):
    """The machines that a run uses."""

    @property
    def machines(self) -> Mapping[str, Machine]:
        """By name, the machines that have answered."""

    def offer(self, root: Path, package: Path) -> None:
        """Sends a package, whose copy is below `root`, to every machine. Raises `ToolError` where one has another
        toolchain, platform or version of this program."""

    def ask(self, request: Request, alone: bool = False) -> Answer:
        """Sends a request to a machine; `alone`, where nothing else can be done meanwhile, to the same one each time,
        as long as it is there."""


class Share:
    """Pieces of work that machines do side by side: all of them from the first that is asked for on, as an earlier
    session has done those before."""

    def __init__(self, cluster: Cluster, pieces: Sequence[tuple[Sequence[Hashable], Request]]) -> None:
        self._cluster = cluster
        self._pieces = pieces
        self._answers: list[Answer] = []
        self._first = 0
        self._places = {key: place for place, (keys, _) in enumerate(pieces) for key in keys}

    def answer(self, key: Hashable) -> Answer:
        """The answer to the piece of a key."""
        place = self._places[key]
        if not self._answers:
            self._first = place
            self._answers = [self._cluster.ask(request) for _, request in self._pieces[place:]]
        return self._answers[place - self._first]
