"""The result of a record of `run` in sentences, honest also where the baseline loses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from swiftmodules.analysis.run import CellSummary, Row, Rows, RunAnalysis, present
from swiftmodules.analysis.stats import LEAST_SAMPLES, Interval, Ratio
from swiftmodules.records.model import BASELINE, CONTROL, UNSOUND, place_name

# Two layouts whose ratio is nearer to 1 than this are called equal.
EQUAL_WITHIN = 0.1


class Verdict(Enum):
    """The comparison of a layout with the baseline: one word, and words that follow the name of the layout."""

    LONGER = "slower", f"took longer than `{BASELINE}`"
    EQUAL = "equal", f"took as long as `{BASELINE}`, within {EQUAL_WITHIN:.0%}"
    LESS = "faster", f"took less than `{BASELINE}`"
    UNDECIDED = (
        "undecided",
        f"cannot be distinguished from `{BASELINE}`, nor shown to be equal within {EQUAL_WITHIN:.0%}",
    )


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


def word_of(cell: CellSummary) -> str:
    """Compares a cell with the baseline, in one word; of the control, and of the baseline itself, nothing."""
    # However fast it was, the program is wrong.
    if cell.is_unsound:
        return UNSOUND
    return verdict_of(cell.ratio).value[0] if cell.ratio and cell.cell.layout != CONTROL else ""


def findings(analysis: RunAnalysis) -> list[str]:
    """A list item for each layout and verdict."""
    return [
        f"- `{layout}` {verdict.value[1]}: {row_names([row for row, _ in found])}."
        for layout in analysis.record.options.layouts
        for verdict, found in _verdicts(layout, analysis.rows).items()
        if found
    ]


def headline(analysis: RunAnalysis) -> list[str]:
    """A sentence or two for each compared layout, and what they are based on. The warnings that come before them are in
    `analysis.warnings`."""
    compared = [text for layout in analysis.record.options.layouts if (text := _compared(layout, analysis.rows))]
    if not compared:
        return [f"Nothing was compared with `{BASELINE}` in this run."]
    return [*compared, *_grounds(analysis)]


def control_sentence(analysis: RunAnalysis) -> str | None:
    """Describes the result of the A/A control; None for a run without a control."""
    verdict = analysis.control
    if verdict is None:
        return None
    judged = {
        True: "The 95% interval contains 1, as it should.",
        False: "The 95% interval does not contain 1, so this run cannot be trusted.",
        None: f"These are too few pairs to judge the run by; {LEAST_SAMPLES} are needed.",
    }[verdict.trusted]
    pairs = verdict.overall.pairs
    return (
        f"`{verdict.layout}` was measured a second time in a build directory of its own. Its ratio to itself is "
        f"{verdict.overall}, from {amount(pairs, 'pair')}. {judged}"
    )


def advantage(analysis: RunAnalysis) -> list[str]:
    """Shows what the interfaces of a package buy: an item for each layout that was compared with the package as it is,
    and for each that could not be."""
    first, *others = analysis.record.options.layouts
    refused = analysis.record.refused_layouts
    rows, sentences = analysis.rows.values(), []
    costs = [cell for cells in rows if (cell := cells[first])]
    if costs:
        most = max(costs, key=lambda each: each.seconds.value)
        sentences.append(
            f"The edit that costs most in the package as it is: {_edit(most)}, with "
            f"{amount(most.files.median, 'file')} and {most.seconds.value:.2f} s."
        )
    for layout in others:
        pairs = [(own, other) for cells in rows if (own := cells[first]) and (other := cells[layout])]
        if pairs:
            sentences.append(_without(layout, pairs))
    sentences += [f"`{layout}` was not measured: {reason}" for layout, reason in refused.items()]
    if not others and not refused:
        sentences.append("What the same edits cost without interfaces was not measured; `--layouts` does that.")
    return [f"- {sentence}" for sentence in sentences]


def row_names(rows: Sequence[Row]) -> str:
    """The names of edits and modules, such as `body Login, app-body`."""
    return ", ".join(place_name(*row) for row in rows)


def amount(number: float, noun: str) -> str:
    """A number with its noun, such as `1 file` or `2 files`."""
    return f"{number:g} {noun}" if number == 1 else f"{number:g} {noun}s"


def _verdicts(layout: str, rows: Rows) -> dict[Verdict, list[tuple[Row, Ratio]]]:
    """The edits for which each verdict holds of a layout."""
    found: dict[Verdict, list[tuple[Row, Ratio]]] = {verdict: [] for verdict in Verdict}
    for row, cells in rows.items():
        cell = cells[layout]
        if cell and cell.ratio is not None:
            found[verdict_of(cell.ratio)].append((row, cell.ratio))
    return found


def _compared(layout: str, rows: Rows) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    found = _verdicts(layout, rows)
    count = sum(map(len, found.values()))
    if not count:
        return None
    longer = sorted(found[Verdict.LONGER], key=lambda each: -each[1].median)
    less = sorted(found[Verdict.LESS], key=lambda each: each[1].median)
    parts = [f"faster after **{len(longer) or 'none'}** of {amount(count, 'edit')}{_most(layout, longer)}"]
    parts.append(f"slower after **{len(less) or 'none'}**{_most(layout, less)}")
    if found[Verdict.EQUAL]:
        parts.append(f"equally fast within {EQUAL_WITHIN:.0%} after {len(found[Verdict.EQUAL])}")
    if found[Verdict.UNDECIDED]:
        parts.append(f"undecided after {len(found[Verdict.UNDECIDED])}")
    return f"Against `{layout}`, `{BASELINE}` rebuilt {'; '.join(parts)}."


def _most(layout: str, found: Sequence[tuple[Row, Ratio]]) -> str:
    """The first, where the difference is largest."""
    if not found:
        return ""
    row, ratio = found[0]
    place = f", most after `{row_names([row])}`" if len(found) > 1 else f", `{row_names([row])}`"
    return f"{place}, where `{layout}` took {ratio} times as long"


def _grounds(analysis: RunAnalysis) -> list[str]:
    ratios = [cell.ratio for cell in present(analysis.rows) if cell.ratio]
    sentences = []
    if any(ratio.interval for ratio in ratios):
        sentences.append(
            "In brackets: 95% bootstrap intervals, one for each edit; by chance, one in twenty does not contain 1."
        )
    if not all(ratio.interval for ratio in ratios):
        sentences.append(
            f"Where there are no brackets, the median decided alone: intervals need {LEAST_SAMPLES} samples."
        )
    verdict = analysis.control
    if verdict is None:
        sentences.append(
            "There is no A/A control, so nothing shows how large the differences by chance are in this run."
        )
    elif verdict.trusted:
        sentences.append(
            f"In the A/A control, `{verdict.layout}` took {verdict.overall} times as long as itself, as it should."
        )
    return sentences


def _without(layout: str, pairs: Sequence[tuple[CellSummary, CellSummary]]) -> str:
    """Sums of medians, and how many edits differ by more than chance."""
    files, files_without = (sum(cell.files.median for cell in side) for side in zip(*pairs, strict=True))
    seconds, seconds_without = (sum(cell.seconds.value for cell in side) for side in zip(*pairs, strict=True))
    text = (
        f"In `{layout}`, one of each of the {len(pairs)} edits together compiles {amount(files_without, 'file')} "
        f"instead of {files:g} and takes {seconds_without:.2f} s instead of {seconds:.2f} s"
    )
    found = [
        (ratio, interval, own, other) for own, other in pairs if (ratio := other.ratio) and (interval := ratio.interval)
    ]
    if len(found) < len(pairs):
        return f"{text}. These are too few samples to judge it by; {LEAST_SAMPLES} are needed."
    longer = sum(interval.low > 1 for _, interval, _, _ in found)
    less = sum(interval.high < 1 for _, interval, _, _ in found)
    text += (
        f": {longer} take longer than in the package as it is, {less} less, and {len(pairs) - longer - less} cannot be "
        "distinguished."
    )
    ratio, interval, own, other = max(found, key=lambda each: each[0].median)
    if interval.low > 1:
        text += (
            f" The package as it is saves most at {_edit(own)}: {amount(own.files.median, 'file')} instead of "
            f"{other.files.median:g}, and without it the build takes {ratio} times as long."
        )
    return text


def _edit(cell: CellSummary) -> str:
    return f"`{cell.cell.edit}` in {cell.cell.module}" if cell.cell.module else f"`{cell.cell.edit}`"
