"""The page as a file: what it holds, what its charts show, and that names from a package cannot break it."""

from __future__ import annotations

import dataclasses
import json
import re
from xml.etree import ElementTree

import pytest
from made_records import (
    build,
    cell,
    floor_record,
    matrix,
    noisy_record,
    rounds_of,
    run_record,
    sample,
    scale_record,
    simulate_record,
    with_options,
)
from msgspec.structs import replace
from pages import Page
from swiftmodules.analysis.compare import analyse
from swiftmodules.analysis.floor import FloorAnalysis
from swiftmodules.analysis.matrix import MatrixAnalysis
from swiftmodules.analysis.run import RunAnalysis
from swiftmodules.analysis.scale import ScaleAnalysis
from swiftmodules.analysis.verdicts import word_of
from swiftmodules.errors import UsageError
from swiftmodules.observed import Job
from swiftmodules.records.files import record_bytes
from swiftmodules.records.kinds import AnyRecord, Rebuild, RunRecord
from swiftmodules.records.model import UNSOUND, Verdict, Verification
from swiftmodules.report.charts import (
    Heat,
    Range,
    axis_to,
    box_plots,
    growth_curves,
    heat_map,
    log_axis,
    range_chart,
    timelines,
)
from swiftmodules.report.page import html_page
from swiftmodules.report.plots import fingerprint, plots

_HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>\" ' & ![a](https://example.org/a.png)"
REBUILDS = {
    "interface": Rebuild(
        edit="body",
        module="Store",
        seconds=1.2,
        jobs=(
            Job(kind="plan", began=0, finished=0.3),
            Job(kind="compile", target="StoreImplementation", files=("S/MemoryReader.swift",), began=0.3, finished=0.7),
            Job(kind="emit-module", target="StoreImplementation", began=0.3, finished=0.5),
            Job(kind="link", target="App", began=0.72, finished=1.15),
        ),
    ),
    "fused": Rebuild(
        edit="body", module="Store", seconds=0.9, jobs=(Job(kind="compile", target="Store", began=0.2, finished=0.6),)
    ),
}


def page(*records: AnyRecord) -> str:
    return html_page([analyse(record) for record in records])


@pytest.fixture
def full() -> RunRecord:
    """A record with everything that a run can show."""
    return replace(noisy_record({"interface": 1, "fused": 2, "control": 1}), rebuilds=REBUILDS)


def test_page_holds_every_part(full: RunRecord) -> None:
    found = Page(page(full, scale_record()))
    headings = ["Compiled files", "Seconds", "Growth", "Timelines", "Layouts", "Edits", "Modules", "Environment"]
    assert found.text("h1") == ["Rebuilding Tiny after an edit"]
    assert [each for each in found.text("h2") if each in headings] == headings
    assert found.text("h2")[-1] == "Samples"
    sections = {attributes.get("id") for attributes in found.of("section")}
    assert {attributes["href"] for attributes in found.of("a")} == {f"#{name}" for name in sections}
    # Two boxes and the control of 10 samples each; 2 curves of 3 points for 3 edits, twice.
    assert len(found.of("circle")) == 30 + 36


def test_page_without_optional_parts_leaves_them_out() -> None:
    found = Page(page(run_record()))
    assert {"Growth", "Timelines"} & set(found.text("h2")) == set()
    assert "There are no samples." in found.text("p")
    assert not any(attributes.get("href") in ("#growth", "#timelines") for attributes in found.of("a"))


def test_other_records_are_shown_on_the_page_of_a_run(full: RunRecord) -> None:
    big = matrix(cell("touch", "monolith", [str(number) for number in range(77)], module="Feed"))
    (layout,) = simulate_record().layouts
    built = build({10: (8.0, 4.0), 2: (9.0,)}, edit="touch", module="Store")
    simulation = simulate_record(layouts=[replace(layout, layout="monolith", builds=(built,))])
    text = page(full, big, scale_record(), simulation)
    assert '<td class="heat" style="--heat:100%">77</td>' in text
    assert "found it with Swift 6.9" in text
    assert "packages, 20 modules: 4 seconds" in text
    assert "<h3>monolith <small>touch Store, 4.00 s</small></h3>" in text
    assert len(Page(text).records) == 4


@pytest.mark.parametrize("record", [matrix(cell("body", "fused")), scale_record(), floor_record(), simulate_record()])
def test_record_of_any_kind_has_a_page_of_its_own(record: AnyRecord) -> None:
    found = Page(page(record))
    assert found.text("h1") == found.text("h2")[-2:-1]
    assert {"open": None}.items() <= found.of("details")[-1].items()
    assert json.loads(found.records[0])["kind"] == json.loads(record_bytes(record))["kind"]
    # What the charts show, and no names of plots that lie elsewhere.
    assert "![" not in page(record)


