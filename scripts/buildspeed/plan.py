"""Which cells are measured, and in what order."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from buildspeed.edits import mutator

# Of a quick run.
LEAST_ROUNDS, MOST_ROUNDS = 2, 10
# The layout of the A/A control: the first layout a second time, in a build directory of its own.
CONTROL = "control"


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
    rows = [(edit, module) for edit in edits for module in (modules if mutator(edit).is_per_module else [None])]
    return [Cell(layout, edit, module) for edit, module in rows for layout in layouts]


def rounds(cells: Sequence[Cell], count: int, seed: int) -> list[list[Cell]]:
    """All cells once in each round, in an order of its own.

    So a machine that grows slower or faster favours no layout. The same seed gives the same orders.
    """
    generator = random.Random(seed)
    return [generator.sample(cells, len(cells)) for _ in range(count)]


def with_control(orders: Sequence[Sequence[Cell]], control: Sequence[Cell], seed: int) -> list[list[Cell]]:
    """The rounds with the cells of the control at random places.

    As random as if all had been shuffled together, while the others keep the order that the seed gives without
    a control.
    """
    generator = random.Random(f"control {seed}")
    result = []
    for order in orders:
        extended = list(order)
        for cell in control:
            extended.insert(generator.randint(0, len(extended)), cell)
        result.append(extended)
    return result


@dataclass(frozen=True)
class Extent:
    """How much is measured."""

    edits: tuple[str, ...]
    modules: tuple[str, ...]
    rounds: int


def extent_that_fits(
    seconds: float, seconds_per_sample: float, layouts: Sequence[str], candidates: Sequence[Extent]
) -> Extent:
    """The first candidate that fits into the time, else the last. The `rounds` of a candidate are its least; the
    result has as many as fit, up to `MOST_ROUNDS`. The `layouts` include the control."""
    for candidate in candidates:
        samples_per_round = len(cells(layouts, candidate.edits, candidate.modules))
        rounds = int(seconds / max(samples_per_round * seconds_per_sample, 0.001))
        if rounds >= candidate.rounds:
            return replace(candidate, rounds=min(rounds, MOST_ROUNDS))
    return candidates[-1]


def quick_candidates(edits: Sequence[str], modules: Sequence[str], may_drop: Sequence[str]) -> list[Extent]:
    """From everything to less and less: without `public-top`, which reaches the same files as `private-top`, then
    with fewer modules, from the end of the list. `may_drop` names what the person did not ask for explicitly."""
    candidates = [Extent(tuple(edits), tuple(modules), LEAST_ROUNDS)]
    if "edits" in may_drop and {"private-top", "public-top"} <= set(edits):
        edits = [edit for edit in edits if edit != "public-top"]
        candidates.append(Extent(tuple(edits), tuple(modules), LEAST_ROUNDS))
    if "modules" in may_drop:
        candidates += [
            Extent(tuple(edits), tuple(modules[:count]), LEAST_ROUNDS) for count in range(len(modules) - 1, 0, -1)
        ]
    return candidates
