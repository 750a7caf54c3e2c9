"""The tables of reports, each made once for Markdown, HTML and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from swiftmodules.measure.analysis import Analysis, Summary
from swiftmodules.measure.axes import AXES, Axis, several
from swiftmodules.measure.record import UNSOUND, Cell
from swiftmodules.measure.statistics import Interval, with_interval

NOTHING = "–"
# More groups of columns than this are rows.
_MOST_GROUPS = 5
# By heading, the text of what was found in a cell, or None.
_Texts: TypeAlias = Mapping[str, str | None]


@dataclass(frozen=True)
class Table:
    """Texts in rows; the first `texts` columns are aligned left, the others hold numbers. A column such as `fused:
    files` belongs to a group of columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 2

    def __str__(self) -> str:
        """The table as Markdown."""
        alignment = ["---"] * self.texts + ["---:"] * (len(self.columns) - self.texts)
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.columns, alignment, *self.rows))

    def rich(self, caption: str | None = None) -> RichTable:
        """The table for the terminal, with the name of a group above its first column only."""
        table = RichTable(caption=caption, caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
        group = ""
        for number, column in enumerate(self.columns):
            above, _, name = column.rpartition(": ")
            heading = column if not above else f"{'' if above == group else above}\n{name}"
            group = above
            table.add_column(heading, justify="left" if number < self.texts else "right")
        for row in self.rows:
            table.add_row(*row)
        return table


def main_table(analysis: Analysis) -> Table:
    """What each edit compiles, how long it takes, and the ratios to the baselines."""
    table = _pivoted(analysis, analysis.summaries, lambda cell: _main_texts(analysis, analysis.summaries[cell]))
    return _with_smallest(analysis, table)


def phase_tables(analysis: Analysis) -> list[Table]:
    """Where the time goes, in seconds: a table for each list of phases."""
    found: dict[tuple[str, ...], dict[Cell, Mapping[str, float]]] = {}
    for cell, summary in analysis.summaries.items():
        if phases := summary.phases:
            found.setdefault(tuple(phases), {})[cell] = phases
    axes = _row_axes(analysis, ())
    return [
        Table(
            [*(axis.name for axis in axes), *names],
            [[*_labels(axes, cell), *(f"{own[name]:.2f}" for name in names)] for cell, own in cells.items()],
            len(axes),
        )
        for names, cells in found.items()
    ]


def verdict_table(analysis: Analysis) -> Table:
    """The soundness of each verified cell."""
    verification = analysis.record.verification
    verdicts = {each.cell: each for each in verification.verdicts} if verification else {}
    return _pivoted(analysis, verdicts, lambda cell: {"": verdicts[cell].result})


def excerpt(analysis: Analysis, row: tuple[str, str], copies: int) -> Table:
    """One edit, with what it takes in each value of the first axis."""
    axis = analysis.axes[0]
    found = [each for each in analysis.summaries.values() if each.cell.row == row and each.cell.copies == copies]
    rows = [
        [
            f"`{axis.label(getattr(each.cell, axis.name))}`",
            f"{each.files.median:g}",
            f"{each.seconds.value:.1f} s",
            f"×{each.ratios[axis.name]}" if axis.name in each.ratios else "",
        ]
        for each in found
        if each.files and each.seconds
    ]
    until = AXES["until"].label(found[0].cell.until) if found else ""
    return Table([axis.name, "compiled files", until, f"to `{axis.baseline_of(analysis.record)}`"], rows, 1)


def _main_texts(analysis: Analysis, summary: Summary) -> _Texts:
    texts: dict[str, str | None] = {"files": _files(summary)}
    if summary.seconds is None:
        links = summary.samples[0].links
        return texts | {"links": None if links is None else str(links)}
    texts["seconds"] = with_interval(summary.seconds.value, _spread(analysis, summary))
    for axis in analysis.axes:
        ratio = summary.ratios.get(axis.name)
        texts[f"to {axis.label(axis.baseline_of(analysis.record))}"] = f"×{ratio}" if ratio else None
    return texts


def _spread(analysis: Analysis, summary: Summary) -> Interval | None:
    if len(summary.samples) == 1:
        return None
    return summary.seconds.interval if analysis.has_intervals and summary.seconds else Interval(*summary.extremes)


def _files(summary: Summary) -> str | None:
    if summary.files is None:
        return None
    marks = [UNSOUND] if summary.is_unsound else []
    return " ".join([str(summary.files), *marks, *(["!"] if summary.is_stale else [])])


def _with_smallest(analysis: Analysis, table: Table) -> Table:
    """Adds the size of the smallest set of files, where it is known."""
    sizes: dict[tuple[str, ...], set[int]] = {}
    axes = _row_axes(analysis, _columns_of(analysis, ()))
    for cell, summary in analysis.summaries.items():
        own = {len(each.smallest) for each in summary.samples if each.smallest is not None}
        sizes.setdefault(tuple(_labels(axes, cell)), set()).update(own)
    if not any(sizes.values()):
        return table
    texts = table.texts
    rows = [
        [*row[:texts], " or ".join(map(str, sorted(sizes[tuple(row[:texts])]))), *row[texts:]] for row in table.rows
    ]
    return Table([*table.columns[:texts], "smallest", *table.columns[texts:]], rows, texts)


def _pivoted(
    analysis: Analysis, cells: Iterable[Cell], texts: Callable[[Cell], _Texts], without: Sequence[str] = ()
) -> Table:
    """A row for each place on all axes but the first on which values are compared; that has a group of columns for each
    value. Axes without several values, and columns without a text, are left out."""
    pivot = _columns_of(analysis, without)
    axes = _row_axes(analysis, pivot, without)
    rows: dict[tuple[str, ...], dict[str, str]] = {}
    # A column has its place even where the first cells have no text for it.
    columns: dict[str, bool] = {}
    for value in pivot[0].values(analysis.record) if pivot else (None,):
        for cell in (each for each in cells if not pivot or getattr(each, pivot[0].name) == value):
            for name, text in texts(cell).items():
                column = ": ".join(filter(None, [pivot[0].label(value) if pivot else "", name]))
                columns[column] = columns.get(column, False) or text is not None
                if text is not None:
                    rows.setdefault(tuple(_labels(axes, cell)), {})[column] = text
    shown = [column for column, has_text in columns.items() if has_text]
    order = dict.fromkeys(tuple(_labels(axes, cell)) for cell in cells)
    lines = [[*row, *(rows[row].get(column, NOTHING) for column in shown)] for row in order if row in rows]
    return Table([*(axis.name for axis in axes), *shown], lines, len(axes))


def _columns_of(analysis: Analysis, without: Sequence[str]) -> list[Axis]:
    """The axis whose values have columns of their own, where there is one."""
    found = [axis for axis in analysis.axes if axis.name not in without]
    return [axis for axis in found if len(axis.values(analysis.record)) <= _MOST_GROUPS][:1]


def _row_axes(analysis: Analysis, pivot: Sequence[Axis], without: Sequence[str] = ()) -> list[Axis]:
    shown = {"edit", "module", *(axis.name for axis in several(analysis.record))}
    return [axis for axis in AXES.values() if axis.name in shown - set(without) and axis not in pivot]


def _labels(axes: Sequence[Axis], cell: Cell) -> list[str]:
    return [axis.label(getattr(cell, axis.name)) for axis in axes]
