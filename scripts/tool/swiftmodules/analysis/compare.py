"""Compares two records of one kind: what has changed from the older to the newer, cell by cell."""

from __future__ import annotations

import statistics
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.analysis.matrix import Change, MatrixAnalysis, matrix_changes
from swiftmodules.analysis.run import Analysis, RunAnalysis, machine_of, on_machine
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.simulation import SimulateAnalysis
from swiftmodules.analysis.stats import Interval, ratio_of_medians_interval
from swiftmodules.analysis.verdicts import amount
from swiftmodules.errors import RecordError
from swiftmodules.records.files import kind_of
from swiftmodules.records.kinds import (
    AnyRecord,
    BenchRecord,
    FloorOptions,
    FloorRecord,
    LiveRecord,
    MatrixRecord,
    RunRecord,
    ScaleRecord,
    SimulateRecord,
    variant,
)
from swiftmodules.records.model import CONTROL, Sample, TimedRecord


class BenchAnalysis(Analysis[BenchRecord]):
    """The analysis of a record of `bench`: only its numbers."""


AnyAnalysis: TypeAlias = RunAnalysis | MatrixAnalysis | ScaleAnalysis | FloorAnalysis | SimulateAnalysis | BenchAnalysis


@dataclass(frozen=True)
class CellChange:
    """The medians of one cell in both records, in `unit`. `name` has its layout, edit and module, or whatever else
    distinguishes the cells of this kind. `ratio` is that of the newer to the older; `interval` is its 95% interval,
    None where one of the two has too few samples. `files` are the medians of the compiled files, where known."""

    name: tuple[str, ...]
    unit: str
    older: float
    newer: float
    ratio: float
    interval: Interval | None
    files: tuple[float, float] | None

    def is_regression(self, fail_above: float) -> bool:
        """Whether even the lower end of the interval is an increase by more than that share."""
        return self.interval is not None and self.interval.low > 1 + fail_above

    @property
    def is_improvement(self) -> bool:
        """Whether the whole interval lies below 1."""
        return self.interval is not None and self.interval.high < 1

    @property
    def title(self) -> str:
        return " ".join(filter(None, self.name))


@dataclass(frozen=True)
class Comparison:
    """The comparison of two records: `changes` for records with times, `differences` for those of a matrix. `notes`
    name the cells that only one record has, and explain what makes the comparison weaker than it looks."""

    headings: tuple[str, ...]
    changes: tuple[CellChange, ...]
    differences: tuple[Change, ...]
    notes: tuple[str, ...]
    cells: int

    def failures(self, fail_above: float) -> list[str]:
        """The names of what is slower by more than that share, or of a matrix, compiles or links more than it did."""
        slower = [change.title for change in self.changes if change.is_regression(fail_above)]
        return slower + [change.cell.name for change in self.differences if change.more]


@dataclass(frozen=True)
class _Values:
    """The values of one cell, with the compiled files of each where they are known."""

    numbers: list[float] = field(default_factory=list)
    files: list[int] = field(default_factory=list)


def analyse(record: AnyRecord) -> AnyAnalysis:
    """The analysis of a record of any kind; make it once and pass it on."""
    match record:
        case RunRecord():
            return RunAnalysis(record)
        case MatrixRecord():
            return MatrixAnalysis(record)
        case LiveRecord():
            return LiveAnalysis(record)
        case ScaleRecord():
            return ScaleAnalysis(record)
        case FloorRecord():
            return FloorAnalysis(record)
        case SimulateRecord():
            return SimulateAnalysis(record)
        case BenchRecord():
            return BenchAnalysis(record)


def compare(older: AnyRecord, newer: AnyRecord, different_machines: bool = False) -> Comparison:
    """The change of each cell.

    Two runs take place at different times, so there are no pairs, and what slowed the machine during one of them is
    part of the difference; that is what a margin is for.

    - Throws: `RecordError` for records of different kinds or packages, for such as have nothing in common, for builds
      with tests and builds without, and unless `different_machines`, for different machines, toolchains or jobs.
    """
    _refuse_unlike(older, newer, different_machines)
    notes = [
        f"{label}: {text.replace('**', '').replace('`', chr(39))}"
        for label, record in (("A", older), ("B", newer))
        for text in analyse(record).warnings
    ]
    if isinstance(older, MatrixRecord) and isinstance(newer, MatrixRecord):
        differences = tuple(matrix_changes(older, newer))
        _require_cells(differences or {cell.cell for cell in older.cells} & {cell.cell for cell in newer.cells})
        return Comparison((), (), differences, tuple(notes), len(newer.cells))
    (headings, unit, first), (_, _, second) = _values(older), _values(newer)
    common = [name for name in second if name in first]
    _require_cells(common)
    seed = getattr(newer.options, "seed", 0)
    changes = tuple(_change(name, unit, first[name], second[name], seed) for name in common)
    for label, names, others in (("A", first, second), ("B", second, first)):
        if only := [" ".join(filter(None, name)) for name in names if name not in others]:
            notes.append(f"Only in {label}: {', '.join(only)}")
    before, after = (getattr(record, "placements", {}) for record in (older, newer))
    if moved := [key for key, place in after.items() if before.get(key, place) != place]:
        notes.append(f"Made at another place in B: {', '.join(moved)}")
    return Comparison(headings, changes, (), tuple(notes), len(common))


