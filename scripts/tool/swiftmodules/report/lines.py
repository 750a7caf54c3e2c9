"""Every sample of a record as a line of comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from swiftmodules.observed import Conditions
from swiftmodules.records.kinds import (
    AnyRecord,
    BenchRecord,
    FloorRecord,
    MatrixRecord,
    RunRecord,
    ScaleRecord,
    SimulateRecord,
)
from swiftmodules.records.model import Sample

Value: TypeAlias = str | int | float | bool | None
_Columns: TypeAlias = Mapping[str, Callable[[Sample], Value]]


def _condition(read: Callable[[Conditions], Value]) -> Callable[[Sample], Value]:
    return lambda sample: None if sample.conditions is None else read(sample.conditions)


# Units are in the names. docs/ResultsFormat.md describes the fields.
COLUMNS: _Columns = {
    "round": lambda sample: sample.round,
    "position": lambda sample: sample.position,
    "layout": lambda sample: sample.layout,
    "edit": lambda sample: sample.edit,
    "module": lambda sample: sample.module,
    "seconds": lambda sample: sample.seconds,
    "cpu_seconds": lambda sample: sample.cpu_seconds,
    "settling_seconds": lambda sample: sample.settling_seconds,
    "compiled_files": lambda sample: None if sample.compiled is None else sample.files,
    "emitted_modules": lambda sample: sample.emitted_modules,
    "links": lambda sample: sample.links,
    "largest_process_bytes": lambda sample: sample.largest_process_bytes,
    "peak_memory_bytes": lambda sample: sample.peak_memory_bytes,
    "load_average": _condition(lambda conditions: conditions.load_average),
    "cpu_pressure_share": _condition(lambda conditions: conditions.cpu_pressure),
    "other_cpu_seconds": _condition(lambda conditions: conditions.other_cpu_seconds),
    "noisy": _condition(lambda conditions: conditions.noisy),
}
_OF_SCALE: _Columns = {"shape": lambda sample: sample.shape, "size": lambda sample: sample.size}
_OF_FLOOR: _Columns = {
    "null_seconds": lambda sample: sample.null_seconds,
    "by_hand_seconds": lambda sample: sample.by_hand_seconds,
    "kept_results": lambda sample: sample.kept_results,
    "product_bytes": lambda sample: sample.product_bytes,
}


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
            rows = _sample_rows(COLUMNS, record.samples)
        case ScaleRecord():
            rows = _sample_rows({**_OF_SCALE, **COLUMNS}, record.samples)
        case FloorRecord():
            rows = _sample_rows({**COLUMNS, **_OF_FLOOR}, record.samples)
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


def _sample_rows(columns: _Columns, samples: Iterable[Sample]) -> list[list[Value]]:
    return [list(columns), *([read(sample) for read in columns.values()] for sample in samples)]
