"""Compares two records of the same package: what has changed in each cell."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from buildspeed.edits import needs_tests
from buildspeed.failures import RecordError
from buildspeed.inference import Interval, ratio_of_medians_interval
from buildspeed.plan import Cell, cells
from buildspeed.record import Record, Sample
from buildspeed.summary import samples_by_cell


@dataclass(frozen=True)
class CellChange:
    """The medians of one cell in both records. `ratio` is that of the newer to the older; `interval` is its 95%
    interval, None where one of the two has too few samples."""

    cell: Cell
    older_seconds: float
    newer_seconds: float
    older_files: float
    newer_files: float
    ratio: float
    interval: Interval | None

    def is_regression(self, fail_above: float) -> bool:
        """Whether even the lower end of the interval is an increase by more than that share."""
        return self.interval is not None and self.interval.low > 1 + fail_above

    @property
    def is_improvement(self) -> bool:
        """Whether the whole interval lies below 1."""
        return self.interval is not None and self.interval.high < 1


@dataclass(frozen=True)
class Comparison:
    """The cells that both records have, and the names of those that only one has."""

    changes: tuple[CellChange, ...]
    only_older: tuple[str, ...]
    only_newer: tuple[str, ...]
    moved_edits: tuple[str, ...]


def refuse_unlike(older: Record, newer: Record, different_machines: bool) -> None:
    """Fails where a comparison would tell of something else than the code.

    - Throws: `RecordError` for different packages, for builds with tests and builds without, and unless
      `different_machines`, for different machines, toolchains or jobs.
    """
    if older.package != newer.package:
        raise RecordError(f"the records are of different packages: {older.package} and {newer.package}.")
    if needs_tests(older.options.edits) != needs_tests(newer.options.edits):
        raise RecordError(
            "every build of one record includes the tests, because 'test-body' was among its edits, and no build of "
            "the other does. Measure both with it, or both without."
        )
    differences = [
        f"{name}: {first} and {second}"
        for name, first, second in (
            ("machines", older.machine.summary, newer.machine.summary),
            ("toolchains", older.toolchain, newer.toolchain),
            # Not recorded in version 1, where it was that of the machine.
            (
                "jobs",
                older.options.jobs or older.machine.cores,
                newer.options.jobs or newer.machine.cores,
            ),
        )
        if first != second
    ]
    if differences and not different_machines:
        raise RecordError(
            "the records were not made under the same conditions, so a difference between them may come from those:\n"
            + "".join(f"  different {each}\n" for each in differences)
            + "Give --different-machines to compare them all the same."
        )


def compare(older: Record, newer: Record) -> Comparison:
    """The change of each cell. Raises `RecordError` where the two have none in common.

    The two runs took place at different times, so there are no pairs, and what slowed the machine during one of
    them is part of the difference; that is what a margin is for.
    """
    first, second = samples_by_cell(older), samples_by_cell(newer)
    common = [cell for cell in _cells(newer) if cell in first and cell in second]
    # Nothing compared must not look like nothing found.
    if not common:
        raise RecordError("the records have no layout, edit and module in common, so there is nothing to compare.")
    seed = newer.options.seed
    return Comparison(
        changes=tuple(_change(cell, first[cell], second[cell], seed) for cell in common),
        only_older=tuple(cell.name for cell in _cells(older) if cell in first and cell not in common),
        only_newer=tuple(cell.name for cell in _cells(newer) if cell in second and cell not in common),
        moved_edits=tuple(key for key, place in newer.placements.items() if older.placements.get(key, place) != place),
    )


def _cells(record: Record) -> list[Cell]:
    """Without the control, whose layout is there already."""
    return cells(record.options.layouts, record.options.edits, record.options.modules)


def _change(cell: Cell, older: Sequence[Sample], newer: Sequence[Sample], seed: int) -> CellChange:
    before, after = [each.seconds for each in older], [each.seconds for each in newer]
    return CellChange(
        cell=cell,
        older_seconds=statistics.median(before),
        newer_seconds=statistics.median(after),
        older_files=statistics.median(len(each.compiled) for each in older),
        newer_files=statistics.median(len(each.compiled) for each in newer),
        ratio=statistics.median(after) / statistics.median(before),
        interval=ratio_of_medians_interval(after, before, seed),
    )
