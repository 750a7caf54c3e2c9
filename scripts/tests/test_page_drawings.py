"""What the drawings of the page show: places, counts and words."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from records import GROWTH, REBUILDS, new_record, sample, write_matrix_file, write_scale_file, write_simulation_file
from records import record as older_record

from buildspeed.cli import main
from buildspeed.growth import read_growth
from buildspeed.matrix import read_matrix
from buildspeed.page.axis import axis_to
from buildspeed.page.box_plots import box_plots
from buildspeed.page.growth_curves import growth_curves
from buildspeed.page.heat_map import Heat, heat_of_matrix, heat_of_record
from buildspeed.page.rendering import html_page
from buildspeed.page.timelines import timelines
from buildspeed.rebuild import Job, Rebuild, read_rebuilds
from buildspeed.record import Record, write_record
from buildspeed.soundness import UNSOUND, Verdict, Verification


def heats(record: Record) -> dict[str, tuple[Heat | None, ...]]:
    return {f"{table.title} {name}": row for table in heat_of_record(record).tables for name, row in table.rows}


def test_heat_is_the_median_of_the_compiled_files_with_its_extremes() -> None:
    made = older_record(
        [
            *(sample(round, "interface", 1, files=0) for round in (1, 2)),
            *(sample(round, "fused", 1, files=files) for round, files in enumerate((3, 3, 9), start=1)),
        ]
    )
    # log(1 + 3) / log(1 + 9)
    assert heats(made) == {"body Store": (Heat("0", 0), Heat("3 (3–9)", 60))}
    assert heat_of_record(made).most == 9


def test_cells_whose_program_is_wrong_are_marked() -> None:
    made = new_record({"interface": 1, "fused": 2}, count=2)
    made.verification = Verification(verdicts=[Verdict("fused", "body", "Store", UNSOUND)])
    assert [heat.is_unsound for heat in heats(made)["body Store"] if heat] == [False, True]
    ((_, (interface, fused)),) = box_plots(made)[0].groups
    assert (interface.verdict, fused.verdict) == ("", "unsound")
    assert html_page(made).count('<b class="unsound">unsound</b>') == 2


def test_hottest_is_the_most_and_cells_without_samples_have_no_heat() -> None:
    assert heats(older_record([sample(1, "fused", 1, files=4)])) == {"body Store": (None, Heat("4", 100))}


def test_record_in_which_nothing_is_compiled_is_cold() -> None:
    assert heats(older_record([sample(1, "fused", 1, files=0)])) == {"body Store": (None, Heat("0", 0))}
    assert heat_of_record(older_record()).tables == ()


def test_edits_in_no_module_stand_together_and_the_control_is_left_out() -> None:
    made = new_record({"interface": 1, "control": 1}, count=1)
    once = [replace(made.samples[0], edit=edit, module=None) for edit in ("noop", "app-body")]
    made.samples = [*made.samples, *once]
    made.samples[1] = replace(made.samples[1], compiled=("a", "b", "c"))
    made.options = replace(made.options, edits=("noop", "body", "app-body"))
    assert list(heats(made)) == ["body Store", "in no module noop", "in no module app-body"]
    assert heat_of_record(made).most == 1


def test_heat_of_a_matrix_is_that_of_its_cells(tmp_path: Path) -> None:
    write_matrix_file(tmp_path / "matrix.json", {"body Store interface": 1, "body Store fused": 3})
    (table,) = heat_of_matrix(read_matrix(tmp_path / "matrix.json")).tables
    assert (table.title, table.rows) == ("body", (("Store", (Heat("1", 50), Heat("3", 100))),))


@pytest.mark.parametrize(
    ("most", "end", "step"),
    [(0.36, 0.4, 0.1), (2.7, 3, 1), (3, 3, 1), (10.1, 15, 5), (0.0042, 0.005, 0.001), (160, 200, 50), (0, 1, 1)],
)
def test_axis_begins_at_nothing_reaches_the_most_and_has_round_marks(most: float, end: float, step: float) -> None:
    axis = axis_to(most)
    assert (axis.end, axis.step) == (pytest.approx(end), pytest.approx(step))
    assert axis.marks[0] == 0
    assert axis.marks[-1] == pytest.approx(end)
    assert len(axis.marks) <= 6
    assert axis.percent(end / 2) == pytest.approx(50)


def test_box_has_all_samples_their_quartiles_and_what_they_say() -> None:
    made = older_record(
        [
            *(sample(round, "interface", seconds) for round, seconds in enumerate([1, 2, 4], start=1)),
            *(sample(round, "fused", seconds) for round, seconds in enumerate([3, 6, 8], start=1)),
        ]
    )
    (plots,) = box_plots(made)
    assert plots.axis.end == 8
    ((module, (interface, fused)),) = plots.groups
    assert module == "Store"
    assert [point.x for point in fused.points] == [37.5, 75, 100]
    assert interface.points[0].title == "round 1: 1.000 s"
    assert (fused.fastest, fused.quartiles, fused.slowest) == (37.5, (56.25, 75, 87.5), 100)
    assert (interface.seconds, interface.ratio, interface.verdict) == ("2.00 s", "", "")
    assert (fused.ratio, fused.verdict) == ("×3.00", "slower")
    assert fused.description == "fused: 3 samples from 3.00 to 8.00 s, quartiles 4.50, 6.00 and 7.00 s"


def test_box_of_the_control_has_its_ratio_and_no_verdict_and_noisy_samples_are_marked() -> None:
    (plots,) = box_plots(new_record({"interface": 1, "fused": 0.5, "control": 2}))
    boxes = {box.layout: box for _, group in plots.groups for box in group}
    assert boxes["control"].ratio.startswith("×2.0")
    assert boxes["control"].verdict == ""
    assert boxes["fused"].verdict == "faster"
    assert [point.noisy for point in boxes["fused"].points] == [True, *[False] * 9]
    assert boxes["fused"].points[0].title.endswith(", noisy")


def test_curve_goes_through_the_medians_from_the_smallest_size_to_the_largest(tmp_path: Path) -> None:
    samples = {20: [("fused", 2.0, 10)], 5: [("fused", 9.0, 5), ("fused", 1.0, 5), ("fused", 0.5, 4)]}
    write_scale_file(tmp_path / "scale.json", {size: [*each, ("control", 7, 7)] for size, each in samples.items()})
    (curves,) = growth_curves(read_growth(tmp_path / "scale.json"))
    assert (curves.shape, curves.edit, [each.layout for each in curves.series]) == ("star", "body Profile", ["fused"])
    seconds, files = (chart.curves[0] for chart in curves.charts)
    assert seconds.points == ((25, 50, "5 modules: 1 seconds"), (100, 100, "20 modules: 2 seconds"))
    assert seconds.segments == [(25, 50, 100, 100)]
    assert [point[:2] for point in files.points] == [(25, 50), (100, 100)]


def test_each_shape_and_edit_has_curves_of_its_own() -> None:
    chain = replace(GROWTH[0], shape="chain")
    assert [(each.shape, len(each.series)) for each in growth_curves([*GROWTH, chain])] == [("star", 4), ("chain", 1)]
    assert growth_curves([replace(chain, points=())])[0].charts[0].curves[0].segments == []


def test_jobs_of_the_same_time_are_in_lanes_of_their_own() -> None:
    drawn = timelines(REBUILDS)
    assert drawn is not None
    assert drawn.axis.end == 1.5
    assert drawn.kinds == ("plan", "compile", "emit module", "link")
    first, second = drawn.timelines[0].lanes
    assert [(bar.job.kind, bar.left, bar.width) for bar in first] == [
        ("plan", 0, 20),
        ("emit module", 20, 13.33),
        ("link", 48, 28.67),
    ]
    assert [bar.job.kind for bar in second] == ["compile"]


def test_timelines_reach_what_ends_last_and_need_a_rebuild() -> None:
    late = timelines({"interface": Rebuild("body", None, 1, (Job("link", "App", "", 0, 3),))})
    assert late is not None
    assert late.axis.end == 3
    assert timelines({"interface": Rebuild("noop", None, 1, ())}) is not None
    assert timelines({}) is None


def test_timelines_of_a_simulation_are_those_of_an_edit_that_all_layouts_have(tmp_path: Path) -> None:
    file = tmp_path / "simulation.json"
    write_simulation_file(file, {"interface": [None, "comment", "body"], "fused": [None, "body"]})
    job = Job("compile", "Store", "A.swift, B.swift", 1, 3)
    expected = Rebuild("body", "Store", 4, (job,))
    assert read_rebuilds(file) == {"interface": expected, "fused": expected}
    write_simulation_file(file, {"interface": [None, "comment"], "fused": [None, "body"]})
    assert read_rebuilds(file) == {}


@pytest.mark.parametrize("option", ["--scale", "--simulate"])
@pytest.mark.parametrize("text", ["", "[]", "{}", '{"schema_version": 1}'])
def test_file_of_another_kind_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], text: str, option: str
) -> None:
    (tmp_path / "other.json").write_text(text)
    (record, page, other) = (str(tmp_path / name) for name in ("results.json", "report.html", "other.json"))
    write_record(new_record({"interface": 1}), Path(record))
    assert main(["report", record, "--html", page, option, other]) == 65
    assert f"{other} " in capsys.readouterr().err
    assert not Path(page).exists()
