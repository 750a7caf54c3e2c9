"""The report of a record: Markdown with its charts, and the terminal."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import groupby
from pathlib import PurePosixPath

from rich.console import Console

from swiftmodules.errors import UsageError
from swiftmodules.measure import tables, verdicts, waiting
from swiftmodules.measure.analysis import Analysis, Summary
from swiftmodules.measure.axes import AXES
from swiftmodules.measure.charts import charts, description, environment
from swiftmodules.measure.record import SCREEN, ModuleFacts, Record
from swiftmodules.measure.statistics import LEAST_SAMPLES
from swiftmodules.measure.words import amount, title_of


def markdown(analysis: Analysis) -> str:
    """The whole report."""
    return f"# {title(analysis)}\n\n{body(analysis)}"


def title(analysis: Analysis) -> str:
    package = analysis.record.package
    if analysis.end == SCREEN:
        return f"From a save to the screen in {package}"
    if analysis.record.commits:
        return f"Rebuilding {package} after its own commits"
    return f"Rebuilding {package} after an edit" if analysis.record.rounds else f"What each edit compiles in {package}"


def body(analysis: Analysis) -> str:
    """The whole report but its title."""
    drawn = [f"![{description(analysis, name)}]({name})" for name in charts(analysis)]
    return _filled("report.md", analysis, charts=drawn)


def summary(analysis: Analysis, folder: str) -> str:
    """The first chart of a record, in a folder such as `results/live/`, and the command that repeats the run."""
    drawn = [f"![{description(analysis, name)}]({folder}{name})" for name in charts(analysis)][:1]
    return _filled("summary.md", analysis, charts=drawn, folder=folder)


def one_edit(analysis: Analysis, edit: str, module: str, copies: int = 0) -> str:
    """What one edit takes in each layout. Raises `UsageError`."""
    _require("copies", copies, analysis.record)
    _require("edit", edit, analysis.record)
    _require("module", module, analysis.record)
    return _filled("one_edit.md", analysis, table=tables.excerpt(analysis, (edit, module), copies))


def reach(record: Record, edit: str, module: str) -> str:
    """Draws the folders with files that one edit compiles, in each layout, as a Mermaid graph. Raises `UsageError`."""
    _require("edit", edit, record)
    _require("module", module, record)
    place = next((place.file for place in record.placements if (place.edit, place.module) == (edit, module)), None)
    lines = ["```mermaid", "graph LR"]
    for sample in record.samples:
        if sample.row != (edit, module) or not isinstance(sample.compiled, dict):
            continue
        folders = Counter(PurePosixPath(file).parent for file in sample.compiled)
        edited = PurePosixPath(place or "").parent
        layout = sample.layout
        lines.append(f'    subgraph {layout}["{layout}: {amount(len(sample.compiled), "file")}"]')
        for number, folder in enumerate(sorted(folders, key=lambda each: (each != edited, each))):
            node = f'{layout}{number}["{"/".join(folder.parts[-2:])}: {folders[folder]}"]'
            lines.append(f"        {node}" if number == 0 else f"        {layout}0 --> {node}")
        lines.append("    end")
    return "\n".join([*lines, "```"])


def print_report(analysis: Analysis, console: Console) -> None:
    """Shows the warnings, the main tables, and what makes them trustworthy."""
    for text in verdicts.warnings(analysis):
        say(console, text, style="bold")
    if analysis.record.commits:
        for table in (waiting.waiting_table(analysis), waiting.kinds_table(analysis)):
            console.print(table.rich())
    else:
        console.print(tables.main_table(analysis).rich(_plain(_filled("caption.md", analysis).strip())))
    control, verification = verdicts.control_sentence(analysis), analysis.record.verification
    notes = [f"A/A control: {control}"] if control else []
    notes += [verdicts.soundness(verification)] if verification else []
    for note in (*notes, *refusals(analysis.record)):
        say(console, note)


def say(console: Console, text: str, style: str | None = None) -> None:
    """A sentence of Markdown, as a terminal shows it."""
    console.print(_plain(text), highlight=False, markup=False, soft_wrap=True, style=style)


def sample_counts(analysis: Analysis) -> str:
    """The number of samples of each cell, such as `6 samples` or `3 to 6 samples`."""
    counts = sorted({len(each.samples) for each in analysis.summaries.values()})
    extremes = sorted({*counts[:1], *counts[-1:]})
    return " to ".join([*map(str, extremes[:-1]), amount(extremes[-1] if extremes else 0, "sample")])


def refusals(record: Record) -> list[str]:
    """Why cells were not measured, those with the same reason together, and all commits of a layout as one."""
    found: dict[str, dict[str, None]] = {}
    commits = Counter((each.layout, each.reason) for each in record.refused if record.commits)
    for refusal in record.refused:
        is_layout = commits[refusal.layout, refusal.reason] >= len(record.commits) > 0
        name = refusal.layout if is_layout else _refused_name(refusal)
        found.setdefault(refusal.reason, {})[f"`{name}`"] = None
    return [f"Not measured: {', '.join(names)}: {reason}" for reason, names in found.items()]


def _filled(template: str, analysis: Analysis, **values: object) -> str:
    """A Markdown template, filled; blank lines that nothing separates are dropped."""
    words = (amount, sample_counts, title_of, reasons, edit_lines, module_line, refusals)
    functions = {each.__name__: each for each in words}
    modules = {"tables": tables, "verdicts": verdicts, "waiting": waiting, "least_samples": LEAST_SAMPLES}
    shown = {"a": analysis, "r": analysis.record, **functions, **modules, **values}
    text = environment().get_template(template).render(shown)
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


def edit_lines(record: Record) -> str:
    """Each edit with its places, and those where it has none."""
    lines = []
    for edit in record.values("edit"):
        lines.append(f"- `{edit}`" + (f": {record.meanings[edit]}" if edit in record.meanings else ""))
        lines += [f"  - {each.module or 'here'}: {each.description}" for each in record.placements if each.edit == edit]
        missing = [each for each in record.missing if each.edit == edit]
        lines += [f"  - not in {each.module or 'this package'}: {each.reason}" for each in missing]
    return "\n".join(lines)


def module_line(name: str, facts: ModuleFacts) -> str:
    files, modules = amount(facts.importing_files, "file"), amount(facts.importing_modules, "other module")
    if facts.target is not None:
        part = "" if name == facts.target else f" of the target {facts.target}, which"
        return f"- `{name}`{part} is imported by {files} in {modules.replace('module', 'target')}"
    return f"- `{name}`: its interface is imported by {files} in {modules}"


def reasons(analysis: Analysis) -> str:
    """The files that each cell of the first layout compiled, those with the same reason together."""
    layouts = analysis.record.values("layout")[:1]
    found = [(cell, each) for cell, each in analysis.summaries.items() if cell.layout in layouts]
    return "\n".join(line for cell, each in found for line in _reason_lines(title_of(cell, analysis.record), each))


def _reason_lines(name: str, summary: Summary) -> list[str]:
    sample = summary.samples[0]
    if not isinstance(sample.compiled, dict) or not any(sample.compiled.values()):
        return []
    lines = [f"- {name}"]
    entries = sorted((reason, file) for file, reason in sample.compiled.items())
    for reason, group in groupby(entries, key=lambda entry: entry[0]):
        lines.append(f"  - {reason}: {', '.join(file for _, file in group)}")
    stale = f"  - not compiled, though it mentions what has changed: {', '.join(sample.stale)}"
    return [*lines, *([stale] if sample.stale else [])]


def _refused_name(refusal: object) -> str:
    return " ".join(axis.label(value) for axis in AXES.values() if (value := getattr(refusal, axis.name))) or "all"


def _require(axis: str, value: object, record: Record) -> None:
    known: Sequence[object] = record.values(axis)
    if value not in known:
        listed = ", ".join(map(str, known))
        raise UsageError(f"the record has no {axis} '{value}'. It has: {listed}.")


def _plain(text: str) -> str:
    return text.replace("**", "").replace("`", "'")
