"""Tells the result as a table, for the terminal and for documents."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from routerbench.bars import BARS, GROWTH_BARS, in_order
from routerbench.record import Record
from routerbench.verdicts import Verdict, verdicts

_MISSING = "–"


def terminal_table(record: Record) -> Table:
    """An operation in each row, those with bars first."""
    table = Table(caption=_caption(record), caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("operation", no_wrap=True)
    for heading in ("median", "minimum", "instructions") if record.instructions else ("median", "minimum"):
        table.add_column(heading, justify="right")
    table.add_column("bar", justify="right")
    table.add_column("holds")
    table.add_column("best peer")
    decided = verdicts(record)
    for name in in_order([*BARS, *record.timings]):
        table.add_row(*_time_row(record, name, decided.get(name)))
    table.add_section()
    for bar in GROWTH_BARS:
        verdict = decided[bar.name]
        value = _MISSING if verdict.value is None else f"×{verdict.value:.2f}"
        counted = _counted_growth(record, bar.few, bar.many) if record.instructions else []
        table.add_row(bar.name, _MISSING, value, *counted, f"≤ ×{bar.ratio}", _word(verdict), "")
    return table


def markdown_table(record: Record) -> str:
    """The operations with bars in Markdown, with how to repeat them."""
    decided = verdicts(record)
    lines = ["| operation | median | bar | holds | best peer |", "| --- | ---: | ---: | --- | ---: |"]
    for name, bar in BARS.items():
        timing = record.timings.get(name)
        median = duration(timing.median) if timing else _MISSING
        lines.append(
            f"| {name} | {median} | {duration(bar.nanoseconds)} | {_word(decided[name]).lower()} | {bar.peer or ''} |"
        )
    for growth in GROWTH_BARS:
        verdict = decided[growth.name]
        value = _MISSING if verdict.value is None else f"×{verdict.value:.2f}"
        lines.append(f"| {growth.name} | {value} | ×{growth.ratio} | {_word(verdict).lower()} | |")
    return "\n".join([*lines, "", f"{_caption(record)} `{record.command}` repeats it."])


def duration(nanoseconds: float) -> str:
    """Three significant digits or more, in the unit that the bars use."""
    if nanoseconds < 10:
        return f"{nanoseconds:.1f} ns"
    if nanoseconds < 10_000:
        return f"{nanoseconds:,.0f} ns"
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.3g} µs"
    return f"{nanoseconds / 1e6:.2f} ms"


def _time_row(record: Record, name: str, verdict: Verdict | None) -> list[str]:
    timing, bar = record.timings.get(name), BARS.get(name)
    row = [name, *([duration(timing.median), duration(timing.minimum)] if timing else [_MISSING] * 2)]
    if record.instructions:
        count = record.instructions.get(name)
        row.append(_MISSING if count is None else f"{count:,.0f}")
    row += [f"≤ {duration(bar.nanoseconds)}" if bar else "", _word(verdict) if verdict else ""]
    return [*row, (bar.peer or "") if bar else ""]


def _counted_growth(record: Record, few: str, many: str) -> list[str]:
    counts = record.instructions
    return [f"×{counts[many] / counts[few]:.2f}" if few in counts and many in counts else _MISSING]


def _word(verdict: Verdict) -> str:
    return {True: "yes", False: "NO", None: "not timed"}[verdict.holds]


def _caption(record: Record) -> str:
    counts = sorted({len(timing.samples) for timing in record.timings.values()})
    batches = " to ".join(map(str, sorted({counts[0], counts[-1]}))) if counts else "no"
    return (
        f"Time for one repetition: median and minimum of {batches} batches. Bars hold medians, and in the last rows "
        f"ratios of minima. {record.machine.summary}; {record.toolchain}."
    )