def _refuse_unlike(older: AnyRecord, newer: AnyRecord, different_machines: bool) -> None:
    if type(older) is not type(newer):
        raise RecordError(f"the records are of different kinds: {kind_of(older)} and {kind_of(newer)}.")
    if older.package != newer.package:
        raise RecordError(f"the records are of different packages: {older.package} and {newer.package}.")
    if isinstance(older, RunRecord) and isinstance(newer, RunRecord) and older.with_tests != newer.with_tests:
        raise RecordError(
            "every build of one record includes the tests, because an edit was made in them, and no build of the other "
            "does. Measure both with such an edit, or both without."
        )
    facts: list[tuple[str, str, str]] = [("toolchains", older.toolchain, newer.toolchain)]
    if isinstance(older, TimedRecord) and isinstance(newer, TimedRecord):
        facts.insert(0, ("machines", _timed_on(older), _timed_on(newer)))
        before, after = (str(getattr(each.options, "jobs", None) or each.machine.cores) for each in (older, newer))
        # Those of `simulate` are part of its cells.
        facts += [] if isinstance(older, SimulateRecord) else [("jobs", before, after)]
    differences = [f"{name}: {first} and {second}" for name, first, second in facts if first != second]
    if differences and not different_machines:
        raise RecordError(
            "the records were not made under the same conditions, so a difference between them may come from those:\n"
            + "".join(f"  different {each}\n" for each in differences)
            + "Give --different-machines to compare them all the same."
        )


def _timed_on(record: TimedRecord) -> str:
    """The machine whose seconds are compared: of a cluster, that which took most samples."""
    samples: Sequence[Sample] = getattr(record, "samples", ())
    name = machine_of(samples) or next((sample.machine for sample in samples), None)
    return record.machines.get(name or "", record.machine).summary


def _require_cells(found: Collection[object]) -> None:
    # Nothing compared must not look like nothing found.
    if not found:
        raise RecordError("the records have no layout, edit and module in common, so there is nothing to compare.")


_Name: TypeAlias = tuple[str, ...]


def _values(record: AnyRecord) -> tuple[_Name, str, Mapping[_Name, _Values]]:
    """The headings of the cells' names, the unit, and the values of each cell, in the order of the report."""
    match record:
        case RunRecord() | ScaleRecord() | FloorRecord():
            sized = ("size",) if isinstance(record, ScaleRecord) else ()
            layout = "setting" if isinstance(record, FloorRecord) else "layout"
            return (*sized, layout, "edit", "module"), "seconds", _sample_values(record)
        case SimulateRecord():
            builds: dict[_Name, _Values] = {
                (layout.package, layout.layout, build.name, amount(jobs, "job")): _Values(list(seconds))
                for layout in record.layouts
                for build in layout.builds
                for jobs, seconds in build.checks.items()
            }
            return ("package", "layout", "build", "jobs"), "seconds", builds
        case BenchRecord():
            return ("operation",), "ns", {(name,): _Values(list(own)) for name, own in record.timings.items()}
        case MatrixRecord():
            raise TypeError("a matrix has no times")


def _sample_values(record: RunRecord | ScaleRecord | FloorRecord) -> dict[_Name, _Values]:
    """The values of each cell by size, edit, module and layout, each in the order of the options."""
    options = record.options
    found: dict[_Name, _Values] = {}
    edits: Sequence[str]
    modules: Sequence[str] = ()
    if isinstance(options, FloorOptions):
        edits = options.edits
        layouts = tuple(variant(setting, layout) for layout in options.layouts for setting in options.settings)
    else:
        edits, modules, layouts = options.edits, options.modules, options.layouts

    def place(name: str | None, names: Sequence[str]) -> int:
        return names.index(name) + 1 if name in names else 0

    def order(each: Sample) -> tuple[int, ...]:
        cell = (place(each.edit, edits), place(each.module, modules), place(each.layout, layouts))
        return (each.size or 0, *cell)

    # Seconds of different machines are not pooled.
    for sample in sorted(on_machine(record.samples, machine_of(record.samples)), key=order):
        sized = () if sample.size is None else (f"{sample.size} copies",)
        name = (*sized, sample.layout, sample.edit or "clean build", sample.module or "")
        # The layout of the control is there already.
        if sample.layout.partition(" ")[0] != CONTROL and not sample.failed:
            own = found.setdefault(name, _Values())
            own.numbers.append(sample.seconds)
            own.files.extend([] if sample.compiled is None else [sample.files])
    return found


def _change(name: tuple[str, ...], unit: str, older: _Values, newer: _Values, seed: int) -> CellChange:
    before, after = statistics.median(older.numbers), statistics.median(newer.numbers)
    files = (statistics.median(older.files), statistics.median(newer.files)) if older.files and newer.files else None
    interval = ratio_of_medians_interval(newer.numbers, older.numbers, seed)
    return CellChange(name, unit, before, after, after / before, interval, files)
