"""Tells the result: a table for the terminal and `results.md`."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from buildspeed.edits import needs_tests, what_it_changes
from buildspeed.layouts import LAYOUTS
from buildspeed.plan import Cell, cells
from buildspeed.record import ModuleFacts, Record
from buildspeed.summary import BASELINE, CellSummary, summarize

# Two layouts whose ratio is nearer to 1 than this are called equal.
_EQUAL_WITHIN = 0.1

_LAYOUT_NOTE = (
    "All are generated from the same files, in the same way; they differ in the grouping into targets and in the "
    "import lines that follow from it. "
)
_WITHOUT_TESTS = "Test targets are left out, because `swift build` does not compile them."
_WITH_TESTS = "Test targets are there, and every build is `swift build --build-tests`, because an edit is made in them."
_SAMPLE_NOTE = (
    "Each sample: the edit is made, `swift build` (debug) is timed, the edit is undone to the byte, and the package "
    "is built again untimed. Each time, the edit holds a number that no edit before had. "
    "The compiled files are those that the compiler itself reports; recording them takes the same "
    "short time in every layout."
)

_Row = tuple[str, str | None]


def terminal_table(record: Record) -> Table:
    """Edit × module, with files, seconds and ratio for each layout."""
    table = Table(caption=_caption(record), caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("edit")
    table.add_column("module")
    for layout in record.options.layouts:
        table.add_column(f"{layout}\nfiles", justify="right")
        table.add_column("\nseconds", justify="right")
        if layout != BASELINE:
            table.add_column("\nratio", justify="right")
    for (edit, module), summaries in _rows(record):
        values = [text for summary in summaries for text in _cell_texts(*summary)]
        table.add_row(edit, module or "", *values)
    return table


def markdown(record: Record) -> str:
    """The whole report, as `results.md`."""
    return f"# Rebuilding {record.package} after an edit\n\n{report_body(record)}"


def report_body(record: Record) -> str:
    """The whole report but its title."""
    parts = [
        *([f"**Incomplete:** {record.incomplete}"] if record.incomplete else []),
        _markdown_table(record),
        _caption(record),
        "\n".join(_findings(record)),
        "## Layouts",
        "\n".join(_layout_line(record, layout) for layout in record.options.layouts),
        _LAYOUT_NOTE + (_WITH_TESTS if needs_tests(record.options.edits) else _WITHOUT_TESTS),
        "## Edits",
        "\n".join(_edit_line(record, edit) for edit in record.options.edits),
        _SAMPLE_NOTE,
        "## Modules",
        "\n".join(_module_line(name, facts) for name, facts in record.modules.items()),
        "## Conditions",
        "\n".join(f"- {line}" for line in _conditions(record)),
        f"Reproduce with:\n\n```sh\n{record.command}\n```",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def compact_report(record: Record) -> str:
    """One column for each layout, the conditions in a sentence, and the command."""
    rows = [["edit", "module", *record.options.layouts], ["---", "---", *["---:"] * len(record.options.layouts)]]
    for (edit, module), summaries in _rows(record):
        rows.append([edit, module or "", *[_compact_cell(summary) for _, summary in summaries]])
    conditions = (
        "Compiled files and median seconds of `swift build` (debug) after an edit, with the ratio to "
        f"`{BASELINE}`, from {_sample_counts(record)} on {record.machine.summary}, with {record.toolchain}. "
        f"`{record.command}` repeats it."
    )
    return f"{_lines(rows)}\n\n{conditions}\n"


def _compact_cell(summary: CellSummary | None) -> str:
    if summary is None:
        return "–"
    ratio = "" if summary.ratio is None else f", ×{summary.ratio:.2f}"
    return f"{_files(summary)}, {summary.median_seconds:.2f} s{ratio}"


def _markdown_table(record: Record) -> str:
    header, alignment = ["edit", "module"], ["---", "---"]
    for layout in record.options.layouts:
        columns = ["files", "seconds"] if layout == BASELINE else ["files", "seconds", "ratio"]
        header += [f"{layout}: {column}" for column in columns]
        alignment += ["---:"] * len(columns)
    rows = [header, alignment]
    for (edit, module), summaries in _rows(record):
        rows.append([edit, module or "", *[text for each in summaries for text in _cell_texts(*each)]])
    return _lines(rows)


def _lines(rows: Sequence[Sequence[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in rows)


def _rows(record: Record) -> list[tuple[_Row, list[tuple[str, CellSummary | None]]]]:
    options = record.options
    all_cells = cells(options.layouts, options.edits, options.modules)
    summaries = summarize(record, all_cells)
    rows = dict.fromkeys(
        (cell.edit, cell.module)
        for cell in all_cells
        if " ".join(filter(None, (cell.edit, cell.module))) not in record.missing
    )
    return [(row, [(layout, summaries.get(Cell(layout, *row))) for layout in options.layouts]) for row in rows]


def _cell_texts(layout: str, summary: CellSummary | None) -> list[str]:
    if summary is None:
        return ["–"] * (2 if layout == BASELINE else 3)
    seconds = f"{summary.median_seconds:.2f} ({summary.fastest:.2f}–{summary.slowest:.2f})"
    ratio = "–" if summary.ratio is None else f"{summary.ratio:.2f}"
    return [_files(summary), seconds] if layout == BASELINE else [_files(summary), seconds, ratio]


def _files(summary: CellSummary) -> str:
    if summary.fewest_files == summary.most_files:
        return str(summary.fewest_files)
    return f"{summary.median_files:g} ({summary.fewest_files}–{summary.most_files})"


def _caption(record: Record) -> str:
    return (
        "files: compiled source files, median (fewest–most where it varied). seconds: wall-clock time of "
        f"`swift build`, median (fastest–slowest) of {_sample_counts(record)}. ratio: seconds divided by those "
        f"of `{BASELINE}` in the same round, median."
    )


def _sample_counts(record: Record) -> str:
    counts = {summary.samples for _, row in _rows(record) for _, summary in row if summary}
    extremes = sorted({min(counts), max(counts)})
    return " to ".join([*map(str, extremes[:-1]), _counted(extremes[-1], "sample")])


def _findings(record: Record) -> list[str]:
    """Where the baseline is faster and where it is not; both are results."""
    lines = []
    for layout in record.options.layouts:
        ratios = {
            row: summary.ratio
            for row, summaries in _rows(record)
            for name, summary in summaries
            if name == layout and summary and summary.ratio is not None
        }
        verdicts = {
            f"took longer than `{BASELINE}`, by more than {_EQUAL_WITHIN:.0%}": lambda ratio: ratio > 1 + _EQUAL_WITHIN,
            f"took as long as `{BASELINE}`, within {_EQUAL_WITHIN:.0%}": lambda ratio: abs(ratio - 1) <= _EQUAL_WITHIN,
            f"took less than `{BASELINE}`, by more than {_EQUAL_WITHIN:.0%}": lambda ratio: ratio < 1 - _EQUAL_WITHIN,
        }
        for verdict, holds in verdicts.items():
            rows = [row for row, ratio in ratios.items() if holds(ratio)]
            if rows:
                lines.append(f"- `{layout}` {verdict}: {_row_names(rows)}.")
    return lines


def _row_names(rows: Sequence[_Row]) -> str:
    return ", ".join(f"{edit} {module}" if module else edit for edit, module in rows)


def _layout_line(record: Record, layout: str) -> str:
    clean = record.clean_builds[layout]
    return (
        f"- `{layout}`: {LAYOUTS[layout]}. {clean.files} files in "
        f"{_counted(clean.targets, 'target')}; a clean build took "
        f"{clean.seconds:.1f} s (once)."
    )


def _module_line(name: str, facts: ModuleFacts) -> str:
    files, modules = _counted(facts.importing_files, "file"), _counted(facts.importing_modules, "other module")
    return f"- `{name}`: its interface is imported by {files} in {modules}"


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _edit_line(record: Record, edit: str) -> str:
    places = [
        f"  - {key.partition(' ')[2] or 'here'}: {text}"
        for key, text in record.placements.items()
        if key.partition(" ")[0] == edit
    ]
    missing = [
        f"  - not in {key.partition(' ')[2] or 'this package'}: {reason}"
        for key, reason in record.missing.items()
        if key.partition(" ")[0] == edit
    ]
    return "\n".join([f"- `{edit}`: {what_it_changes(edit)}", *places, *missing])


def _conditions(record: Record) -> list[str]:
    revision = record.revision
    commit = "not a git checkout" if revision.commit is None else f"commit {revision.commit}"
    return [
        f"Machine: {record.machine.summary}",
        f"Toolchain: {record.toolchain}",
        f"Code: {commit}{' with changes' if revision.has_changes else ''}",
        f"Seed: {record.options.seed}; {len(record.samples)} samples; {record.options.rounds} rounds were planned",
        f"Time: {record.seconds / 60:.1f} minutes from {record.started}",
    ]
