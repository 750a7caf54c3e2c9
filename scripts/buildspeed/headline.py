"""The result in a few sentences, calculated from the record; they are honest also where interfaces lose."""

from __future__ import annotations

from collections.abc import Sequence

from buildspeed.control import control_verdict
from buildspeed.findings import EQUAL_WITHIN, Verdict, row_names, verdicts
from buildspeed.inference import LEAST_SAMPLES
from buildspeed.record import Record
from buildspeed.summary import BASELINE, Ratio, Row, summary_rows
from buildspeed.tables import Rows, ratio_text

_Found = tuple[Row, Ratio]


def headline(record: Record) -> list[str]:
    """A sentence or two for each layout that is compared, and what they rest on. What a reader must know before
    any of them is in `report.warnings`."""
    rows = summary_rows(record)
    compared = [sentence for layout in record.options.layouts if (sentence := _comparison(layout, rows))]
    if not compared:
        return [f"Nothing was compared with `{BASELINE}` in this run."]
    return [*compared, *_grounds(record, rows)]


def _comparison(layout: str, rows: Rows) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    found = verdicts(layout, rows)
    count = sum(map(len, found.values()))
    if not count:
        return None
    longer = sorted(found[Verdict.LONGER], key=lambda each: -each[1].median)
    less = sorted(found[Verdict.LESS], key=lambda each: each[1].median)
    parts = [f"faster after {_number(longer)} of {'1 edit' if count == 1 else f'{count} edits'}{_most(layout, longer)}"]
    parts.append(f"slower after {_number(less)}{_most(layout, less)}")
    if found[Verdict.EQUAL]:
        parts.append(f"equally fast within {EQUAL_WITHIN:.0%} after {len(found[Verdict.EQUAL])}")
    if found[Verdict.UNDECIDED]:
        parts.append(f"undecided after {len(found[Verdict.UNDECIDED])}")
    return f"Against `{layout}`, `{BASELINE}` rebuilt {'; '.join(parts)}."


def _number(found: Sequence[_Found]) -> str:
    return f"**{len(found)}**" if found else "**none**"


def _most(layout: str, found: Sequence[_Found]) -> str:
    """The first, where the difference is largest."""
    if not found:
        return ""
    row, ratio = found[0]
    place = f", most after `{row_names([row])}`" if len(found) > 1 else f", `{row_names([row])}`"
    return f"{place}, where `{layout}` took {ratio_text(ratio)} times as long"


def _grounds(record: Record, rows: Rows) -> list[str]:
    ratios = [summary.ratio for _, row in rows for _, summary in row if summary and summary.ratio]
    sentences = []
    if any(ratio.interval for ratio in ratios):
        sentences.append(
            "In brackets: 95% bootstrap intervals, each by itself; by chance, one in twenty does not hold 1."
        )
    if not all(ratio.interval for ratio in ratios):
        sentences.append(
            f"Where there are no brackets, the median decided alone: intervals need {LEAST_SAMPLES} samples."
        )
    verdict = control_verdict(record)
    if verdict is None:
        sentences.append("There is no A/A control, so nothing shows what differences chance makes in this run.")
    elif verdict.trusted:
        sentences.append(
            f"In the A/A control, `{verdict.layout}` took {ratio_text(verdict.overall)} times as long as itself, "
            "as it should."
        )
    return sentences
