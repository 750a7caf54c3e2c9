"""The parts of documents that come from records, as Markdown; a document that shows one is checked for drift."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath

from swiftmodules.analysis.cells import RunAnalysis
from swiftmodules.analysis.growth import ScaleAnalysis
from swiftmodules.analysis.matrix import laws
from swiftmodules.errors import UsageError
from swiftmodules.records.kinds import MatrixRecord
from swiftmodules.records.model import BASELINE, Cell
from swiftmodules.report import tables
from swiftmodules.report.markdown import compact_report, fill

_REACH, _CLEAN_BUILDS = "reach", "clean-builds"


def measured(analysis: RunAnalysis, argument: str) -> str:
    """What `argument` names of a record of `run`: edits, and after a space modules (`body,private-top HTTPClient`);
    `reach private-top HTTPClient`, where the compiled files are; or `clean-builds`. Raises `UsageError`."""
    options = analysis.record.options
    match argument.split():
        case [word] if word == _CLEAN_BUILDS:
            return clean_builds(analysis)
        case [word, edit, module] if word == _REACH:
            _require([edit], options.edits, "edit")
            _require([module], options.modules, "module")
            return reach(analysis, edit, module)
        case [edits, *modules] if len(modules) < 2:
            chosen = edits.split(","), [name for word in modules for name in word.split(",")]
            _require(chosen[0], options.edits, "edit")
            _require(chosen[1], options.modules, "module")
            return compact_report(analysis, *chosen)
        case _:
            raise UsageError(f"'{argument}' is too much. Name edits, and after a space modules.")


def clean_builds(analysis: RunAnalysis) -> str:
    """The layouts and how long they take to build from a clean folder."""
    builds = analysis.record.clean_builds
    rows = [
        [layout, str(build.targets), str(build.files), f"{build.seconds:.1f} s"]
        for layout in analysis.record.options.layouts
        if (build := builds.get(layout))
    ]
    return str(tables.Table(["layout", "targets", "files", "clean build"], rows, 1))


def reach(analysis: RunAnalysis, edit: str, module: str) -> str:
    """How many files each folder has among those that were compiled, in the first sample of each layout."""
    layouts = analysis.record.options.layouts
    counts: dict[str, Counter[str]] = {}
    for layout in layouts:
        samples = analysis.samples.get(Cell(layout, edit, module))
        compiled = samples[0].compiled if samples else ()
        files = compiled if isinstance(compiled, tuple) else ()
        counts[layout] = Counter(str(PurePosixPath(file).parent) for file in files)
    folders = sorted({folder for each in counts.values() for folder in each})
    rows = [[folder, *(str(counts[layout][folder] or "") for layout in layouts)] for folder in folders]
    rows.append(["together", *(str(counts[layout].total()) for layout in layouts)])
    return str(tables.Table(["compiled files in", *layouts], rows, 1))


def scale_summary(analysis: ScaleAnalysis, folder: str) -> str:
    """The slopes and the plots, which are in a folder such as `results/scale/`, and the command that repeats the
    run."""
    return fill("scale_summary.md", analysis, folder=folder)


def edit_laws(record: MatrixRecord, module_of: Callable[[str], str | None]) -> str:
    """What each edit does in all modules together. `module_of` names the module of a target, if it has one."""
    caption = (
        "All modules together, fewest–most. smallest: the edited file and the files that mention what the edit "
        f"changes. ratio: files compiled in `{BASELINE}` to those of the smallest set. its target, its module (its "
        "other targets), other modules, programs: in how many of the modules the edit compiles a file there besides "
        f"the edited one, in `{BASELINE}`. From `measure matrix` with {record.toolchain}."
    )
    return f"{tables.law_table(laws(record, module_of))}\n\n{caption}"


def _require(names: Sequence[str], known: Sequence[str], kind: str) -> None:
    for name in names:
        if name not in known:
            raise UsageError(f"the results have no {kind} '{name}'. They have: {', '.join(known)}.")
