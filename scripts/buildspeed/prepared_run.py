"""A run whose layouts are built, so that only its samples are left to be taken."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from buildspeed.plan import Cell
from buildspeed.program_session import ProgramRun
from buildspeed.record import Record
from buildspeed.sampling import Sampling


@dataclass(frozen=True)
class PreparedRun:
    """Takes the samples of a run round by round. `record` holds what there is so far, and `orders` the cells of each
    round; each cell is verified once by the `session`.

    `keep` saves the record after each sample, as nobody can do it when the run is killed.
    """

    record: Record
    orders: Sequence[Sequence[Cell]]
    cells: Sequence[Cell]
    session: Sequence[ProgramRun]
    sampling: Sampling

    @property
    def rounds_left(self) -> range:
        """The numbers of the rounds that the record does not hold yet."""
        finished = max((sample.round for sample in self.record.samples), default=0)
        return range(finished + 1, len(self.orders) + 1)

    @property
    def samples_left(self) -> int:
        """How many samples these rounds have."""
        return sum(len(self.orders[number - 1]) for number in self.rounds_left)

    def take_round(self, number: int, keep: Callable[[Record], None]) -> None:
        """Takes the samples of a round, counted from 1."""
        self.sampling.take_round(self.record, number, self.orders[number - 1], keep)

    def verify(self, keep: Callable[[Record], None]) -> None:
        """Verifies each cell once. After all samples, so that its clean builds disturb none."""
        self.sampling.verify(self.record, self.cells, self.session, keep)
