"""What the commits of a history cost in each variant: the waiting in all, the commits that cost most, and the kinds of
edits."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import accumulate
from statistics import median, quantiles
from typing import TypeAlias

from swiftmodules.measure.analysis import Analysis, Summary
from swiftmodules.measure.record import Commit, Variant
from swiftmodules.measure.tables import NOTHING, Table
from swiftmodules.observed import KINDS

_Summaries: TypeAlias = Mapping[Variant, Mapping[str, Summary]]
_COSTLIEST = 10


def summaries_of(analysis: Analysis) -> _Summaries:
    """The summary of each commit in each variant that built it, the baseline first."""
    found: dict[Variant, dict[str, Summary]] = {}
    for cell, summary in analysis.summaries.items():
        found.setdefault(cell.variant, {})[cell.edit] = summary
    return {each: found[each] for each in _variants(analysis) if each in found}


def waiting_table(analysis: Analysis) -> Table:
    """The files and seconds of all commits that a variant and the baseline have, with the ratio of the sums; and the
    distribution of a variant's own commits."""
    summaries = summaries_of(analysis)
    baseline = next(iter(summaries), Variant())
    rows = []
    for variant, own in summaries.items():
        against = summaries[_baseline(variant, summaries)]
        common = [name for name in own if name in against]
        ratio = _ratio([own[name] for name in common], [against[name] for name in common])
        files = [sum(_files(each[name]) for name in common) for each in (own, against)]
        seconds = sorted(_seconds(each) for each in own.values())
        timed = [f"{sum(_seconds(own[name]) for name in common):.0f}", *(f"{each:.1f}" for each in _spread(seconds))]
        is_compared = own is not against
        row = [variant.name, str(len(common)), str(files[0]), str(files[1]) if is_compared else NOTHING]
        timed.insert(1, f"{ratio:.2f}" if is_compared and ratio else NOTHING)
        rows.append([*row, *(timed if analysis.is_timed else [])])
    columns = ["built in", "commits", "files", f"files in `{baseline.layout}`"]
    timed_columns = ["seconds", f"to `{baseline.layout}`", "median", "p90", "worst"]
    return Table([*columns, *(timed_columns if analysis.is_timed else [])], rows, texts=1)


def kinds_table(analysis: Analysis) -> Table:
    """The commits of each kind, with their files and seconds in each variant."""
    summaries, commits = summaries_of(analysis), analysis.record.commits
    rows = []
    for kind, words in KINDS.items():
        own = [commit.edit for commit in commits if commit.kind == kind]
        if own:
            texts = (_total(analysis, [each[name] for name in own if name in each]) for each in summaries.values())
            share = f"{len(own) / len(commits):.0%}"
            rows.append([words, str(len(own)), share, *(word for pair in texts for word in pair)])
    return Table(["kind", "commits", "share", *_columns(analysis, summaries)], rows, texts=1)


def costliest_table(analysis: Analysis) -> Table:
    """The commits that cost most in the baseline."""
    summaries = summaries_of(analysis)
    first = next(iter(summaries.values()), {})
    commits: dict[str, Commit] = {commit.edit: commit for commit in analysis.record.commits}
    cost = _seconds if analysis.is_timed else _files
    names = sorted(first, key=lambda name: -cost(first[name]))[:_COSTLIEST]
    rows = []
    for name in names:
        texts = [_total(analysis, [each[name]] if name in each else []) for each in summaries.values()]
        commit = commits[name]
        words = [f"`{name[:9]}`", commit.subject.replace("|", "\\|"), KINDS[commit.kind], str(commit.files)]
        rows.append([*words, *(word for pair in texts for word in pair)])
    return Table(["commit", "subject", "kind", "changed", *_columns(analysis, summaries)], rows, texts=3)


def cumulative(analysis: Analysis) -> dict[str, list[tuple[int, float]]]:
    """By variant, the waiting after each commit that all have: its number, and the seconds, or files, until then."""
    summaries = summaries_of(analysis)
    cost = _seconds if analysis.is_timed else _files
    names = [each.edit for each in analysis.record.commits if all(each.edit in own for own in summaries.values())]
    return {
        variant.name: list(enumerate(accumulate(cost(own[name]) for name in names), start=1))
        for variant, own in summaries.items()
    }


def _variants(analysis: Analysis) -> list[Variant]:
    values = analysis.record.values
    return [
        Variant(layout=layout, copies=copies, setting=setting)
        for copies in values("copies")
        for setting in values("setting")
        for layout in values("layout")
    ]


def _baseline(variant: Variant, summaries: _Summaries) -> Variant:
    """The first layout with the same copies and setting."""
    return next(each for each in summaries if (each.copies, each.setting) == (variant.copies, variant.setting))


def _ratio(own: Sequence[Summary], against: Sequence[Summary]) -> float | None:
    """The ratio of the sums. What it would be with other commits, no interval shows that was found to hold."""
    baseline = sum(map(_seconds, against))
    return sum(map(_seconds, own)) / baseline if baseline else None


def _seconds(summary: Summary) -> float:
    return summary.seconds.value if summary.seconds else 0.0


def _files(summary: Summary) -> float:
    return summary.files.most if summary.files else 0


def _spread(seconds: Sequence[float]) -> list[float]:
    """The median, the 90th percentile and the largest of sorted seconds."""
    if len(seconds) < 2:
        return [*seconds] * 3
    return [median(seconds), quantiles(seconds, n=10, method="inclusive")[-1], seconds[-1]]


def _total(analysis: Analysis, summaries: Sequence[Summary]) -> list[str]:
    """The files and, where they were taken, the seconds of some commits."""
    texts = [f"{sum(map(_files, summaries)):.0f}"]
    texts += [f"{sum(map(_seconds, summaries)):.1f}"] if analysis.is_timed else []
    return texts if summaries else [NOTHING] * len(texts)


def _columns(analysis: Analysis, summaries: _Summaries) -> list[str]:
    units = ["files", "seconds"] if analysis.is_timed else ["files"]
    return [f"{variant.name}: {unit}" for variant in summaries for unit in units]
