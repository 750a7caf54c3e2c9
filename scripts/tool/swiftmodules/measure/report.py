"""The report of a record: Markdown with its chart, and the terminal.

Its sentences are honest also where the baseline loses.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal, TypeAlias

from msgspec.structs import replace
from rich.console import Console

from swiftmodules.files import write_atomically
from swiftmodules.measure import tables
from swiftmodules.measure.charts import CHART, chart, description, environment
from swiftmodules.measure.record import (
    CLEAN,
    RESULTS,
    SOUND,
    UNSOUND,
    Cell,
    End,
    LeftOut,
    Record,
    Value,
    Verification,
    record_bytes,
)
from swiftmodules.measure.results import CONTROL_WITHIN, Axis, Results, Summary, title_of
from swiftmodules.measure.statistics import LEAST_SAMPLES, Estimate, Interval
from swiftmodules.observed import amount

# Two cells whose ratio is nearer to 1 than this are called equal.
_EQUAL = Interval(0.9, 1.1)
CACHE = (
    "targets, by source: the targets that a cache by source (Tuist, XCRemoteCache) rebuilds, because their sources or "
    "those of what they depend on have changed, and their source files. by interface: the source files of the targets "
    "that a cache by interface (action caches such as those of Bazel and Buck) rebuilds, because their sources or the "
    "compiled modules that they depend on have changed{}. tests: test targets that must run with either, of all."
)
# What the seconds of a run are, by its end.
TIMED: Mapping[End, str] = {
    "built": "`swift build`",
    "cached": "`swift build` without the outputs of the targets that a cache by source does not have",
    "tests": "the tests that must run",
}
Verdict: TypeAlias = Literal["longer", "equal", "less", "undecided"]


def write_report(results: Results, folder: Path) -> None:
    """Writes the files that a run leaves in its folder: the record, the report, and its chart."""
    write_atomically(folder / RESULTS, record_bytes(results.record))
    write_atomically(folder / "results.md", markdown(results))
    if drawn := chart(results):
        write_atomically(folder / CHART, drawn)


def markdown(results: Results) -> str:
    """The whole report."""
    image = f"![{description(results)}]({CHART})" if chart(results) else ""
    timed = TIMED[results.record.until]
    values = {"results": results, "record": results.record, "tables": tables, "image": image, "timed": timed}
    # The template calls functions of this module.
    text = environment().get_template("report.md").render({**globals(), **values})
    # Blank lines that nothing separates are dropped.
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def print_report(results: Results, console: Console) -> None:
    """Shows the warnings, the main tables, what makes them trustworthy, and the answer."""
    for text in warnings(results):
        say(console, text, style="bold")
    if results.record.commits:
        for table in (tables.waiting_table(results), tables.kinds_table(results)):
            console.print(table.rich())
    else:
        console.print(tables.main_table(results).rich())
        say(console, caption(results))
    control, verification = control_sentence(results), results.record.verification
    notes = [f"A/A control: {control}"] if control else []
    notes += [soundness(verification)] if verification else []
    # The answer comes last, where the user looks.
    for sentence in (*notes, *not_measured(results.record), *headline(results)):
        say(console, sentence)


def say(console: Console, text: str, style: str | None = None) -> None:
    """Prints a sentence of Markdown as a terminal shows it."""
    console.print(_plain(text), highlight=False, markup=False, soft_wrap=True, style=style)


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
        found.append(
            f"**This run cannot be trusted:** the second build of {_controlled(record)}, in a build directory of its "
            f"own, took {results.control} times as long as the first, and the whole interval is more than "
            f"{CONTROL_WITHIN:.0%} from 1. "
            "Something else made a difference. Measure again while nothing else uses the machine."
        )
    if unsound:
        names = ", ".join(f"`{verdict.cell.name}`" for verdict in unsound)
        found.append(
            "**Unsound builds:** after these edits, the program of an incremental build behaves differently from that "
            f"of a clean build, so their times are those of a wrong result: {names}."
        )
    return found


def headline(results: Results) -> list[str]:
    """A sentence for each value that was compared with the first baseline; where two states of a package were compared,
    what each edit compiles in both; of a history, what all commits cost, and those that split a target."""
    if results.record.commits:
        return [*_over_commits(results), *_splits(results)]
    if results.record.against:
        return [*_then_and_now(results)]
    ratios = [each for summary in results.summaries.values() for each in summary.ratios.values()]
    if ratios and not any(each.interval for each in ratios):
        return [f"No verdict: {LEAST_SAMPLES} rounds are needed. The table shows counts and ranges."]
    found = [_compared(results, axis, value) for axis in results.axes[:1] for value in axis.values(results.record)]
    return list(filter(None, found)) or (["Nothing was compared in this run."] if results.is_timed else [])


def _over_commits(results: Results) -> Iterator[str]:
    """What all commits cost in each variant, beside the baseline."""
    (baseline, own), *others = tables.of_commits(results).items()
    for variant, summaries in others or [(baseline, own)]:
        common = [name for name in summaries if name in own]
        compared = {baseline.name: own, variant.name: summaries}
        costs = {name: _cost([found[each] for each in common]) for name, found in compared.items()}
        words = (f"`{name}`: {cost}" for name, cost in costs.items())
        yield f"Over {amount(len(common), 'commit')}, {'; '.join(words)}."


def _splits(results: Results) -> Iterator[str]:
    """What the commits cost that move files of a target into new targets."""
    own = next(iter(tables.of_commits(results).values()), {})
    for commit in results.record.commits:
        if commit.splits:
            cost = _cost([own[commit.edit]]) if commit.edit in own else "not measured"
            yield f"Commit `{commit.edit[:9]}` ({commit.subject}) splits {', '.join(commit.splits)}: {cost}."


def _cost(summaries: Sequence[Summary]) -> str:
    """What some commits compile, what a cache by source rebuilds and which tests run."""
    rebuilt = [each.rebuilt for each in summaries if each.rebuilt]
    parts = [f"{amount(sum(map(tables.files_of, summaries)), 'compiled file')}"]
    if rebuilt:
        parts.append(f"{sum(each.files for each in rebuilt)} that a cache by source rebuilds")
        parts += [f"{tests} test targets run"] if (tests := sum(each.tests or 0 for each in rebuilt)) else []
    return ", ".join(parts)


def _then_and_now(results: Results) -> Iterator[str]:
    """What each edit costs in both states."""
    record = results.record
    for cell, now in results.summaries.items():
        then = results.summaries.get(replace(cell, layout=record.against or ""))
        if cell.layout == record.against or then is None or then.files is None or cell.edit == CLEAN:
            continue
        place = f" in {cell.module}" if cell.module else ""
        cost = f"{amount(then.files.most, 'file')} at `{record.against}`, {now.files} now"
        if then.rebuilt and now.rebuilt:
            cost += f"; a cache by source rebuilds {then.rebuilt.files}, now {now.rebuilt.files}"
            if None not in (then.rebuilt.by_interface, now.rebuilt.by_interface):
                cost += f", one by interface {then.rebuilt.by_interface}, now {now.rebuilt.by_interface}"
            if now.rebuilt.tests is not None:
                cost += f", and {amount(then.rebuilt.tests or 0, 'test target')} must run, now {now.rebuilt.tests}"
        yield f"`{cell.edit}`{place}: {cost}."


def verdict_of(ratio: Estimate) -> Verdict:
    """The comparison of a value with the baseline, judged by the whole interval; without one, nothing is decided."""
    interval = ratio.interval
    if interval is None:
        return "undecided"
    if interval.low in _EQUAL and interval.high in _EQUAL:
        return "equal"
    return "longer" if interval.low > 1 else "less" if interval.high < 1 else "undecided"


def _compared(results: Results, axis: Axis, value: Value) -> str | None:
    """After how many edits the baseline was faster, slower, and neither; None without a ratio."""
    found: dict[Verdict, dict[Cell, Estimate]] = {"longer": {}, "less": {}, "equal": {}, "undecided": {}}
    for cell, summary in results.summaries.items():
        if getattr(cell, axis.name) == value and (ratio := summary.ratios.get(axis.name)):
            found[verdict_of(ratio)][cell] = ratio
    if not any(found.values()):
        return None
    name, baseline = axis.label(value), axis.label(axis.baseline_of(results.record))

    def count(verdict: Verdict) -> str:
        """How many, and the first, where the difference is largest."""
        own = sorted(found[verdict].items(), key=lambda each: each[1].median, reverse=verdict == "longer")
        if not own:
            return "**none**"
        (cell, ratio), most = own[0], ", most after" if len(own) > 1 else ","
        place = title_of(cell, results.record, [axis])
        return f"**{len(own)}**{most} `{place}`, where `{name}` took {ratio} times as long"

    parts = [
        f"faster after {count('longer')}",
        f"slower after {count('less')}",
        f"equally fast within 10% after {len(found['equal'])}" if found["equal"] else "",
        f"undecided after {len(found['undecided'])}" if found["undecided"] else "",
    ]
    edits = amount(sum(map(len, found.values())), "edit")
    return f"Against `{name}`, of {edits}, `{baseline}` was {'; '.join(filter(None, parts))}."


def caption(results: Results) -> str:
    """What the columns of the main table are."""
    counts = [len(each.samples) for each in results.summaries.values()] or [0]
    samples = f"{min(counts)} to {max(counts)} samples" if min(counts) < max(counts) else amount(max(counts), "sample")
    parts = [f"files: compiled source files, which depend on the number of jobs at once, here {results.record.jobs}."]
    if any(each.unchanged for each in results.summaries.values()):
        parts.append("unchanged: those whose object did not change; the others had to be recompiled.")
    parts.append(cache_words(results))
    if results.is_timed:
        parts.append(f"seconds: wall-clock time of {TIMED[results.record.until]}, median (range) of {samples}.")
        parts += ["ratio to X: seconds by those of X in the same round, median (range)."] if results.axes else []
        parts.append(
            f"A range is an interval of at least 95% where there are {LEAST_SAMPLES} samples or more, and holds all "
            "samples where there are fewer."
        )
    else:
        parts.append("links: linked products.")
    return " ".join(filter(None, parts))


def cache_words(results: Results) -> str:
    """What the columns of caches are, where there are any."""
    if not any(each.rebuilt for each in results.summaries.values()):
        return ""
    return CACHE.format("" if results.record.until == "cached" else ", which '--until cached' measures")


def control_sentence(results: Results) -> str | None:
    """Describes the result of the A/A control; None for a record without one."""
    control = results.control
    if control is None:
        return None
    if control.interval is None:
        judged = f"These are too few rounds to judge the run by; {LEAST_SAMPLES} are needed."
    elif results.is_untrustworthy:
        judged = f"The whole interval is more than {CONTROL_WITHIN:.0%} from 1, so this run cannot be trusted."
    else:
        judged = f"Part of the interval is within {CONTROL_WITHIN:.0%} of 1, as it should be."
    return (
        f"The second build of {_controlled(results.record)}, in a build directory of its own, took {control} times "
        f"as long as the first, from {amount(control.count, 'round')}. {judged}"
    )


def soundness(verification: Verification) -> str:
    """The result of the verification in a sentence or two, and what it means where nothing was verified."""
    if verification.left_out is not None:
        return f"Not verified: {verification.left_out} Nothing shows that the timed builds are right."
    counts, total = verification.counts(), len(verification.verdicts)
    cells = amount(total, "cell")
    compared = ["the program"] if verification.program or not verification.tests else []
    compared += ["the tests"] if verification.tests else []
    does = "do what they do" if verification.tests else "does what it does"
    tests = " Tests were not run; --verify runs them." if verification.tests is False else ""
    if number := counts[UNSOUND]:
        verb = "is" if number == 1 else "are"
        return f"{number} of {cells} {verb} unsound: an incremental build made a wrong program.{tests}"
    if not (number := counts[SOUND]):
        reasons = {reason for verdict in verification.verdicts for reason in verdict.reasons}
        why = f": {reasons.pop()}" if len(reasons) == 1 else "."
        return f"None of {cells} was verified{why}{tests}"
    left = f" {total - number} could not be verified." if total > number else ""
    verb = "is" if number == 1 else "are"
    return f"{number} of {cells} {verb} sound: {' and '.join(compared)} {does} after a clean build.{left}{tests}"


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
    """Each edit with its places, and those where it has none."""
    left_out: dict[tuple[str | None, str], list[LeftOut]] = {}
    for each in filter(_is_edit, record.left_out):
        left_out.setdefault((each.edit, each.reason), []).append(each)
    lines = []
    for edit in dict.fromkeys([*record.values("edit"), *(edit for edit, _ in left_out if edit)]):
        lines.append(f"- {meaning(record, 'edit', edit)}")
        lines += [f"  - {each.module or 'here'}: {each.description}" for each in record.placements if each.edit == edit]
        for (other, reason), own in left_out.items():
            if other == edit:
                lines.append(f"  - not in {', '.join(each.module or 'this package' for each in own)}: {reason}")
    return "\n".join(lines)


def meaning(record: Record, axis: str, value: str) -> str:
    """A value of an axis, with its meaning where the record has one."""
    words = record.meanings.get(axis, {}).get(value)
    return f"`{value}`: {words}" if words else f"`{value}`"


def reasons(results: Results) -> str:
    """The files that each cell of the first layout compiled, those with the same reason together."""
    lines = []
    for cell, summary in results.summaries.items():
        compiled = summary.samples[0].compiled
        if (
            cell.layout in results.record.values("layout")[:1]
            and isinstance(compiled, Mapping)
            and any(compiled.values())
        ):
            lines.append(f"- {title_of(cell, results.record)}")
            entries = sorted((reason, file) for file, reason in compiled.items())
            for reason, group in groupby(entries, key=lambda entry: entry[0]):
                lines.append(f"  - {reason}: {', '.join(file for _, file in group)}")
    return "\n".join(lines)


def _is_edit(each: LeftOut) -> bool:
    """Whether it is an edit without a place, and no variant of the package."""
    return each.edit is not None and each.layout is None


def _controlled(record: Record) -> str:
    """The names of what was measured twice."""
    return " and ".join(f"`{variant.name}`" for variant in record.control)


def _plain(text: str) -> str:
    return text.replace("**", "").replace("`", "'")
