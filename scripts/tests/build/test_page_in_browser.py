"""The page in a real browser: on a phone and a computer, light and dark, on paper, and without script."""

from __future__ import annotations

import itertools
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

pytest.importorskip("PIL")
sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "unit"))

import browser
from browser import Browser
from made_records import noisy_record, scale_record
from msgspec.structs import replace
from PIL import Image, ImageStat  # type: ignore[import-not-found,unused-ignore]
from swiftmodules.analysis.compare import analyse
from swiftmodules.report.page import html_page
from test_report_page import REBUILDS

pytestmark = pytest.mark.skipif(browser.PROGRAM is None, reason="needs chromium or google-chrome in PATH")

_PHONE, _COMPUTER = 390, 1280
# From one edge to the other, to see whether something sticks out that cannot be scrolled to.
_WIDEST = "Math.max(...[...document.querySelectorAll('body *')].filter(each => !each.closest('.wide'))" + (
    ".map(each => each.getBoundingClientRect().right))"
)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With everything that a page can show, and long names."""
    made = noisy_record({"interface": 1, "fused": 1.4, "monolith": 0.8, "control": 1.3}, count=20)
    made = replace(made, package="A" * 60, rebuilds=REBUILDS, incomplete="the run ended after 30 samples")
    path = tmp_path_factory.mktemp("page") / "report.html"
    path.write_text(html_page([analyse(made), analyse(scale_record())]))
    return path


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser.running(tmp_path_factory.mktemp("chromium")) as running:
        yield running


def luminance(image: Image.Image) -> float:
    """From 0 (black) to 255 (white), on average."""
    return float(ImageStat.Stat(image.convert("L")).mean[0])


@pytest.mark.parametrize(("width", "dark"), [*itertools.product((_PHONE, _COMPUTER), (False, True))])
def test_page_fits_its_screen_in_light_and_dark(
    chromium: Browser, page: Path, tmp_path: Path, width: int, dark: bool
) -> None:
    chromium.open(page, width, dark)
    assert chromium.value("innerWidth") == width
    assert chromium.value("document.documentElement.scrollWidth") == width
    assert chromium.value(_WIDEST) <= width
    assert chromium.requested == [page.as_uri()]
    screenshot = chromium.screenshot()
    screenshot.save(tmp_path / "screenshot.png")
    assert screenshot.size == (width, 800)
    assert luminance(screenshot) < 70 if dark else luminance(screenshot) > 185
    # Letters on the ground, and neither of them alone.
    assert ImageStat.Stat(screenshot.convert("L")).stddev[0] > 10
    assert len(screenshot.convert("RGB").getcolors(1 << 24) or []) > 100


def test_each_drawing_has_ink_of_its_own(chromium: Browser, page: Path) -> None:
    chromium.open(page, _PHONE)
    shot = chromium.screenshot(whole=True).convert("RGB")
    places = chromium.value(
        "[...document.querySelectorAll('svg.plot, .lane, td.heat')].map(each => each.getBoundingClientRect())"
        ".map(box => [box.left, box.top, box.right, box.bottom].map(Math.round))"
    )
    assert len(places) >= 4 + 2 + 3 + 6
    for place in places:
        assert len(shot.crop(tuple(place)).getcolors(1 << 24) or []) > 3, place


def test_wide_tables_scroll_in_a_box_of_their_own(chromium: Browser, page: Path) -> None:
    chromium.open(page, _PHONE)
    box = "document.getElementById('samples-run').closest('.wide')"
    assert chromium.value(f"{box}.scrollWidth > {box}.clientWidth")
    assert chromium.value(f"{box}.tabIndex") == 0


def test_samples_are_sorted_by_the_column_that_is_pressed(chromium: Browser, page: Path) -> None:
    chromium.open(page, _COMPUTER)
    column = "[...document.querySelectorAll('#samples-run tbody tr')].map(row => row.cells[5].textContent)"
    before = chromium.value(column)
    button = "document.querySelectorAll('#samples-run th button')[5].click()"
    chromium.value(button)
    assert chromium.value(column) == sorted(before, key=float) != before
    assert chromium.value("document.querySelectorAll('#samples-run th')[5].ariaSort") == "ascending"
    chromium.value(button)
    assert chromium.value(column) == sorted(before, key=float, reverse=True)
    chromium.value("document.querySelectorAll('#samples-run th button')[2].click()")
    layouts = chromium.value("[...document.querySelectorAll('#samples-run tbody tr')].map(r => r.cells[2].textContent)")
    assert layouts == sorted(layouts)


def test_page_is_read_without_script(chromium: Browser, page: Path) -> None:
    chromium.open(page, _COMPUTER, scripts=False)
    assert chromium.value("document.querySelectorAll('#samples-run tbody tr').length") == 80
    assert chromium.value("document.querySelectorAll('button:not([hidden])').length") == 0
    chromium.open(page, _COMPUTER)
    assert chromium.value("document.querySelectorAll('button:not([hidden])').length") > 10


def test_paper_is_white_also_where_the_screen_is_dark(chromium: Browser, page: Path) -> None:
    chromium.open(page, 760, dark=True)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    chromium.send("Emulation.setEmulatedMedia", media="print", features=[dark])
    assert luminance(chromium.screenshot()) > 185
    box = "document.getElementById('samples-run').closest('.wide')"
    assert chromium.value(f"{box}.scrollHeight <= {box}.clientHeight")
    assert chromium.printed().startswith(b"%PDF")


def test_browser_leaves_no_process(tmp_path: Path) -> None:
    def processes() -> list[str]:
        listed = subprocess.run(["ps", "-eww", "-o", "args"], capture_output=True, text=True, check=True)
        return [line for line in listed.stdout.splitlines() if str(tmp_path) in line]

    with browser.running(tmp_path):
        assert processes()
    deadline = time.monotonic() + 10
    while processes() and time.monotonic() < deadline:
        time.sleep(0.1)
    assert processes() == []
