"""The aims of this sample, in docs/results/aims.toml, and which of them a record misses."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import msgspec
from swiftmodules.errors import RecordError
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.axes import AXES
from swiftmodules.measure.record import Cell
from swiftmodules.measure.statistics import Ratio
from swiftmodules.measure.words import title_of

FILE = Path("docs/results/aims.toml")


@dataclass(frozen=True, kw_only=True)
class Aim:
    """A limit for the ratios of some cells of a record to the baseline of an axis: the most, or the least."""

    record: str
    name: str
    axis: str
    cells: Mapping[str, str | int]
    most: float | None = None
    least: float | None = None

    def missed(self, analysis: Analysis) -> str | None:
        """A missed aim, with the ratio of the cell that is farthest from it."""
        ratios = self._ratios(analysis)
        if not ratios:
            raise RecordError(f"{FILE}: no cell of the record '{self.record}' is one of the aim '{self.name}'.")
        is_most = self.most is not None
        cell, worst = (max if is_most else min)(ratios.items(), key=lambda each: each[1].median)
        limit = self.most if self.most is not None else self.least
        if limit is None or (worst.median <= limit if is_most else worst.median >= limit):
            return None
        place = title_of(cell, analysis.record, [*self.cells, self.axis])
        return f"{self.name}: ×{worst}{f' for {place}' if place else ''}"

    def _ratios(self, analysis: Analysis) -> dict[Cell, Ratio]:
        cells = [
            cell
            for cell in analysis.summaries
            if all(getattr(cell, name) == value for name, value in self.cells.items())
        ]
        return {cell: ratio for cell in cells if (ratio := analysis.ratio(cell, AXES[self.axis]))}


def read_aims(repository: Path) -> list[Aim]:
    """Reads the aims. Raises `RecordError`."""
    try:
        return msgspec.convert(tomllib.loads((repository / FILE).read_text())["aim"], list[Aim])
    except FileNotFoundError:
        return []
    except (KeyError, tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise RecordError(f"{FILE} cannot be read: {error}.") from error
