"""Every form of a report: Markdown, HTML, comma-separated values, JSON, and what a terminal shows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TypeAlias

from rich.console import Console
from rich.table import Table as RichTable

from swiftmodules.analysis import verdicts
from swiftmodules.analysis.cells import RunAnalysis
from swiftmodules.analysis.compare import BenchAnalysis, Comparison
from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.growth import ScaleAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.simulation import SimulateAnalysis
from swiftmodules.analysis.stats import LEAST_SAMPLES
from swiftmodules.records.files import write_atomically, write_record
from swiftmodules.records.kinds import (
    AnyRecord,
    BenchRecord,
    FloorRecord,
    MatrixRecord,
    RunRecord,
    ScaleRecord,
    SimulateRecord,
)
from swiftmodules.records.model import Conditions, Sample
from swiftmodules.report import tables
from swiftmodules.report.markdown import AnyAnalysis, check_sentence, fill, markdown, skipped_lines

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


def write_report(analysis: AnyAnalysis, folder: Path) -> None:
    """What an experiment leaves in its folder: `results.json`, `results.md`, and what the kind has besides: the page of
    a run, the plots of a scale."""
    from swiftmodules.report.page import html_page
    from swiftmodules.report.plots import plots

    write_record(analysis.record, folder / "results.json")
    write_atomically(folder / "results.md", markdown(analysis))
    if isinstance(analysis, RunAnalysis):
        write_atomically(folder / "report.html", html_page([analysis]))
    if isinstance(analysis, ScaleAnalysis):
        for name, svg in plots(analysis).items():
            write_atomically(folder / name, svg)


def print_report(analysis: AnyAnalysis, console: Console) -> None:
    """Shows the warnings, the main tables, and what makes them trustworthy."""
    for text in analysis.warnings:
        _say(console, text, style="bold")
    shown, notes = _on_terminal(analysis)
    for table in shown:
        console.print(table)
    for note in notes:
        _say(console, note)


def print_comparison(comparison: Comparison, fail_above: float, console: Console) -> None:
    """Shows what has changed between two records, and the verdict."""
    for note in comparison.notes:
        _say(console, note)
    if comparison.changes:
        console.print(tables.change_table(comparison, fail_above).rich())
    for line in (*comparison.differences, comparison_verdict(comparison, fail_above)):
        _say(console, str(line))


def comparison_verdict(comparison: Comparison, fail_above: float) -> str:
    """The result of a comparison in a sentence."""
    if not comparison.headings:
        more, others = comparison.failures(fail_above), sum(not each.is_in_both for each in comparison.differences)
        if more:
            return f"More is compiled or linked than A has it: {', '.join(more)}."
        rest = (
            f" {verdicts.amount(others, 'cell')} {'is' if others == 1 else 'are'} in one record only." if others else ""
        )
        return f"None of {verdicts.amount(comparison.cells, 'cell')} compiles or links more than A has it.{rest}"
    slower = comparison.failures(fail_above)
    judged = [change for change in comparison.changes if change.interval is not None]
    if slower:
        return f"Slower by more than {fail_above * 100:g}%: {', '.join(slower)}."
    if not judged:
        return f"No cell can be judged: it takes {LEAST_SAMPLES} samples in both records."
    return f"None of the {len(judged)} cells that can be judged is slower by more than {fail_above * 100:g}%."


def _on_terminal(analysis: AnyAnalysis) -> tuple[Sequence[RichTable], Sequence[str]]:
    """The tables of an analysis, and the sentences below them."""
    match analysis:
        case RunAnalysis():
            caption = fill("caption.md", analysis, p_values=False).strip().replace("`", "'")
            control = verdicts.control_sentence(analysis)
            notes = [f"A/A control: {control}"] if control else []
            notes += verdicts.advantage(analysis) if analysis.record.is_copy else []
            return [tables.run_table(analysis, p_values=False).rich(caption)], notes
        case MatrixAnalysis():
            notes = [analysis.soundness] if analysis.soundness else []
            return [tables.matrix_table(analysis).rich("!: not all of the smallest set was compiled.")], notes
        case ScaleAnalysis():
            titles = {
                shape: f"{shape}: sizes {', '.join(str(each.size) for each in analysis.sizes(shape))}"
                for shape in analysis.shapes
            }
            slopes = [tables.slope_table(analysis, shape).rich(title=title) for shape, title in titles.items()]
            note = "files, ms: compiled files and milliseconds of 'swift build' for each added copy of the module."
            return slopes, [note, *skipped_lines(analysis)]
        case FloorAnalysis():
            return [tables.floor_table(analysis).rich()], []
        case SimulateAnalysis():
            return [tables.check_table(analysis).rich()], [check_sentence(analysis)]
        case BenchAnalysis():
            return [tables.bench_table(analysis).rich()], []


def _say(console: Console, text: str, style: str | None = None) -> None:
    """A sentence of Markdown, as a terminal shows it."""
    plain = text.replace("**", "").replace("`", "'")
    console.print(plain, highlight=False, markup=False, soft_wrap=True, style=style)
