"""The HTML page of one or several records: one file that shows their reports without anything from elsewhere; and the
files that a run leaves, of which it is one."""

from __future__ import annotations

import base64
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec
from markdown_it import MarkdownIt
from markupsafe import Markup

from swiftmodules.files import write_atomically
from swiftmodules.measure import verdicts
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.charts import charts, description, environment
from swiftmodules.measure.report import body, csv_rows, markdown, title
from swiftmodules.measure.store import RESULTS, record_bytes, write_record

# Names in a record come from a measured package: they are shown and never obeyed.
_HTML = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["image", "link", "autolink"])


@dataclass(frozen=True)
class _Chart:
    """A chart as the address of an image that is a part of the page."""

    description: str
    address: str


@dataclass(frozen=True)
class _Part:
    """A record on the page. Its report is without what stands above it: warnings, headline and charts."""

    analysis: Analysis
    title: str
    warnings: Sequence[Markup]
    headline: Sequence[Markup]
    charts: Sequence[_Chart]
    report: Markup
    rows: Sequence[Sequence[object]]
    data: Markup


def write_report(analysis: Analysis, folder: Path) -> None:
    """Writes the files that a run leaves in its folder: the record, the report, its charts, and the page."""
    write_record(analysis.record, folder / RESULTS)
    write_atomically(folder / "results.md", markdown(analysis))
    write_atomically(folder / "report.html", html_page([analysis]))
    for name, svg in charts(analysis).items():
        write_atomically(folder / name, svg)


def html_page(analyses: Sequence[Analysis]) -> str:
    """The whole page."""
    return environment().get_template("page.html").render(parts=[_part(each) for each in analyses])


def _part(analysis: Analysis) -> _Part:
    above = {*verdicts.warnings(analysis), *verdicts.headline(analysis)}
    lines = [line for line in body(analysis).split("\n") if line not in above and not line.startswith("![")]
    # Its headings are below that of the record.
    text = "\n".join(f"#{line}" if line.startswith("#") else line for line in lines)
    drawn = {description(analysis, name): svg for name, svg in charts(analysis).items()}
    return _Part(
        analysis=analysis,
        title=title(analysis),
        warnings=[_inline(each) for each in verdicts.warnings(analysis)],
        headline=[_inline(each) for each in verdicts.headline(analysis)],
        charts=[_Chart(name.replace("`", ""), _address(svg)) for name, svg in drawn.items()],
        report=_scrolling(_HTML.render(text)),
        rows=csv_rows(analysis.record),
        data=_data(record_bytes(analysis.record)),
    )


def _scrolling(html: str) -> Markup:
    """Tables in boxes of their own."""
    return Markup(
        html.replace("<table>", '<div class="wide" tabindex="0"><table>').replace("</table>", "</table></div>")
    )


def _inline(text: str) -> Markup:
    return Markup(_HTML.renderInline(text))


def _address(svg: str) -> str:
    return f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _data(record: bytes) -> Markup:
    """JSON that cannot end the script element in which it stands."""
    fields = json.dumps(msgspec.json.decode(record), ensure_ascii=False, separators=(",", ":"))
    return Markup(fields.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e"))
