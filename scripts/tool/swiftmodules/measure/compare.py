"""Compares two records: what has changed from the older to the newer, cell by cell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import PurePosixPath
from typing import Any

from msgspec import structs
from rich.console import Console

from swiftmodules.errors import RecordError
from swiftmodules.measure.record import CLEAN, Cell, Record, Sample
from swiftmodules.measure.report import say, warnings
from swiftmodules.measure.results import Axis, Results, Summary, shown_axes
from swiftmodules.measure.statistics import LEAST_SAMPLES, Estimate, Interval, ratio_interval
from swiftmodules.measure.tables import Table
from swiftmodules.observed import amount


@dataclass(frozen=True)
class Change:
    """One cell in both records: its compiled files and linked products, with the names that only one has, where names
    were recorded; the files that a cache by interface rebuilds, where both records have them; and its seconds, where
    both records have times. A file that has moved is in neither list."""

    cell: Cell
    counts: tuple[float, float]
    new: Sequence[str]
    gone: Sequence[str]
    by_interface: tuple[int, int] | None
    seconds: tuple[Estimate, Estimate] | None

    @property
    def is_other(self) -> bool:
        """Whether something else is compiled or linked."""
        first, second = self.by_interface or (0, 0)
        return self.counts[0] != self.counts[1] or bool(self.new or self.gone) or first != second

    @property
    def is_more(self) -> bool:
        """Whether more is compiled or linked. A clean build is of all that there is."""
        first, second = self.by_interface or (0, 0)
        return (self.counts[1] > self.counts[0] or second > first) and self.cell.edit != CLEAN

    @property
    def ratio(self) -> float | None:
        """The ratio of the newer median to the older."""
        return self.seconds[1].median / self.seconds[0].median if self.seconds else None

    @property
    def interval(self) -> Interval | None:
        """The interval of the ratio; None where one of the records has too few samples."""
        return ratio_interval(self.seconds[1], self.seconds[0]) if self.seconds else None

    def is_slower(self, fail_above: float) -> bool:
        """Whether even the lower end of the interval is an increase by more than that share."""
        return self.interval is not None and self.interval.low > 1 + fail_above

    @property
    def is_faster(self) -> bool:
        """Whether the whole interval lies below 1."""
        return self.interval is not None and self.interval.high < 1

    def __str__(self) -> str:
        parts = [f"{self.counts[0]:g} → {self.counts[1]:g} compiled files and linked products"]
        parts += [f"{self.by_interface[0]} → {self.by_interface[1]} files by interface"] if self.by_interface else []
        parts += [f"new: {', '.join(self.new)}"] if self.new else []
        parts += [f"gone: {', '.join(self.gone)}"] if self.gone else []
        return f"{self.cell.name}: {'; '.join(parts)}"


@dataclass(frozen=True)
class Comparison:
    """The comparison of two records. `notes` name the cells that only one record has, and explain what makes the
    comparison weaker than it looks."""

    axes: Sequence[Axis]
    changes: Sequence[Change]
    notes: Sequence[str]

    def failures(self, fail_above: float) -> list[str]:
        """The names of the cells that are slower by more than that share, or that compile or link more."""
        return [each.cell.name for each in self.changes if each.is_slower(fail_above) or each.is_more]

    def verdict(self, fail_above: float) -> str:
        """The result in a sentence for counts, and one for times."""
        more = [each.cell.name for each in self.changes if each.is_more]
        cells = amount(len(self.changes), "cell")
        counts = f"More is compiled or linked than in A: {', '.join(more)}."
        found = [counts if more else f"None of {cells} compiles or links more than in A."]
        if any(each.seconds for each in self.changes):
            slower = [each.cell.name for each in self.changes if each.is_slower(fail_above)]
            judged, limit = (
                [each for each in self.changes if each.interval],
                f"slower by more than {fail_above * 100:g}%",
            )
            if slower:
                found.append(f"S{limit[1:]}: {', '.join(slower)}.")
            elif judged:
                found.append(f"None of {amount(len(judged), 'cell')} that can be judged is {limit}.")
            else:
                found.append(f"No time can be judged: it takes {LEAST_SAMPLES} samples in both records.")
        return " ".join(found)

    def as_json(self, fail_above: float) -> dict[str, Any]:
        """The comparison as an object of JSON."""
        cells = [
            {
                **structs.asdict(each.cell),
                "compiled_and_linked": each.counts,
                "new": each.new,
                "gone": each.gone,
                "by_interface": each.by_interface,
                "seconds": each.seconds and [asdict(estimate) for estimate in each.seconds],
                "ratio": each.ratio,
                "interval": each.interval and asdict(each.interval),
                "is_slower": each.is_slower(fail_above),
                "is_more": each.is_more,
            }
            for each in self.changes
        ]
        failures, verdict = self.failures(fail_above), self.verdict(fail_above)
        return {"notes": [*self.notes], "cells": cells, "failures": failures, "verdict": verdict}


def compare(older: Record, newer: Record) -> Comparison:
    """The change of each cell.

    Two runs take place at different times, so there are no pairs, and what slowed the machine during one of them is
    part of the difference; that is what a margin is for. Times of different machines or toolchains are not compared.

    - Throws: `RecordError` for records of different packages, for such as have nothing in common, and for builds with
      tests and builds without.
    """
    _refuse_unlike(older, newer)
    before, after = Results(older).summaries, Results(newer).summaries
    differences = _differences(older, newer)
    changes = [_change(before[cell], each, is_timed=not differences) for cell, each in after.items() if cell in before]
    # Nothing compared must not look like nothing found.
    if not changes:
        raise RecordError("the records have no layout, edit and module in common, so there is nothing to compare.")
    return Comparison(
        shown_axes(older, newer), changes, [*differences, *_notes(older, newer, before.keys(), after.keys())]
    )


def print_comparison(comparison: Comparison, fail_above: float, console: Console) -> None:
    """Shows what has changed between two records, and the verdict."""
    for note in comparison.notes:
        say(console, note)
    if any(each.seconds for each in comparison.changes):
        console.print(_table(comparison, fail_above).rich())
    for line in (*filter(lambda each: each.is_other, comparison.changes), comparison.verdict(fail_above)):
        say(console, str(line))


def _refuse_unlike(older: Record, newer: Record) -> None:
    if older.package != newer.package:
        raise RecordError(f"the records are of different packages: {older.package} and {newer.package}.")
    if older.with_tests != newer.with_tests:
        raise RecordError(
            "every build of one record includes the tests, and no build of the other does. Measure both with an edit "
            "in tests or with --until tests, or both without."
        )
    if older.until != newer.until:
        raise RecordError(f"one record is of --until {older.until}, and the other of --until {newer.until}.")


def _differences(older: Record, newer: Record) -> list[str]:
    """What differs besides the package, a note for each."""
    facts = [("toolchains", older.toolchain, newer.toolchain), ("numbers of jobs", older.jobs, newer.jobs)]
    if older.machine and newer.machine:
        facts.insert(0, ("machines", older.machine.summary, newer.machine.summary))
    return [
        f"Different {name}: {first} and {second}. Times are not compared, and counts may differ for this reason."
        for name, first, second in facts
        if first != second
    ]


def _change(older: Summary, newer: Summary, is_timed: bool) -> Change:
    new, gone = _unmatched(_work(older.samples[0]), _work(newer.samples[0]))
    times = (older.seconds, newer.seconds) if is_timed and older.seconds and newer.seconds else None
    then, now = (each.rebuilt.by_interface if each.rebuilt else None for each in (older, newer))
    by_interface = None if then is None or now is None else (then, now)
    return Change(newer.cell, (_amount(older), _amount(newer)), new, gone, by_interface, times)


def _amount(summary: Summary) -> float:
    return sum(each.median for each in (summary.files, summary.links) if each)


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


def _notes(older: Record, newer: Record, before: Collection[Cell], after: Collection[Cell]) -> Iterator[str]:
    for label, own, others, record in (("A", before, after, older), ("B", after, before, newer)):
        yield from (f"{label}: {text}" for text in warnings(Results(record)))
        if only := [cell.name for cell in own if cell not in others]:
            yield f"Only in {label}: {', '.join(only)}"
    places = {(place.edit, place.module): place.description for place in older.placements}
    moved = [
        " ".join(filter(None, [each.edit, each.module]))
        for each in newer.placements
        if places.get((each.edit, each.module), each.description) != each.description
    ]
    if moved:
        yield f"Edited at another place in B: {', '.join(moved)}"


def _table(comparison: Comparison, fail_above: float) -> Table:
    """Each cell with its seconds in both records."""
    rows = []
    for each in comparison.changes:
        if each.seconds is None or each.ratio is None:
            continue
        interval = each.interval
        spread = f"{interval.low - 1:+.1%} to {interval.high - 1:+.1%}" if interval else "too few samples"
        verdict = "slower" if each.is_slower(fail_above) else "faster" if each.is_faster else ""
        times = [f"{own.median:.2f}" for own in each.seconds]
        rows.append(
            [*(axis.of(each.cell) for axis in comparison.axes), *times, f"{each.ratio - 1:+.1%}", spread, verdict]
        )
    names = [axis.name for axis in comparison.axes]
    return Table([*names, "A: seconds", "B: seconds", "change", "95% interval", "verdict"], rows, len(names))
