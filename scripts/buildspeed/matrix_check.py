"""Compares what edits compile with what a record says of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.matrix import Matrix, MatrixCell, place_name
from buildspeed.plan import Cell


@dataclass(frozen=True)
class Difference:
    """How a cell differs from what it was."""

    cell: Cell
    more: tuple[str, ...]
    fewer: tuple[str, ...]

    def __str__(self) -> str:
        parts = [f"compiles {', '.join(self.more)}, which it did not"] if self.more else []
        parts += [f"no longer compiles or links {', '.join(self.fewer)}"] if self.fewer else []
        return f"{self.cell.name}: {'; '.join(parts)}"


@dataclass(frozen=True)
class Arrival:
    """A cell that the record does not have, with what it compiles and links."""

    cell: Cell
    work: tuple[str, ...]

    def __str__(self) -> str:
        return f"{self.cell.name}: not in the record; compiles {', '.join(self.work) or 'nothing'}"


@dataclass(frozen=True)
class Departure:
    """A cell that only the record has, and why there is none now."""

    cell: Cell
    reason: str

    def __str__(self) -> str:
        return f"{self.cell.name}: in the record only: {self.reason}"


def differences(before: Matrix, after: Matrix) -> list[Difference]:
    """The cells of both that compile or link something else than they did."""
    earlier = {cell.key: _work(cell) for cell in before.cells}
    found = []
    for cell in after.cells:
        was, now = earlier.get(cell.key), _work(cell)
        if was is not None and was != now:
            found.append(Difference(cell.key, tuple(sorted(now - was)), tuple(sorted(was - now))))
    return found


def arrivals(before: Matrix, after: Matrix) -> list[Arrival]:
    """The cells that only the later one has: of a module or an edit that came, or an edit that found a place."""
    earlier = {cell.key for cell in before.cells}
    return [Arrival(cell.key, tuple(sorted(_work(cell)))) for cell in after.cells if cell.key not in earlier]


def departures(before: Matrix, after: Matrix, modules: Sequence[str] = ()) -> list[Departure]:
    """The cells that only the earlier one has, though they were looked for: of a module that went, or an edit that has
    no place any more. `modules` are those that were named, where not all were looked at."""

    def was_looked_for(cell: MatrixCell) -> bool:
        is_chosen = not modules or cell.module is None or cell.module in modules
        return is_chosen and cell.edit in after.edits and cell.layout in after.layouts

    later = {cell.key for cell in after.cells}
    return [
        Departure(cell.key, after.missing.get(place_name(cell.edit, cell.module), "the module is no longer there"))
        for cell in before.cells
        if cell.key not in later and was_looked_for(cell)
    ]


def _work(cell: MatrixCell) -> set[str]:
    return {*cell.compiled, *(f"the product {name}" for name in cell.linked)}
