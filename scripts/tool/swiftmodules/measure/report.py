"""The report of a record: Markdown with its chart, whose main parts a terminal shows too.

Its sentences are honest also where the baseline loses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from msgspec.structs import asdict

from swiftmodules.files import write_atomically
from swiftmodules.measure import tables
from swiftmodules.measure.charts import CHART, chart, description, environment
from swiftmodules.measure.record import Cell, LeftOut, Record, Verification
from swiftmodules.measure.results import CONTROL_WITHIN, LEAST_SAMPLES, Estimate, Results, Summary, title_of
from swiftmodules.observed import amount
from swiftmodules.options import End

# Two cells whose ratio is nearer to 1 than this are called equally fast.
_EQUAL = 0.1
CACHE = (
    "targets, by source: the targets that a cache by source (Tuist, XCRemoteCache) rebuilds, because their sources or "
    "those of what they depend on have changed, and their source files. by interface: the source files of the targets "
    "that a cache by interface (action caches such as those of Bazel and Buck) rebuilds, because their sources or the "
    "compiled modules that they depend on have changed{}. tests: test targets that must run with either, of all."
)
# The work that the seconds of a run are spent on, by its end.
TIMED: Mapping[End, str] = {
    "built": "`swift build`",
    "cached": "`swift build` without the outputs of the targets that a cache by source does not have",
    "tests": "the tests that must run",
}
Judgement: TypeAlias = Literal["faster", "slower", "equally fast within 10%", "undecided"]


def write_report(results: Results, folder: Path) -> None:
    """Writes the report of a run, and its chart, beside the record."""
    write_atomically(folder / "results.md", markdown(results))
    if drawn := chart(results):
        write_atomically(folder / CHART, drawn)


def markdown(results: Results) -> str:
    image = f"![{description(results)}]({CHART})" if chart(results) else ""
    timed = TIMED[results.record.until]
    values = {"results": results, "record": results.record, "tables": tables, "image": image, "timed": timed}
    # The template calls functions of this module.
    text = environment().get_template("report.md").render({**globals(), **values})
    # Blank lines that nothing separates are dropped.
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def in_short(results: Results) -> str:
    """The warnings, the main table, what makes it trustworthy, and last, where the user looks, the answer."""
    record, control = results.record, control_sentence(results)
    table = tables.commits_table(results) if record.commits else tables.main_table(results)
    parts = [*warnings(results), f"{table}"]
    parts += [] if record.commits else [caption(results)]
    parts += [f"A/A control: {control}"] if control else []
    parts += [soundness(record.verification)] if record.verification else []
    parts += ["\n".join(lines) for lines in (not_measured(record), headline(results)) if lines]
    return "\n\n".join(parts)


def title(results: Results) -> str:
    package = results.record.package
    if results.record.commits:
        return f"Rebuilding {package} after its own commits"
    return f"Rebuilding {package} after an edit" if results.record.rounds else f"What each edit compiles in {package}"


def warnings(results: Results) -> list[str]:
    """The warnings that a reader must see before any number."""
    record, unsound = results.record, results.record.verification.unsound if results.record.verification else []
    found = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    if results.is_untrustworthy:
        found.append(f"**This run cannot be trusted.** {control_sentence(results)}")
    if unsound:
        names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
        found.append(
            "**Unsound builds:** after these edits, the program of an incremental build behaves differently from that "
            f"of a clean build, so their times are those of a wrong result: {names}."
        )
    return found


def headline(results: Results) -> list[str]:
    """A sentence for each value that was compared with the baseline; of a history, what all commits cost, and
    those that split a target."""
    if results.record.commits:
        return [_over_commits(results), *_splits(results)]
    ratios = [each.ratio for each in results.summaries.values() if each.ratio]
    if ratios and not any(each.is_interval for each in ratios):
        return [f"No verdict: {LEAST_SAMPLES} rounds are needed. The table shows counts and ranges."]
    values = results.record.values(results.axis)[1:] if results.axis else ()
    return list(filter(None, (_compared(results, value) for value in values))) or (
        ["Nothing was compared in this run."] if results.is_timed else []
    )


def _over_commits(results: Results) -> str:
    """The costs of all commits in each variant."""
    variants = tables.of_commits(results)
    costs = (f"`{variant.name}`: {_cost(own)}" for variant, own in variants.items())
    return f"Over {amount(max(map(len, variants.values()), default=0), 'commit')}, {'; '.join(costs)}."


def _splits(results: Results) -> Iterator[str]:
    """The costs of the commits that move files of a target into new targets."""
    baseline = results.record.variants[0]
    for commit in results.record.commits:
        if commit.splits:
            own = results.summaries.get(Cell(**asdict(baseline), edit=commit.edit))
            cost = _cost([own]) if own else "not measured"
            yield f"Commit `{commit.edit[:9]}` ({commit.subject}) splits {', '.join(commit.splits)}: {cost}."


def _cost(summaries: Sequence[Summary]) -> str:
    """The files that some commits compile, the files that a cache by source rebuilds, and the tests that run."""
    rebuilt = [each.rebuilt for each in summaries if each.rebuilt]
    parts = [f"{amount(sum(each.files.most for each in summaries), 'compiled file')}"]
    if rebuilt:
        parts.append(f"{sum(each.files for each in rebuilt)} that a cache by source rebuilds")
        parts += [f"{tests} test targets run"] if (tests := sum(each.tests or 0 for each in rebuilt)) else []
    return ", ".join(parts)


def judgement_of(ratio: Estimate) -> Judgement:
    """How the baseline compares with a value that took so many times as long, judged by the whole interval; without
    one, nothing is decided."""
    if not ratio.is_interval:
        return "undecided"
    if ratio.low >= 1 - _EQUAL and ratio.high <= 1 + _EQUAL:
        return "equally fast within 10%"
    return "faster" if ratio.low > 1 else "slower" if ratio.high < 1 else "undecided"


def _compared(results: Results, value: str) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    own = (each for cell, each in results.summaries.items() if getattr(cell, results.axis or "") == value)
    ratios = [each.ratio for each in own if each.ratio]
    if not ratios:
        return None
    found = Counter(map(judgement_of, ratios))
    counts = ", ".join(f"{each} after {found[each]}" for each in get_args(Judgement) if found[each])
    edits = amount(len(ratios), "edit")
    return f"Against `{value}`, of {edits}, `{results.baseline}` was {counts}."


def caption(results: Results) -> str:
    """Explains the columns of the main table."""
    counts = [len(each.samples) for each in results.summaries.values()] or [0]
    samples = f"{min(counts)} to {max(counts)} samples" if min(counts) < max(counts) else amount(max(counts), "sample")
    parts = [f"files: compiled source files, which depend on the number of jobs at once, here {results.record.jobs}."]
    parts.append(cache_words(results))
    if results.is_timed:
        parts.append(f"seconds: wall-clock time of {TIMED[results.record.until]}, median (range) of {samples}.")
        parts += ["ratio to X: seconds by those of X in the same round, median (range)."] if results.axis else []
        parts.append(
            f"A range is an interval of at least 95% where there are {LEAST_SAMPLES} samples or more, and holds all "
            "samples where there are fewer."
        )
    else:
        parts.append("links: linked products.")
    return " ".join(filter(None, parts))


def cache_words(results: Results) -> str:
    """Explains the columns of caches, where there are any."""
    if not any(each.rebuilt for each in results.summaries.values()):
        return ""
    return CACHE.format("" if results.record.until == "cached" else ", which '--until cached' measures")


def control_sentence(results: Results) -> str | None:
    """Describes the result of the A/A control; None for a record without one."""
    control = results.control
    if control is None:
        return None
    if not control.is_interval:
        judged = f"These are too few rounds to judge the run by; {LEAST_SAMPLES} are needed."
    elif results.is_untrustworthy:
        judged = (
            f"The whole interval is more than {CONTROL_WITHIN:.0%} from 1, so something else made a difference. "
            "Measure again while nothing else uses the machine."
        )
    else:
        judged = f"Part of the interval is within {CONTROL_WITHIN:.0%} of 1, as it should be."
    baseline, rounds = results.record.variants[0].name, amount(control.count, "round")
    return (
        f"The second build of `{baseline}`, in a build directory of its own, took {control} times as long as the "
        f"first, from {rounds}. {judged}"
    )


def soundness(verification: Verification) -> str:
    """The result of the verification in a sentence or two, and what it means where nothing was verified."""
    if verification.left_out is not None:
        return f"Not verified: {verification.left_out} Nothing shows that the timed builds are right."
    compared = ["the program"] if verification.program else []
    compared += ["the tests"] if verification.tests else []
    counts = ", ".join(f"{number} {result}" for result, number in verification.counts().items() if number)
    return (
        f"The behaviour of {' and '.join(compared)} after an incremental build was compared with that after a clean "
        f"build: {counts or 'none'} of {amount(len(verification.verdicts), 'cell')}."
        f"{' Tests were not run; --verify runs them.' if verification.tests is False else ''}"
    )


def not_measured(record: Record) -> list[str]:
    """Why cells of a variant were not measured, those with the same reason together, and all commits of a layout as
    one."""
    found: dict[str, dict[str, None]] = {}
    left_out = [each for each in record.left_out if not _is_edit(each)]
    commits = Counter((each.layout, each.reason) for each in left_out if record.commits)
    for each in left_out:
        is_layout = commits[each.layout, each.reason] >= len(record.commits) > 0
        found.setdefault(each.reason, {})[f"`{each.layout if is_layout else each.name}`"] = None
    return [f"Not measured: {', '.join(names)}: {reason}" for reason, names in found.items()]


def edit_lines(record: Record) -> str:
    """Each edit with its places, and the modules in which it has none."""
    lines = [f"- `{each.edit}` in {each.module}: {each.description}" for each in record.placements]
    missing: dict[tuple[str | None, str], list[str]] = {}
    for each in filter(_is_edit, record.left_out):
        missing.setdefault((each.edit, each.reason), []).append(f"{each.module}")
    lines += [f"- `{edit}` not in {', '.join(names)}: {reason}" for (edit, reason), names in missing.items()]
    return "\n".join(lines)


def reasons(results: Results) -> str:
    """The files that each cell of the first layout compiled, those with the same reason together."""
    lines = []
    for cell, summary in results.summaries.items():
        compiled = summary.samples[0].compiled
        is_first = cell.layout == results.record.variants[0].layout
        if is_first and isinstance(compiled, Mapping) and any(compiled.values()):
            lines.append(f"- {title_of(cell, results.record)}")
            entries = sorted((reason, file) for file, reason in compiled.items())
            for reason, group in groupby(entries, key=lambda entry: entry[0]):
                lines.append(f"  - {reason or 'not reported'}: {', '.join(file for _, file in group)}")
    return "\n".join(lines)


def _is_edit(each: LeftOut) -> bool:
    """Whether an edit has no place, rather than a variant of the package no build."""
    return each.edit is not None and each.layout is None
