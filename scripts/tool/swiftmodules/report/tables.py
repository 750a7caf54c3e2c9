"""The tables of all reports, each made once for Markdown, HTML and the terminal."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from swiftmodules.analysis.cells import CellSummary, RowSummary, RunAnalysis
from swiftmodules.analysis.compare import BenchAnalysis, CellChange, Comparison
from swiftmodules.analysis.floor import PHASES, FloorAnalysis, SettingSummary
from swiftmodules.analysis.growth import Growth, ScaleAnalysis
from swiftmodules.analysis.matrix import REACHED, Law, MatrixAnalysis
from swiftmodules.analysis.simulation import CORES, Check, SimulateAnalysis
from swiftmodules.analysis.stats import Interval, Line, Ratio, with_interval
from swiftmodules.analysis.verdicts import amount
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK
from swiftmodules.records.kinds import MeasuredLayout
from swiftmodules.records.model import BASELINE, UNSOUND, Cell

NOTHING = "–"
STEPS = (COMPILE, EMIT_MODULE, LINK)


@dataclass(frozen=True)
class Table:
    """Texts in rows; the first `texts` columns are aligned left, the others hold numbers. A column such as `fused:
    files` belongs to a group of columns."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int = 2

    def __str__(self) -> str:
        """As Markdown."""
        alignment = ["---"] * self.texts + ["---:"] * (len(self.columns) - self.texts)
        return "\n".join(f"| {' | '.join(row)} |" for row in (self.columns, alignment, *self.rows))

    def rich(self, caption: str | None = None, title: str | None = None) -> RichTable:
        """For the terminal, with the name of a group above its first column only."""
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


def run_table(analysis: RunAnalysis, p_values: bool = True) -> Table:
    """Edit × module, with files, seconds, ratio and p-value for each layout."""
    with_p = p_values and analysis.has_intervals
    names = {
        layout: ["files", "seconds", *([] if layout == BASELINE else ["ratio", "p"] if with_p else ["ratio"])]
        for layout in analysis.record.options.layouts
    }

    def texts(layout: str, cell: CellSummary | None) -> list[str]:
        if cell is None:
            return [NOTHING] * len(names[layout])
        spread = cell.seconds.interval if analysis.has_intervals else Interval(cell.fastest, cell.slowest)
        all_texts = [
            _files(cell),
            with_interval(cell.seconds.value, spread),
            ratio_text(cell.ratio),
            p_text(cell.ratio),
        ]
        return all_texts[: len(names[layout])]

    return _by_layout(analysis.rows, names, texts)


def compact_table(analysis: RunAnalysis, rows: Sequence[RowSummary]) -> Table:
    """One column for each layout."""
    columns = ["edit", "module", *analysis.record.options.layouts]
    return Table(columns, [[row.edit, row.module or "", *map(_compact, row.cells.values())] for row in rows])


def resource_table(analysis: RunAnalysis) -> Table:
    """CPU time for each layout, and the memory and the noisy samples where they were recorded."""
    present = [cell for row in analysis.rows for cell in row.present]
    readers: dict[str, Callable[[CellSummary], str]] = {"CPU s": lambda cell: f"{cell.cpu_seconds:.2f}"}
    if any(cell.memory_bytes is not None for cell in present):
        readers["MiB"] = lambda cell: NOTHING if cell.memory_bytes is None else f"{cell.memory_bytes / 2**20:.0f}"
    if any(cell.noisy is not None for cell in present):
        readers["noisy"] = lambda cell: NOTHING if cell.noisy is None else str(cell.noisy)
    return _by_layout(
        analysis.rows,
        {layout: list(readers) for layout in analysis.record.options.layouts},
        lambda _, cell: [NOTHING if cell is None else read(cell) for read in readers.values()],
    )


def control_table(analysis: RunAnalysis) -> Table:
    """The ratio of a layout to itself, for each edit and module."""
    rows = analysis.control.rows if analysis.control else {}
    texts = [[edit, module or "", ratio_text(ratio), p_text(ratio)] for (edit, module), ratio in rows.items()]
    return Table(["edit", "module", "ratio", "p"], texts)


def matrix_table(analysis: MatrixAnalysis) -> Table:
    """Edit × module, with the smallest set, and files, ratio and links for each layout."""
    layouts = analysis.record.options.layouts
    columns = ["edit", "module", "smallest"]
    columns += [f"{layout}: {column}" for layout in layouts for column in ("files", "ratio", "links")]
    rows = []
    for (edit, module), cells in analysis.rows.items():
        sizes = sorted({len(cell.smallest) for cell in cells if cell})
        texts = [edit, module or "", " or ".join(map(str, sizes))]
        for cell in cells:
            if cell is None:
                texts += [NOTHING] * 3
            else:
                ratio = NOTHING if cell.ratio is None else f"{cell.ratio:.1f}"
                texts += [f"{len(cell.compiled)}{' !' if cell.stale else ''}", ratio, str(len(cell.linked))]
        rows.append(texts)
    return Table(columns, rows)


