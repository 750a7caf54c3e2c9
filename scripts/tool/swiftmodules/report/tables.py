"""The tables of all reports, each made once for Markdown, HTML and the terminal."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias, TypeVar

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from swiftmodules.analysis.compare import BenchAnalysis, CellChange, Comparison
from swiftmodules.analysis.floor import PHASES, Effect, FloorAnalysis, SettingSummary
from swiftmodules.analysis.live import Bar, LiveAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import CellSummary, Row, RunAnalysis, in_rows, present
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.simulation import CORES, Check, SimulateAnalysis
from swiftmodules.analysis.stats import Interval, Line, with_interval
from swiftmodules.analysis.verdicts import amount
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK
from swiftmodules.records.kinds import MatrixCell, MeasuredLayout
from swiftmodules.records.model import BASELINE, UNSOUND, Cell

NOTHING = "–"
STEPS = (COMPILE, EMIT_MODULE, LINK)

_Item = TypeVar("_Item")
# By heading, the text of an item.
_Columns: TypeAlias = dict[str, Callable[[_Item], str]]


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

    def rich(self, caption: str | None = None, title: str | None = None) -> RichTable:
        """The table for the terminal, with the name of a group above its first column only."""
        table = RichTable(
            title=title,
            title_justify="left",
            title_style="bold",
            caption=caption,
            caption_justify="left",
            pad_edge=False,
            box=SIMPLE_HEAD,
        )
        group = ""
        for number, column in enumerate(self.columns):
            above, _, name = column.rpartition(": ")
            heading = column if not above else f"{'' if above == group else above}\n{name}"
            group = above
            table.add_column(heading, justify="left" if number < self.texts else "right")
        for row in self.rows:
            table.add_row(*row)
        return table


def run_table(analysis: RunAnalysis) -> Table:
    """Edit × module, with files, seconds and ratio for each layout."""

    def seconds(cell: CellSummary) -> str:
        spread = cell.seconds.interval if analysis.has_intervals else Interval(cell.fastest, cell.slowest)
        return with_interval(cell.seconds.value, spread)

    columns: _Columns[CellSummary] = {"files": _files, "seconds": seconds}
    compared: _Columns[CellSummary] = {**columns, "ratio": lambda cell: _text(cell.ratio)}
    return _by_layout(
        analysis.rows,
        {layout: columns if layout == BASELINE else compared for layout in analysis.record.options.layouts},
    )


def resource_table(analysis: RunAnalysis) -> Table:
    """CPU time for each layout, and the memory and the noisy samples where they were recorded."""
    cells = present(analysis.rows)
    columns: _Columns[CellSummary] = {"CPU s": lambda cell: f"{cell.cpu_seconds:.2f}"}
    if any(cell.memory_bytes is not None for cell in cells):
        columns["MiB"] = lambda cell: _text(cell.memory_bytes and cell.memory_bytes / 2**20, ".0f")
    if any(cell.noisy is not None for cell in cells):
        columns["noisy"] = lambda cell: _text(cell.noisy)
    return _by_layout(analysis.rows, dict.fromkeys(analysis.record.options.layouts, columns))


def control_table(analysis: RunAnalysis) -> Table:
    """The ratio of a layout to itself, for each edit and module."""
    rows = {row: {"": ratio} for row, ratio in analysis.control.rows.items()} if analysis.control else {}
    return _by_layout(rows, {"": {"ratio": _text}})


def matrix_table(analysis: MatrixAnalysis) -> Table:
    """Edit × module, with the smallest set, and files, ratio and links for each layout."""
    columns: _Columns[MatrixCell] = {
        "files": lambda cell: f"{len(cell.compiled)}{' !' if cell.stale else ''}",
        "ratio": lambda cell: _text(cell.ratio, ".1f"),
        "links": lambda cell: str(len(cell.linked)),
    }
    table = _by_layout(analysis.rows, dict.fromkeys(analysis.record.options.layouts, columns))
    sizes = [sorted({len(cell.smallest) for cell in cells.values() if cell}) for cells in analysis.rows.values()]
    rows = [[*row[:2], " or ".join(map(str, own)), *row[2:]] for row, own in zip(table.rows, sizes, strict=True)]
    return Table([*table.columns[:2], "smallest", *table.columns[2:]], rows)


def verdict_table(analysis: MatrixAnalysis) -> Table:
    """Edit × module, with the soundness of each layout."""
    verification, layouts = analysis.record.verification, analysis.record.options.layouts
    verdicts = {each.cell: each.result for each in verification.verdicts} if verification else {}
    rows = dict.fromkeys((str(cell.edit), cell.module) for cell in verdicts)
    table = _by_layout(in_rows(rows, layouts, verdicts), {layout: {"": str} for layout in layouts})
    return replace(table, texts=2 + len(layouts))


def slope_table(analysis: ScaleAnalysis, explained: bool = False) -> Table:
    """Edit × module, with the slopes of files and seconds in each layout."""
    columns: _Columns[tuple[Line, Line]] = {
        "files": lambda lines: f"{lines[0].slope:.2f}",
        "ms": lambda lines: _milliseconds(lines[1]),
    }
    if explained:
        columns["R²"] = lambda lines: _text(lines[1].explained, ".2f")
    growths, layouts = analysis.growths, analysis.record.options.layouts
    found = {cell: (each.lines["files"], each.lines["seconds"]) for cell, each in growths.items()}
    lines = {cell: (files, seconds) for cell, (files, seconds) in found.items() if files and seconds}
    return _by_layout(in_rows(analysis.rows, layouts, lines), dict.fromkeys(layouts, columns))


def scale_ratio_table(analysis: ScaleAnalysis) -> Table | None:
    """Edit × module × layout, with the ratio to the baseline at each size; None where that was not measured."""
    texts = {
        cell: {size: f"×{ratio}" for size, ratio in ratios.items()} for cell, ratios in analysis.comparisons.items()
    }
    return _by_size(analysis, texts) if texts else None


def scale_size_table(analysis: ScaleAnalysis) -> Table:
    """Edit × module × layout, with the medians at each size."""
    texts = {
        cell: {
            size: f"{growth.medians['files'][size]:g}, {seconds:.2f} s"
            for size, seconds in growth.medians["seconds"].items()
        }
        for cell, growth in analysis.growths.items()
    }
    return _by_size(analysis, texts)


def scale_clean_table(analysis: ScaleAnalysis) -> Table:
    """Layout × size, with the clean builds."""
    rows = []
    for layout in analysis.record.options.layouts:
        builds = [measured.clean_builds.get(layout) for measured in analysis.sizes]
        texts = [f"{each.files}, {each.targets}, {each.seconds:.1f} s" if each else NOTHING for each in builds]
        rows.append([layout, *texts])
    return Table(["layout", *(f"{each.size} copies" for each in analysis.sizes)], rows, 1)


def bar_table(analysis: LiveAnalysis) -> Table:
    """The limits of a live session, with what was found."""
    columns: _Columns[Bar] = {
        "what": lambda bar: bar.name,
        "asked": lambda bar: f"at {'least' if bar.is_least else 'most'} ×{bar.limit:g}",
        "found": lambda bar: f"×{bar.ratio}",
        "": lambda bar: "met" if bar.is_met else "missed",
    }
    return _of(columns, analysis.bars)


def by_hand_table(analysis: LiveAnalysis) -> Table:
    """Edit × module, with a live session to compile and link by hand at each size."""
    rows = [
        [edit, module or "", *(f"×{own[size]}" if size in own else NOTHING for size in analysis.copies)]
        for (edit, module), own in analysis.by_hand.items()
    ]
    return Table(["edit", "module", *(f"{size} copies" for size in analysis.copies)], rows)


def phase_table(analysis: LiveAnalysis) -> Table:
    """Edit × module × layout, with the parts at each size."""
    texts = {
        cell: {size: ", ".join(f"{name} {seconds:.2f}" for name, seconds in own.items()) for size, own in each.items()}
        for cell, each in analysis.phases.items()
    }
    return _by_size(analysis, texts)


def floor_table(analysis: FloorAnalysis) -> Table:
    """The settings, with the seconds after an edit."""
    columns: _Columns[SettingSummary] = {
        "setting": lambda each: each.setting,
        "seconds": lambda each: str(each.edit),
        "ratio": lambda each: _text(each.ratio),
        "by hand": lambda each: _text(each.by_hand),
        "times by hand": lambda each: _text(each.over_hand),
        "null build": lambda each: _text(each.null),
    }
    return _of(columns, [each for each in analysis.settings if each.edit])


def floor_parts_table(analysis: FloorAnalysis, by_hand: bool) -> Table:
    """The settings, with the seconds of each phase of the build, or of each step by hand."""
    names = STEPS if by_hand else tuple(PHASES)
    rows = []
    for each in analysis.settings:
        if each.edit:
            values = (each.steps if by_hand else each.phases) or {}
            rows.append([each.setting, *(_text(values.get(name), ".2f") for name in names)])
    return Table(["setting", *names], rows, 1)


def floor_clean_table(analysis: FloorAnalysis) -> Table | None:
    """The settings, with their clean builds; None where there are none."""
    own = [each for each in analysis.settings if each.clean]
    columns: _Columns[SettingSummary] = {
        "setting": lambda each: each.setting,
        "seconds": lambda each: str(each.clean),
        "ratio": lambda each: _text(each.clean_ratio),
        "first": lambda each: f"{each.first_clean_seconds:.2f}",
        "program": lambda each: NOTHING if each.product_bytes is None else f"{each.product_bytes / 2**20:.1f} MiB",
    }
    return _of(columns, own) if own else None


def advice_table(analysis: FloorAnalysis, sources: bool = True) -> Table:
    """Setting × layout, with the files, the seconds and the ratio after each edit and of a clean build, the verdict,
    and the text that recommends the setting."""

    def text(effect: Effect) -> str:
        if effect.seconds is None:
            return "breaks" if effect.broken else NOTHING
        parts = [] if effect.files is None else [f"{effect.files} files" if str(effect.files) != "1" else "1 file"]
        ratio = [] if effect.ratio is None else [f"×{effect.ratio}"]
        return ", ".join([*parts, f"{effect.seconds.value:.2f} s", *ratio])

    rows = [
        [
            *(each.setting, each.layout, each.verdict),
            *([analysis.record.sources.get(each.setting, "")] if sources else []),
            *map(text, each.effects.values()),
        ]
        for each in analysis.advice
    ]
    headings = ["setting", "layout", "verdict", *(["source"] if sources else [])]
    return Table([*headings, *analysis.builds], rows, len(headings))


def check_table(analysis: SimulateAnalysis) -> Table:
    """Each prediction for this machine beside real builds."""
    columns: _Columns[Check] = {
        "layout": lambda each: layout_title(analysis, each.layout),
        "build": lambda each: each.build.name,
        "jobs": lambda each: str(each.jobs),
        "predicted": lambda each: f"{each.predicted:.2f}",
        "measured": lambda each: f"{each.measured:.2f}",
        "error": error_text,
    }
    return _of(columns, analysis.checks, 2)


def prediction_table(analysis: SimulateAnalysis, layout: MeasuredLayout) -> Table:
    """The builds of a layout, with the predicted seconds for each number of cores."""
    rows = [
        [build.name, *(f"{analysis.predict(layout, build, cores).seconds:.2f}" for cores in CORES)]
        for build in layout.builds
    ]
    return Table(["build", *("unlimited" if cores is None else amount(cores, "core") for cores in CORES)], rows, 1)


def bench_table(analysis: BenchAnalysis) -> Table:
    """The operations, with the time of one repetition, and the instructions where they were counted."""
    record = analysis.record
    counted = ["instructions"] if record.instructions else []
    rows = []
    for name, values in record.timings.items():
        texts = (
            [name, duration(statistics.median(values)), duration(min(values))] if values else [name, NOTHING, NOTHING]
        )
        texts += [_text(record.instructions.get(name), ",.0f") for _ in counted]
        rows.append([*texts, "no" if name in record.failed_bars else ""])
    return Table(["operation", "median", "minimum", *counted, "holds"], rows, 1)


def change_table(comparison: Comparison, fail_above: float) -> Table:
    """Each cell of two records, with what has changed."""
    unit = next((change.unit for change in comparison.changes), "")
    files = ["files"] if any(change.files for change in comparison.changes) else []
    columns = [*comparison.headings, f"A: {unit}", f"B: {unit}", "change", "95% interval", *files, "verdict"]
    rows = []
    for change in comparison.changes:
        interval, own = change.interval, [_changed_files(change) for _ in files]
        spread = f"{interval.low - 1:+.1%} to {interval.high - 1:+.1%}" if interval else "too few samples"
        verdict = "slower" if change.is_regression(fail_above) else "faster" if change.is_improvement else ""
        numbers = [f"{change.older:.2f}", f"{change.newer:.2f}", f"{change.ratio - 1:+.1%}"]
        rows.append([*change.name, *numbers, spread, *own, verdict])
    return Table(columns, rows, len(comparison.headings))


def _text(value: object, form: str = "") -> str:
    return NOTHING if value is None else format(value, form)


def error_text(check: Check) -> str:
    interval = check.interval
    return f"{check.error:+.0%}" + (f" ({interval.low:+.0%} to {interval.high:+.0%})" if interval else "")


def layout_title(analysis: SimulateAnalysis, layout: MeasuredLayout) -> str:
    """The name of a layout, with the package where there are several."""
    several = len(analysis.record.options.packages) > 1
    return f"{layout.package} ({layout.files} files) {layout.layout}" if several else layout.layout


def duration(nanoseconds: float) -> str:
    """Three significant digits or more, in the unit that fits."""
    if nanoseconds < 10:
        return f"{nanoseconds:.1f} ns"
    if nanoseconds < 10_000:
        return f"{nanoseconds:,.0f} ns"
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.3g} µs"
    return f"{nanoseconds / 1e6:.2f} ms"


def _of(columns: _Columns[_Item], items: Iterable[_Item], texts: int = 1) -> Table:
    """A row for each item."""
    return Table(list(columns), [[read(item) for read in columns.values()] for item in items], texts)


def _by_layout(rows: Mapping[Row, Mapping[str, _Item | None]], columns: Mapping[str, _Columns[_Item]]) -> Table:
    """Edit × module, with the columns of each layout."""
    names = [
        f"{layout}: {name}" if layout and name else layout or name for layout, own in columns.items() for name in own
    ]
    lines = [
        [
            edit,
            module or "",
            *(
                NOTHING if (item := items[layout]) is None else read(item)
                for layout, own in columns.items()
                for read in own.values()
            ),
        ]
        for (edit, module), items in rows.items()
    ]
    return Table(["edit", "module", *names], lines)


def _by_size(analysis: ScaleAnalysis, texts: Mapping[Cell, Mapping[int, str]]) -> Table:
    sizes = [each.size for each in analysis.sizes]
    rows = [
        [edit, module or "", layout, *(own.get(size, NOTHING) for size in sizes)]
        for edit, module in analysis.rows
        for layout in analysis.record.options.layouts
        if (own := texts.get(Cell(layout, edit, module))) is not None
    ]
    return Table(["edit", "module", "layout", *(f"{size} copies" for size in sizes)], rows, 3)


def _files(cell: CellSummary) -> str:
    return f"{cell.files} {UNSOUND}" if cell.is_unsound else str(cell.files)


def _milliseconds(line: Line) -> str:
    bounds = line.interval and f" ({line.interval.low * 1000:.1f}–{line.interval.high * 1000:.1f})"
    return f"{line.slope * 1000:.1f}{bounds or ''}"


def _changed_files(change: CellChange) -> str:
    if change.files is None:
        return ""
    older, newer = change.files
    return f"{newer:g}" if older == newer else f"{older:g} → {newer:g}"
