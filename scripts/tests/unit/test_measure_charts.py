"""The charts as pictures, and the page as a file: what they show, and that names from a package cannot break them."""

from __future__ import annotations

import base64
import re
from xml.etree import ElementTree

import pytest
from made_records import counted, counts_record, growing_record, noisy_record, run_record, sample, settings_record
from msgspec.structs import replace
from swiftmodules.measure.analysis import Analysis
from swiftmodules.measure.charts import (
    Range,
    axis_to,
    charts,
    description,
    fingerprint,
    log_axis,
    range_chart,
)
from swiftmodules.measure.page import html_page
from swiftmodules.measure.record import BY_HAND, Missing, Place, Record

_HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\" ' & ![a](https://example.org/a.png)"
_SVG = "{http://www.w3.org/2000/svg}"


def page(record: Record) -> str:
    return html_page(Analysis(record))


@pytest.fixture
def full() -> Record:
    """A record with everything that a page can show."""
    return noisy_record({"interface": 1, "fused": 2, "control": 1})


def words(picture: str) -> list[str]:
    return ["".join(each.itertext()).strip() for each in ElementTree.fromstring(picture).iter(f"{_SVG}text")]


def test_axes_have_round_numbers_and_hold_all_values() -> None:
    for most, end, step in ((0, 1, 1), (0.9, 1, 0.2), (77, 80, 20), (2.01, 2.5, 0.5)):
        axis = axis_to(most)
        assert (axis.end, axis.step) == pytest.approx((end, step))
        assert axis.marks[0] == 0 and axis.marks[-1] == pytest.approx(end) and len(axis.marks) <= 6
        assert (axis.place(end / 2, 100), axis.below(end / 4, 100)) == (50, 75)
    for values, marks in (([1], [1, 2]), ([0.84, 2.56], [0.5, 1, 2, 5]), ([0.1, 0.2], [0.1, 0.2])):
        logarithmic = log_axis(values)
        assert logarithmic.marks == pytest.approx(marks)
        assert all(0 <= logarithmic.place(each, 100) <= 100 for each in values)
        assert (logarithmic.place(marks[0], 100), logarithmic.place(marks[-1], 100)) == (0, 100)


def test_ranges_are_ratios_where_there_are_times_and_files_where_there_are_none() -> None:
    chart = range_chart(Analysis(noisy_record({"interface": 1, "fused": 2})))
    assert chart is not None and (chart.panels, chart.rows, chart.marks) == (["Store"], ["body"], ["fused"])
    (ratio,) = chart.ranges.values()
    assert ratio.low < ratio.middle < ratio.high and ratio.middle == pytest.approx(2, rel=0.05)
    counts = [
        counted("body", "interface", [f"{number}.swift" for number in range(files)], module=name)
        for name, files in (("M", 1), ("N", 3), ("O", 4))
    ]
    analysis = Analysis(counts_record(*counts, counted("noop", "interface", [], module=None)))
    chart = range_chart(analysis)
    assert chart is not None and chart.ranges == {("", "body", "interface"): Range(1, 3, 4)}
    assert description(analysis, "files.svg").startswith("compiled files after each edit")
    assert range_chart(Analysis(run_record())) is None and charts(Analysis(run_record())) == {}


def test_many_values_are_rows_and_what_is_done_by_hand_is_no_ratio_of_builds() -> None:
    settings = [f"s{number}" for number in range(7)]
    made = [
        sample(round, layout, 1 + number, setting=name, until=until)
        for round in range(1, 4)
        for number, name in enumerate(settings)
        for layout in ("interface", "fused")
        for until in ("built", BY_HAND)
    ]
    chart = range_chart(Analysis(run_record(made)))
    assert chart is not None
    assert (chart.panels, chart.rows, chart.marks) == (["body Store"], settings[1:], ["interface", "fused"])
    few = range_chart(Analysis(settings_record()))
    assert few is not None and few.quantity == "ratio"


def test_chart_follows_the_record_in_the_colours_of_the_page() -> None:
    analysis = Analysis(noisy_record({"interface": 1, "fused": 2}))
    (picture,) = charts(analysis).values()
    assert {"fused", "Store", "body", "1", "times as long"} <= {*words(picture)}
    # Nothing black or white is left, which could not be read in light or in dark.
    assert "prefers-color-scheme: dark" in picture and "#000000" not in picture and "#ffffff" not in picture
    flat, steep = Analysis(growing_record(lambda layout, copies: (1.0, 1))), Analysis(growing_record())
    assert fingerprint(steep.record) != fingerprint(flat.record)
    assert fingerprint(steep.record) in charts(steep)["ratio.svg"]
    assert charts(steep) == charts(Analysis(growing_record()))
    hostile = growing_record()
    hostile = run_record([replace(each, edit='<"&') for each in hostile.samples])
    (picture,) = charts(Analysis(hostile)).values()
    assert "&lt;&#34;&amp;" in picture
    ElementTree.fromstring(picture)


def test_page_holds_the_report_with_its_charts(full: Record) -> None:
    text = page(full)
    assert "<h1>Rebuilding Tiny after an edit</h1>" in text and "<h2>A/A control</h2>" in text
    (image,) = re.findall('<img src="data:image/svg.xml;base64,(.*?)" alt="times as long as interface, with', text)
    ElementTree.fromstring(base64.b64decode(image))


def test_warnings_stand_before_everything_else() -> None:
    made = noisy_record({"interface": 1, "fused": 2, "control": 1.5})
    made.incomplete = "the run ended after 3 samples"
    text = page(made)
    order = ["<h1>", "<strong>Incomplete:</strong>", "<strong>This run cannot be trusted:</strong>", "Against <code>"]
    places = [text.index(each) for each in order]
    assert places == sorted(places)


def test_names_from_a_package_make_no_elements(full: Record) -> None:
    hostile = replace(
        full,
        package=_HOSTILE,
        toolchain=_HOSTILE,
        command=f"measure {_HOSTILE}",
        incomplete=_HOSTILE,
        placements=(Place(edit="body", module=_HOSTILE, description=f"a statement in `{_HOSTILE}`"),),
        missing=(Missing(edit="body", module=f"Other{_HOSTILE}", reason=_HOSTILE),),
        modules={_HOSTILE: full.modules["Store"]},
        axes={**full.axes, "module": (_HOSTILE,)},
        samples=[replace(each, module=_HOSTILE, compiled={_HOSTILE: _HOSTILE}) for each in full.samples],
    )
    text = page(hostile)
    assert "<script" not in text and "<a " not in text
    assert all(each.startswith('<img src="data:') for each in re.findall("<img [^>]*", text))
