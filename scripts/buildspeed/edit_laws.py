"""Tells in a document which edits reach whom, from the matrix of all edits.

<!-- matrix: begin -->
…
<!-- matrix: end -->
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from buildspeed.code_blocks import CodeBlock
from buildspeed.conventions import module_of
from buildspeed.edits import mutator
from buildspeed.marked_parts import marked_parts
from buildspeed.matrix import Matrix, MatrixCell
from buildspeed.naming import CONVENTION
from buildspeed.reasons import ADDED, EDITED
from buildspeed.summary import BASELINE
from buildspeed.tables import markdown_lines

_NOTHING = "–"
_REACHED = ("its target", "its module", "other modules", "programs")
_CAPTION = (
    "All modules together, fewest–most. smallest: the edited file and the files that mention what the edit changes. "
    "ratio: files compiled in `{layout}` to those of the smallest set. its target, its module (its other targets), "
    "other modules, programs: in how many of the modules the edit compiles a file there besides the edited one, in "
    "`{layout}`. From `scripts/measure matrix` with {toolchain}."
)


def law_tables(text: str, document: Path, matrix: Callable[[], Matrix], source: Path) -> list[CodeBlock]:
    """The tables of a document's text. The record, which `source` names in messages, is only read where there are
    some."""
    return [
        part.block(str(source), ["", *law_table(matrix()).split("\n"), ""])
        for part in marked_parts(text, document, "matrix", "table")
    ]


def law_table(matrix: Matrix) -> str:
    """A line for each edit that has a place somewhere."""
    others = [layout for layout in matrix.layouts if layout != BASELINE]
    header = ["edit", "modules", "smallest", f"`{BASELINE}`", "ratio", *_REACHED, *(f"`{each}`" for each in others)]
    lines = [header, ["---", *["---:"] * (len(header) - 1)]]
    for edit in matrix.edits:
        cells = [cell for cell in matrix.cells if cell.edit == edit]
        found = [cell for cell in cells if cell.layout == BASELINE]
        if not found:
            continue
        reached = [_reached(cell, matrix) for cell in found]
        lines.append(
            [
                f"`{edit}`",
                str(len(found)) if mutator(edit).is_per_module else "",
                _range([len(cell.smallest) for cell in found]),
                _range([len(cell.compiled) for cell in found]),
                _range([cell.ratio for cell in found if cell.ratio is not None], ".1f"),
                *(str(sum(place in each for each in reached) or "") for place in _REACHED),
                *(_range([len(cell.compiled) for cell in cells if cell.layout == layout]) for layout in others),
            ]
        )
    return f"{markdown_lines(lines)}\n\n{_CAPTION.format(layout=BASELINE, toolchain=matrix.toolchain)}"


def _reached(cell: MatrixCell, matrix: Matrix) -> set[str]:
    """Where the compiled files are, seen from the edited one."""
    edited = {_target(file, matrix) for file, reason in cell.compiled.items() if reason in (EDITED, ADDED)}
    modules = CONVENTION.modules(matrix.targets)
    found = set()
    for file, reason in cell.compiled.items():
        if reason in (EDITED, ADDED):
            continue
        target = _target(file, matrix)
        module = module_of(target, modules)
        if target in edited:
            found.add("its target")
        elif module is None:
            found.add("programs")
        else:
            found.add("its module" if module == cell.module else "other modules")
    return found


def _target(file: str, matrix: Matrix) -> str:
    """The target in whose folder a file is; the one with the nearest folder."""
    folders = {name: Path(folder) for name, folder in matrix.targets.items() if Path(file).is_relative_to(folder)}
    return max(folders, key=lambda name: len(folders[name].parts), default="")


def _range(values: Sequence[float], form: str = "") -> str:
    if not values:
        return _NOTHING
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low}–{high}"
