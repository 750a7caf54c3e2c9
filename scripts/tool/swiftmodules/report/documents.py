"""The parts of documents that come from records, as Markdown; a document that shows one is checked for drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.live import LiveAnalysis
from swiftmodules.analysis.matrix import REACHED, reached
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.verdicts import amount
from swiftmodules.errors import UsageError
from swiftmodules.records.kinds import LIVE, MatrixRecord
from swiftmodules.records.model import BASELINE, Cell, place_name
from swiftmodules.report import tables
from swiftmodules.report.markdown import fill


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


def scale_summary(analysis: ScaleAnalysis, folder: str) -> str:
    """The plots, which are in a folder such as `results/scale/`, and the command that repeats the run."""
    return fill("scale_summary.md", analysis, folder=folder)


def advice_summary(analysis: FloorAnalysis) -> str:
    """What each setting does, and the text that recommends it."""
    return fill("advice_summary.md", analysis)


def live_summary(analysis: LiveAnalysis, folder: str) -> str:
    """The plot, which is in a folder such as `results/live/`, the limits of a live session, and the command that
    repeats the run."""
    return fill("live_summary.md", analysis, folder=folder)


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


def edit_laws(record: MatrixRecord, edits: Sequence[str], module_of: Callable[[str], str | None]) -> str:
    """Shows what each of some edits that has a place in the baseline does in all modules together. `module_of` names
    the module of a target, if it has one. Raises `UsageError`."""
    _require(edits, record.options.edits, "edit")
    layouts = [BASELINE, *(layout for layout in record.options.layouts if layout != BASELINE)]
    rows = []
    for edit in edits:
        cells = [cell for cell in record.cells if cell.edit == edit]
        files = [_range([len(cell.compiled) for cell in cells if cell.layout == layout]) for layout in layouts]
        own = [cell for cell in cells if cell.layout == BASELINE]
        places = [reached(cell, record, module_of) for cell in own]
        if own:
            row = [f"`{edit}`", str(len(own)) if any(cell.module for cell in own) else ""]
            row += [_range([len(cell.smallest) for cell in own]), files[0]]
            row += [_range([cell.ratio for cell in own if cell.ratio is not None], ".1f")]
            row += [str(sum(place in each for each in places) or "") for place in REACHED]
            rows.append([*row, *files[1:]])
    first, *others = (f"`{layout}`" for layout in layouts)
    table = tables.Table(["edit", "modules", "smallest", first, "ratio", *REACHED, *others], rows, 1)
    caption = (
        "All modules together, fewest–most. smallest: the edited file and the files that mention what the edit "
        f"changes. ratio: files compiled in `{BASELINE}` to those of the smallest set. its target, its module (its "
        "other targets), other modules, programs: in how many of the modules the edit compiles a file there besides "
        f"the edited one, in `{BASELINE}`. From `measure matrix` with {record.toolchain}."
    )
    return f"{table}\n\n{caption}"


def _range(values: Sequence[float], form: str = "") -> str:
    if not values:
        return tables.NOTHING
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low}–{high}"


def _require(names: Sequence[str], known: Sequence[str], kind: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"the results have no {kind} '{name}'. They have: {', '.join(known)}.")
