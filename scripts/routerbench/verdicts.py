"""Whether the bars hold."""

from __future__ import annotations

from dataclasses import dataclass

from routerbench.bars import BARS, GROWTH_BARS, GrowthBar
from routerbench.record import Record


@dataclass(frozen=True)
class Verdict:
    """A bar, what was measured against it, and whether it holds: None where the operation was not timed.

    The value is a median in nanoseconds, or the ratio of two minima, which noise moves least.
    """

    name: str
    value: float | None
    limit: float

    @property
    def holds(self) -> bool | None:
        return None if self.value is None else self.value <= self.limit


def verdicts(record: Record) -> dict[str, Verdict]:
    """A verdict for each bar, by the bar's name."""
    times = [
        Verdict(name, record.timings[name].median if name in record.timings else None, bar.nanoseconds)
        for name, bar in BARS.items()
    ]
    growths = [Verdict(bar.name, _growth(record, bar), bar.ratio) for bar in GROWTH_BARS]
    return {verdict.name: verdict for verdict in times + growths}


def failed(record: Record) -> tuple[str, ...]:
    """The names of the bars that were measured and do not hold."""
    return tuple(name for name, verdict in verdicts(record).items() if verdict.holds is False)


def _growth(record: Record, bar: GrowthBar) -> float | None:
    few, many = record.timings.get(bar.few), record.timings.get(bar.many)
    return many.minimum / few.minimum if few and many else None
