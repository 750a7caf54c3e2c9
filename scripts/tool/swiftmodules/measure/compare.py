"""Compares what two records have counted, cell by cell. Times of two runs are not compared, as nothing pairs them:
`measure --against` does."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from swiftmodules.errors import UsageError
from swiftmodules.measure.record import CLEAN, Cell, Record
from swiftmodules.measure.report import warnings
from swiftmodules.measure.results import Results, Summary, labels, shown_axes
from swiftmodules.measure.tables import Table
from swiftmodules.observed import amount


@dataclass(frozen=True)
class Change:
    """One cell in both records: what was counted in both, such as compiled files, by its name; and the names of what
    only the newer has compiled or linked."""

    cell: Cell
    counts: Mapping[str, tuple[float, float]]
    new: Sequence[str]

    @property
    def is_more(self) -> bool:
        """Whether more is compiled or linked. A clean build is of all that there is."""
        return self.cell.edit != CLEAN and any(newer > older for older, newer in self.counts.values())

    @property
    def is_other(self) -> bool:
        """Whether something else is compiled or linked."""
        return bool(self.new) or any(newer != older for older, newer in self.counts.values())


@dataclass(frozen=True)
class Comparison:
    """The comparison of two records. `notes` name the cells that only one record has, and explain what makes the
    comparison weaker than it looks."""

    axes: Sequence[str]
    changes: Sequence[Change]
    notes: Sequence[str]

    @property
    def failures(self) -> list[str]:
        """The names of the cells that compile or link more."""
        return [each.cell.name for each in self.changes if each.is_more]

    def __str__(self) -> str:
        differing = [each for each in self.changes if each.is_other]
        names = [f"New in {each.cell.name}: {', '.join(each.new)}" for each in differing if each.new]
        table = f"{Table.of([self._row(each) for each in differing], len(self.axes))}" if differing else ""
        verdict = f"None of {amount(len(self.changes), 'cell')} compiles or links more than in A."
        if self.failures:
            verdict = f"More is compiled or linked than in A: {', '.join(self.failures)}."
        return "\n\n".join(filter(None, ["\n".join(self.notes), table, "\n".join(names), verdict]))

    def _row(self, change: Change) -> dict[str, str | None]:
        counts = {name: f"{older:g} → {newer:g}" for name, (older, newer) in change.counts.items()}
        return {**labels(change.cell, self.axes), **counts, "verdict": "more" if change.is_more else ""}


def compare(older: Record, newer: Record) -> Comparison:
    """The change of each cell.

    Raises `UsageError` for records of different packages, copies or ends of steps, and without a common cell.
    """
    if older.package != newer.package:
        raise UsageError(f"the records are of two packages, {older.package} and {newer.package}. Name two of one.")
    for option in ("until", "copies"):
        one, other = (getattr(each, option) for each in (older, newer))
        if one != other:
            raise UsageError(
                f"one record is of --{option} {one}, and the other of --{option} {other}. Measure both alike."
            )
    before, after = Results(older).summaries, Results(newer).summaries
    changes = [_change(before[cell], each) for cell, each in after.items() if cell in before]
    # Nothing compared must not look like nothing found.
    if not changes:
        raise UsageError("the records have no layout, edit and module in common. Measure the same in both.")
    return Comparison(shown_axes(older, newer), changes, [*_notes(older, newer, before.keys(), after.keys())])


def _change(older: Summary, newer: Summary) -> Change:
    before, after = _counts(older), _counts(newer)
    counts = {name: (before[name], after[name]) for name in before if name in after}
    return Change(newer.cell, counts, sorted(_names(newer) - _names(older)))


def _counts(summary: Summary) -> dict[str, float]:
    counts = {"files": summary.files.median, "links": summary.links.median}
    return counts if summary.by_interface is None else {**counts, "files by interface": summary.by_interface}


def _names(summary: Summary) -> set[str]:
    """The names of what the first sample compiled and linked, as far as they were recorded."""
    compiled, linked = summary.samples[0].compiled, summary.samples[0].linked
    files = {*compiled} if isinstance(compiled, Mapping) else set[str]()
    return files | {f"the product {name}" for name in linked}


def _notes(older: Record, newer: Record, before: Collection[Cell], after: Collection[Cell]) -> Iterator[str]:
    facts = (("toolchains", older.toolchain, newer.toolchain), ("numbers of jobs", older.jobs, newer.jobs))
    for name, first, second in facts:
        if first != second:
            yield f"Different {name}: {first} and {second}. Counts may differ for this reason."
    for text, own, others, record in (("A", before, after, older), ("B", after, before, newer)):
        yield from (f"{text}: {warning}" for warning in warnings(Results(record)))
        if only := [cell.name for cell in own if cell not in others]:
            yield f"Only in {text}: {', '.join(only)}"
    places = {(place.edit, place.module): place.description for place in older.placements}
    moved = [
        f"{each.edit} {each.module}"
        for each in newer.placements
        if places.get((each.edit, each.module), each.description) != each.description
    ]
    if moved:
        yield f"Edited at another place in B: {', '.join(moved)}"