def verdict_table(analysis: MatrixAnalysis) -> Table:
    """Edit × module, with the soundness of each layout."""
    verification, layouts = analysis.record.verification, analysis.record.options.layouts
    verdicts = {each.cell: each.result for each in verification.verdicts} if verification else {}
    rows = dict.fromkeys((cell.edit, cell.module) for cell in verdicts)
    texts = [
        [str(edit), module or "", *(verdicts.get(Cell(layout, edit, module), NOTHING) for layout in layouts)]
        for edit, module in rows
    ]
    return Table(["edit", "module", *layouts], texts, 2 + len(layouts))


def law_table(laws: Sequence[Law]) -> Table:
    """A line for each edit of a matrix: what it does in all modules together."""
    others = [layout for layout in (laws[0].files if laws else ()) if layout != BASELINE]
    columns = ["edit", "modules", "smallest", f"`{BASELINE}`", "ratio", *REACHED, *(f"`{each}`" for each in others)]
    rows = [
        [
            f"`{law.edit}`",
            "" if law.modules is None else str(law.modules),
            _range(law.smallest),
            _range(law.files[BASELINE]),
            _range(law.ratios, ".1f"),
            *(str(count or "") for count in law.reached),
            *(_range(law.files[layout]) for layout in others),
        ]
        for law in laws
    ]
    return Table(columns, rows, 1)


def slope_table(analysis: ScaleAnalysis, shape: str, explained: bool = False) -> Table:
    """Edit × module, with the slopes of files and seconds in each layout."""
    names = ["files", "ms", "R²"] if explained else ["files", "ms"]
    layouts, found = analysis.record.options.layouts, analysis.growths[shape]
    rows = [
        [
            edit,
            module or "",
            *(text for layout in layouts for text in _slopes(found.get(Cell(layout, edit, module)))[: len(names)]),
        ]
        for edit, module in analysis.rows
    ]
    return Table(["edit", "module", *(f"{layout}: {name}" for layout in layouts for name in names)], rows)


def scale_ratio_table(analysis: ScaleAnalysis, shape: str) -> Table | None:
    """Edit × module × layout, with the ratio to the baseline at each size; None where that was not measured."""
    texts = {
        cell: {size: f"×{ratio}" for size, ratio in ratios.items()}
        for cell, ratios in analysis.comparisons[shape].items()
    }
    return _by_size(analysis, shape, texts) if texts else None


def scale_size_table(analysis: ScaleAnalysis, shape: str) -> Table:
    """Edit × module × layout, with the medians at each size."""
    texts = {
        cell: {point.size: f"{point.files:g}, {point.seconds:.2f} s" for point in growth.points}
        for cell, growth in analysis.growths[shape].items()
    }
    return _by_size(analysis, shape, texts)


def scale_clean_table(analysis: ScaleAnalysis, shape: str) -> Table:
    """Layout × size, with the clean builds."""
    sizes = analysis.sizes(shape)
    rows = []
    for layout in analysis.record.options.layouts:
        builds = [measured.clean_builds.get(layout) for measured in sizes]
        texts = [f"{each.files}, {each.targets}, {each.seconds:.1f} s" if each else NOTHING for each in builds]
        rows.append([layout, *texts])
    return Table(["layout", *(f"{each.size} copies" for each in sizes)], rows, 1)


def floor_table(analysis: FloorAnalysis) -> Table:
    """The settings, with the seconds after an edit."""
    columns: dict[str, Callable[[SettingSummary], str]] = {
        "seconds": lambda each: str(each.edit),
        "ratio": lambda each: ratio_text(each.ratio),
        "p": lambda each: p_text(each.ratio),
        "by hand": lambda each: str(each.by_hand or NOTHING),
        "times by hand": lambda each: ratio_text(each.over_hand),
        "null build": lambda each: str(each.null or NOTHING),
    }
    return _by_setting([each for each in analysis.settings if each.edit], columns)


def floor_parts_table(analysis: FloorAnalysis, by_hand: bool) -> Table:
    """The settings, with the seconds of each phase of the build, or of each step by hand."""
    own = [each for each in analysis.settings if each.edit]
    names = STEPS if by_hand else tuple(PHASES)
    rows = []
    for each in own:
        values = (each.steps if by_hand else each.phases) or {}
        rows.append([each.setting, *(f"{values[name]:.2f}" if name in values else NOTHING for name in names)])
    return Table(["setting", *names], rows, 1)


def floor_clean_table(analysis: FloorAnalysis) -> Table | None:
    """The settings, with their clean builds; None where there are none."""
    own = [each for each in analysis.settings if each.clean]
    columns: dict[str, Callable[[SettingSummary], str]] = {
        "seconds": lambda each: str(each.clean),
        "ratio": lambda each: ratio_text(each.clean_ratio),
        "first": lambda each: f"{each.first_clean_seconds:.2f}",
        "program": lambda each: NOTHING if each.product_bytes is None else f"{each.product_bytes / 2**20:.1f} MiB",
    }
    return _by_setting(own, columns) if own else None


