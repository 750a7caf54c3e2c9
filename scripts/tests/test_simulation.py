"""From the times of jobs to the prediction of a build."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from buildspeed.failures import MeasurementError
from buildspeed.job_times import Job
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.simulation.build_graph import GraphCommand, graph_of, read_graph
from buildspeed.simulation.costs import build_costs, file_costs, median_costs, shared_work
from buildspeed.simulation.prediction import checks, predict
from buildspeed.simulation.record import (
    BuildCosts,
    CommandCosts,
    ContentionSample,
    FileCosts,
    MeasuredBuild,
    MeasuredLayout,
    Options,
    SharedWork,
    SimulationRecord,
    Wave,
    read_record,
    write_record,
)
from buildspeed.simulation.report import check_sentence, markdown
from buildspeed.simulation.run import forget_products

MANIFEST = """client:
  name: basic
targets:
  "main": ["<App.exe>"]
  "test": ["<Tests>"]
default: "main"
nodes:
  "/p/Sources/A/":
    is-directory-structure: true
commands:
  "/s/A.build/A.swiftmodule.o":
    tool: shell
    inputs: ["/s/Modules/A.swiftmodule"]
    outputs: ["/s/A.build/A.swiftmodule.o"]
    args: ["swiftc","-modulewrap","/s/Modules/A.swiftmodule","-o","/s/A.build/A.swiftmodule.o"]

  "/s/sources":
    tool: write-auxiliary-file
    inputs: ["/p/A.swift"]
    outputs: ["/s/sources"]

  "C.A.module":
    tool: shell
    inputs: ["/p/A.swift","/s/sources"]
    outputs: ["/s/A.o","/s/Modules/A.swiftmodule"]
    args: ["swiftc","-module-name","A","-parseable-output"]

  "C.App.exe":
    tool: shell
    inputs: ["/s/A.o","/s/A.build/A.swiftmodule.o"]
    outputs: ["/s/App"]
    args: ["swiftc","-o","/s/App","-emit-executable"]

  "C.Tests.module":
    tool: shell
    inputs: ["/s/Modules/A.swiftmodule"]
    outputs: ["<Tests>"]
    args: ["swiftc","-module-name","Tests","-parseable-output"]

  "P.App":
    tool: phony
    inputs: ["/s/App"]
    outputs: ["<App.exe>"]
