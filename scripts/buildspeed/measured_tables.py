"""Shows a part of what was measured in a document.

    <!-- measured: begin body,private-top HTTPClient -->
    …
    <!-- measured: end -->

The first word names edits, the second, where there is one, modules. `reach private-top HTTPClient` tells where the
files are that an edit compiles, and `clean-builds` what the layouts are and how long they take from nothing. Without
a word, the markers enclose the whole of a document's results.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from buildspeed import tables
from buildspeed.code_blocks import CodeBlock
from buildspeed.failures import MeasurementError
from buildspeed.marked_parts import marked_parts
from buildspeed.plan import Cell
from buildspeed.record import Record
from buildspeed.report import compact_report
from buildspeed.summary import samples_by_cell

_REACH, _CLEAN_BUILDS = "reach", "clean-builds"


def measured_tables(
    text: str, document: Path, record: Callable[[], Record], source: Path, others: Collection[str] = ()
) -> list[CodeBlock]:
    """The tables of a document's text in their order. The record, which `source` names in messages, is only read
    where there are some. `others` name what comes from other records."""
    return [
        part.block(str(source), _lines(part.argument, record(), f"{document}:{part.line}"))
        for part in marked_parts(text, document, "measured", "table")
        if part.argument and part.argument not in others
    ]


def _lines(argument: str, record: Record, place: str) -> list[str]:
    match argument.split():
        case [word] if word == _CLEAN_BUILDS:
            table = _clean_builds(record)
        case [word, edit, module] if word == _REACH:
            _require([edit], record.options.edits, f"{place}: the results have no edit")
            _require([module], record.options.modules, f"{place}: the results have no module")
            table = _reach(record, edit, module)
        case [edits, *modules] if len(modules) < 2:
            edits, modules = edits.split(","), [each for word in modules for each in word.split(",")]
            _require(edits, record.options.edits, f"{place}: the results have no edit")
            _require(modules, record.options.modules, f"{place}: the results have no module")
            table = compact_report(record, edits, modules)
        case _:
            raise MeasurementError(f"{place}: '{argument}' is too much. Name edits, and after a space modules.")
    return ["", *table.rstrip("\n").split("\n"), ""]


def _clean_builds(record: Record) -> str:
    lines = [["layout", "targets", "files", "clean build"], ["---", "---:", "---:", "---:"]]
    for layout in record.options.layouts:
        build = record.clean_builds[layout]
        lines.append([layout, str(build.targets), str(build.files), f"{build.seconds:.1f} s"])
    return tables.markdown_lines(lines)


def _reach(record: Record, edit: str, module: str) -> str:
    """How many files each folder has among those that were compiled, in the first sample of each layout."""
    samples = samples_by_cell(record)
    layouts = record.options.layouts
    counts = {
        layout: Counter(str(Path(file).parent) for file in samples[Cell(layout, edit, module)][0].compiled)
        for layout in layouts
    }
    folders = sorted({folder for each in counts.values() for folder in each})
    lines = [["compiled files in", *layouts], ["---", *["---:"] * len(layouts)]]
    lines += [[folder, *[str(counts[layout][folder] or "") for layout in layouts]] for folder in folders]
    return tables.markdown_lines([*lines, ["together", *[str(counts[layout].total()) for layout in layouts]]])


def _require(names: Sequence[str], known: Sequence[str], complaint: str) -> None:
    for name in names:
        if name not in known:
            raise MeasurementError(f"{complaint} '{name}'. They have: {', '.join(known)}.")
