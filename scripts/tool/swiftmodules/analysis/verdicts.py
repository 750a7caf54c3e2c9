"""The result of a record of `run` in sentences, honest also where the baseline loses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from swiftmodules.analysis.cells import CellSummary, Row, RowSummary, RunAnalysis
from swiftmodules.analysis.stats import LEAST_SAMPLES, Interval, Ratio
from swiftmodules.records.model import BASELINE, place_name

# Two layouts whose ratio is nearer to 1 than this are called equal.
EQUAL_WITHIN = 0.1


class Verdict(Enum):
    """How a layout compares with the baseline: one word, and words that follow the name of the layout."""

    LONGER = "slower", f"took longer than `{BASELINE}`"
    EQUAL = "equal", f"took as long as `{BASELINE}`, within {EQUAL_WITHIN:.0%}"
    LESS = "faster", f"took less than `{BASELINE}`"
    UNDECIDED = (
        "undecided",
        f"cannot be distinguished from `{BASELINE}`, nor shown to be equal within {EQUAL_WITHIN:.0%}",
    )

    @property
    def word(self) -> str:
        return self.value[0]


_Found = dict[Verdict, list[tuple[Row, Ratio]]]


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


def findings(analysis: RunAnalysis) -> list[str]:
    """A list item for each layout and verdict."""
    return [
        f"- `{layout}` {verdict.value[1]}: {row_names([row for row, _ in found])}."
        for layout in analysis.record.options.layouts
        for verdict, found in _verdicts(layout, analysis.rows).items()
        if found
    ]


def headline(analysis: RunAnalysis) -> list[str]:
    """A sentence or two for each layout that is compared, and what they rest on. What a reader must know before
    any of them is in `analysis.warnings`."""
    compared = [text for layout in analysis.record.options.layouts if (text := _compared(layout, analysis.rows))]
    if not compared:
        return [f"Nothing was compared with `{BASELINE}` in this run."]
    return [*compared, *_grounds(analysis)]


def control_sentence(analysis: RunAnalysis) -> str | None:
    """What the A/A control says of the run; None where there is none."""
    verdict = analysis.control
    if verdict is None:
        return None
    judged = {
        True: "The 95% interval holds 1, as it must where the machine favoured neither.",
        False: "The 95% interval does not hold 1, so this run cannot be trusted.",
        None: f"These are too few pairs to judge the run by; {LEAST_SAMPLES} are needed.",
    }[verdict.trusted]
    pairs = verdict.overall.pairs
    return (
        f"`{verdict.layout}` was measured a second time in a build directory of its own. Its ratio to itself is "
        f"{verdict.overall}, from {amount(pairs, 'pair')}. {judged}"
    )


def advantage(analysis: RunAnalysis) -> list[str]:
    """What the interfaces of a package buy: a list item for each layout that was compared with the package as it is,
    and for each that could not be."""
    first, *others = analysis.record.options.layouts
    refused = analysis.record.refused_layouts
    sentences = [_costliest([cell for row in analysis.rows if (cell := row.cells[first])])]
    for layout in others:
        pairs = [(own, other) for row in analysis.rows if (own := row.cells[first]) and (other := row.cells[layout])]
        if pairs:
            sentences.append(_without(layout, pairs))
    sentences += [f"`{layout}` was not measured: {reason}" for layout, reason in refused.items()]
    if not others and not refused:
        sentences.append("What the same edits cost without interfaces was not measured; `--layouts` does that.")
    return [f"- {sentence}" for sentence in sentences if sentence]


def row_names(rows: Sequence[Row]) -> str:
    """Such as `body Login, app-body`."""
    return ", ".join(place_name(*row) for row in rows)


def amount(number: float, noun: str) -> str:
    """Such as `1 file` or `2 files`."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def _verdicts(layout: str, rows: Sequence[RowSummary]) -> _Found:
    """The edits for which each verdict holds of a layout."""
    found: _Found = {verdict: [] for verdict in Verdict}
    for row in rows:
        cell = row.cells[layout]
        if cell and cell.ratio is not None:
            found[verdict_of(cell.ratio)].append((row.row, cell.ratio))
    return found


