"""The HTML page of one or several records: one file that shows them without anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
from markupsafe import Markup

from swiftmodules.analysis.cells import RunAnalysis
from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.growth import ScaleAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.simulation import SimulateAnalysis
from swiftmodules.errors import UsageError
from swiftmodules.records.files import kind_of, record_bytes
from swiftmodules.records.kinds import Rebuild
from swiftmodules.records.model import BASELINE, CONTROL, TimedRecord
from swiftmodules.report.charts import box_plots, growth_curves, heat_map, timelines
from swiftmodules.report.lines import csv_rows
from swiftmodules.report.markdown import AnyAnalysis, as_html, body, environment, fill, title


@dataclass(frozen=True)
class _Part:
    """A record on the page, with what the page shows of it besides charts."""

    name: str
    title: str
    text: Markup | None
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]
    data: Markup


def html_page(analyses: Sequence[AnyAnalysis]) -> str:
    """The whole page, with one record of a kind. A matrix has the heat map in place of the run, as it has more
    edits."""
    found: dict[str, AnyAnalysis] = {}
    for each in analyses:
        if kind_of(each.record) in found:
            raise UsageError(f"a page shows one record of each kind, and two are of '{kind_of(each.record)}'.")
        found[kind_of(each.record)] = each
    run, matrix, scale = found.get("run"), found.get("matrix"), found.get("scale")
    run = run if isinstance(run, RunAnalysis) else None
    matrix = matrix if isinstance(matrix, MatrixAnalysis) else None
    main = run or analyses[0]
    shown = matrix or run
    return (
        environment()
        .get_template("page.html")
        .render(
            a=main,
            r=main.record,
            title=title(main),
            timed=main.record if isinstance(main.record, TimedRecord) else None,
            warnings=[warning for each in analyses for warning in each.warnings],
            run=run,
            matrix=matrix,
            baseline=BASELINE,
            styles=_styles(analyses),
            heat_map=heat_map(shown) if shown else None,
            box_plots=box_plots(run) if run else [],
            growth=growth_curves(scale) if isinstance(scale, ScaleAnalysis) else [],
            timelines=timelines(_rebuilds(analyses)),
            background=fill("background.md", run) if run else "",
            conditions=fill("conditions.md", run) if run else "",
            parts=[_part(each, each is run) for each in analyses],
        )
    )


def _styles(analyses: Sequence[AnyAnalysis]) -> dict[str, str]:
    """The name of the colour and the line of each layout."""
    layouts = dict.fromkeys(name for each in analyses for name in getattr(each.record.options, "layouts", ()))
    return {layout: f"style-{index % 4}" for index, layout in enumerate(layouts)} | {CONTROL: "style-control"}


def _rebuilds(analyses: Sequence[AnyAnalysis]) -> Mapping[str, Rebuild]:
    """Those of a record of `simulate`, else of `run`, else of `floor`, where there are any."""
    found: dict[str, Mapping[str, Rebuild]] = {}
    for each in analyses:
        match each:
            case SimulateAnalysis():
                found["simulate"] = each.rebuilds
            case RunAnalysis():
                found["run"] = each.record.rebuilds
            case FloorAnalysis():
                found["floor"] = _of_settings(each)
            case _:
                pass
    return next((found[kind] for kind in ("simulate", "run", "floor") if found.get(kind)), {})


def _of_settings(analysis: FloorAnalysis) -> dict[str, Rebuild]:
    options = analysis.record.options
    return {
        setting: Rebuild(edit=options.edit, module=options.module, seconds=max(job.finished for job in jobs), jobs=jobs)
        for setting, jobs in analysis.record.timelines.items()
        if jobs
    }


def _part(analysis: AnyAnalysis, is_run: bool) -> _Part:
    columns, *rows = csv_rows(analysis.record)
    # The charts of the page stand in place of the plots beside the report, and of a run there is no more to show.
    lines = [] if is_run else [line for line in body(analysis).split("\n") if not line.startswith("![")]
    # Its headings are below that of the section.
    lines = [f"#{line}" if line.startswith("#") else line for line in lines]
    texts = [[_cell(value) for value in row] for row in rows]
    data = _json(msgspec.json.decode(record_bytes(analysis.record)))
    text = as_html("\n".join(lines)) if lines else None
    return _Part(kind_of(analysis.record), title(analysis), text, [str(each) for each in columns], texts, data)


def _cell(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _json(fields: object) -> Markup:
    """JSON that cannot end the script element in which it stands."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
