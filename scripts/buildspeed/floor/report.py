"""Tells the result of `scripts/measure floor`, in Markdown and on the terminal."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from buildspeed.floor.by_hand import STEPS
from buildspeed.floor.phases import PHASES
from buildspeed.floor.record import FloorRecord
from buildspeed.floor.summary import Seconds, SettingSummary, summarize
from buildspeed.inference import LEAST_SAMPLES
from buildspeed.summary import Ratio
from buildspeed.tables import markdown_lines, ratio_text, with_interval

_NOTHING = "–"
Column = tuple[str, Callable[[SettingSummary], str]]

_EDIT_COLUMNS: Sequence[Column] = (
    ("seconds", lambda each: _seconds(each.edit)),
    ("ratio", lambda each: _ratio(each.ratio)),
    ("p", lambda each: _p_value(each.ratio)),
    ("by hand", lambda each: _seconds(each.by_hand)),
    ("times by hand", lambda each: _ratio(each.over_hand)),
    ("null build", lambda each: _seconds(each.null)),
)
_PHASE_COLUMNS: Sequence[Column] = tuple(
    (phase, lambda each, phase=phase: _part(each.phases, phase)) for phase in PHASES
)
_STEP_COLUMNS: Sequence[Column] = tuple((step, lambda each, step=step: _part(each.steps, step)) for step in STEPS)
_CLEAN_COLUMNS: Sequence[Column] = (
    ("seconds", lambda each: _seconds(each.clean)),
    ("ratio", lambda each: _ratio(each.clean_ratio)),
    ("first", lambda each: _NOTHING if each.first_clean_seconds is None else f"{each.first_clean_seconds:.2f}"),
    ("program", lambda each: _NOTHING if each.product_bytes is None else f"{each.product_bytes / 2**20:.1f} MiB"),
)


def terminal_table(record: FloorRecord) -> Table:
    """The settings, with the seconds of an edit."""
    table = Table(caption=_edit_caption(record), caption_justify="left", pad_edge=False, box=SIMPLE_HEAD)
    table.add_column("setting")
    for name, _ in _EDIT_COLUMNS:
        table.add_column(name, justify="right")
    for row in _rows(_with_edit(record), _EDIT_COLUMNS):
        table.add_row(*row)
    return table


def markdown(record: FloorRecord) -> str:
    """The whole report, as `results.md`."""
    return f"# How close builds of {record.package} come to the limit\n\n{report_body(record)}"


def report_body(record: FloorRecord) -> str:
    """The whole report but its title."""
    edits = _with_edit(record)
    warnings = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    warnings += [f"**No intervals:** {record.options.rounds} rounds are too few for one."] * _lacks_rounds(record)
    parts = [
        *warnings,
        _table(edits, _EDIT_COLUMNS),
        _edit_caption(record),
        "Where the time of such a build goes, in seconds (medians of each phase by itself):",
        _table(edits, _PHASE_COLUMNS),
        "\n".join(f"- {phase}: {meaning}" for phase, meaning in PHASES.items()),
        "The same work by hand, each step alone, in seconds (medians):",
        _table(edits, _STEP_COLUMNS),
        *_clean_part(record),
        _settings_part(record),
        _conditions_part(record),
    ]
    return "\n\n".join(parts) + "\n"


def _with_edit(record: FloorRecord) -> list[SettingSummary]:
    return [each for each in summarize(record) if each.edit is not None]


def _lacks_rounds(record: FloorRecord) -> bool:
    return record.options.rounds < LEAST_SAMPLES


def _edit_caption(record: FloorRecord) -> str:
    options = record.options
    where = f" in {options.module}" if options.module else ""
    return (
        f"seconds: wall-clock time of `swift build` after the edit `{options.edit}`{where}, {record.placement}; "
        f"median (95% bootstrap interval) of {options.rounds} samples. ratio: to `{options.settings[0]}` in the same "
        "round, with the p-value of Wilcoxon's signed-rank test. by hand: the compiler's job for that file and that "
        "for its module, started side by side, and then the link, with the arguments that the build gave them. times "
        "by hand: how many times as long the build took. null build: `swift build` with nothing to do."
    )


def _clean_part(record: FloorRecord) -> list[str]:
    clean = [each for each in summarize(record) if each.clean is not None]
    if not clean:
        return []
    return [
        f"Builds from nothing, {record.options.clean_rounds} of each setting:",
        _table(clean, _CLEAN_COLUMNS),
        "seconds: median; of a setting that keeps results, only of the builds after the first, for which they were "
        "there. first: the first build of the setting. program: the size of what was linked.",
    ]


def _settings_part(record: FloorRecord) -> str:
    lines = []
    for name, meaning in record.meanings.items():
        words = " ".join(record.words[name])
        lines.append(f"- `{name}`: {meaning}" + (f" (`{words}`)" if words else ""))
    return "\n".join(lines)


def _conditions_part(record: FloorRecord) -> str:
    samples = [*record.samples, *record.clean_samples]
    noisy = sum(1 for sample in samples if sample.conditions and sample.conditions.noisy)
    return (
        f"On {record.machine.summary}, with {record.toolchain}, {record.options.jobs} jobs; {noisy} of {len(samples)} "
        f"samples are noisy. `{record.command}` repeats it."
    )


def _table(summaries: Sequence[SettingSummary], columns: Sequence[Column]) -> str:
    header = ["setting", *(name for name, _ in columns)]
    return markdown_lines([header, ["---", *["---:"] * len(columns)], *_rows(summaries, columns)])


def _rows(summaries: Sequence[SettingSummary], columns: Sequence[Column]) -> list[list[str]]:
    return [[each.setting, *(text(each) for _, text in columns)] for each in summaries]


def _seconds(seconds: Seconds | None) -> str:
    return _NOTHING if seconds is None else with_interval(seconds.median, seconds.interval)


def _ratio(ratio: Ratio | None) -> str:
    return _NOTHING if ratio is None else ratio_text(ratio)


def _p_value(ratio: Ratio | None) -> str:
    if ratio is None or ratio.p_value is None:
        return _NOTHING
    return "< 0.001" if ratio.p_value < 0.001 else f"{ratio.p_value:.3f}"


def _part(values: dict[str, float] | None, name: str) -> str:
    return _NOTHING if values is None else f"{values[name]:.2f}"