def _compared(layout: str, rows: Sequence[RowSummary]) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    found = _verdicts(layout, rows)
    count = sum(map(len, found.values()))
    if not count:
        return None
    longer = sorted(found[Verdict.LONGER], key=lambda each: -each[1].median)
    less = sorted(found[Verdict.LESS], key=lambda each: each[1].median)
    parts = [f"faster after {_number(longer)} of {amount(count, 'edit')}{_most(layout, longer)}"]
    parts.append(f"slower after {_number(less)}{_most(layout, less)}")
    if found[Verdict.EQUAL]:
        parts.append(f"equally fast within {EQUAL_WITHIN:.0%} after {len(found[Verdict.EQUAL])}")
    if found[Verdict.UNDECIDED]:
        parts.append(f"undecided after {len(found[Verdict.UNDECIDED])}")
    return f"Against `{layout}`, `{BASELINE}` rebuilt {'; '.join(parts)}."


def _number(found: Sequence[object]) -> str:
    return f"**{len(found)}**" if found else "**none**"


def _most(layout: str, found: Sequence[tuple[Row, Ratio]]) -> str:
    """The first, where the difference is largest."""
    if not found:
        return ""
    row, ratio = found[0]
    place = f", most after `{row_names([row])}`" if len(found) > 1 else f", `{row_names([row])}`"
    return f"{place}, where `{layout}` took {ratio} times as long"


def _grounds(analysis: RunAnalysis) -> list[str]:
    ratios = [cell.ratio for row in analysis.rows for cell in row.present if cell.ratio]
    sentences = []
    if any(ratio.interval for ratio in ratios):
        sentences.append(
            "In brackets: 95% bootstrap intervals, one for each edit; by chance, one in twenty does not hold 1."
        )
    if not all(ratio.interval for ratio in ratios):
        sentences.append(
            f"Where there are no brackets, the median decided alone: intervals need {LEAST_SAMPLES} samples."
        )
    verdict = analysis.control
    if verdict is None:
        sentences.append("There is no A/A control, so nothing shows what differences chance makes in this run.")
    elif verdict.trusted:
        sentences.append(
            f"In the A/A control, `{verdict.layout}` took {verdict.overall} times as long as itself, as it should."
        )
    return sentences


def _costliest(cells: Sequence[CellSummary]) -> str:
    if not cells:
        return ""
    cell = max(cells, key=lambda each: each.seconds.value)
    return (
        f"The edit that costs most in the package as it is: {_edit(cell)}, with {amount(cell.median_files, 'file')} "
        f"and {cell.seconds.value:.2f} s."
    )


def _without(layout: str, pairs: Sequence[tuple[CellSummary, CellSummary]]) -> str:
    """Sums of medians, and how many edits differ by more than chance."""
    files, files_without = (sum(pair[side].median_files for pair in pairs) for side in (0, 1))
    seconds, seconds_without = (sum(pair[side].seconds.value for pair in pairs) for side in (0, 1))
    text = (
        f"In `{layout}`, one of each of the {len(pairs)} edits together compiles {amount(files_without, 'file')} "
        f"instead of {files:g} and takes {seconds_without:.2f} s instead of {seconds:.2f} s"
    )
    ratios = [(own, other, other.ratio) for own, other in pairs if other.ratio and other.ratio.interval]
    if len(ratios) < len(pairs):
        return f"{text}. These are too few samples to judge it by; {LEAST_SAMPLES} are needed."
    longer = sum(ratio.interval is not None and ratio.interval.low > 1 for _, _, ratio in ratios)
    less = sum(ratio.interval is not None and ratio.interval.high < 1 for _, _, ratio in ratios)
    text += (
        f": {longer} take longer than in the package as it is, {less} less, and {len(pairs) - longer - less} cannot be "
        "distinguished."
    )
    own, other, ratio = max(ratios, key=lambda each: each[2].median)
    if ratio.interval is not None and ratio.interval.low > 1:
        text += (
            f" The package as it is saves most at {_edit(own)}: {amount(own.median_files, 'file')} instead of "
            f"{other.median_files:g}, and without it the build takes {ratio} times as long."
        )
    return text


def _edit(cell: CellSummary) -> str:
    return f"`{cell.cell.edit}` in {cell.cell.module}" if cell.cell.module else f"`{cell.cell.edit}`"
