"""Renders the matrix: as a table for the terminal, and as a document with the reasons."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from rich.box import SIMPLE_HEAD
from rich.table import Table

from buildspeed.edits import what_it_changes
from buildspeed.layouts import LAYOUTS
from buildspeed.matrix import Matrix, MatrixCell, place_name
from buildspeed.plan import Cell
from buildspeed.tables import markdown_lines

_NOTHING = "–"
_CAPTION = (
    "smallest: the edited file and the files that mention what the edit changes. files: compiled; !: and not all of "
    "the smallest set. ratio: files to those of the smallest set. links: linked products."
)

Row = tuple[str, str | None, Sequence[MatrixCell | None]]


def rows(matrix: Matrix) -> Iterator[Row]:
    """Each edit and module, with the cell of every layout, None where it was not found."""
    found = {cell.key: cell for cell in matrix.cells}
    for edit, module in dict.fromkeys((cell.edit, cell.module) for cell in matrix.cells):
        yield edit, module, [found.get(Cell(layout, edit, module)) for layout in matrix.layouts]


def matrix_table(matrix: Matrix) -> Table:
    """For the terminal."""
    table = Table(caption=_CAPTION, caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("edit")
    table.add_column("module")
    table.add_column("smallest", justify="right")
    for layout in matrix.layouts:
        table.add_column(f"{layout}\nfiles", justify="right")
        table.add_column("\nratio", justify="right")
        table.add_column("\nlinks", justify="right")
    for row in rows(matrix):
        table.add_row(*_texts(row))
    return table


def markdown_table(matrix: Matrix) -> str:
    """The same as Markdown."""
    header = ["edit", "module", "smallest"]
    header += [f"{layout}: {column}" for layout in matrix.layouts for column in ("files", "ratio", "links")]
    alignment = ["---", "---", *["---:"] * (len(header) - 2)]
    return markdown_lines([header, alignment, *(_texts(row) for row in rows(matrix))])


def document(matrix: Matrix) -> str:
    """All that the record tells, for people."""
    parts = [
        f"# What each edit compiles in {matrix.package}",
        f"With {matrix.toolchain}. Repeat it with `{matrix.command}`; it takes no times, and every machine gives the "
        "same answer.",
        markdown_table(matrix),
        _CAPTION,
        "## Why",
        f"In the words of the compiler's driver, for the layout `{matrix.layouts[0]}` "
        f"({LAYOUTS[matrix.layouts[0]]}). An arrow leads from what changed to what depends on it and is used by the "
        "file. The record has the reasons in the other layouts, too.",
        "\n".join(_reasons(matrix)),
        "## The edits",
        "\n".join(_places(matrix)),
    ]
    if matrix.missing:
        missing = [f"- `{place}`: {reason}" for place, reason in matrix.missing.items()]
        parts += ["## Edits that have no place", "\n".join(missing)]
    return "\n\n".join(parts) + "\n"


def _texts(row: Row) -> list[str]:
    edit, module, cells = row
    sizes = sorted({len(cell.smallest) for cell in cells if cell})
    texts = [edit, module or "", " or ".join(map(str, sizes))]
    for cell in cells:
        texts += _cell_texts(cell)
    return texts


def _cell_texts(cell: MatrixCell | None) -> list[str]:
    if cell is None:
        return [_NOTHING] * 3
    files = f"{len(cell.compiled)}{' !' if cell.stale else ''}"
    return [files, _NOTHING if cell.ratio is None else f"{cell.ratio:.1f}", str(len(cell.linked))]


def _reasons(matrix: Matrix) -> Iterator[str]:
    """The files of each cell of the first layout, those with the same reason together."""
    for edit, module, (cell, *_) in rows(matrix):
        if cell is None or not cell.compiled:
            continue
        yield f"- {place_name(edit, module)}"
        entries = sorted((reason, file) for file, reason in cell.compiled.items())
        for reason, group in groupby(entries, key=lambda entry: entry[0]):
            yield f"  - {reason}: {', '.join(file for _, file in group)}"
        if cell.stale:
            yield f"  - not compiled, though it mentions what has changed: {', '.join(cell.stale)}"


def _places(matrix: Matrix) -> Iterator[str]:
    for edit in matrix.edits:
        yield f"- `{edit}`: {what_it_changes(edit)}"
        for module in (None, *matrix.modules):
            description = matrix.placements.get(place_name(edit, module))
            if description is not None:
                yield f"  - {module or 'here'}: {description}"
