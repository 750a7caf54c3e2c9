"""Says in sentences where the baseline is faster and where it is not; both are results."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from buildspeed.inference import Interval
from buildspeed.summary import BASELINE, Ratio, Row
from buildspeed.tables import Rows

# Two layouts whose ratio is nearer to 1 than this are called equal.
EQUAL_WITHIN = 0.1


class Verdict(Enum):
    """How a layout compares with the baseline, in words that follow the name of the layout."""

    LONGER = f"took longer than `{BASELINE}`"
    EQUAL = f"took as long as `{BASELINE}`, within {EQUAL_WITHIN:.0%}"
    LESS = f"took less than `{BASELINE}`"
    UNDECIDED = f"could not be told from `{BASELINE}`, nor shown to be equal within {EQUAL_WITHIN:.0%}"


def findings(layouts: Sequence[str], rows: Rows) -> list[str]:
    """A list item for each layout and verdict."""
    return [
        f"- `{layout}` {verdict.value}: {row_names([row for row, _ in found])}."
        for layout in layouts
        for verdict, found in verdicts(layout, rows).items()
        if found
    ]


def verdicts(layout: str, rows: Rows) -> dict[Verdict, list[tuple[Row, Ratio]]]:
    """The edits for which each verdict holds of a layout."""
    found: dict[Verdict, list[tuple[Row, Ratio]]] = {verdict: [] for verdict in Verdict}
    for row, summaries in rows:
        for name, summary in summaries:
            if name == layout and summary and summary.ratio is not None:
                found[verdict_of(summary.ratio)].append((row, summary.ratio))
    return found


def verdict_of(ratio: Ratio) -> Verdict:
    """Judges by the whole interval. Where there are too few samples for one, by the median alone, which must then
    be further from 1 than what is called equal."""
    equal = Interval(1 - EQUAL_WITHIN, 1 + EQUAL_WITHIN)
    interval = ratio.interval or Interval(ratio.median, ratio.median)
    if interval.low in equal and interval.high in equal:
        return Verdict.EQUAL
    if interval.low > 1:
        return Verdict.LONGER
    return Verdict.LESS if interval.high < 1 else Verdict.UNDECIDED


def row_names(rows: Sequence[Row]) -> str:
    """Such as `body Login, app`."""
    return ", ".join(f"{edit} {module}" if module else edit for edit, module in rows)