def check_table(analysis: SimulateAnalysis) -> Table:
    """Each prediction for this machine beside real builds."""
    rows = [
        [
            layout_title(analysis, check.layout),
            check.build.name,
            str(check.jobs),
            f"{check.predicted:.2f}",
            f"{check.measured:.2f}",
            error_text(check),
        ]
        for check in analysis.checks
    ]
    return Table(["layout", "build", "jobs", "predicted", "measured", "error"], rows)


def prediction_table(analysis: SimulateAnalysis, layout: int) -> Table:
    """The builds of a layout, with the predicted seconds for each number of cores."""
    builds = analysis.record.layouts[layout].builds
    rows = [
        [build.name, *(f"{analysis.predict(layout, number, cores).seconds:.2f}" for cores in CORES)]
        for number, build in enumerate(builds)
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
        texts += [f"{record.instructions[name]:,.0f}" if name in record.instructions else NOTHING for _ in counted]
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
        spread = f"{percent(interval.low)} to {percent(interval.high)}" if interval else "too few samples"
        verdict = "slower" if change.is_regression(fail_above) else "faster" if change.is_improvement else ""
        numbers = [f"{change.older:.2f}", f"{change.newer:.2f}", percent(change.ratio)]
        rows.append([*change.name, *numbers, spread, *own, verdict])
    return Table(columns, rows, len(comparison.headings))


def ratio_text(ratio: Ratio | None) -> str:
    return NOTHING if ratio is None else str(ratio)


def p_text(ratio: Ratio | None) -> str:
    if ratio is None or ratio.p_value is None:
        return NOTHING
    return "< 0.001" if ratio.p_value < 0.001 else f"{ratio.p_value:.3f}"


def percent(ratio: float) -> str:
    return f"{ratio - 1:+.1%}"


def error_text(check: Check) -> str:
    interval = check.interval
    return f"{check.error:+.0%}" + (f" ({interval.low:+.0%} to {interval.high:+.0%})" if interval else "")


def layout_title(analysis: SimulateAnalysis, layout: MeasuredLayout) -> str:
    """With the package where there are several."""
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


def _by_layout(
    rows: Sequence[RowSummary],
    names: Mapping[str, Sequence[str]],
    texts: Callable[[str, CellSummary | None], Sequence[str]],
) -> Table:
    columns = ["edit", "module", *(f"{layout}: {name}" for layout, own in names.items() for name in own)]
    lines = [
        [row.edit, row.module or "", *(text for layout, cell in row.cells.items() for text in texts(layout, cell))]
        for row in rows
    ]
    return Table(columns, lines)


def _by_setting(summaries: Sequence[SettingSummary], columns: Mapping[str, Callable[[SettingSummary], str]]) -> Table:
    rows = [[each.setting, *(read(each) for read in columns.values())] for each in summaries]
    return Table(["setting", *columns], rows, 1)


def _by_size(analysis: ScaleAnalysis, shape: str, texts: Mapping[Cell, Mapping[int, str]]) -> Table:
    sizes = [each.size for each in analysis.sizes(shape)]
    rows = [
        [edit, module or "", layout, *(own.get(size, NOTHING) for size in sizes)]
        for edit, module in analysis.rows
        for layout in analysis.record.options.layouts
        if (own := texts.get(Cell(layout, edit, module))) is not None
    ]
    return Table(["edit", "module", "layout", *(f"{size} copies" for size in sizes)], rows, 3)


def _files(cell: CellSummary) -> str:
    mark = f" {UNSOUND}" if cell.is_unsound else ""
    if cell.fewest_files == cell.most_files:
        return f"{cell.fewest_files}{mark}"
    return f"{cell.median_files:g} ({cell.fewest_files}–{cell.most_files}){mark}"


def _compact(cell: CellSummary | None) -> str:
    if cell is None:
        return NOTHING
    ratio = "" if cell.ratio is None else f", ×{cell.ratio.median:.2f}"
    return f"{_files(cell)}, {cell.seconds.value:.2f} s{ratio}"


def _slopes(growth: Growth | None) -> list[str]:
    if growth is None or growth.files is None or growth.seconds is None:
        return [NOTHING] * 3
    explained = growth.seconds.explained
    return [
        f"{growth.files.slope:.2f}",
        _milliseconds(growth.seconds),
        NOTHING if explained is None else f"{explained:.2f}",
    ]


def _milliseconds(line: Line) -> str:
    bounds = line.interval and f" ({line.interval.low * 1000:.1f}–{line.interval.high * 1000:.1f})"
    return f"{line.slope * 1000:.1f}{bounds or ''}"


def _range(values: Sequence[float], form: str = "") -> str:
    if not values:
        return NOTHING
    low, high = format(min(values), form), format(max(values), form)
    return low if low == high else f"{low}–{high}"


def _changed_files(change: CellChange) -> str:
    if change.files is None:
        return ""
    older, newer = change.files
    return f"{newer:g}" if older == newer else f"{older:g} → {newer:g}"
