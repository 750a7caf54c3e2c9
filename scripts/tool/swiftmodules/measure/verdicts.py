"""The result of a record in sentences, honest also where the baseline loses."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum

from swiftmodules.measure.analysis import CONTROL_WITHIN, Analysis, Summary
from swiftmodules.measure.axes import Axis
from swiftmodules.measure.record import SOUND, UNSOUND, Value, Verification
from swiftmodules.measure.statistics import LEAST_SAMPLES, Interval, Ratio
from swiftmodules.measure.words import amount, title_of

# Two cells whose ratio is nearer to 1 than this are called equal.
EQUAL_WITHIN = 0.1


class Verdict(Enum):
    """The comparison of a value with the baseline of its axis."""

    LONGER = "longer"
    EQUAL = "equal"
    LESS = "less"
    UNDECIDED = "undecided"


def verdict_of(ratio: Ratio) -> Verdict:
    """Judges by the whole interval; without one, nothing is decided."""
    equal, interval = Interval(1 - EQUAL_WITHIN, 1 + EQUAL_WITHIN), ratio.interval
    if interval is None:
        return Verdict.UNDECIDED
    if interval.low in equal and interval.high in equal:
        return Verdict.EQUAL
    if interval.low > 1:
        return Verdict.LONGER
    return Verdict.LESS if interval.high < 1 else Verdict.UNDECIDED


def warnings(analysis: Analysis) -> list[str]:
    """The warnings that a reader must see before any number."""
    record, control = analysis.record, analysis.control
    found = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    if control is not None and control.is_untrustworthy:
        found.append(
            f"**This run cannot be trusted:** the second build of {_controlled(analysis)}, in a build directory of its "
            f"own, took {control.overall} times as long as the first, and the whole interval is more than "
            f"{CONTROL_WITHIN:.0%} from 1. "
            "Something other than what was varied made a difference. Measure again while nothing else uses the machine."
        )
    found += _drifting(analysis) + _unsound(analysis)
    noisy, samples = analysis.noise or (0, 0)
    if noisy > samples / 2:
        found.append(
            f"**Noisy:** other programs used the machine during {noisy} of {samples} samples. The seconds mean little; "
            "the compiled files do not depend on it."
        )
    return found


def headline(analysis: Analysis) -> list[str]:
    """A sentence for each value that was compared with the first baseline."""
    ratios = [each for summary in analysis.summaries.values() for each in summary.ratios.values()]
    if ratios and not any(each.interval for each in ratios):
        return [f"Nothing is judged: a verdict needs {LEAST_SAMPLES} rounds. The table has counts and ranges."]
    found = [_compared(analysis, axis, value) for axis in analysis.axes[:1] for value in axis.values(analysis.record)]
    return [text for text in found if text] or (["Nothing was compared in this run."] if analysis.is_timed else [])


def control_sentence(analysis: Analysis) -> str | None:
    """Describes the result of the A/A control; None for a record without one."""
    control = analysis.control
    if control is None:
        return None
    if control.overall.interval is None:
        judged = f"These are too few pairs to judge the run by; {LEAST_SAMPLES} are needed."
    elif control.is_untrustworthy:
        judged = f"The whole interval is more than {CONTROL_WITHIN:.0%} from 1, so this run cannot be trusted."
    else:
        judged = f"The interval reaches to within {CONTROL_WITHIN:.0%} of 1, as it should."
    return (
        f"The second build of {_controlled(analysis)}, in a build directory of its own, took {control.overall} times "
        f"as long as the first, from {amount(control.overall.pairs, 'pair')}. {judged}"
    )


def disturbances(analysis: Analysis) -> list[str]:
    """Reports how much the machine disturbed the run: noisy samples, and the A/A control."""
    noise, control = analysis.noise, analysis.control
    lines = [f"Noise: {noise[0]} of {noise[1]} samples are noisy"] if noise else []
    if control is not None:
        weak = "" if control.overall.interval else f" (too few to judge the run by; {LEAST_SAMPLES} are needed)"
        lines.append(f"A/A control: {control.overall}, from {control.overall.pairs} pairs{weak}")
        lines += [f"On `{name}`: {own}, from {own.pairs} pairs" for name, own in control.machines.items()]
    return lines


def soundness(verification: Verification) -> str:
    """The result of the verification in a sentence or two, and what it means where nothing was verified."""
    if verification.left_out is not None:
        return f"Not verified: {verification.left_out} Nothing shows that the timed builds are right."
    counts, cells = verification.counts(), amount(len(verification.verdicts), "cell")
    if counts[UNSOUND]:
        verb = "is" if counts[UNSOUND] == 1 else "are"
        return f"{counts[UNSOUND]} of {cells} {verb} unsound: an incremental build made a program that is wrong."
    rest = len(verification.verdicts) - counts[SOUND]
    if not counts[SOUND]:
        return f"None of {cells} was verified."
    left = f" {rest} could not be verified." if rest else ""
    verb = "is" if counts[SOUND] == 1 else "are"
    return f"{counts[SOUND]} of {cells} {verb} sound: the program does what it does after a clean build.{left}"


def _drifting(analysis: Analysis) -> list[str]:
    control = analysis.control
    return [
        f"**The machine `{name}` cannot be trusted:** the second build there, in a build directory of its own, took "
        f"{control.machines[name]} times as long as the first, and the whole interval is more than "
        f"{CONTROL_WITHIN:.0%} from 1. Measure again without it."
        for name in (control.drifting if control else ())
        if control
    ]


def _unsound(analysis: Analysis) -> list[str]:
    unsound = analysis.record.verification.unsound if analysis.record.verification else []
    if not unsound:
        return []
    names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
    return [
        f"**Unsound builds:** after these edits the incremental build makes a program that behaves differently from "
        f"that of a clean build, so these are times of a wrong result: {names}."
    ]


def _judged(analysis: Analysis, axis: Axis, value: Value) -> dict[Verdict, list[Summary]]:
    """The cells of a value for which each verdict holds."""
    found: dict[Verdict, list[Summary]] = {verdict: [] for verdict in Verdict}
    for summary in analysis.summaries.values():
        if getattr(summary.cell, axis.name) == value and axis.name in summary.ratios:
            found[verdict_of(summary.ratios[axis.name])].append(summary)
    return found


def _compared(analysis: Analysis, axis: Axis, value: Value) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    found = _judged(analysis, axis, value)
    count = sum(map(len, found.values()))
    if not count:
        return None

    def ratio(summary: Summary) -> float:
        return summary.ratios[axis.name].median

    longer = sorted(found[Verdict.LONGER], key=ratio, reverse=True)
    less = sorted(found[Verdict.LESS], key=ratio)
    parts = [f"faster after **{len(longer) or 'none'}** of {amount(count, 'edit')}{_most(analysis, axis, longer)}"]
    parts.append(f"slower after **{len(less) or 'none'}**{_most(analysis, axis, less)}")
    if found[Verdict.EQUAL]:
        parts.append(f"equally fast within {EQUAL_WITHIN:.0%} after {len(found[Verdict.EQUAL])}")
    if found[Verdict.UNDECIDED]:
        parts.append(f"undecided after {len(found[Verdict.UNDECIDED])}")
    return f"Against {_name(axis, value)}, {_baseline(analysis, axis)} was {'; '.join(parts)}."


def _most(analysis: Analysis, axis: Axis, found: Sequence[Summary]) -> str:
    """The first, where the difference is largest."""
    if not found:
        return ""
    cell, ratio = found[0].cell, found[0].ratios[axis.name]
    place = title_of(cell, analysis.record, [axis.name])
    most = f", most after `{place}`" if len(found) > 1 else f", `{place}`"
    return f"{most}, where {_name(axis, getattr(cell, axis.name))} took {ratio} times as long"


def _controlled(analysis: Analysis) -> str:
    """The names of what was measured twice."""
    return " and ".join(f"`{variant.name}`" for variant in analysis.record.control)


def _name(axis: Axis, value: Value | None) -> str:
    return f"`{axis.label(value)}`"


def _baseline(analysis: Analysis, axis: Axis) -> str:
    return _name(axis, axis.baseline_of(analysis.record))
