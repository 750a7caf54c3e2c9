"""Words of reports: numbers with their nouns, and the names of cells."""

from __future__ import annotations

from collections.abc import Collection

from swiftmodules.measure.axes import AXES, several
from swiftmodules.measure.record import Cell, Record


def amount(number: float, noun: str) -> str:
    """A number with its noun, such as `1 file` or `2 files`."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def title_of(cell: Cell, record: Record, without: Collection[str] = ()) -> str:
    """The name of a cell in a report: its edit and module, and its values on the axes on which the record has several,
    but those of some axes. Where the time ends is left out where it is the usual end."""
    names = {"edit", "module", *(axis.name for axis in several(record))} - set(without)
    if cell.until in record.values("until")[:1]:
        names.discard("until")
    own = [axis for axis in AXES.values() if axis.name in names]
    return " ".join(filter(None, (axis.label(getattr(cell, axis.name)) for axis in own)))
