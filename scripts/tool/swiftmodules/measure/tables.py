"""The tables of reports: Markdown, with columns that are aligned in a terminal too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from swiftmodules.measure.record import UNSOUND, Variant
from swiftmodules.measure.results import Results, Summary, labels, shown_axes

NOTHING, NOT_MEASURED = "–", "not measured"


@dataclass(frozen=True)
class Table:
    """Texts in rows; the first `texts` columns are aligned left, the others hold numbers."""

    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    texts: int

    @classmethod
    def of(cls, rows: Sequence[Mapping[str, object]], texts: int) -> Table:
        """A table of values by column; a column without any is left out."""
        names = dict.fromkeys(name for row in rows for name in row)
        shown = [name for name in names if any(row.get(name) is not None for row in rows)]
        cells = [[NOTHING if value is None else str(value) for value in map(row.get, shown)] for row in rows]
        return cls(shown, cells, texts)

    def __str__(self) -> str:
        widths = [max(3, *map(len, column)) for column in zip(self.columns, *self.rows, strict=True)]

        def line(cells: Sequence[str]) -> str:
            padded = [
                f"{cell:<{width}}" if number < self.texts else f"{cell:>{width}}"
                for number, (cell, width) in enumerate(zip(cells, widths, strict=True))
            ]
            return f"| {' | '.join(padded)} |"

        rule = ["-" * width if number < self.texts else f"{'-' * (width - 1)}:" for number, width in enumerate(widths)]
        return "\n".join(map(line, (self.columns, rule, *self.rows)))


def main_table(results: Results) -> Table:
    """The files that each edit compiles in each variant, the seconds, and the ratio to the baseline."""
    axes = shown_axes(results.record)
    rows = [{**labels(cell, axes), **_values(results, summary)} for cell, summary in results.summaries.items()]
    return Table.of(rows, len(axes))


def _values(results: Results, summary: Summary) -> dict[str, object]:
    files = f"{summary.files} {UNSOUND}" if summary.is_unsound else summary.files
    values = {"files": files, **_cached([summary])}
    if not results.is_timed:
        return values | {"links": summary.links}
    ratio = f"×{summary.ratio}" if summary.ratio else None
    return values | {"seconds": summary.seconds, f"ratio to {results.baseline}": ratio}


def commits_table(results: Results) -> Table:
    """The costs, in each variant, of the commits that every variant has."""
    rows: list[dict[str, object]] = []
    for variant, own in of_commits(results).items():
        # What a cache lacks is compiled whole, so the files are those by source.
        files = None if results.record.until == "cached" else f"{sum(each.files.most for each in own):g}"
        row = {"layout": variant.name, "files": files, **_cached(own)}
        if results.is_timed:
            row["seconds"] = f"{sum(each.median_seconds for each in own):.1f}"
        rows.append(row)
    return Table.of(rows, texts=1)


def of_commits(results: Results) -> Mapping[Variant, Sequence[Summary]]:
    """The summaries, in each variant that built some, of the commits that all of these have; the baseline first."""
    found: dict[Variant, dict[str, Summary]] = {variant: {} for variant in results.record.variants}
    for cell, summary in results.summaries.items():
        found[cell.variant][cell.edit] = summary
    built = {variant: own for variant, own in found.items() if own}
    common = [each.edit for each in results.record.commits if all(each.edit in own for own in built.values())]
    return {variant: [own[name] for name in common] for variant, own in built.items()}


def _cached(summaries: Sequence[Summary]) -> dict[str, object]:
    """The targets and files that caches rebuild for some edits or commits, and the test targets that must run, of all:
    `2 of 9`; None where that was not recorded."""
    rebuilt = [each.rebuilt for each in summaries if each.rebuilt]
    counts = [each.by_interface for each in rebuilt if each.by_interface is not None]
    tested = [each for each in rebuilt if each.tests is not None]
    interface = sum(counts) if len(counts) == len(summaries) else NOT_MEASURED
    tests = f"{sum(each.tests or 0 for each in tested)} of {sum(each.of_tests or 0 for each in tested)}"
    return {
        "targets": sum(each.targets for each in rebuilt) if rebuilt else None,
        "by source": sum(each.files for each in rebuilt) if rebuilt else None,
        "by interface": interface if counts else None,
        "tests": tests if tested else None,
    }
