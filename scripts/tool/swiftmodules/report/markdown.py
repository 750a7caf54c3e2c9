"""The report of a record in Markdown, from its template."""

from __future__ import annotations

import re
import statistics
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined, select_autoescape
from markdown_it import MarkdownIt
from markupsafe import Markup

from swiftmodules.analysis import verdicts
from swiftmodules.analysis.compare import AnyAnalysis
from swiftmodules.analysis.floor import PHASES, FloorAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import Rows, RunAnalysis, drifting, present
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.simulation import MOST_ERROR, Check, SimulateAnalysis
from swiftmodules.analysis.stats import LEAST_SAMPLES, Ratio
from swiftmodules.analysis.verdicts import amount
from swiftmodules.records.files import kind_of
from swiftmodules.records.kinds import LiveOptions, ModuleFacts
from swiftmodules.records.model import BASELINE, NOT_ASKED_FOR, place_name
from swiftmodules.report import tables
from swiftmodules.report.charts import range_chart

# Names in a record come from a measured package: they are shown and never obeyed.
_HTML = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])
_TEMPLATES = Path(__file__).with_name("templates")


def markdown(analysis: AnyAnalysis) -> str:
    """The whole report, as `results.md`."""
    return f"# {title(analysis)}\n\n{body(analysis)}"


def title(analysis: AnyAnalysis) -> str:
    package = analysis.record.package
    return {
        "run": f"Rebuilding {package} after an edit",
        "matrix": f"What each edit compiles in {package}",
        "scale": f"How the cost of a rebuild grows in {package}",
        "live": f"From a save to the screen in {package}",
        "floor": f"How close builds of {package} come to the limit",
        "simulate": "Builds on other numbers of cores",
        "bench": f"How long operations of {package} take",
    }[kind_of(analysis.record)]


def body(analysis: AnyAnalysis) -> str:
    """The whole report but its title."""
    return fill(f"{kind_of(analysis.record)}.md", analysis)


def fill(template: str, analysis: AnyAnalysis, **values: object) -> str:
    """A Markdown template, filled; blank lines that nothing separates are dropped."""
    text = environment().get_template(template).render(a=analysis, r=analysis.record, **values)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


@cache
def environment() -> Environment:
    """The templates of all reports, with the words and the tables that they use."""
    made = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=select_autoescape(["html", "svg"]),
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    made.filters |= {"markdown": as_html, "inline": _inline, "number": "{:.6g}".format}
    words = (amount, module_line, edit_lines, sample_counts, check_sentence, prediction_samples, matrix_reasons)
    used = (*words, advice_lines, disturbances, drifting, range_chart, skipped_lines)
    made.globals |= {each.__name__: each for each in used}
    made.globals |= {"tables": tables, "verdicts": verdicts, "phases": PHASES}
    made.globals |= {"baseline": BASELINE, "least_samples": LEAST_SAMPLES}
    return made


def as_html(text: str) -> Markup:
    """Markdown as HTML."""
    return Markup(_HTML.render(text))


def _inline(text: str) -> Markup:
    return Markup(_HTML.renderInline(text))


def sample_counts(rows: Rows) -> str:
    """The number of samples of each cell, such as `6 samples` or `3 to 6 samples`."""
    counts = {len(cell.samples) for cell in present(rows)}
    extremes = sorted({min(counts, default=0), max(counts, default=0)})
    return " to ".join([*map(str, extremes[:-1]), amount(extremes[-1], "sample")])


def module_line(name: str, facts: ModuleFacts) -> str:
    files, modules = amount(facts.importing_files, "file"), amount(facts.importing_modules, "other module")
    if facts.target is not None:
        part = "" if name == facts.target else f" of the target {facts.target}, which"
        return f"- `{name}`{part} is imported by {files} in {modules.replace('module', 'target')}"
    return f"- `{name}`: its interface is imported by {files} in {modules}"


def edit_lines(
    edits: Sequence[str], meanings: Mapping[str, str], placements: Mapping[str, str], missing: Mapping[str, str]
) -> str:
    """Each edit with its places, and those where it has none."""
    lines = []
    for edit in edits:
        lines.append(f"- `{edit}`" + (f": {meanings[edit]}" if edit in meanings else ""))
        for prefix, nowhere, texts in (("", "here", placements), ("not in ", "this package", missing)):
            lines += [
                f"  - {prefix}{key.partition(' ')[2] or nowhere}: {text}"
                for key, text in texts.items()
                if key.partition(" ")[0] == edit and text != NOT_ASKED_FOR
            ]
    return "\n".join(lines)


