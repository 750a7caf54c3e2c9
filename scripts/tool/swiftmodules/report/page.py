"""The HTML page of one or several records: one file that shows them without anything from elsewhere."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

import msgspec
from markupsafe import Markup

from swiftmodules.analysis.compare import AnyAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.errors import UsageError
from swiftmodules.records.files import kind_of, record_bytes
from swiftmodules.records.model import CONTROL, TimedRecord
from swiftmodules.report.charts import box_plots, growth_curves, heat_map, timelines
from swiftmodules.report.csv_lines import Value, csv_rows
from swiftmodules.report.markdown import as_html, body, environment, fill, title


@dataclass(frozen=True)
class _Part:
    """A record on the page, with what the page shows of it besides charts."""

    name: str
    title: str
    text: Markup | None
    columns: Sequence[Value]
    rows: Sequence[Sequence[Value]]
    data: Markup


def html_page(analyses: Sequence[AnyAnalysis]) -> str:
    """The whole page, with one record of a kind. A matrix has the heat map in place of the run, as it has more
    edits."""
    found: dict[str, AnyAnalysis] = {}
    for each in analyses:
        if kind_of(each.record) in found:
            raise UsageError(f"a page shows one record of each kind, and two are of '{kind_of(each.record)}'.")
        found[kind_of(each.record)] = each
    run = next((each for each in analyses if isinstance(each, RunAnalysis)), None)
    matrix = next((each for each in analyses if isinstance(each, MatrixAnalysis)), None)
    scale = next((each for each in analyses if isinstance(each, ScaleAnalysis)), None)
    main = run or analyses[0]
    shown = matrix or run
    layouts = dict.fromkeys(name for each in analyses for name in getattr(each.record.options, "layouts", ()))
    rebuilds = (found[kind].rebuilds for kind in ("simulate", "run", "floor") if kind in found)
    return (
        environment()
        .get_template("page.html")
        .render(
            r=main.record,
            title=title(main),
            timed=main.record if isinstance(main.record, TimedRecord) else None,
            warnings=[warning for each in analyses for warning in each.warnings],
            run=run,
            matrix=matrix,
            styles={layout: f"style-{index % 4}" for index, layout in enumerate(layouts)} | {CONTROL: "style-control"},
            heat_map=heat_map(shown) if shown else None,
            box_plots=box_plots(run) if run else [],
            growth=growth_curves(scale) if scale else [],
            timelines=timelines(next(filter(None, rebuilds), {})),
            background=fill("background.md", run) if run else "",
            conditions=fill("conditions.md", run) if run else "",
            parts=[_part(each) for each in analyses],
        )
    )


def _part(analysis: AnyAnalysis) -> _Part:
    columns, *rows = csv_rows(analysis.record)
    # The charts of the page stand in place of the plots beside the report, and of a run there is no more to show.
    text = "" if isinstance(analysis, RunAnalysis) else body(analysis)
    lines = [line for line in text.split("\n") if not line.startswith("![")]
    # Its headings are below that of the section.
    text = "\n".join(f"#{line}" if line.startswith("#") else line for line in lines)
    fields = json.dumps(msgspec.json.decode(record_bytes(analysis.record)), ensure_ascii=False, separators=(",", ":"))
    # JSON that cannot end the script element in which it stands.
    data = Markup(fields.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
    return _Part(kind_of(analysis.record), title(analysis), as_html(text) if text else None, columns, rows, data)
