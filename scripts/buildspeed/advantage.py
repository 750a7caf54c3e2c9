"""Says in sentences what the interfaces of a package buy: how much an edit costs with them and without."""

from __future__ import annotations

from collections.abc import Sequence

from buildspeed.inference import LEAST_SAMPLES
from buildspeed.record import Record
from buildspeed.summary import CellSummary, Row, summary_rows
from buildspeed.tables import ratio_text

_Pair = tuple[Row, CellSummary, CellSummary]


def advantage(record: Record) -> list[str]:
    """The closing summary: one list item for each layout that was compared, and for each that could not be."""
    rows = [(row, {name: each for name, each in summaries if each}) for row, summaries in summary_rows(record)]
    first, *others = record.options.layouts
    sentences = [_costliest([(row, each[first]) for row, each in rows if first in each])]
    for layout in others:
        pairs = [(row, each[first], each[layout]) for row, each in rows if first in each and layout in each]
        if pairs:
            sentences.append(_comparison(layout, pairs))
    sentences += [f"`{layout}` was not measured: {reason}" for layout, reason in record.refused_layouts.items()]
    if not others and not record.refused_layouts:
        sentences.append("What the same edits cost without interfaces was not measured; `--layouts` does that.")
    return [f"- {sentence}" for sentence in sentences if sentence]


def _costliest(cells: Sequence[tuple[Row, CellSummary]]) -> str:
    if not cells:
        return ""
    row, cell = max(cells, key=lambda entry: entry[1].median_seconds)
    return (
        f"The edit that costs most in the package as it is: {_name(row)}, with {_files(cell.median_files)} and "
        f"{cell.median_seconds:.2f} s."
    )


def _comparison(layout: str, pairs: Sequence[_Pair]) -> str:
    """Sums of medians, and how many edits differ by more than chance."""
    files, files_without = (sum(pair[side].median_files for pair in pairs) for side in (1, 2))
    seconds, seconds_without = (sum(pair[side].median_seconds for pair in pairs) for side in (1, 2))
    text = (
        f"In `{layout}`, one of each of the {len(pairs)} edits together compiles {_files(files_without)} instead of "
        f"{files:g} and takes {seconds_without:.2f} s instead of {seconds:.2f} s"
    )
    if any(without.ratio is None or without.ratio.interval is None for _, _, without in pairs):
        return f"{text}. These are too few samples to judge it by; {LEAST_SAMPLES} are needed."
    verdicts = [_verdict(without) for _, _, without in pairs]
    text += (
        f": {verdicts.count('longer')} take longer than in the package as it is, {verdicts.count('less')} less, and "
        f"{verdicts.count('')} cannot be told apart."
    )
    row, own, without = max(pairs, key=lambda pair: pair[2].ratio.median if pair[2].ratio else 0)
    if without.ratio is not None and _verdict(without) == "longer":
        text += (
            f" The package as it is saves most at {_name(row)}: {_files(own.median_files)} instead of "
            f"{without.median_files:g}, and without it the build takes {ratio_text(without.ratio)} times as long."
        )
    return text


def _verdict(without: CellSummary) -> str:
    ratio = without.ratio
    if ratio is None or ratio.interval is None:
        return ""
    return "longer" if ratio.interval.low > 1 else "less" if ratio.interval.high < 1 else ""


def _name(row: Row) -> str:
    edit, module = row
    return f"`{edit}` in {module}" if module else f"`{edit}`"


def _files(number: float) -> str:
    return f"{number:g} file" if number == 1 else f"{number:g} files"
