"""The tables of the report: edit × module, with columns for each layout."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from buildspeed.inference import Interval
from buildspeed.soundness import UNSOUND
from buildspeed.summary import BASELINE, CellSummary, Ratio, Row

Rows = Sequence[tuple[Row, Sequence[tuple[str, CellSummary | None]]]]

_NOTHING = "–"


def has_intervals(rows: Rows) -> bool:
    """Whether every cell with samples has enough of them for an interval."""
    return all(each.seconds_interval is not None for _, row in rows for _, each in row if each)


def terminal_table(layouts: Sequence[str], rows: Rows, caption: str) -> Table:
    """Files, seconds and ratio for each layout."""
    table = Table(caption=caption, caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("edit")
    table.add_column("module")
    for layout in layouts:
        table.add_column(f"{layout}\nfiles", justify="right")
        table.add_column("\nseconds", justify="right")
        if layout != BASELINE:
            table.add_column("\nratio", justify="right")
    intervals = has_intervals(rows)
    for (edit, module), summaries in rows:
        values = [text for layout, summary in summaries for text in _main_texts(layout, summary, intervals)]
        table.add_row(edit, module or "", *values)
    return table


def markdown_table(layouts: Sequence[str], rows: Rows) -> str:
    """Files, seconds, ratio and p-value for each layout."""
    intervals = has_intervals(rows)
    header, alignment = ["edit", "module"], ["---", "---"]
    for layout in layouts:
        compared = [] if layout == BASELINE else ["ratio", *(["p"] if intervals else [])]
        columns = ["files", "seconds", *compared]
        header += [f"{layout}: {column}" for column in columns]
        alignment += ["---:"] * len(columns)
    lines = [header, alignment]
    for (edit, module), summaries in rows:
        texts = [edit, module or ""]
        for layout, summary in summaries:
            texts += _main_texts(layout, summary, intervals)
            if layout != BASELINE and intervals:
                texts.append(_p_value(summary.ratio if summary else None))
        lines.append(texts)
    return markdown_lines(lines)


def compact_table(layouts: Sequence[str], rows: Rows) -> str:
    """One column for each layout."""
    lines = [["edit", "module", *layouts], ["---", "---", *["---:"] * len(layouts)]]
    for (edit, module), summaries in rows:
        lines.append([edit, module or "", *[_compact_cell(summary) for _, summary in summaries]])
    return markdown_lines(lines)


def resource_table(layouts: Sequence[str], rows: Rows) -> str:
    """CPU time for each layout, and the memory and the noisy samples where they were recorded."""
    present = [summary for _, row in rows for _, summary in row if summary]
    columns = ["CPU s"]
    columns += ["MiB"] if any(each.memory_bytes is not None for each in present) else []
    columns += ["noisy"] if any(each.noisy is not None for each in present) else []
    names = [f"{layout}: {column}" for layout in layouts for column in columns]
    lines = [["edit", "module", *names], ["---", "---", *["---:"] * len(names)]]
    for (edit, module), summaries in rows:
        texts = [_resource_texts(summary) for _, summary in summaries]
        lines.append([edit, module or "", *[each[column] for each in texts for column in columns]])
    return markdown_lines(lines)


def control_table(rows: dict[Row, Ratio]) -> str:
    """The ratio of a layout to itself, for each edit and module."""
    lines = [["edit", "module", "ratio", "p"], ["---", "---", "---:", "---:"]]
    for (edit, module), ratio in rows.items():
        lines.append([edit, module or "", ratio_text(ratio), _p_value(ratio)])
    return markdown_lines(lines)


def markdown_lines(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def ratio_text(ratio: Ratio) -> str:
    """The median, with its interval where there is one, such as `1.05 (1.0004–1.11)`: a bound has as many digits as
    tell on which side of 1 it lies."""
    bounds = "" if ratio.interval is None else f" ({_bound(ratio.interval.low)}–{_bound(ratio.interval.high)})"
    return f"{ratio.median:.2f}{bounds}"


def _bound(value: float) -> str:
    texts = (f"{value:.{digits}f}" for digits in range(2, 7))
    return next((text for text in texts if float(text) != 1), "1.00")


def with_interval(value: float, interval: Interval | None) -> str:
    """Such as `1.20 (1.10–1.31)`."""
    return f"{value:.2f}" if interval is None else f"{value:.2f} ({interval.low:.2f}–{interval.high:.2f})"


def _main_texts(layout: str, summary: CellSummary | None, intervals: bool) -> list[str]:
    if summary is None:
        return [_NOTHING] * (2 if layout == BASELINE else 3)
    shown = summary.seconds_interval if intervals else Interval(summary.fastest, summary.slowest)
    texts = [_files(summary), with_interval(summary.median_seconds, shown)]
    return texts if layout == BASELINE else [*texts, ratio_text(summary.ratio) if summary.ratio else _NOTHING]


def _compact_cell(summary: CellSummary | None) -> str:
    if summary is None:
        return _NOTHING
    ratio = "" if summary.ratio is None else f", ×{summary.ratio.median:.2f}"
    return f"{_files(summary)}, {summary.median_seconds:.2f} s{ratio}"


def _resource_texts(summary: CellSummary | None) -> dict[str, str]:
    if summary is None:
        return dict.fromkeys(("CPU s", "MiB", "noisy"), _NOTHING)
    return {
        "CPU s": f"{summary.median_cpu_seconds:.2f}",
        "MiB": _NOTHING if summary.memory_bytes is None else f"{summary.memory_bytes / 2**20:.0f}",
        "noisy": _NOTHING if summary.noisy is None else str(summary.noisy),
    }


def _p_value(ratio: Ratio | None) -> str:
    if ratio is None or ratio.p_value is None:
        return _NOTHING
    return "< 0.001" if ratio.p_value < 0.001 else f"{ratio.p_value:.3f}"


def _files(summary: CellSummary) -> str:
    mark = f" {UNSOUND}" if summary.is_unsound else ""
    if summary.fewest_files == summary.most_files:
        return f"{summary.fewest_files}{mark}"
    return f"{summary.median_files:g} ({summary.fewest_files}–{summary.most_files}){mark}"
