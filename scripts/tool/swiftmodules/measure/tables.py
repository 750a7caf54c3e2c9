"""The tables of reports, each made once for Markdown and the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from statistics import median, quantiles
from typing import TypeAlias

from rich.box import SIMPLE_HEAD
from rich.table import Table as RichTable

from swiftmodules.measure.record import UNSOUND, Cell, Record, Variant
from swiftmodules.measure.results import Axis, Results, Summary, shown_axes
from swiftmodules.observed import COMMIT_KINDS

NOTHING, NOT_MEASURED = "–", "not measured"
# An axis with more values than this has rows in place of columns.
_MOST_GROUPS = 5
# By heading, the text of what was found in a cell, or None.
_Texts: TypeAlias = Mapping[str, str | None]
# By variant and commit.
_Summaries: TypeAlias = Mapping[Variant, Mapping[str, Summary]]


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

    def rich(self) -> RichTable:
        """The table for the terminal, with the name of a group above its first column only."""
        table = RichTable(pad_edge=False, box=SIMPLE_HEAD)
        group = ""
        for number, column in enumerate(self.columns):
            above, _, name = column.rpartition(": ")
            heading = column if not above else f"{'' if above == group else above}\n{name}"
            group = above
            table.add_column(heading, justify="left" if number < self.texts else "right", overflow="fold")
        for row in self.rows:
            table.add_row(*row)
        return table


def main_table(results: Results) -> Table:
    """What each edit compiles, how long it takes, and the ratios to the baselines."""

    def texts(cell: Cell) -> _Texts:
        summary = results.summaries[cell]
        found = {
            "files": f"{summary.files} {UNSOUND}" if summary.is_unsound else _text(summary.files),
            "unchanged": _text(summary.unchanged),
            "targets": _text(summary.rebuilt.targets) if summary.rebuilt else None,
            "by source": _text(summary.rebuilt.files) if summary.rebuilt else None,
            "by interface": _text(by_interface(summary)),
            "tests": _tests([summary]),
        }
        if not results.is_timed:
            return found | {"links": _text(summary.links)}
        baselines = [(axis, axis.label(axis.baseline_of(results.record))) for axis in results.axes]
        ratios = {f"ratio to {baseline}": _ratio(summary, axis) for axis, baseline in baselines}
        return found | {"seconds": _text(summary.seconds)} | ratios

    return _pivoted(results, results.summaries, texts)


def verdict_table(results: Results) -> Table:
    """The soundness of each verified cell."""
    verification = results.record.verification
    verdicts = {each.cell: each for each in verification.verdicts} if verification else {}
    return _pivoted(results, verdicts, lambda cell: {"": verdicts[cell].result})


def pivot_of(results: Results) -> Axis | None:
    """The axis whose values stand side by side: the first on which values are compared, and not too many."""
    return next((axis for axis in results.axes if len(axis.values(results.record)) <= _MOST_GROUPS), None)


def _ratio(summary: Summary, axis: Axis) -> str | None:
    ratio = summary.ratios.get(axis.name)
    return f"×{ratio}" if ratio else None


def _text(value: object) -> str | None:
    return None if value is None else str(value)


def _pivoted(results: Results, cells: Iterable[Cell], texts: Callable[[Cell], _Texts]) -> Table:
    """A row for each place on all axes but one, whose values have groups of columns. Axes without several values, and
    columns without a text, are left out."""
    record, pivot = results.record, pivot_of(results)
    axes = [axis for axis in shown_axes(record) if axis != pivot]
    rows: dict[tuple[str, ...], dict[str, str]] = {tuple(_labels(axes, cell)): {} for cell in cells}
    # A column has its place even where the first cells have no text for it.
    columns: dict[str, bool] = {}
    for cell in sorted(cells, key=lambda cell: pivot.values(record).index(getattr(cell, pivot.name)) if pivot else 0):
        for name, text in texts(cell).items():
            column = ": ".join(filter(None, [pivot.of(cell) if pivot else "", name]))
            columns[column] = columns.get(column, False) or text is not None
            if text is not None:
                rows[tuple(_labels(axes, cell))][column] = text
    shown = [column for column, has_text in columns.items() if has_text]
    lines = [[*row, *(own.get(column, NOTHING) for column in shown)] for row, own in rows.items() if own]
    return Table([*(axis.name for axis in axes), *shown], lines, len(axes))


def _labels(axes: Sequence[Axis], cell: Cell) -> list[str]:
    return [axis.of(cell) for axis in axes]


def waiting_table(results: Results) -> Table:
    """The files, what caches of targets rebuild, the tests and the seconds of all commits that a variant and the
    baseline have, with the ratio of the sums; and the distribution of a variant's own commits."""
    summaries = of_commits(results)
    is_cached = any(each.rebuilt for each in results.summaries.values())
    baseline, rows = next(iter(summaries), Variant()), []
    for variant, own in summaries.items():
        # The first layout with the same setting.
        against = next(each for other, each in summaries.items() if other.setting == variant.setting)
        common = [name for name in own if name in against]
        files, seconds = (
            [sum(cost(each[name]) for name in common) for each in (own, against)] for cost in (files_of, seconds_of)
        )
        is_compared = own is not against
        row = [variant.name, str(len(common)), f"{files[0]:g}", f"{files[1]:g}" if is_compared else NOTHING]
        if is_cached:
            rebuilt = [each.rebuilt for name in common if (each := own[name]).rebuilt]
            row += [str(sum(each.targets for each in rebuilt)), str(sum(each.files for each in rebuilt))]
            counts = [count for name in common if (count := by_interface(own[name])) is not None]
            row.append(str(sum(counts)) if len(counts) == len(common) else NOT_MEASURED)
            row.append(_tests(own[name] for name in common) or NOTHING)
        if results.is_timed:
            # Without an interval: none was found that holds for other commits.
            ratio = f"{seconds[0] / seconds[1]:.2f}" if is_compared and seconds[1] else NOTHING
            spread = _distribution(map(seconds_of, own.values()))
            row += [f"{seconds[0]:.0f}", ratio, *(f"{each:.1f}" for each in spread)]
        rows.append(row)
    columns = ["layout", "commits", "files", f"files in `{baseline.layout}`"]
    columns += ["targets", "by source", "by interface", "tests"] if is_cached else []
    timed = ["seconds", f"ratio to `{baseline.layout}`", "median", "p90", "worst"]
    return Table([*columns, *(timed if results.is_timed else [])], rows, texts=1)


