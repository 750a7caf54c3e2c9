"""The page in a real browser: on a phone and a computer, light and dark, on paper, and with its script."""

from __future__ import annotations

import html
import json
import re
import shutil
import subprocess
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from made_records import growing_record, noisy_record
from msgspec.structs import replace
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.page import html_page

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="needs chromium or google-chrome in PATH")

_PHONE, _COMPUTER = 390, 1280
# Its sandbox is not available as root, nor in many containers; the pages are our own.
_OPTIONS = ("--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--hide-scrollbars")
# The page in a frame of its own width and colours, and what a function finds in it.
_OUTER = """<!DOCTYPE html><iframe style="width:{width}px;height:800px;border:0;color-scheme:{scheme}" srcdoc="{page}">
</iframe><script>
const colour = text => text.match(/[\\d.]+/g).map(Number);
const light = text => {{ const [r, g, b] = colour(text); return 0.2126 * r + 0.7152 * g + 0.0722 * b; }};
onload = () => {{ document.title = JSON.stringify((({{document}}, window) => {{ {script} }})(frames[0], frames[0])); }};
</script>"""


@pytest.fixture(scope="module")
def page() -> str:
    """A page with everything that one can show, and long names."""
    made = noisy_record({"interface": 1, "fused": 1.4, "monolith": 0.8, "control": 1.3}, count=20)
    made = replace(made, package="A" * 60, incomplete="the run ended after 30 samples")
    return html_page([Analysis(made), Analysis(growing_record())])


def browse(folder: Path, file: Path, *options: str) -> str:
    arguments = [str(PROGRAM), *_OPTIONS, f"--user-data-dir={folder / 'profile'}", *options, file.as_uri()]
    return subprocess.run(arguments, capture_output=True, text=True, check=True, timeout=120).stdout


def found(page: str, folder: Path, script: str, width: int = _COMPUTER, dark: bool = False) -> Any:  # noqa: ANN401
    """Runs a function's body in the page, and returns its result."""
    outer = folder / "outer.html"
    scheme = "dark" if dark else "light"
    outer.write_text(_OUTER.format(width=width, scheme=scheme, page=html.escape(page), script=script))
    title = re.search(r"<title>(.*?)</title>", browse(folder, outer, "--dump-dom"), re.DOTALL)
    assert title is not None
    return json.loads(html.unescape(title[1]))


@pytest.mark.parametrize(("width", "dark"), [*product((_PHONE, _COMPUTER), (False, True))])
def test_page_fits_its_screen_in_light_and_dark(page: str, tmp_path: Path, width: int, dark: bool) -> None:
    script = """
      const all = [...document.querySelectorAll("body *")].filter(each => !each.closest(".wide"));
      const style = window.getComputedStyle(document.body);
      return {
        inner: window.innerWidth,
        scroll: document.documentElement.scrollWidth,
        widest: Math.max(...all.map(each => each.getBoundingClientRect().right)),
        ground: light(style.backgroundColor),
        text: light(style.color),
        requests: window.performance.getEntriesByType("resource").length,
      };"""
    shown = found(page, tmp_path, script, width, dark)
    assert (shown["inner"], shown["scroll"], shown["requests"]) == (width, width, 0)
    assert shown["widest"] <= width
    assert shown["ground"] < 40 and shown["text"] > 200 if dark else shown["ground"] > 240 and shown["text"] < 60


def test_each_chart_is_drawn_and_wide_tables_scroll_in_a_box_of_their_own(page: str, tmp_path: Path) -> None:
    script = """
      const box = document.querySelector(".samples").closest(".wide");
      const isDrawn = each => each.complete && each.naturalWidth > 100 && each.naturalHeight > 20;
      return [[...document.images].map(isDrawn), box.scrollWidth > box.clientWidth, box.tabIndex];"""
    # The ratios and the jobs; seconds and files.
    assert found(page, tmp_path, script, _PHONE) == [[True] * 4, True, 0]


def test_samples_are_sorted_by_the_column_that_is_pressed(page: str, tmp_path: Path) -> None:
    script = """
      const table = document.querySelector(".samples");
      const column = number => [...table.tBodies[0].rows].map(row => row.cells[number].textContent);
      const press = number => table.querySelectorAll("th button")[number].click();
      const result = [column(9)];
      press(9);
      result.push(column(9), table.querySelectorAll("th")[9].ariaSort);
      press(9);
      result.push(column(9));
      press(5);
      return [...result, column(5), document.querySelectorAll("button:not([hidden])").length];"""
    before, up, sort, down, layouts, buttons = found(page, tmp_path, script)
    assert up == sorted(before, key=float) != before
    assert sort == "ascending"
    assert down == sorted(before, key=float, reverse=True)
    assert layouts == sorted(layouts)
    assert buttons > 10


def test_page_is_printed_and_read_without_script(page: str, tmp_path: Path) -> None:
    assert page.count("<button") == page.count(" hidden>Save the record") == 2
    assert len(re.findall("<tr>", page.partition('class="samples"')[2].partition("</table>")[0])) == 81
    # The colours of a dark screen are for screens only.
    assert "prefers-color-scheme: dark" in page and "@media (prefers" not in page
    (tmp_path / "page.html").write_text(page)
    browse(tmp_path, tmp_path / "page.html", f"--print-to-pdf={tmp_path / 'page.pdf'}")
    assert (tmp_path / "page.pdf").read_bytes().startswith(b"%PDF")
