"""Every sample as a line of comma-separated values."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Mapping

from buildspeed.conditions import Conditions
from buildspeed.record import Record, Sample

Value = str | int | float | bool | None


def _condition(read: Callable[[Conditions], Value]) -> Callable[[Sample], Value]:
    return lambda sample: None if sample.conditions is None else read(sample.conditions)


# Units are in the names. docs/ResultsFormat.md tells what they mean.
COLUMNS: Mapping[str, Callable[[Sample], Value]] = {
    "round": lambda sample: sample.round,
    "position": lambda sample: sample.position,
    "layout": lambda sample: sample.layout,
    "edit": lambda sample: sample.edit,
    "module": lambda sample: sample.module,
    "seconds": lambda sample: sample.seconds,
    "cpu_seconds": lambda sample: sample.cpu_seconds,
    "settling_seconds": lambda sample: sample.settling_seconds,
    "compiled_files": lambda sample: len(sample.compiled),
    "emitted_modules": lambda sample: sample.emitted_modules,
    "links": lambda sample: sample.links,
    "largest_process_bytes": lambda sample: sample.largest_process_bytes,
    "peak_memory_bytes": lambda sample: sample.peak_memory_bytes,
    "load_average": _condition(lambda conditions: conditions.load_average),
    "cpu_pressure_share": _condition(lambda conditions: conditions.cpu_pressure),
    "other_cpu_seconds": _condition(lambda conditions: conditions.other_cpu_seconds),
    "noisy": _condition(lambda conditions: conditions.noisy),
}


def csv_text(record: Record) -> str:
    """A header and one line for each sample, quoted as in RFC 4180; what was not recorded is empty."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows([csv_field(read(sample)) for read in COLUMNS.values()] for sample in record.samples)
    return text.getvalue()


def csv_field(value: Value) -> Value:
    """As JSON has it; Python would write True."""
    return str(value).lower() if isinstance(value, bool) else value
