"""The axes of a measurement: what each coordinate of a sample is called, compared with, and how it is shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from msgspec.structs import replace

from swiftmodules.measure.record import BUILT, BY_HAND, CLEAN, SCREEN, Cell, Record, Value


@dataclass(frozen=True)
class Axis:
    """One axis.

    `name` is the field of a cell, and `option` that of the command line. Reports make a row of each value (`row`),
    or compare the values with a baseline in the same round (`compare`).
    The first of `baselines` that was measured is what the others are compared with, or else the first value.
    """

    name: str
    option: str
    role: Literal["row", "compare"]
    baselines: tuple[Value, ...] = ()
    # How a value is shown, where that is not the value itself.
    titles: Mapping[Value, str] | str = "{}"

    def label(self, value: Value | None) -> str:
        """A value as reports show it."""
        if value is None:
            return ""
        title = self.titles if isinstance(self.titles, str) else self.titles.get(value, "{}")
        return title.format(value)

    def values(self, record: Record) -> tuple[Any, ...]:
        """The values that were measured, in the order of reports."""
        return record.values(self.name)

    def baseline_of(self, record: Record) -> Value | None:
        """What the other values of a record are compared with."""
        values = self.values(record)
        return next((each for each in (*self.baselines, *values) if each in values), None)

    def at(self, cell: Cell, value: Value | None) -> Cell:
        """The cell with another value on this axis."""
        return replace(cell, **{self.name: value})


_ALL = (
    Axis("edit", "edits", "row", titles={CLEAN: "clean build"}),
    Axis("module", "modules", "row"),
    Axis("layout", "layouts", "compare", baselines=("live", "interface")),
    Axis("setting", "settings", "compare", baselines=("default",)),
    Axis("until", "until", "compare", baselines=(BY_HAND, BUILT), titles={SCREEN: "on the screen", BY_HAND: "by hand"}),
    Axis("copies", "copies", "compare", titles="{} copies"),
)
AXES: Mapping[str, Axis] = {axis.name: axis for axis in _ALL}
"""By name, in the order of reports."""


def several(record: Record) -> Sequence[Axis]:
    """The axes on which more than one value was measured."""
    return [axis for axis in AXES.values() if len(axis.values(record)) > 1]
