"""Compares two records: what has changed from the older to the newer, cell by cell."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rich.console import Console

from swiftmodules.errors import RecordError
from swiftmodules.measure.analysis import Analysis, FileCounts, machine_of, on_machine, seconds_of
from swiftmodules.measure.axes import AXES, Axis, several
from swiftmodules.measure.record import Cell, Record, Sample
from swiftmodules.measure.report import say
from swiftmodules.measure.statistics import LEAST_SAMPLES, Interval, ratio_of_medians_interval
from swiftmodules.measure.tables import Table
from swiftmodules.measure.verdicts import warnings
from swiftmodules.measure.words import amount


@dataclass(frozen=True)
class Change:
    """The median seconds of one cell in both records. `ratio` is that of the newer to the older; `interval` is its 95%
    interval, None where one of the two has too few samples. `files` are the medians of the compiled files, where
    known."""

    cell: Cell
    older: float
    newer: float
    interval: Interval | None
    files: tuple[float, float] | None

    @property
    def ratio(self) -> float:
        return self.newer / self.older

    def is_regression(self, fail_above: float) -> bool:
        """Whether even the lower end of the interval is an increase by more than that share."""
        return self.interval is not None and self.interval.low > 1 + fail_above

    @property
    def is_improvement(self) -> bool:
        """Whether the whole interval lies below 1."""
        return self.interval is not None and self.interval.high < 1


@dataclass(frozen=True)
class Difference:
    """How many files and products a cell compiles or links in both records, and the names that only one has, where
    names were recorded. A file that has moved is none of these."""

    cell: Cell
    counts: tuple[int, int]
    new: Sequence[str] = ()
    gone: Sequence[str] = ()

    @property
    def is_more(self) -> bool:
        return self.counts[1] > self.counts[0]

    def __str__(self) -> str:
        parts = [f"{self.counts[0]} → {self.counts[1]} compiled files and linked products"]
        parts += [f"new: {', '.join(self.new)}"] if self.new else []
        parts += [f"gone: {', '.join(self.gone)}"] if self.gone else []
        return f"{self.cell.name}: {'; '.join(parts)}"


@dataclass(frozen=True)
class Comparison:
    """The comparison of two records: `changes` where both have times, `differences` where one has none. `notes` name
    the cells that only one record has, and explain what makes the comparison weaker than it looks."""

    axes: Sequence[Axis]
    changes: Sequence[Change]
    differences: Sequence[Difference]
    notes: Sequence[str]
    cells: int

    def failures(self, fail_above: float) -> list[str]:
        """The names of what is slower by more than that share, or compiles or links more than it did."""
        slower = [change.cell.name for change in self.changes if change.is_regression(fail_above)]
        return slower + [each.cell.name for each in self.differences if each.is_more]

    def verdict(self, fail_above: float) -> str:
        """The result in a sentence."""
        failed, judged = ", ".join(self.failures(fail_above)), [each for each in self.changes if each.interval]
        if not self.changes:
            if failed:
                return f"More is compiled or linked than in A: {failed}."
            return f"None of {amount(self.cells, 'cell')} compiles or links more than in A."
        if failed:
            return f"Slower by more than {fail_above * 100:g}%: {failed}."
        if not judged:
            return f"No cell can be judged: it takes {LEAST_SAMPLES} samples in both records."
        return f"None of {amount(len(judged), 'cell')} that can be judged is slower by more than {fail_above * 100:g}%."


def compare(older: Record, newer: Record, different_machines: bool = False) -> Comparison:
    """The change of each cell.

    Two runs take place at different times, so there are no pairs, and what slowed the machine during one of them is
    part of the difference; that is what a margin is for.

    - Throws: `RecordError` for records of different packages, for such as have nothing in common, for builds with tests
      and builds without, and unless `different_machines`, for different machines, toolchains or jobs.
    """
    _refuse_unlike(older, newer, different_machines)
    before, after = _cells(older), _cells(newer)
    common = [cell for cell in after if cell in before]
    # Nothing compared must not look like nothing found.
    if not common:
        raise RecordError("the records have no layout, edit and module in common, so there is nothing to compare.")
    changes = [change for cell in common if (change := _change(cell, before[cell], after[cell]))]
    differences = [] if changes else _differences(common, before, after)
    cells = len(changes) if changes else len(common)
    return Comparison(
        _axes(older, newer), changes, differences, _notes(older, newer, before.keys(), after.keys()), cells
    )


def print_comparison(comparison: Comparison, fail_above: float, console: Console) -> None:
    """Shows what has changed between two records, and the verdict."""
    for note in comparison.notes:
        say(console, note)
    if comparison.changes:
        console.print(_table(comparison, fail_above).rich())
    for line in (*comparison.differences, comparison.verdict(fail_above)):
        say(console, str(line))


def _refuse_unlike(older: Record, newer: Record, different_machines: bool) -> None:
    if older.package != newer.package:
        raise RecordError(f"the records are of different packages: {older.package} and {newer.package}.")
    if older.with_tests != newer.with_tests:
        raise RecordError(
            "every build of one record includes the tests, because an edit was made in them, and no build of the other "
            "does. Measure both with such an edit, or both without."
        )
    facts: list[tuple[str, str, str]] = [("toolchains", older.toolchain, newer.toolchain)]
    if older.machine and newer.machine:
        facts.insert(0, ("machines", _timed_on(older), _timed_on(newer)))
        facts.append(("jobs", str(older.jobs or older.machine.cores), str(newer.jobs or newer.machine.cores)))
    differences = [f"{name}: {first} and {second}" for name, first, second in facts if first != second]
    if differences and not different_machines:
        raise RecordError(
            "the records were not made under the same conditions, so a difference between them may come from those:\n"
            + "".join(f"  different {each}\n" for each in differences)
            + "Give --different-machines to compare them all the same."
        )


def _timed_on(record: Record) -> str:
    """The machine whose seconds are compared: of a cluster, that which took most samples."""
    name = machine_of(record.samples) or next((sample.machine for sample in record.samples), None)
    machine = record.machines.get(name or "", record.machine)
    return machine.summary if machine else ""


def _cells(record: Record) -> dict[Cell, Sequence[Sample]]:
    """The samples of each cell, without the control; seconds of different machines are not pooled."""
    machine = machine_of(record.samples)
    return {cell: on_machine(samples, machine) for cell, samples in Analysis(record).samples.items()}


def _axes(*records: Record) -> list[Axis]:
    """The edit, the module, and the axes on which a record has several values."""
    shown = {"edit", "module", *(axis.name for record in records for axis in several(record))}
    return [axis for axis in AXES.values() if axis.name in shown]


def _change(cell: Cell, older: Sequence[Sample], newer: Sequence[Sample]) -> Change | None:
    """The change of a cell; None where one of the records has no times."""
    before, after = seconds_of(older), seconds_of(newer)
    if not before or not after:
        return None
    files = [FileCounts.of(samples) for samples in (older, newer)]
    return Change(
        cell,
        statistics.median(before),
        statistics.median(after),
        ratio_of_medians_interval(after, before),
        (files[0].median, files[1].median) if files[0] and files[1] else None,
    )


def _differences(
    cells: Sequence[Cell], older: Mapping[Cell, Sequence[Sample]], newer: Mapping[Cell, Sequence[Sample]]
) -> list[Difference]:
    found = []
    for cell in cells:
        was, now = older[cell][0], newer[cell][0]
        counts = (_amount(was), _amount(now))
        new, gone = _unmatched(_work(was), _work(now))
        if counts[0] != counts[1] or new or gone:
            found.append(Difference(cell, counts, new, gone))
    return found


def _amount(sample: Sample) -> int:
    return (sample.files or 0) + (sample.links or 0)


def _work(sample: Sample) -> set[str]:
    """The names of what a sample compiled and linked, as far as they were recorded."""
    compiled = sample.compiled if isinstance(sample.compiled, Mapping) else {}
    linked = sample.linked if isinstance(sample.linked, tuple) else ()
    return {*compiled, *(f"the product {name}" for name in linked)}


def _unmatched(older: set[str], newer: set[str]) -> tuple[list[str], list[str]]:
    """The names of the newer sample alone, and of the older alone, without files that have moved to another folder."""
    if not older or not newer:
        return [], []
    new, gone = sorted(newer - older), sorted(older - newer)
    names = [PurePosixPath(file).name for file in gone]
    for file in list(new):
        if (name := PurePosixPath(file).name) in names:
            new.remove(file)
            gone.pop(names.index(name))
            names.remove(name)
    return new, gone


def _notes(older: Record, newer: Record, before: Collection[Cell], after: Collection[Cell]) -> list[str]:
    notes = [f"{label}: {text}" for label, each in (("A", older), ("B", newer)) for text in warnings(Analysis(each))]
    for label, own, others in (("A", before, after), ("B", after, before)):
        if only := [cell.name for cell in own if cell not in others]:
            notes.append(f"Only in {label}: {', '.join(only)}")
    places = {(place.edit, place.module): place.description for place in older.placements}
    moved = [
        " ".join(filter(None, [each.edit, each.module]))
        for each in newer.placements
        if places.get((each.edit, each.module), each.description) != each.description
    ]
    return [*notes, *([f"Made at another place in B: {', '.join(moved)}"] if moved else [])]


def _table(comparison: Comparison, fail_above: float) -> Table:
    """Each cell of two records, with what has changed."""
    files = ["files"] if any(change.files for change in comparison.changes) else []
    names = [axis.name for axis in comparison.axes]
    rows = []
    for change in comparison.changes:
        interval = change.interval
        spread = f"{interval.low - 1:+.1%} to {interval.high - 1:+.1%}" if interval else "too few samples"
        verdict = "slower" if change.is_regression(fail_above) else "faster" if change.is_improvement else ""
        numbers = [f"{change.older:.2f}", f"{change.newer:.2f}", f"{change.ratio - 1:+.1%}", spread]
        place = [axis.label(getattr(change.cell, axis.name)) for axis in comparison.axes]
        rows.append([*place, *numbers, *(_files(change) for _ in files), verdict])
    columns = [*names, "A: seconds", "B: seconds", "change", "95% interval", *files, "verdict"]
    return Table(columns, rows, len(names))


def _files(change: Change) -> str:
    if change.files is None:
        return ""
    older, newer = change.files
    return f"{newer:g}" if older == newer else f"{older:g} → {newer:g}"
