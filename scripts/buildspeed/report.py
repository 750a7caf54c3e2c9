"""Tells the result: a table for the terminal and `results.md`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from buildspeed import tables
from buildspeed.advantage import advantage
from buildspeed.control import ControlVerdict, control_verdict
from buildspeed.edits import needs_tests, what_it_changes
from buildspeed.findings import findings
from buildspeed.inference import LEAST_SAMPLES
from buildspeed.layouts import LAYOUTS
from buildspeed.record import NOT_ASKED_FOR, ModuleFacts, Record, Resumption
from buildspeed.summary import BASELINE, summary_rows
from buildspeed.tables import Rows
from buildspeed.verification_text import unsound_warning, verification_section
from buildspeed.wording import amount

_LAYOUT_NOTE = (
    "All are generated from the same files, in the same way; they differ in the grouping into targets and in the "
    "import lines that follow from it. "
)
_COPY_NOTE = (
    "`interface` is a copy of the package with its own manifest. The others are generated from the same files and "
    "differ in the grouping into targets and in the import lines that follow from it. Tests are compiled where an edit "
    "is made in them, and only there."
)
_WITHOUT_TESTS = "Test targets are left out, because `swift build` does not compile them."
_WITH_TESTS = "Test targets are there, and every build is `swift build --build-tests`, because an edit is made in them."
_SAMPLE_NOTE = (
    "Each sample: the edit is made, `swift build` (debug) is timed, the edit is undone to the byte, and the package "
    "is built again untimed. Each time, the edit holds a number that no edit before had. "
    "The compiled files are those that the compiler itself reports; recording them takes the same "
    "short time in every layout."
)


def terminal_table(record: Record) -> Table:
    """Edit × module, with files, seconds and ratio for each layout."""
    rows = summary_rows(record)
    return tables.terminal_table(record.options.layouts, rows, _caption(rows))


def print_report(record: Record, console: Console) -> None:
    """Shows the table, and whether it can be trusted."""
    for text in warnings(record):
        console.print(text.replace("**", "").replace("`", "'"), highlight=False, markup=False, style="bold")
    console.print(terminal_table(record))
    verdict = control_verdict(record)
    if verdict is not None:
        sentence = control_sentence(verdict).replace("`", "'")
        console.print(f"A/A control: {sentence}", highlight=False, markup=False)
    if record.is_copy:
        for line in advantage(record):
            console.print(line.replace("`", "'"), highlight=False, markup=False, soft_wrap=True)


def warnings(record: Record) -> list[str]:
    """What a reader must know before any number."""
    verdict = control_verdict(record)
    found = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    if verdict is not None and verdict.trusted is False:
        found.append(
            f"**This run cannot be trusted:** `{verdict.layout}`, measured a second time in a build directory of its "
            f"own, took {tables.ratio_text(verdict.overall)} times as long as itself, and the 95% interval does not "
            "hold 1. So something else than the layouts made a difference. Measure again while nothing else uses "
            "the machine."
        )
    return found + unsound_warning(record.verification)


def markdown(record: Record) -> str:
    """The whole report, as `results.md`."""
    return f"# Rebuilding {record.package} after an edit\n\n{report_body(record)}"


def report_body(record: Record) -> str:
    """The whole report but its title."""
    rows = summary_rows(record)
    layouts = record.options.layouts
    parts = [
        *warnings(record),
        tables.markdown_table(layouts, rows),
        _caption(rows, p_values=True),
        *_findings(layouts, rows),
        *_control_section(record),
        *verification_section(record.verification),
        "## CPU time and memory" if record.instruments else "## CPU time",
        tables.resource_table(layouts, rows),
        _resource_caption(record),
        *background(record),
        "## Conditions",
        conditions(record),
        f"Reproduce with:\n\n```sh\n{record.command}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def background(record: Record) -> list[str]:
    """What was measured: the layouts, the edits and the modules."""
    return [
        *_advantage_section(record),
        "## Layouts",
        "\n".join(_layout_lines(record)),
        _layout_note(record),
        "## Edits",
        "\n".join(_edit_line(record, edit) for edit in record.options.edits),
        _SAMPLE_NOTE,
        "## Modules",
        "\n".join(_module_line(name, facts) for name, facts in record.modules.items()),
    ]


def compact_report(record: Record, edits: Sequence[str] = (), modules: Sequence[str] = ()) -> str:
    """One column for each layout, the conditions in a sentence, and the command; of some edits and modules where
    they are named."""
    rows = [
        (row, summaries)
        for row, summaries in summary_rows(record)
        if (not edits or row[0] in edits) and (not modules or row[1] in modules)
    ]
    conditions = (
        "Compiled files and median seconds of `swift build` (debug) after an edit, with the ratio to "
        f"`{BASELINE}`, from {_sample_counts(rows)} on {record.machine.summary}, with {record.toolchain}. "
        f"`{record.command}` repeats it."
    )
    return "\n\n".join([*warnings(record), tables.compact_table(record.options.layouts, rows), conditions]) + "\n"


def control_sentence(verdict: ControlVerdict) -> str:
    """What the control says of the run."""
    ratio = verdict.overall
    judged = {
        True: "The 95% interval holds 1, as it must where the machine favoured neither.",
        False: "The 95% interval does not hold 1, so this run cannot be trusted.",
        None: f"These are too few pairs to judge the run by; {LEAST_SAMPLES} are needed.",
    }[verdict.trusted]
    return (
        f"`{verdict.layout}` was measured a second time in a build directory of its own. Its ratio to itself is "
        f"{tables.ratio_text(ratio)}, from {amount(ratio.pairs, 'pair')}. {judged}"
    )


def _findings(layouts: Sequence[str], rows: Rows) -> list[str]:
    found = findings(layouts, rows)
    weak = found and not tables.has_intervals(rows)
    return [
        *(["Judged by the medians alone, as there are too few samples for intervals:"] if weak else []),
        "\n".join(found),
    ]


def _control_section(record: Record) -> list[str]:
    verdict = control_verdict(record)
    if verdict is not None:
        parts = ["## A/A control", control_sentence(verdict), tables.control_table(verdict.rows)]
        if any(ratio.interval for ratio in verdict.rows.values()):
            parts.append(
                f"{verdict.rows_excluding_one} of these {len(verdict.rows)} intervals do not hold 1; "
                "by chance, one in twenty does not."
            )
        return parts
    # Older runs had none.
    if record.instruments is None:
        return []
    return ["## A/A control", "There is none in this run, so nothing shows what differences chance makes in it."]


def _caption(rows: Rows, p_values: bool = False) -> str:
    intervals = tables.has_intervals(rows)
    interval = "95% bootstrap interval" if intervals else "fastest–slowest"
    sentences = [
        "files: compiled source files, median (fewest–most where it varied).",
        f"seconds: wall-clock time of `swift build`, median ({interval}) of {_sample_counts(rows)}.",
        f"ratio: seconds divided by those of `{BASELINE}` in the same round, median"
        f"{' (95% bootstrap interval)' if intervals else ''}.",
    ]
    if not intervals:
        sentences.append(f"Intervals need {LEAST_SAMPLES} samples.")
    elif p_values:
        sentences.append("p: Wilcoxon's signed-rank test that the ratio is 1, for each line by itself.")
    return " ".join(sentences)


def _resource_caption(record: Record) -> str:
    sentences = ["CPU s: seconds that all processes of a build spent on processors, median."]
    instruments = record.instruments
    if instruments is not None:
        memory = (
            "the most memory of the largest process of the build"
            if instruments.memory_interval_seconds is None
            else "the most memory of all processes of the build together, looked at every "
            f"{instruments.memory_interval_seconds * 1000:.0f} ms, where shared pages count once"
        )
        sentences.append(f"MiB: {memory}, median.")
        if any(sample.conditions and sample.conditions.noisy is not None for sample in record.samples):
            sentences.append(
                "noisy: samples during which other programs used more than "
                f"{instruments.noisy_above:.0%} of one core; they count like all others."
            )
    return " ".join(sentences)


def _sample_counts(rows: Rows) -> str:
    counts = {summary.samples for _, row in rows for _, summary in row if summary}
    extremes = sorted({min(counts, default=0), max(counts, default=0)})
    return " to ".join([*map(str, extremes[:-1]), amount(extremes[-1], "sample")])


def _advantage_section(record: Record) -> list[str]:
    return ["## What the interfaces buy", "\n".join(advantage(record))] if record.is_copy else []


def _layout_note(record: Record) -> str:
    if record.is_copy:
        return _COPY_NOTE
    return _LAYOUT_NOTE + (_WITH_TESTS if needs_tests(record.options.edits) else _WITHOUT_TESTS)


def _layout_lines(record: Record) -> list[str]:
    refused = [f"- `{layout}` was left out: {reason}" for layout, reason in record.refused_layouts.items()]
    return [_layout_line(record, layout) for layout in record.options.layouts] + refused


def _layout_line(record: Record, layout: str) -> str:
    clean = record.clean_builds[layout]
    meaning = LAYOUTS.get(layout, "unknown to this version")
    return (
        f"- `{layout}`: {meaning}. {clean.files} files in "
        f"{amount(clean.targets, 'target')}; a clean build took "
        f"{clean.seconds:.1f} s (once)."
    )


def _module_line(name: str, facts: ModuleFacts) -> str:
    files, modules = amount(facts.importing_files, "file"), amount(facts.importing_modules, "other module")
    if facts.target is not None:
        part = "" if name == facts.target else f" of the target {facts.target}, which"
        return f"- `{name}`{part} is imported by {files} in {modules.replace('module', 'target')}"
    return f"- `{name}`: its interface is imported by {files} in {modules}"


def _edit_line(record: Record, edit: str) -> str:
    places = [
        f"  - {key.partition(' ')[2] or 'here'}: {text}"
        for key, text in record.placements.items()
        if key.partition(" ")[0] == edit
    ]
    missing = [
        f"  - not in {key.partition(' ')[2] or 'this package'}: {reason}"
        for key, reason in record.missing.items()
        if key.partition(" ")[0] == edit and reason != NOT_ASKED_FOR
    ]
    return "\n".join([f"- `{edit}`: {what_it_changes(edit)}", *places, *missing])


def _resumption_line(resumption: Resumption) -> str:
    torn = len(resumption.torn)
    retaken = f"; {amount(torn, 'sample')} of that round had been taken and were taken anew" if torn else ""
    reason = resumption.reason.rstrip(".")
    return f"Resumed: {resumption.moment}, from round {resumption.round} on, because {reason}{retaken}"


def conditions(record: Record) -> str:
    """Where and how it was measured, as a list."""
    options, revision = record.options, record.revision
    commit = "not a git checkout" if revision.commit is None else f"commit {revision.commit}"
    lines = [
        f"Machine: {record.machine.summary}",
        f"Toolchain: {record.toolchain}",
        f"Code: {commit}{' with changes' if revision.has_changes else ''}",
        f"Seed: {options.seed}; {len(record.samples)} samples; {options.rounds} rounds were planned",
        f"Time: {record.seconds / 60:.1f} minutes from {record.started}",
    ]
    lines += map(_resumption_line, record.resumptions)
    noise = [sample.conditions.noisy for sample in record.samples if sample.conditions is not None]
    if options.jobs is not None:
        lines.append(f"Jobs of a build: {options.jobs}")
    if noise and None not in noise:
        lines.append(f"Noise: {sum(map(bool, noise))} of {len(noise)} samples are noisy")
    loads = [sample.conditions.load_average for sample in record.samples if sample.conditions is not None]
    if loads:
        lines.append(f"Load average before a build: {min(loads):.1f} to {max(loads):.1f}")
    return "\n".join(f"- {line}" for line in lines)