def check_sentence(analysis: SimulateAnalysis) -> str:
    """Reports how far predictions were from real builds."""
    found = analysis.checks
    if not found:
        return "There was no real build to check a prediction against."

    def name(check: Check) -> str:
        layout = tables.layout_title(analysis, check.layout)
        return f"{layout} {check.build.name} with {amount(check.jobs, 'job')}"

    worst = max(found, key=lambda check: abs(check.error))
    typical = statistics.median(abs(check.error) for check in found)
    beyond = [f"{name(each)}, {tables.error_text(each)}" for each in found if abs(each.error) >= MOST_ERROR]
    verdict = f"All but {len(beyond)} stay" if beyond else "All stay"
    listed = f": {'; '.join(beyond)}." if beyond else "."
    return (
        f"Of {len(found)} predictions for this machine, the median differs from real builds by {typical:.0%}, and the "
        f"farthest by {worst.error:+.0%} ({name(worst)}). {verdict} below {MOST_ERROR:.0%}{listed}"
    )


def prediction_samples(analysis: SimulateAnalysis) -> str:
    """The number of builds that predictions rest on, such as `3 clean builds, and 6 after each edit`."""
    builds = [build for layout in analysis.record.layouts for build in layout.builds]
    clean = max((len(build.costs) for build in builds if build.edit is None), default=0)
    edited = max((len(build.costs) for build in builds if build.edit is not None), default=0)
    return f"{amount(clean, 'clean build')}" + (f", and {edited} after each edit" if edited else "")


def matrix_reasons(analysis: MatrixAnalysis) -> str:
    """The files of each cell of the first layout, those with the same reason together."""
    lines = []
    for (edit, module), cells in analysis.rows.items():
        cell = next(iter(cells.values()))
        if cell is None or not cell.compiled:
            continue
        lines.append(f"- {place_name(edit, module)}")
        entries = sorted((reason, file) for file, reason in cell.compiled.items())
        for reason, group in groupby(entries, key=lambda entry: entry[0]):
            lines.append(f"  - {reason}: {', '.join(file for _, file in group)}")
        if cell.stale:
            lines.append(f"  - not compiled, though it mentions what has changed: {', '.join(cell.stale)}")
    return "\n".join(lines)


def advice_lines(analysis: FloorAnalysis) -> list[str]:
    """Reports the A/A control of settings, and why those that break do."""
    control, name = analysis.control, analysis.record.options.control
    lines = []
    if control is not None:
        weak = "" if control.interval else f" (too few to judge the run by; {LEAST_SAMPLES} are needed)"
        pairs = amount(control.pairs, "pair")
        lines.append(f"A/A control: `{name}` took {control} times as long as itself, from {pairs}{weak}.")
    return [*lines, *(f"`{name}` breaks: {reason}" for name, reason in analysis.record.broken.items())]


def disturbances(analysis: ScaleAnalysis | RunAnalysis | FloorAnalysis) -> list[str]:
    """Reports how much the machine disturbed the run: noisy samples, and the A/A control."""
    lines = [f"Noise: {analysis.noise[0]} of {analysis.noise[1]} samples are noisy"] if analysis.noise else []
    control, machines = _control_of(analysis)
    if control is not None:
        weak = "" if control.interval else f" (too few to judge the run by; {LEAST_SAMPLES} are needed)"
        lines.append(f"A/A control: {control}, from {control.pairs} pairs{weak}")
        lines += [f"On `{name}`: {own}, from {own.pairs} pairs" for name, own in machines.items()]
    return lines


def _control_of(analysis: ScaleAnalysis | RunAnalysis | FloorAnalysis) -> tuple[Ratio | None, Mapping[str, Ratio]]:
    """The ratio of the A/A control, and that of each machine where there are several."""
    match analysis:
        case ScaleAnalysis():
            return analysis.control, analysis.controls
        case RunAnalysis():
            return (analysis.control.overall, analysis.control.machines) if analysis.control else (None, {})
        case FloorAnalysis():
            return analysis.control, {}


def skipped_lines(analysis: ScaleAnalysis) -> Iterable[str]:
    """The sizes that did not fit into the budget, or were measured live only."""
    options = analysis.record.options
    if isinstance(options, LiveOptions) and options.layouts_at(max(options.sizes)) != options.layouts:
        yield f"Above {options.rebuild_up_to} copies, only `live` was measured (`--rebuild-up-to`)"
    for each in analysis.record.skipped:
        yield (
            f"Skipped: {each.size} copies: about {each.estimated_seconds / 60:.0f} minutes, "
            f"judged by the sizes that were measured, while {max(each.seconds_left, 0) / 60:.0f} of `--budget` "
            f"{options.budget_minutes:g} minutes were left"
        )