def kinds_table(results: Results) -> Table:
    """The commits of each kind, with their files and seconds in each variant."""
    count, rows = len(results.record.commits), []
    for words, own in kinds_of(results.record).items():
        rows.append([words, str(len(own)), f"{len(own) / count:.0%}", *_totals(results, own)])
    return Table(["kind", "commits", "share", *_total_columns(results)], rows, texts=1)


def kinds_of(record: Record) -> dict[str, list[str]]:
    """The commits of each kind that there are, by the words for it."""
    found = (
        (words, [each.edit for each in record.commits if each.kind == kind]) for kind, words in COMMIT_KINDS.items()
    )
    return {words: commits for words, commits in found if commits}


def of_commits(results: Results) -> _Summaries:
    """The summary of each commit in each variant that built it, the baseline first."""
    found: dict[Variant, dict[str, Summary]] = {}
    values = results.record.values
    for setting, layout in product(values("setting"), values("layout")):
        variant = Variant(layout=layout, setting=setting)
        if own := {cell.edit: each for cell, each in results.summaries.items() if cell.variant == variant}:
            found[variant] = own
    return found


def seconds_of(summary: Summary) -> float:
    return summary.seconds.median if summary.seconds else 0.0


def by_interface(summary: Summary) -> int | None:
    """The files that a cache by interface rebuilds; None where no build has shown them."""
    return summary.rebuilt.by_interface if summary.rebuilt else None


def files_of(summary: Summary) -> float:
    return summary.files.most if summary.files else 0


def _tests(summaries: Iterable[Summary]) -> str | None:
    """The test targets that must run, of all: `2 of 9`."""
    known = [each.rebuilt for each in summaries if each.rebuilt and each.rebuilt.tests is not None]
    if not known:
        return None
    return f"{sum(each.tests or 0 for each in known)} of {sum(each.of_tests or 0 for each in known)}"


def _distribution(seconds: Iterable[float]) -> list[float]:
    """The median, the 90th percentile and the largest."""
    found = sorted(seconds)
    if len(found) < 2:
        return [*found] * 3
    return [median(found), quantiles(found, n=10, method="inclusive")[-1], found[-1]]


def _totals(results: Results, commits: Sequence[str]) -> list[str]:
    """The files and, where they were taken, the seconds of some commits in each variant."""
    texts = []
    for summaries in of_commits(results).values():
        own = [summaries[name] for name in commits if name in summaries]
        texts.append(f"{sum(map(files_of, own)):.0f}" if own else NOTHING)
        if results.is_timed:
            texts.append(f"{sum(map(seconds_of, own)):.1f}" if own else NOTHING)
    return texts


def _total_columns(results: Results) -> list[str]:
    units = ["files", "seconds"] if results.is_timed else ["files"]
    return [f"{variant.name}: {unit}" for variant in of_commits(results) for unit in units]