def test_two_records_of_one_kind_are_refused(full: RunRecord) -> None:
    with pytest.raises(UsageError, match="two are of 'run'"):
        page(full, full)


def test_drawings_have_a_text_and_tables_have_headings(full: RunRecord) -> None:
    found = Page(page(full, scale_record()))
    assert all(attributes.get("aria-label") or attributes.get("aria-hidden") for attributes in found.of("svg"))
    assert len(found.of("table")) == len(found.of("thead")) >= 4


def test_warnings_stand_before_everything_else() -> None:
    made = noisy_record({"interface": 1, "fused": 2, "control": 1.5})
    made.incomplete = "the run ended after 3 samples"
    text = page(made)
    order = ["<h1>", "<strong>Incomplete:</strong>", "<strong>This run cannot be trusted:</strong>", "Against <code>"]
    places = [text.index(words) for words in order]
    assert places == sorted(places)
    assert 'class="warning"' not in page(noisy_record({"interface": 1, "fused": 2, "control": 1}))


def test_page_holds_the_record_and_every_sample(full: RunRecord) -> None:
    text = page(full)
    (data,) = Page(text).records
    assert json.loads(data) == json.loads(record_bytes(full))
    table = text.partition('class="samples"')[2]
    assert len(re.findall("<tr>", table)) == 1 + len(full.samples)
    assert f"<td>{full.samples[-1].seconds:.3f}</td>" in table


def test_names_from_a_package_are_escaped(full: RunRecord) -> None:
    job = replace(REBUILDS["interface"].jobs[1], kind=_HOSTILE, target=_HOSTILE, files=(_HOSTILE,))
    hostile = replace(
        full,
        package=_HOSTILE,
        toolchain=_HOSTILE,
        command=f"measure {_HOSTILE}",
        incomplete=_HOSTILE,
        placements={f"body {_HOSTILE}": f"a statement in `{_HOSTILE}`"},
        missing={f"body Other{_HOSTILE}": _HOSTILE},
        modules={_HOSTILE: full.modules["Store"]},
        options=with_options(full.options, modules=(_HOSTILE,)),
        samples=[replace(each, module=_HOSTILE, compiled=(_HOSTILE,)) for each in full.samples],
        rebuilds={_HOSTILE: replace(REBUILDS["fused"], module=_HOSTILE, jobs=(job,))},
    )
    growth = scale_record()
    growth.samples = [replace(each, module=each.module and _HOSTILE) for each in growth.samples]
    growth.options = type(growth.options)(**(vars(growth.options) | {"modules": (_HOSTILE,)}))
    found = Page(page(hostile, growth))
    assert len(found.of("script")) == 3
    assert found.of("img") == []
    assert not any(name.startswith("on") for _, attributes in found.elements for name in attributes)
    assert found.text("h1") == [f"Rebuilding {_HOSTILE} after an edit"]
    assert json.loads(found.records[0])["package"] == _HOSTILE
    # Browsers end a script also at other spellings than this parser does.
    assert not any("<" in data for data in found.records)


def heats(record: RunRecord) -> dict[str, tuple[Heat | None, ...]]:
    return {f"{table.title} {name}": row for table in heat_map(RunAnalysis(record)).tables for name, row in table.rows}


def test_heat_is_the_median_of_the_compiled_files_with_its_extremes() -> None:
    made = run_record(
        [
            *rounds_of({"interface": [1, 1]}, files=0),
            *(sample(round, "fused", 1, files=files) for round, files in enumerate((3, 3, 9), start=1)),
        ]
    )
    # log(1 + 3) / log(1 + 9)
    assert heats(made) == {"body Store": (Heat("0", 0, False), Heat("3 (3–9)", 60, False))}
    assert heat_map(RunAnalysis(made)).most == 9
    assert heats(run_record([sample(1, "fused", 1, 4)])) == {"body Store": (None, Heat("4", 100, False))}
    assert heats(run_record([sample(1, "fused", 1, 0)])) == {"body Store": (None, Heat("0", 0, False))}
    assert heat_map(RunAnalysis(run_record())).tables == ()


def test_cells_whose_program_is_wrong_are_marked() -> None:
    made = noisy_record({"interface": 1, "fused": 2}, count=2)
    verdict = Verdict(layout="fused", edit="body", module="Store", result=UNSOUND)
    made.verification = Verification(verdicts=[verdict])
    assert [heat.is_unsound for heat in heats(made)["body Store"] if heat] == [False, True]
    ((_, (interface, fused)),) = box_plots(RunAnalysis(made))[0].groups
    assert (word_of(interface), word_of(fused)) == ("", "unsound")
    assert page(made).count('<b class="unsound">unsound</b>') == 2


