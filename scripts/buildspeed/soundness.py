"""Whether the program that an incremental build makes is the one that a clean build makes, cell by cell."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from buildspeed.plan import Cell

SOUND, UNSOUND, NOT_VERIFIED = "sound", "unsound", "not verified"


@dataclass(frozen=True)
class Verdict:
    """What was found of a cell: `SOUND`, `UNSOUND` or `NOT_VERIFIED`. The reasons say how the program differed, or
    why nothing was compared."""

    layout: str
    edit: str
    module: str | None
    result: str
    reasons: tuple[str, ...] = ()

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)


@dataclass
class Verification:
    """The verdicts of a run so far, each cell once, or why it was left out."""

    left_out: str | None = None
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def unsound(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.result == UNSOUND]

    @property
    def unsound_cells(self) -> frozenset[Cell]:
        return frozenset(verdict.cell for verdict in self.unsound)

    def verdict(self, cell: Cell) -> Verdict | None:
        return next((each for each in self.verdicts if each.cell == cell), None)


def counted(verdicts: Iterable[Verdict]) -> dict[str, int]:
    """How many cells have each result."""
    counts = dict.fromkeys((SOUND, UNSOUND, NOT_VERIFIED), 0)
    for verdict in verdicts:
        counts[verdict.result] += 1
    return counts
