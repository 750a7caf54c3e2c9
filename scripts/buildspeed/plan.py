"""Which cells are measured, and in what order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.edits import MODULE_EDITS


@dataclass(frozen=True)
class Cell:
    """One thing to time: an edit, in a module where the edit is made per module, in a layout."""

    layout: str
    edit: str
    module: str | None

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.layout, self.edit, self.module) if part)


def cells(layouts: Sequence[str], edits: Sequence[str], modules: Sequence[str]) -> list[Cell]:
    """Every combination, in the order of the report."""
    rows = [(edit, module) for edit in edits for module in (modules if edit in MODULE_EDITS else [None])]
    return [Cell(layout, edit, module) for edit, module in rows for layout in layouts]


def rounds(cells: Sequence[Cell], count: int, seed: int) -> list[list[Cell]]:
    """All cells once in each round, in an order of its own.

    So a machine that grows slower or faster favours no layout. The same seed gives the same orders.
    """
    generator = random.Random(seed)
    return [generator.sample(cells, len(cells)) for _ in range(count)]


def rounds_that_fit(seconds: float, seconds_per_round: float, at_least: int, at_most: int) -> int:
    """How many rounds fit into the time that is left."""
    return max(at_least, min(at_most, int(seconds / max(seconds_per_round, 0.001))))