def test_edits_in_no_module_stand_together_and_the_control_is_left_out() -> None:
    made = noisy_record({"interface": 1, "control": 1}, count=1)
    once = [replace(made.samples[0], edit=edit, module=None) for edit in ("noop", "app-body")]
    made.samples = [made.samples[0], replace(made.samples[1], compiled=("a", "b", "c")), *once]
    made.options = with_options(made.options, edits=("noop", "body", "app-body"))
    assert list(heats(made)) == ["body Store", "in no module noop", "in no module app-body"]
    assert heat_map(RunAnalysis(made)).most == 1


def test_heat_of_a_matrix_is_that_of_its_cells() -> None:
    made = matrix(cell("body", "interface"), cell("body", "fused", ["A.swift", "B.swift", "C.swift"]))
    (table,) = heat_map(MatrixAnalysis(made)).tables
    assert (table.title, table.rows) == ("body", (("M", (Heat("1", 50, False), Heat("3", 100, False))),))


@pytest.mark.parametrize(
    ("most", "end", "step"),
    [(0.36, 0.4, 0.1), (2.7, 3, 1), (3, 3, 1), (10.1, 15, 5), (0.0042, 0.005, 0.001), (160, 200, 50), (0, 1, 1)],
)
def test_axis_begins_at_0_reaches_the_most_and_has_round_marks(most: float, end: float, step: float) -> None:
    axis = axis_to(most)
    assert [axis.end, axis.step] == pytest.approx([end, step])
    assert axis.marks[0] == 0
    assert axis.marks[-1] == pytest.approx(end)
    assert len(axis.marks) <= 6
    assert axis.percent(end / 2) == pytest.approx(50)


def test_box_has_all_samples_their_quartiles_and_a_label() -> None:
    record = run_record(rounds_of({"interface": [1, 2, 4], "fused": [3, 6, 8]}))
    (drawn,) = box_plots(RunAnalysis(record))
    assert drawn.axis.end == 8
    ((module, (interface, fused)),) = drawn.groups
    assert module == "Store"
    assert (fused.fastest, fused.quartiles, fused.slowest) == (3, [4.5, 6, 7], 8)
    assert (word_of(interface), word_of(fused)) == ("", "slower")
    text = page(record)
    for words in (
        *(f'cx="{place}%"' for place in (37.5, 75.0, 100.0)),
        '<rect class="box" x="56.25%" y="15%" width="31.25%" height="70%"/>',
        "<title>round 1: 1.000 s</title>",
        "<span>2.00 s</span></span>",
        '<span>6.00 s</span> <span>×3.00 <b class="slower">slower</b></span>',
        'aria-label="fused: 3 samples from 3.00 to 8.00 s, quartiles 4.50, 6.00 and 7.00 s"',
    ):
        assert words in text


def test_box_of_the_control_has_its_ratio_and_no_verdict_and_noisy_samples_are_marked() -> None:
    record = noisy_record({"interface": 1, "fused": 0.5, "control": 2})
    (drawn,) = box_plots(RunAnalysis(record))
    boxes = {box.cell.layout: box for _, group in drawn.groups for box in group}
    assert str(boxes["control"].ratio).startswith("2.0")
    assert (word_of(boxes["control"]), word_of(boxes["fused"])) == ("", "faster")
    noisy = [each.get("class") for each in Page(page(record)).of("circle")]
    assert noisy == ["noisy", *[None] * 9] * 3
    assert page(record).count(" s, noisy</title>") == 3


def test_curve_goes_through_the_medians_from_the_smallest_size_to_the_largest() -> None:
    curves = growth_curves(ScaleAnalysis(scale_record(sizes=(20, 5))))
    assert [(each.edit, len(each.series)) for each in curves] == [
        ("noop", 2),
        ("body HTTPClient", 2),
        ("body Profile1", 2),
    ]
    packages = curves[2].series[1]
    seconds, files = (
        [
            (chart.modules.percent(size), chart.values.percent(value))
            for size, value in packages.medians[chart.unit].items()
        ]
        for chart in curves[2].charts
    )
    assert (seconds, files) == ([(25, 62.5), (100, 100)], [(25, 26), (100, 86)])
    text = page(scale_record(sizes=(20, 5)))
    assert '<line class="curve" x1="25.0%" y1="37.5%" x2="100.0%" y2="0.0%"/>' in text
    assert all(f"packages, {words}" in text for words in ("5 modules: 2.5 seconds", "20 modules: 4 seconds"))


def test_jobs_of_the_same_time_are_in_lanes_of_their_own(full: RunRecord) -> None:
    drawn = timelines(REBUILDS)
    assert drawn is not None
    assert (drawn.axis.end, drawn.kinds) == (1.5, ["plan", "compile", "emit-module", "link"])
    lanes = [[job.kind for job in lane] for lane in drawn.timelines[0][2]]
    assert lanes == [["plan", "emit-module", "link"], ["compile"]]
    text = page(full)
    for place in ("left:0.0%;width:20.0%", "left:20.0%;width:13.33%", "left:48.0%;width:28.67%"):
        assert place in text
    assert 'title="compile StoreImplementation MemoryReader.swift: 0.300 to 0.700 s">MemoryReader.swift</span>' in text


