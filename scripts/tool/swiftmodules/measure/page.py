"""The files that a run leaves in its folder, and the report as one file of HTML with its pictures."""

from __future__ import annotations

import base64
import re
from pathlib import Path

from markdown_it import MarkdownIt
from markdown_it.token import Token

from swiftmodules.files import write_atomically
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.charts import charts, environment
from swiftmodules.measure.report import markdown, title
from swiftmodules.measure.store import RESULTS, write_record


def write_report(analysis: Analysis, folder: Path) -> None:
    """Writes the files that a run leaves in its folder: the record, the report, and its charts."""
    write_record(analysis.record, folder / RESULTS)
    write_atomically(folder / "results.md", markdown(analysis))
    for name, svg in charts(analysis).items():
        write_atomically(folder / name, svg)


def html_page(analysis: Analysis) -> str:
    """The report as a page that needs nothing from elsewhere. Names in a record come from a measured package: they are
    shown, and no image or link is made of them."""
    drawn = charts(analysis)
    parser = MarkdownIt("commonmark", {"html": False}).enable("table").disable(["link", "autolink"])
    tokens = parser.parse(markdown(analysis))
    for token in (inner for each in tokens for inner in each.children or ()):
        _embed(token, drawn)
    report = parser.renderer.render(tokens, parser.options, {})
    return environment().get_template("page.html").render(title=title(analysis), report=_scrolling(report))


def _embed(token: Token, drawn: dict[str, str]) -> None:
    """Puts a chart in the place of its name; any other image becomes its text."""
    if token.type != "image":
        return
    svg = drawn.get(str(token.attrs["src"]))
    if svg is None:
        token.type, token.tag = "text", ""
    else:
        token.attrs["src"] = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"


def _scrolling(html: str) -> str:
    """Tables in boxes of their own."""
    return re.sub(r"(<table>.*?</table>)", r'<div class="wide" tabindex="0">\1</div>', html, flags=re.S)
