"""Says in sentences where the baseline is faster and where it is not; both are results."""

from __future__ import annotations

from collections.abc import Sequence

from buildspeed.inference import Interval
from buildspeed.summary import BASELINE, Ratio, Row
from buildspeed.tables import Rows

# Two layouts whose ratio is nearer to 1 than this are called equal.
_EQUAL_WITHIN = 0.1

_LONGER, _EQUAL, _LESS, _UNDECIDED = (
    f"took longer than `{BASELINE}`",
    f"took as long as `{BASELINE}`, within {_EQUAL_WITHIN:.0%}",
    f"took less than `{BASELINE}`",
    f"could not be told from `{BASELINE}`, nor shown to be equal within {_EQUAL_WITHIN:.0%}",
)


def findings(layouts: Sequence[str], rows: Rows) -> list[str]:
    """A list item for each layout and verdict."""
    lines = []
    for layout in layouts:
        verdicts: dict[str, list[Row]] = {_LONGER: [], _EQUAL: [], _LESS: [], _UNDECIDED: []}
        for row, summaries in rows:
            for name, summary in summaries:
                if name == layout and summary and summary.ratio is not None:
                    verdicts[verdict(summary.ratio)].append(row)
        lines += [f"- `{layout}` {text}: {row_names(found)}." for text, found in verdicts.items() if found]
    return lines


def verdict(ratio: Ratio) -> str:
    """Judges by the whole interval. Where there are too few samples for one, by the median alone, which must then
    be further from 1 than what is called equal."""
    equal = Interval(1 - _EQUAL_WITHIN, 1 + _EQUAL_WITHIN)
    interval = ratio.interval or Interval(ratio.median, ratio.median)
    if interval.low in equal and interval.high in equal:
        return _EQUAL
    if interval.low > 1:
        return _LONGER
    return _LESS if interval.high < 1 else _UNDECIDED


def row_names(rows: Sequence[Row]) -> str:
    """Such as `body Login, app`."""
    return ", ".join(f"{edit} {module}" if module else edit for edit, module in rows)
