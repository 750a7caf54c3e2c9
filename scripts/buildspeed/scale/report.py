"""Tells how the cost grows: tables for the terminal and `results.md`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.table import Table

from buildspeed import tables
from buildspeed.edits import what_it_changes
from buildspeed.inference import LEAST_SAMPLES
from buildspeed.plan import Cell
from buildspeed.scale.comparison import comparisons, control_of
from buildspeed.scale.growth import Growth, Line, growths, rows_of
from buildspeed.scale.package_layout import SCALE_LAYOUTS
from buildspeed.scale.plots import QUANTITIES
from buildspeed.scale.record import MeasuredSize, ScaleRecord
from buildspeed.scale.shapes import SHAPES
from buildspeed.summary import BASELINE
from buildspeed.verification_text import unsound_warning, verification_sentence

_NOTHING = "–"
_SLOPE_NOTE = (
    "files, ms: compiled files and milliseconds of `swift build` for each added copy of the module, the slope of the "
    f"line of least squares through the medians of the sizes, with its 95% interval from {LEAST_SAMPLES} rounds on."
)
_EXPLAINED_NOTE = (
    "R²: the share of the variance of the seconds that the line explains; where it is low, there is no growth, or not "
    "along a line."
)
_RATIO_NOTE = (
    f"×: seconds as a multiple of those of `{BASELINE}` in the same round at the same size, median and 95% interval."
)


def plot_name(shape: str, quantity: str) -> str:
    """The file of a plot, beside the report."""
    return f"{shape}-{quantity}.svg"


def print_scale_report(record: ScaleRecord, console: Console) -> None:
    """Shows the slopes of every shape, and what was left out."""
    for text in warnings(record):
        console.print(text.replace("**", "").replace("`", "'"), highlight=False, markup=False, style="bold")
    for shape in _shapes(record):
        sizes = ", ".join(str(each.size) for each in _sizes(record, shape))
        table = Table(
            title=f"{shape}: sizes {sizes}", title_justify="left", pad_edge=False, box=SIMPLE_HEAD, title_style="bold"
        )
        for name in ("edit", "module"):
            table.add_column(name)
        for layout in record.options.layouts:
            table.add_column(f"{layout}\nfiles", justify="right")
            table.add_column("\nms", justify="right")
        found = growths(record, shape)
        for edit, module in rows_of(record):
            each = [found.get(Cell(layout, edit, module)) for layout in record.options.layouts]
            table.add_row(edit, module or "", *(text for growth in each for text in _slopes(growth)[:2]))
        console.print(table)
    console.print(_SLOPE_NOTE.replace("`", "'"), highlight=False, markup=False)
    for line in skipped_lines(record):
        console.print(line.replace("`", "'"), highlight=False, markup=False)


def warnings(record: ScaleRecord) -> list[str]:
    """What a reader must know before any number."""
    found = [f"**Incomplete:** {record.incomplete}"] if record.incomplete else []
    control = control_of(record)
    if control is not None and control.interval is not None and 1 not in control.interval:
        found.append(
            "**This run cannot be trusted:** a layout, measured a second time in a build directory of its own, took "
            f"{tables.ratio_text(control)} times as long as itself, and the 95% interval does not hold 1. Measure "
            "again while nothing else uses the machine."
        )
    for measured in record.sizes:
        found += [f"{text} (`{measured.shape}`)" for text in unsound_warning(measured.verification)]
    noisy, samples = _noise(record)
    if noisy > samples / 2:
        found.append(
            f"**Noisy:** other programs used the machine during {noisy} of {samples} samples. The seconds mean "
            "little; the compiled files do not depend on it."
        )
    return found


def scale_markdown(record: ScaleRecord) -> str:
    """The whole report, as `results.md`."""
    parts = [f"# How the cost of a rebuild grows in {record.package}", *warnings(record)]
    for shape in _shapes(record):
        parts += [f"## {shape}", f"{_sentence(SHAPES[shape])}.", *_growth(record, shape, "", with_explained=True)]
        parts += _size_tables(record, shape)
    parts += [
        _SLOPE_NOTE,
        _EXPLAINED_NOTE,
        *_ratio_note(record),
        *_skipped(record),
        "## Conditions",
        *_conditions(record),
    ]
    return "\n\n".join(parts) + "\n"


def scale_summary(record: ScaleRecord, folder: str) -> str:
    """The slopes and the plots, which are in a folder such as `results/scale/`, and the command that repeats the
    run."""
    parts = [*warnings(record)]
    for shape in _shapes(record):
        sizes = ", ".join(str(each.size) for each in _sizes(record, shape))
        parts += [f"In the shape `{shape}` ({SHAPES[shape]}), with {sizes} copies:", *_growth(record, shape, folder)]
    command = (
        f"From {record.options.rounds} rounds at each size, on {record.machine.summary}, with {record.toolchain}. "
        f"{'. '.join(_disturbances(record))}. "
        f"`{record.command}` repeats it; [results.md]({folder}results.md) has every median."
    )
    return "\n\n".join([*parts, _SLOPE_NOTE, *_ratio_note(record), *_skipped(record), command]) + "\n"


def slope_table(record: ScaleRecord, shape: str, with_explained: bool = False) -> str:
    """Edit × module, with the slopes of files and seconds in each layout."""
    layouts, found = record.options.layouts, growths(record, shape)
    names = ("files", "ms", "R²") if with_explained else ("files", "ms")
    columns = [f"{layout}: {column}" for layout in layouts for column in names]
    lines = [["edit", "module", *columns], ["---", "---", *["---:"] * len(columns)]]
    for edit, module in rows_of(record):
        each = [found.get(Cell(layout, edit, module)) for layout in layouts]
        lines.append([edit, module or "", *(text for growth in each for text in _slopes(growth)[: len(names)])])
    return tables.markdown_lines(lines)


def _ratio_tables(record: ScaleRecord, shape: str) -> list[str]:
    """Edit × module × layout, with the ratio to `interface` at each size, where that was measured."""
    found = comparisons(record, shape)
    texts = {
        cell: {size: f"×{tables.ratio_text(ratio)}" for size, ratio in ratios.items()} for cell, ratios in found.items()
    }
    return [_table_by_size(record, shape, texts)] if texts else []


def _ratio_note(record: ScaleRecord) -> list[str]:
    return [_RATIO_NOTE] if any(comparisons(record, shape) for shape in _shapes(record)) else []


def skipped_lines(record: ScaleRecord) -> list[str]:
    """The sizes that did not fit into the budget."""
    budget = f"{record.options.budget_minutes:g} minutes"
    return [
        f"Skipped: {each.size} copies in the shape `{each.shape}`: about {each.estimated_seconds / 60:.0f} minutes, "
        f"judged by the sizes that were measured, while {max(each.seconds_left, 0) / 60:.0f} of `--budget` {budget} "
        "were left"
        for each in record.skipped
    ]


def _table_by_size(record: ScaleRecord, shape: str, texts: Mapping[Cell, Mapping[int, str]]) -> str:
    """Edit × module × layout, of the cells that have texts, with those of each size."""
    sizes = [each.size for each in _sizes(record, shape)]
    lines = [["edit", "module", "layout", *(f"{size} copies" for size in sizes)]]
    lines.append(["---", "---", "---", *["---:"] * len(sizes)])
    for edit, module in rows_of(record):
        for layout in record.options.layouts:
            own = texts.get(Cell(layout, edit, module))
            if own is not None:
                lines.append([edit, module or "", layout, *(own.get(size, _NOTHING) for size in sizes)])
    return tables.markdown_lines(lines)


def _size_tables(record: ScaleRecord, shape: str) -> list[str]:
    sizes = [each.size for each in _sizes(record, shape)]
    texts = {
        cell: {point.size: f"{point.files:g}, {point.seconds:.2f} s" for point in growth.points}
        for cell, growth in growths(record, shape).items()
    }
    clean = [["layout", *(f"{size} copies" for size in sizes)], ["---", *["---:"] * len(sizes)]]
    clean += [
        [layout, *(_clean_text(measured, layout) for measured in _sizes(record, shape))]
        for layout in record.options.layouts
    ]
    return [
        _table_by_size(record, shape, texts),
        "Compiled files and seconds, medians.",
        tables.markdown_lines(clean),
        "A clean build: files, targets, and seconds (timed once).",
    ]


def _clean_text(measured: MeasuredSize, layout: str) -> str:
    clean = measured.clean_builds.get(layout)
    return _NOTHING if clean is None else f"{clean.files}, {clean.targets}, {clean.seconds:.1f} s"


def _slopes(growth: Growth | None) -> list[str]:
    if growth is None or growth.files is None or growth.seconds is None:
        return [_NOTHING] * 3
    explained = growth.seconds.explained
    return [
        f"{growth.files.slope:.2f}",
        _milliseconds(growth.seconds),
        _NOTHING if explained is None else f"{explained:.2f}",
    ]


def _milliseconds(line: Line) -> str:
    text = f"{line.slope * 1000:.1f}"
    if line.interval is None:
        return text
    return f"{text} ({line.interval.low * 1000:.1f}–{line.interval.high * 1000:.1f})"


def _growth(record: ScaleRecord, shape: str, folder: str, with_explained: bool = False) -> list[str]:
    """The slopes, the plots, and how layouts compare at each size of a shape."""
    plots = [
        f"![{quantity} against the number of copies, {shape}]({folder}{plot_name(shape, quantity)})"
        for quantity in QUANTITIES
    ]
    return [slope_table(record, shape, with_explained), *plots, *_ratio_tables(record, shape)]


def _skipped(record: ScaleRecord) -> list[str]:
    return ["\n".join(f"- {line}" for line in skipped_lines(record))] if record.skipped else []


def _verified(record: ScaleRecord) -> list[str]:
    """What was verified, at the sizes where anything was."""
    return [
        f"Soundness, {measured.size} copies in the shape `{measured.shape}`: {verification_sentence(verification)}"
        for measured in record.sizes
        if (verification := measured.verification) and (verification.verdicts or measured is record.sizes[0])
    ]


def _conditions(record: ScaleRecord) -> list[str]:
    options, revision = record.options, record.revision
    commit = "not a git checkout" if revision.commit is None else f"commit {revision.commit}"
    _, samples = _noise(record)
    lines = [
        *(f"`{edit}`: {what_it_changes(edit)}" for edit in options.edits),
        *(f"{key}: {text}" for key, text in record.placements.items()),
        *(f"not made: {key}: {text}" for key, text in record.missing.items()),
        *(f"`{layout}`: {SCALE_LAYOUTS[layout]}" for layout in options.layouts),
        *_verified(record),
        f"Machine: {record.machine.summary}",
        f"Toolchain: {record.toolchain}",
        f"Code: {commit}{' with changes' if revision.has_changes else ''}",
        f"Seed: {options.seed}; {samples} samples; {options.rounds} rounds at each size; {options.jobs} jobs",
        f"Time: {record.seconds / 60:.1f} minutes from {record.started}",
        *_disturbances(record),
    ]
    return ["\n".join(f"- {line}" for line in lines), f"Reproduce with:\n\n```sh\n{record.command}\n```"]


def _disturbances(record: ScaleRecord) -> list[str]:
    """By how much the machine disturbed the run: noisy samples, and the A/A control."""
    noisy, samples = _noise(record)
    lines = [f"Noise: {noisy} of {samples} samples are noisy"]
    control = control_of(record)
    if control is not None:
        weak = "" if control.interval else f" (too few to judge the run by; {LEAST_SAMPLES} are needed)"
        lines.append(f"A/A control: {tables.ratio_text(control)}, from {control.pairs} pairs{weak}")
    return lines


def _noise(record: ScaleRecord) -> tuple[int, int]:
    """How many samples are noisy, and how many there are."""
    marks = [bool(sample.noisy) for measured in record.sizes for sample in measured.samples]
    return sum(marks), len(marks)


def _shapes(record: ScaleRecord) -> Sequence[str]:
    measured = {each.shape for each in record.sizes}
    return [shape for shape in record.options.shapes if shape in measured]


def _sizes(record: ScaleRecord, shape: str) -> list[MeasuredSize]:
    return sorted((each for each in record.sizes if each.shape == shape), key=lambda each: each.size)


def _sentence(phrase: str) -> str:
    return phrase[0].upper() + phrase[1:]
