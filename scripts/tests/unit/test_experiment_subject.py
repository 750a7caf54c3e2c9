"""The subject of a measurement: the edits and layouts of a package, and how much of them fits."""

from __future__ import annotations

import shutil
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from conftest import TINY
from made_records import run_record, scale_record
from rich.console import Console
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.experiment import live
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.run import quick_choices
from swiftmodules.experiment.runner import Task
from swiftmodules.experiment.scale import estimated_seconds
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.records.kinds import LIVE, LiveOptions, LiveRecord
from swiftmodules.records.model import Cell
from swiftmodules.swiftpm.config import Config, Measure
from swiftmodules.swiftpm.toolchain import Toolchain
from test_experiment_runner import made_task

READER = "Store/Implementation/MemoryReader.swift"
PACKAGES = TINY.parent / "packages"


@pytest.fixture
def tiny_task(tiny: Path, toolchain: Toolchain, tmp_path: Path) -> Task:
    return made_task(tiny, tmp_path, toolchain)


@pytest.fixture(scope="module")
def lathe(toolchain: Toolchain, tmp_path_factory: pytest.TempPathFactory) -> Subject:
    """A package with a target in C."""
    folder = tmp_path_factory.mktemp("lathe")
    package = shutil.copytree(PACKAGES / "Lathe", folder / "Lathe")
    return read_subject(made_task(package, folder, toolchain), folder, ["body"], usual=3)


def test_kinds_are_made_in_every_module_and_files_where_they_are(tiny_task: Task, tmp_path: Path) -> None:
    edits = ("noop", "body", f"{READER}:touch", "Package.swift", "private-member")
    subject = read_subject(tiny_task, tmp_path / "work", edits, ["Feed"])
    assert subject.keys == [
        ("noop", None),
        ("body", "Feed"),
        ("touch", READER),
        ("manifest-touch", None),
        ("private-member", "Feed"),
    ]
    assert subject.edits == ("noop", "body", "touch", "manifest-touch", "private-member")
    assert list(subject.modules) == ["Feed", READER]
    assert subject.described[f"touch {READER}"] == f"the time of {READER}"
    assert subject.reasons[f"body {READER}"] == "it was not asked for" == subject.reasons["touch Feed"]
    assert subject.cells(["interface", "fused"])[:3] == [
        Cell("interface", "noop", None),
        Cell("fused", "noop", None),
        Cell("interface", "body", "Feed"),
    ]
    assert subject.placement(Cell("fused", "noop", None)) is None
    assert subject.facts("Feed").target is None
    assert subject.facts(READER).target == "StoreImplementation"
    without = subject.without({("body", "Feed"): "it does not compile."})
    assert ("body", "Feed") not in without.made and without.reasons["body Feed"] == "it does not compile."


def test_resumed_run_has_the_same_edits(tiny_task: Task, tmp_path: Path) -> None:
    first = read_subject(tiny_task, tmp_path / "first", ("body", f"{READER}:touch"), usual=1)
    record = run_record(missing=first.reasons)
    again = read_subject(tiny_task, tmp_path / "again", first.edits, tuple(first.modules), usual=1, earlier=record)
    assert set(again.keys) == set(first.keys)
    assert again.described == first.described


def test_modules_are_those_named_or_configured_or_most_imported(tiny_task: Task, tmp_path: Path) -> None:
    def modules(config: Measure, usual: int | None, *named: str) -> list[str]:
        chosen = replace(tiny_task, config=Config(measure=config))
        return list(read_subject(chosen, tmp_path / f"work {config} {usual} {named}", ["body"], named, usual).modules)

    assert modules(Measure(), 1) == ["Store"]
    assert modules(Measure(), None) == ["Feed", "Store"]
    assert modules(Measure(modules=("Feed", "Gone")), 1) == ["Feed"]
    assert modules(Measure(modules=("Feed",)), 1, "Store") == ["Store"]
    with pytest.raises(UsageError, match=r"No module is called 'Shop'\. Choose from: Feed, Store"):
        modules(Measure(), 1, "Shop")


def test_edits_without_any_place_are_refused(tiny_task: Task, tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="none of the edits has a place"):
        read_subject(tiny_task, tmp_path / "work", ["interface-route-field"])


def test_package_that_no_generated_one_can_hold_is_measured_as_it_is(lathe: Subject) -> None:
    view = ProgressView(Console(width=200))
    layouts = lathe.layouts(("interface", "fused", "monolith"), view)
    assert [(name, layout.manifest) for name, layout in layouts.items()] == [("interface", None)]
    assert lathe.refused == dict.fromkeys(("fused", "monolith"), "CTurning is in C, C++ or Objective-C.")
    with pytest.raises(ToolError, match="CTurning is in C"):
        lathe.layouts(("fused",), view)


def test_interface_is_generated_where_others_are_compared_with_it(tiny_task: Task, tmp_path: Path) -> None:
    subject = read_subject(tiny_task, tmp_path / "work", ["body"])
    alone = subject.layouts(("interface",), tiny_task.view)["interface"]
    compared = subject.layouts(("interface", "fused"), tiny_task.view)["interface"]
    assert (alone.manifest is None, compared.manifest is None) == (True, False)
    # As it was in the run that is resumed, though the others were left out.
    again = subject.layouts(("interface",), tiny_task.view, as_it_is=False)["interface"]
    assert again.manifest == compared.manifest
    assert alone.program == compared.program == "App"
    assert {file.target for file in alone.files.values()} == {file.target for file in compared.files.values()}


def test_quick_run_drops_public_top_then_modules_from_the_end() -> None:
    keys = [(edit, module) for edit in ("private-top", "public-top") for module in ("A", "B", "C")]
    fewer = [key for key in keys if key[0] == "private-top"]
    assert list(quick_choices(keys, True, ["A", "B", "C"])) == [keys, fewer, fewer[:2], fewer[:1]]
    assert list(quick_choices(keys, False, [])) == [keys]
    assert list(quick_choices(keys, False, ["A", "B", "C"]))[-1] == [("private-top", "A"), ("public-top", "A")]


def test_size_is_estimated_by_the_smaller_ones() -> None:
    assert estimated_seconds(5, []) is None
    assert estimated_seconds(10, [(5, 60.0)]) == 120.0
    assert estimated_seconds(20, [(5, 60.0), (10, 90.0)]) == pytest.approx(150.0)
    # One that took less time than a smaller one shows nothing about growth.
    assert estimated_seconds(20, [(5, 60.0), (10, 50.0)]) == 100.0
    assert estimated_seconds(5, [(10, 50.0)]) is None


def test_sizes_above_the_largest_rebuilt_one_are_measured_live_only_whatever_the_budget(tiny_task: Task) -> None:
    slow = SimpleNamespace(size=5, expected_seconds=900.0, expected_verifying_seconds=0.0, expected_seconds_left=0.0)
    for layouts, live_only in (((LIVE, "fused"), True), (("interface", "fused"), False)):
        options = LiveOptions(layouts=layouts, rebuild_up_to=40, budget_minutes=30)
        runner = live._LiveRunner(tiny_task, LiveRecord, options)
        runner.begin(scale_record(sizes=()))  # type: ignore[arg-type]
        runner._sizes = [slow]  # type: ignore[list-item]
        assert runner.layouts_of(40) == layouts and not runner.fits(40)
        assert runner.layouts_of(41) == ((LIVE,) if live_only else layouts) and runner.fits(41) == live_only
