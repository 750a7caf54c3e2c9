"""Every sample of a record as a line of comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import TypeAlias

from swiftmodules.records.kinds import (
    AnyRecord,
    BenchRecord,
    FloorRecord,
    LiveRecord,
    MatrixRecord,
    RunRecord,
    ScaleRecord,
    SimulateRecord,
)
from swiftmodules.records.model import Sample

Value: TypeAlias = str | int | float | bool | None

# Units are in the names. ResultsFormat.md describes the fields.
_CELL = ("round", "position", "layout", "edit", "module")
_BUILD = ("seconds", "cpu_seconds", "settling_seconds", "compiled_files", "emitted_modules", "links")
_MEMORY = ("largest_process_bytes", "peak_memory_bytes")
_CONDITIONS = ("load_average", "cpu_pressure_share", "other_cpu_seconds", "noisy")
COLUMNS = (*_CELL, *_BUILD, *_MEMORY, *_CONDITIONS)
_OF_FLOOR = ("null_seconds", "by_hand_seconds", "failed", "kept_results", "product_bytes")
# The columns whose fields have other names.
_FIELDS = {"compiled_files": "files", "cpu_pressure_share": "cpu_pressure"}


def csv_text(record: AnyRecord) -> str:
    """A header and one line for each sample, quoted as in RFC 4180; what was not recorded is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows(csv_rows(record))
    return text.getvalue()


def csv_rows(record: AnyRecord) -> list[list[Value]]:
    """The names of the columns, and a row for each sample, build or batch of a record; true and false as in JSON."""
    rows: list[list[Value]]
    match record:
        case RunRecord():
            rows = _sample_rows((*_machine(record), *COLUMNS), record.samples)
        case LiveRecord():
            rows = _sample_rows(("size", *COLUMNS, "by_hand_seconds"), record.samples)
        case ScaleRecord():
            rows = _sample_rows((*_machine(record), "size", *COLUMNS), record.samples)
        case FloorRecord():
            rows = _sample_rows((*COLUMNS, *_OF_FLOOR), record.samples)
        case MatrixRecord():
            rows = [["layout", "edit", "module", "compiled_files", "smallest_files", "emitted_modules", "links"]]
            rows += [
                [*each.cell, len(each.compiled), len(each.smallest), each.emitted_modules, len(each.linked)]
                for each in record.cells
            ]
        case SimulateRecord():
            rows = [["package", "layout", "edit", "module", "jobs", "time", "seconds"]]
            rows += [
                [layout.package, layout.layout, build.edit, build.module, jobs, time, seconds]
                for layout in record.layouts
                for build in layout.builds
                for jobs, times in build.checks.items()
                for time, seconds in enumerate(times, start=1)
            ]
        case BenchRecord():
            rows = [["operation", "batch", "nanoseconds"]]
            rows += [[n, place, value] for n, own in record.timings.items() for place, value in enumerate(own, start=1)]
    return [[str(value).lower() if isinstance(value, bool) else value for value in row] for row in rows]


def sample_value(sample: Sample, column: str) -> Value:
    """Returns the value of a sample in a column; None where it was not recorded."""
    name = _FIELDS.get(column, column)
    if name == "files" and sample.compiled is None:
        return None
    value: Value = getattr(sample.conditions if column in _CONDITIONS else sample, name, None)
    return value


def _machine(record: RunRecord | ScaleRecord) -> Sequence[str]:
    return ("machine",) if record.machines else ()


def _sample_rows(columns: Sequence[str], samples: Sequence[Sample]) -> list[list[Value]]:
    return [list(columns), *([sample_value(sample, column) for column in columns] for sample in samples)]
