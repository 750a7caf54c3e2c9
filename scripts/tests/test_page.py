"""The page as a file: what it holds, that it is well-formed, and that names from a package cannot break it."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from conftest import SCRIPTS
from records import GROWTH, REBUILDS, new_record
from records import record as older_record

from buildspeed.page.rendering import html_page
from buildspeed.record import Record, read_record

_EMPTY = {"meta", "link"}
_HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\" ' & ![a](https://example.org/a.png)"


class Page(HTMLParser):
    """Reads a page, and fails where an element is not ended or ends another."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in _EMPTY:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, self.getpos()

    def handle_data(self, data: str) -> None:
        if self.open:
            self.texts.append((self.open[-1], data))

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]

    def text(self, tag: str) -> list[str]:
        return [text.strip() for name, text in self.texts if name == tag and text.strip()]


@pytest.fixture
def full() -> Record:
    """With everything that a page can show."""
    made = new_record({"interface": 1, "fused": 2, "control": 1})
    made.rebuilds = REBUILDS
    return made


def test_page_holds_every_part(full: Record) -> None:
    page = Page(html_page(full, None, GROWTH))
    headings = ["Compiled files", "Seconds", "Growth", "Timelines", "Layouts", "Edits", "Modules", "Environment"]
    assert page.text("h1") == ["Rebuilding Tiny after an edit"]
    assert page.text("h2") == [*headings, "Samples"]
    sections = {attributes.get("id") for attributes in page.of("section")}
    assert {attributes["href"] for attributes in page.of("a")} == {f"#{name}" for name in sections}
    # Two boxes and the control of 10 samples each; 4 curves of 5 points, twice.
    assert len(page.of("circle")) == 30 + 40


def test_page_without_optional_parts_leaves_them_out() -> None:
    page = Page(html_page(older_record()))
    assert {"Growth", "Timelines"} & set(page.text("h2")) == set()
    assert "There are no samples." in page.text("p")
    assert not any(attributes.get("href") in ("#growth", "#timelines") for attributes in page.of("a"))


def test_drawings_have_a_text_and_tables_have_headings(full: Record) -> None:
    page = Page(html_page(full, None, GROWTH))
    assert all(attributes.get("aria-label") or attributes.get("aria-hidden") for attributes in page.of("svg"))
    assert len(page.of("table")) == len(page.of("thead")) >= 4
    assert {attributes.get("scope") for attributes in page.of("th")} == {"col", "row"}


def test_warnings_stand_before_everything_else() -> None:
    made = new_record({"interface": 1, "fused": 2, "control": 1.5})
    made.incomplete = "the run ended after 3 samples"
    text = html_page(made)
    order = ["<h1>", "<strong>Incomplete:</strong>", "<strong>This run cannot be trusted:</strong>", "Against <code>"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert 'class="warning"' not in html_page(new_record({"interface": 1, "fused": 2, "control": 1}))


def test_page_holds_the_record_and_every_sample(full: Record) -> None:
    page = Page(html_page(full))
    (data,) = [text for tag, text in page.texts if tag == "script" and text.startswith("{")]
    assert json.loads(data) == json.loads(json.dumps(full.as_json()))
    table = html_page(full).partition('id="sample-table"')[2]
    assert len(re.findall("<tr>", table)) == 1 + len(full.samples)
    assert f"<td>{full.samples[-1].seconds:.3f}</td>" in table


def test_names_from_a_package_are_shown_and_not_obeyed(full: Record) -> None:
    full.package = _HOSTILE
    full.toolchain = _HOSTILE
    full.command = f"scripts/measure --package {_HOSTILE}"
    full.incomplete = _HOSTILE
    full.placements = {f"body {_HOSTILE}": f"a statement in `{_HOSTILE}`"}
    full.missing = {f"body Other{_HOSTILE}": _HOSTILE}
    full.modules = {_HOSTILE: full.modules["Store"]}
    full.options = replace(full.options, modules=(_HOSTILE,))
    full.samples = [replace(each, module=_HOSTILE, compiled=(_HOSTILE,)) for each in full.samples]
    job = replace(REBUILDS["fused"].jobs[0], kind=_HOSTILE, target=_HOSTILE, label=_HOSTILE)
    full.rebuilds = {_HOSTILE: replace(REBUILDS["fused"], module=_HOSTILE, jobs=(job,))}
    growth = [replace(GROWTH[0], shape=_HOSTILE, edit=_HOSTILE, layout=_HOSTILE)]
    page = Page(html_page(full, None, growth))
    assert len(page.of("script")) == 2
    assert page.of("img") == []
    assert not any(name.startswith("on") for _, attributes in page.elements for name in attributes)
    assert page.text("h1") == [f"Rebuilding {_HOSTILE} after an edit"]
    (data,) = [text for tag, text in page.texts if tag == "script" and text.startswith("{")]
    assert json.loads(data)["package"] == _HOSTILE
    # Browsers end a script also at other spellings than this parser does.
    assert "<" not in data


def test_page_asks_nothing_of_another_computer(full: Record) -> None:
    text = html_page(full, None, GROWTH)
    assert "default-src 'none'" in text
    assert re.findall(r"""(?:src|href)=["']?(?!#|data:)[^"'\s>]+|url\(|@import|https?://""", text) == []


def test_page_of_the_committed_results_is_small_and_the_same_each_time() -> None:
    record = read_record(SCRIPTS.parent / "docs/results/layouts/results.json")
    first = html_page(record)
    assert first == html_page(record)
    data = len(json.dumps(record.as_json(), separators=(",", ":")))
    # Beside the record itself, less than a kilobyte for each sample.
    assert len(first) - data < 1000 * len(record.samples)
    Page(first)
