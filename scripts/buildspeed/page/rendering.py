"""Renders the page from its templates."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markdown_it import MarkdownIt
from markupsafe import Markup

from buildspeed.control import control_verdict
from buildspeed.csv_text import COLUMNS, Value, csv_field
from buildspeed.growth import GrowthSeries
from buildspeed.headline import headline
from buildspeed.matrix import Matrix
from buildspeed.page.box_plots import box_plots
from buildspeed.page.growth_curves import growth_curves
from buildspeed.page.heat_map import heat_of_matrix, heat_of_record
from buildspeed.page.timelines import timelines
from buildspeed.plan import CONTROL
from buildspeed.rebuild import Rebuild
from buildspeed.record import Record
from buildspeed.report import background, conditions, control_sentence, warnings
from buildspeed.summary import BASELINE

_TEMPLATES = Path(__file__).with_name("templates")
# Names in a record come from a measured package: they are shown and never obeyed.
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).disable(["image", "link", "autolink"])


def html_page(
    record: Record,
    matrix: Matrix | None = None,
    growth: Sequence[GrowthSeries] = (),
    rebuilds: Mapping[str, Rebuild] | None = None,
) -> str:
    """The whole page. The heat map is that of the matrix, where there is one, else that of the record's samples; the
    timelines are those of these rebuilds, else those of the record."""
    environment = Environment(
        loader=FileSystemLoader(_TEMPLATES),
        autoescape=True,
        trim_blocks=True,
        lstrip_blocks=True,
        undefined=StrictUndefined,
    )
    environment.filters |= {"markdown": _markdown, "inline": _inline, "number": _number}
    layouts = dict.fromkeys([*record.options.layouts, *(each.layout for each in growth)])
    verdict = control_verdict(record)
    return environment.get_template("page.html").render(
        record=record,
        baseline=BASELINE,
        warnings=warnings(record),
        headline=headline(record),
        control=control_sentence(verdict) if verdict else None,
        # Names the colour and the line of each layout.
        styles={layout: f"style-{index % 4}" for index, layout in enumerate(layouts)} | {CONTROL: "style-control"},
        matrix=matrix,
        heat_map=heat_of_matrix(matrix) if matrix else heat_of_record(record),
        box_plots=box_plots(record),
        growth=growth_curves(growth),
        timelines=timelines(rebuilds or record.rebuilds),
        background="\n\n".join(background(record)),
        conditions=conditions(record),
        columns=list(COLUMNS),
        samples=[[_cell(csv_field(read(sample))) for read in COLUMNS.values()] for sample in record.samples],
        data=_json(record.as_json()),
    )


def _markdown(text: str) -> Markup:
    return Markup(_MARKDOWN.render(text))


def _inline(text: str) -> Markup:
    return Markup(_MARKDOWN.renderInline(text))


def _number(value: float) -> str:
    """Without the noise of binary fractions, such as that of 0.30000000000000004."""
    return f"{value:.6g}"


def _cell(value: Value) -> str:
    if value is None:
        return ""
    return f"{value:.3f}" if isinstance(value, float) else str(value)


def _json(fields: dict[str, Any]) -> Markup:
    """JSON that cannot end the script element in which it stands."""
    text = json.dumps(fields, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
