"""The forms of a report: the files that an experiment leaves, and what a terminal shows; values come from `lines`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table as RichTable

from swiftmodules.analysis import verdicts
from swiftmodules.analysis.compare import AnyAnalysis, BenchAnalysis, Comparison
from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.simulation import SimulateAnalysis
from swiftmodules.analysis.stats import LEAST_SAMPLES
from swiftmodules.records.files import write_atomically, write_record
from swiftmodules.report import tables
from swiftmodules.report.markdown import advice_lines, check_sentence, fill, markdown, skipped_lines
from swiftmodules.report.page import html_page
from swiftmodules.report.plots import plots


def write_report(analysis: AnyAnalysis, folder: Path) -> None:
    """Writes the files that an experiment leaves in its folder: `results.json`, `results.md`, plots, and the page of a
    run."""
    write_record(analysis.record, folder / "results.json")
    write_atomically(folder / "results.md", markdown(analysis))
    if isinstance(analysis, RunAnalysis):
        write_atomically(folder / "report.html", html_page([analysis]))
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
            return f"More is compiled or linked than in A: {', '.join(more)}."
        rest = (
            f" {verdicts.amount(others, 'cell')} {'is' if others == 1 else 'are'} in one record only." if others else ""
        )
        return f"None of {verdicts.amount(comparison.cells, 'cell')} compiles or links more than in A.{rest}"
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
            caption = fill("caption.md", analysis).strip().replace("`", "'")
            control = verdicts.control_sentence(analysis)
            notes = [f"A/A control: {control}"] if control else []
            notes += verdicts.advantage(analysis) if analysis.record.is_copy else []
            return [tables.run_table(analysis).rich(caption)], notes
        case MatrixAnalysis():
            notes = [analysis.soundness] if analysis.soundness else []
            return [tables.matrix_table(analysis).rich("!: not all of the smallest set was compiled.")], notes
        case LiveAnalysis():
            shown = [tables.bar_table(analysis), tables.scale_size_table(analysis)]
            return [table.rich() for table in shown], [*skipped_lines(analysis)]
        case ScaleAnalysis():
            title = f"{', '.join(str(each.size) for each in analysis.sizes)} copies"
            note = "files, ms: compiled files and milliseconds of 'swift build' for each added copy of the module."
            return [tables.slope_table(analysis).rich(title=title)], [note, *skipped_lines(analysis)]
        case FloorAnalysis():
            shown = [tables.floor_table(analysis), tables.advice_table(analysis, sources=False)]
            return [table.rich() for table in shown if table.rows], advice_lines(analysis)
        case SimulateAnalysis():
            return [tables.check_table(analysis).rich()], [check_sentence(analysis)]
        case BenchAnalysis():
            return [tables.bench_table(analysis).rich()], []


def _say(console: Console, text: str, style: str | None = None) -> None:
    """A sentence of Markdown, as a terminal shows it."""
    plain = text.replace("**", "").replace("`", "'")
    console.print(plain, highlight=False, markup=False, soft_wrap=True, style=style)