"""


def test_graph_has_what_a_plain_build_asks_for_and_who_waits_for_whom() -> None:
    assert graph_of(MANIFEST) == (
        GraphCommand("/s/A.build/A.swiftmodule.o", "wrap", "A", ("C.A.module",)),
        GraphCommand("/s/sources", "", "", ()),
        GraphCommand("C.A.module", "target", "A", ("/s/sources",)),
        GraphCommand("C.App.exe", "link", "App", ("/s/A.build/A.swiftmodule.o", "C.A.module")),
        GraphCommand("P.App", "", "", ("C.App.exe",)),
    )


def test_graph_holds_no_path_of_the_machine(tmp_path: Path) -> None:
    (tmp_path / "debug.yaml").write_text(MANIFEST.replace("/s/", f"{tmp_path}/"))
    names = [command.name for command in read_graph(tmp_path)]
    assert names == ["/scratch/A.build/A.swiftmodule.o", "/scratch/sources", "C.A.module", "C.App.exe", "P.App"]


def test_missing_manifest_of_the_engine_is_told(tmp_path: Path) -> None:
    with pytest.raises(MeasurementError, match="another build system"):
        read_graph(tmp_path)


JOBS = [
    Job("question", "", (), 0.1, 0.2, 1),
    Job("target", "A", (), 1.0, 4.0, 2),
    Job("emit-module", "A", (), 1.5, 2.0, 2),
    Job("compile", "A", ("a.swift", "b.swift"), 2.0, 3.4, 2),
    Job("wrap", "A", (), 3.4, 3.6, 2),
    Job("wrap", "A", (), 4.1, 4.3, 3),
    Job("link", "App", (), 4.4, 5.4, 4),
]


def test_costs_of_a_build_are_all_of_it() -> None:
    costs = build_costs(JOBS, 6.0)
    target, wrap, link = costs.commands
    assert (costs.start, costs.end, costs.gap) == pytest.approx((1.0, 0.6, 0.1))
    assert (target.plan, target.emit, target.wrap, target.rest) == pytest.approx((0.5, 0.5, 0.2, 0.4))
    assert target.waves == (Wave(("a.swift", "b.swift"), pytest.approx(1.4)),)
    assert (wrap.kind, wrap.plan, link.kind, link.target) == ("wrap", pytest.approx(0.2), "link", "App")


def test_build_with_nothing_to_do_has_no_commands() -> None:
    assert build_costs(JOBS[:1], 0.4) == BuildCosts(0.4, 0, 0, ())


def one_target(*waves: Wave, emit: float | None = 0.5, target: str = "A") -> BuildCosts:
    return BuildCosts(1, 0.5, 0, (CommandCosts("target", target, 0.2, emit, waves, 0.1, 0.1),))


def test_median_leaves_out_a_build_that_did_something_else() -> None:
    builds = [one_target(Wave(("a",), seconds)) for seconds in (1, 2, 9)]
    other = one_target(Wave(("a", "b"), 100))
    assert median_costs([builds[0], other, *builds[1:]]).commands[0].waves[0].seconds == 2


def test_cost_of_a_process_is_what_separate_files_repeat() -> None:
    whole = one_target(Wave(("a", "b", "c"), 1.0 + 0.5 + 0.3 + 0.2))
    separate = one_target(Wave(("a",), 1.5), Wave(("b",), 1.3), Wave(("c",), 1.2))
    costs = file_costs(whole, separate)
    assert costs.fixed["A"] == pytest.approx(1.0)
    assert costs.files == pytest.approx({"a": 0.5, "b": 0.3, "c": 0.2})


def test_cost_of_a_file_is_never_less_than_nothing() -> None:
    costs = file_costs(one_target(Wave(("a", "b"), 0.1)), one_target(Wave(("a",), 1.5), Wave(("b",), 1.0)))
    assert costs.fixed["A"] == pytest.approx(1.0)
    assert min(costs.files.values()) == pytest.approx(0)


def test_shared_work_is_what_a_process_took_longer_than_later() -> None:
    cold, warm = one_target(Wave(("a",), 3.0)), one_target(Wave(("a",), 1.0))
    assert shared_work(cold, warm) == (SharedWork("A", "compile", pytest.approx(2.0), ("emit-module A",)),)
    assert shared_work(warm, warm) == ()
    # As much as times vary.
    assert shared_work(one_target(Wave(("a",), 1.09)), warm) == ()
    assert shared_work(one_target(Wave(("a",), 13.5)), one_target(Wave(("a",), 12.0))) == ()
    # A part of a long process, where a single target has all files.
    (work,) = shared_work(one_target(Wave(("a",), 15.0)), one_target(Wave(("a",), 12.0)))
    assert work.seconds == pytest.approx(3.0)


GRAPH = graph_of(MANIFEST)
SHARED = SharedWork("A", "compile", 1.0, ("emit-module A",))


def build(costs: BuildCosts, checks: dict[str, tuple[float, ...]], **fields: object) -> MeasuredBuild:
    return replace(MeasuredBuild("body", "A", (costs,), (), checks, ()), **fields)


def record(*builds: MeasuredBuild, contention: tuple[ContentionSample, ...] = ()) -> SimulationRecord:
    layout = MeasuredLayout("P", "interface", 1, 2, GRAPH, FileCosts({"a.swift": 1.0}, {"A": 0.4}), (0.4,), builds)
    return SimulationRecord(
        command="scripts/measure simulate",
        started="2026-01-01T00:00:00+00:00",
        machine=Machine(2, "Processor", 2**30, "System"),
        toolchain="Swift 6",
        revision=Revision(None, None),
        options=Options(("P",), ("interface",), ("body",), ("A",), 1, 1, (1, 2)),
        contention=contention,
        layouts=[layout],
    )


def predicted(of: SimulationRecord, cores: int | None) -> float:
    (layout,) = of.layouts
    return predict(of, layout, layout.builds[0], cores).seconds


def test_prediction_with_one_core_is_the_measured_build() -> None:
    assert predicted(record(build(build_costs(JOBS, 6.0), {})), 1) == pytest.approx(6.0)


def test_more_cores_emit_the_module_beside_and_split_the_files() -> None:
    found = record(build(build_costs(JOBS, 6.0), {}))
    # Each of two processes takes 0.4 s and half of the other second. With two jobs, the second waits for the module.
    assert predicted(found, 2) == pytest.approx(6.0 - 0.5 - 1.4 + (0.5 + 0.9))
    assert predicted(found, None) == pytest.approx(6.0 - 0.5 - 1.4 + 0.9)


def test_critical_path_names_what_is_waited_for() -> None:
    found = record(build(build_costs(JOBS, 6.0), {}))
    layout = replace(found.layouts[0], file_costs=FileCosts({"a.swift": 3.0, "b.swift": 1.0}, {"A": 0.4}))
    assert predict(found, layout, layout.builds[0], None).path == (
        "swift build starts 0.90 s",
        "plan A 0.60 s",
        "compile A: a.swift 1.15 s",
        "wrap A 0.20 s",
        "end of driver A 0.40 s",
        "wrap A 0.30 s",
        "link App 1.10 s",
        "swift build ends 0.60 s",
    )


def test_shared_work_is_part_of_a_build_from_nothing() -> None:
    costs = build_costs(JOBS, 6.0)
    assert predicted(record(build(costs, {}, shared=(SHARED,))), 1) == pytest.approx(7.0)


def test_contention_makes_a_prediction_longer() -> None:
    costs = build_costs(JOBS, 6.0)
    slowed = record(build(costs, {}), contention=(ContentionSample(1, 1.5),))
    assert predicted(slowed, 2) > predicted(record(build(costs, {})), 2)
    assert predicted(slowed, 1) == predicted(record(build(costs, {})), 1)


def test_error_is_that_of_the_prediction_and_names_what_is_beyond() -> None:
    exact = record(build(build_costs(JOBS, 6.0), {"1": (6.0,)}))
    (check,) = checks(exact)
    assert (check.jobs, check.measured, check.error) == (1, 6.0, pytest.approx(0))
    assert check_sentence(checks(exact), several=False).endswith("All stay below 15%.")
    wrong = record(build(build_costs(JOBS, 6.0), {"1": (6.0,), "2": (50.0,)}))
    assert check_sentence(checks(wrong), several=False).endswith(
        "All but 1 stay below 15%: interface body A with 2 jobs, -89%."
    )
    assert "| interface | body A | 1 | 6.00 | 6.00 | +0% |" in markdown(wrong)


def test_error_of_many_builds_has_an_interval_that_tells_whether_it_is_the_model_or_the_machine() -> None:
    def measured(*seconds: float) -> SimulationRecord:
        costs = build_costs(JOBS, 6.0)
        return record(replace(build(costs, {"1": seconds}), costs=(costs,) * len(seconds)))

    wrong = measured(7.6, 7.7, 7.8, 7.9, 8.0, 8.1)
    (check,) = checks(wrong)
    assert check.interval is not None and check.interval.high < -0.2 and check.error in check.interval
    assert checks(measured(7.6, 7.7, 7.8, 7.9, 8.0))[0].interval is None
    assert check_sentence(checks(wrong), several=False).endswith(
        "below 15%: interface body A with 1 job, -24% (-25% to -22%)."
    )
    assert "| 6.00 | 7.85 | -24% (-25% to -22%) |" in markdown(wrong)
    assert "medians of 0 builds from nothing, and 6 after each edit" in markdown(wrong)


def test_error_is_the_median_of_all_times_each_with_the_builds_right_after_it() -> None:
    costs = tuple(build_costs(JOBS, seconds) for seconds in (6.0, 12.0, 6.6))
    # Twice as slow for a while; a tenth too short, and a tenth too long.
    found = record(replace(build(costs[0], {"1": (6.0, 12.0 / 0.9, 6.0)}), costs=costs))
    (check,) = checks(found)
    assert (check.predicted, check.measured, check.error) == pytest.approx((6.6, 6.0, 0.0))
    assert predicted(found, 1) == pytest.approx(6.6)


def test_packages_are_named_with_their_files_where_there_are_several() -> None:
    found = record(build(build_costs(JOBS, 6.0), {"1": (6.0,)}))
    larger = replace(found.layouts[0], files=20)
    assert "Measured with P on " in markdown(found)
    larger = replace(larger, package="Q")
    found = replace(found, layouts=[*found.layouts, larger], options=replace(found.options, packages=("P", "Q")))
    titles = [line for line in markdown(found).splitlines() if line.startswith("### ")]
    assert titles == ["### `P (2 files) interface`", "### `Q (20 files) interface`"]
    assert "Measured with P, Q on " in markdown(found)


def test_record_is_read_as_it_was_written(tmp_path: Path) -> None:
    costs = build_costs(JOBS, 6.0)
    written = record(
        build(
            costs, {"1": (6.0,)}, shared=(SharedWork("A", "compile", 1.0, ("emit-module A",)),), timeline=tuple(JOBS)
        ),
        contention=(ContentionSample(1, 1.5),),
    )
    write_record(written, tmp_path / "results.json")
    assert read_record(tmp_path / "results.json") == written


def test_products_are_forgotten_and_what_is_shared_stays(tmp_path: Path) -> None:
    for path in ("x/debug/App", "x/debug/A.build/a.o", "x/debug/ModuleCache/m.pcm", "x/debug/index/store/u", "b.db"):
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text("")
    (tmp_path / "debug").symlink_to("x/debug")
    forget_products(tmp_path)
    left = sorted(path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*") if not path.is_dir())
    assert left == ["x/debug/ModuleCache/m.pcm", "x/debug/index/store/u"]