def test_timelines_reach_what_ends_last_and_need_a_rebuild() -> None:
    late = timelines({"fused": Rebuild(edit="body", seconds=1, jobs=(Job(kind="link", began=0, finished=3),))})
    assert late is not None and late.axis.end == 3
    assert timelines({"interface": Rebuild(edit="noop", seconds=1, jobs=())}) is not None
    assert timelines({}) is None


def test_plot_shows_every_edit_and_layout_in_the_colours_of_the_page() -> None:
    analysis = ScaleAnalysis(scale_record())
    picture = plots(analysis)["seconds.svg"]
    root = ElementTree.fromstring(picture)
    words = {"".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"noop", "body HTTPClient", "body Profile1", "interface", "packages"} <= words
    assert "prefers-color-scheme: dark" in picture
    # Nothing black or white is left, which could not be read on one of the two.
    assert "#000000" not in picture and "#ffffff" not in picture
    assert fingerprint(analysis.record) in picture
    assert plots(analysis)["seconds.svg"] == picture
    # 3 edits, 2 layouts of 3 sizes: circles and diamonds, each layout with its line, and the legend.
    assert picture.count("<circle") == 10 and picture.count("l4 4l-4 4l-4 -4z") == 10 and picture.count("<line") == 6


def test_plot_follows_the_record() -> None:
    flat, steep = ScaleAnalysis(scale_record(lambda layout, size: (1.0, 1))), ScaleAnalysis(scale_record())
    assert list(plots(steep)) == ["seconds.svg", "files.svg"]
    assert len(set(plots(steep).values())) == 2
    assert fingerprint(steep.record) != fingerprint(flat.record)
    hostile = scale_record()
    hostile.options = dataclasses.replace(hostile.options, edits=('<"&',))
    hostile.samples = [replace(each, edit='<"&') for each in hostile.samples]
    assert "&lt;&#34;&amp;" in plots(ScaleAnalysis(hostile))["files.svg"]
    ElementTree.fromstring(plots(ScaleAnalysis(hostile))["files.svg"])


@pytest.mark.parametrize(
    ("values", "marks"),
    [
        ([1], [1, 2]),
        ([0.84, 2.56], [0.5, 1, 2, 5]),
        ([1, 151], [1, 2, 5, 10, 20, 50, 100, 200]),
        ([0.1, 0.2], [0.1, 0.2]),
        ([3, 4], [2, 5]),
    ],
)
def test_logarithmic_axis_holds_all_values(values: list[float], marks: list[float]) -> None:
    axis = log_axis(values)
    assert axis.marks == pytest.approx(marks)
    assert all(0 <= axis.place(each, 100) <= 100 for each in values)
    assert (axis.place(marks[0], 100), axis.place(marks[-1], 100)) == (0, 100)


def test_ranges_are_ratios_of_a_run_and_of_settings_and_files_of_a_matrix(full: RunRecord) -> None:
    made = noisy_record({"interface": 1, "fused": 2})
    chart = range_chart(RunAnalysis(made))
    assert chart is not None and (chart.panels, chart.rows, chart.layouts) == (["Store"], ["body"], ["fused"])
    (ratio,) = chart.ranges.values()
    assert ratio.low < ratio.middle < ratio.high and ratio.middle == pytest.approx(2, rel=0.05)
    cells = [
        cell("body", "interface", [f"{number}.swift" for number in range(files)], module=name)
        for name, files in (("M", 1), ("N", 3), ("O", 4))
    ]
    chart = range_chart(MatrixAnalysis(matrix(*cells, cell("noop", "interface", [], module=None))))
    assert chart is not None and chart.ranges == {("", "body", "interface"): Range(1, 3, 4)}
    floor = range_chart(FloorAnalysis(floor_record()))
    assert floor is not None and "default" not in floor.rows and "clean build" in floor.panels
    assert range_chart(RunAnalysis(run_record())) is None and plots(RunAnalysis(run_record())) == {}


def test_range_is_a_line_with_a_mark() -> None:
    (picture,) = plots(RunAnalysis(noisy_record({"interface": 1, "fused": 2}))).values()
    assert "prefers-color-scheme: dark" in picture
    root = ElementTree.fromstring(picture)
    words = {"".join(each.itertext()).strip() for each in root.iter("{http://www.w3.org/2000/svg}text")}
    assert {"fused", "Store", "body", "1", "times as long"} <= words
    # The square of the legend, and that of the ratio.
    assert picture.count("<rect") == 2 and picture.count('stroke-width="2"') == 1
