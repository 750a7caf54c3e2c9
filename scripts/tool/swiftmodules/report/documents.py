"""The parts of documents that come from records, as Markdown; a document that shows one is checked for drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from swiftmodules.analysis.compare import AnyAnalysis
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.analysis.verdicts import amount
from swiftmodules.errors import UsageError
from swiftmodules.records.kinds import LIVE, MatrixRecord
from swiftmodules.records.model import Cell, place_name
from swiftmodules.report import tables
from swiftmodules.report.markdown import fill
from swiftmodules.report.plots import plots


def reach(record: MatrixRecord, edit: str, module: str) -> str:
    """Draws the folders with files that one edit compiles, in each layout, as a Mermaid graph. Raises `UsageError`."""
    _require([edit], record.options.edits, "edit")
    _require([module], [cell.module for cell in record.cells if cell.edit == edit and cell.module], "module")
    place = record.placements[place_name(edit, module)]
    lines = ["```mermaid", "graph LR"]
    for cell in (each for each in record.cells if (each.edit, each.module) == (edit, module)):
        folders = Counter(PurePosixPath(file).parent for file in cell.compiled)
        edited = next((PurePosixPath(file).parent for file in cell.compiled if file in place), None)
        lines.append(f'    subgraph {cell.layout}["{cell.layout}: {amount(len(cell.compiled), "file")}"]')
        for number, folder in enumerate(sorted(folders, key=lambda each: (each != edited, each))):
            node = f'{cell.layout}{number}["{"/".join(folder.parts[-2:])}: {folders[folder]}"]'
            lines.append(f"        {node}" if number == 0 else f"        {cell.layout}0 --> {node}")
        lines.append("    end")
    return "\n".join([*lines, "```"])


def summary(analysis: AnyAnalysis, folder: str) -> str:
    """The first plot of a record, in a folder such as `results/scale/`, and the command that repeats the run."""
    return fill("summary.md", analysis, folder=folder, plot=next(iter(plots(analysis)), None))


def live_layouts(analysis: LiveAnalysis, size: str, edit: str, module: str) -> str:
    """Shows what one edit takes in each layout, with so many copies of a module. Raises `UsageError`."""
    options = analysis.record.options
    _require([size], [str(each) for each in analysis.copies], "size")
    _require([edit], options.edits, "edit")
    _require([module], options.modules, "module")
    rows = []
    for layout in options.layouts:
        cell = Cell(layout, edit, module)
        medians = analysis.growths[cell].medians if cell in analysis.growths else {}
        seconds = medians.get("seconds", {}).get(int(size))
        if seconds is not None:
            ratio = analysis.comparisons.get(cell, {}).get(int(size))
            files = f"{medians['files'][int(size)]:g}"
            rows.append([f"`{layout}`", files, f"{seconds:.1f} s", f"×{ratio}" if ratio else ""])
    table = tables.Table(["layout", "compiled files", "to the screen", f"to `{LIVE}`"], rows, 1)
    return fill("live_layouts.md", analysis, table=table)


def _require(names: Sequence[str], known: Sequence[str], kind: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"the results have no {kind} '{name}'. They have: {', '.join(known)}.")
