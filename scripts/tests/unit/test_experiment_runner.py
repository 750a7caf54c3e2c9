"""The loop of every experiment: its orders, what it keeps, and how it is resumed."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Read
from made_records import MACHINE, run_record, sample
from msgspec.structs import replace as changed
from rich.console import Console
from swiftmodules.process import Finished
from swiftmodules.builds.recorder import CompilerWork
from swiftmodules.builds.workspace import Build
from swiftmodules.errors import RecordError, ToolError, UsageError
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.runner import (
    INSTRUMENTS,
    Runner,
    Step,
    Task,
    contents_of,
    sample_of,
    shuffled,
)
from swiftmodules.layouts.generate import make_layout
from swiftmodules.observed import Conditions
from swiftmodules.records.files import SampleLog, read_record
from swiftmodules.records.kinds import MatrixCell, MatrixOptions, MatrixRecord, RunOptions, RunRecord
from swiftmodules.records.model import Cell, Instruments, Sample
from swiftmodules.swiftpm.toolchain import Toolchain

LAYOUTS = ("interface", "control", "fused")
OPTIONS = RunOptions(layouts=("interface", "fused"), edits=("body",), modules=("Store",), rounds=3, seed=1, jobs=2)


NOWHERE = Toolchain(Path("/nowhere"), "Swift 6")


def made_task(package: Path, folder: Path, toolchain: Toolchain = NOWHERE) -> Task:
    """A run whose work and results go to a folder."""
    view = ProgressView(Console(width=200))
    return Task(package, folder / "output", folder / "scratch", toolchain, view, command=str)


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return made_task(tmp_path, tmp_path)


def steps(taken: list[tuple[int, str]], failing: tuple[int, str] | None = None) -> list[Step]:
    """A step for each layout, one of which fails in a round."""

    def step(layout: str) -> Step:
        def take(number: int, position: int) -> Sample:
            if (number, layout) == failing:
                raise ToolError("it was cold.\nAnd wet.")
            taken.append((number, layout))
            return changed(sample(number, layout, 1.0), position=position)

        return Step(layout, take, lambda entry: entry.layout == layout)

    return [step(layout) for layout in LAYOUTS]


def record() -> RunRecord:
    return run_record(contents="0" * 64, instruments=Instruments(0.05, 0.1), options=OPTIONS)


def run(
    task: Task, rounds: int = 3, failing: tuple[int, str] | None = None, now: RunRecord | None = None
) -> tuple[list[tuple[int, str]], Runner[RunRecord, RunOptions]]:
    """Runs so many rounds, and returns what was taken in this session."""
    taken: list[tuple[int, str]] = []
    runner = Runner(task, RunRecord, RunOptions() if task.resume else OPTIONS)
    with runner.running():
        runner.begin(now or record())
        for number in range(1, rounds + 1):
            runner.take(steps(taken, failing), number)
    return taken, runner


def test_run_keeps_its_samples_in_their_order_and_writes_the_record(task: Task) -> None:
    taken, _ = run(task)
    assert taken == [(number, layout) for number in (1, 2, 3) for layout in LAYOUTS]
    found = read_record(task.output)
    assert isinstance(found, RunRecord)
    assert [(each.round, each.position, each.layout) for each in found.samples] == [
        (number, position, layout) for number in (1, 2, 3) for position, layout in enumerate(LAYOUTS, start=1)
    ]
    assert found.incomplete is None
    assert [path.name for path in task.output.iterdir()] == ["results.json"]
    assert [path.name for path in task.scratch.iterdir()] == ["lock"]


def test_record_has_the_layouts_and_the_edits_in_words(task: Task) -> None:
    meanings = Runner(task, RunRecord, OPTIONS).header("Shop", [])["meanings"]
    assert list(meanings) == ["interface", "fused", "body"]
    assert meanings["interface"] == "the targets as they are in the package"
    assert meanings["body"] == "a statement in a function body of the implementation"


@pytest.mark.parametrize(
    ("failing", "kept", "torn", "round"),
    [((2, "interface"), 3, 0, 2), ((2, "control"), 3, 1, 2), ((3, "fused"), 6, 2, 3)],
)
def test_whole_rounds_are_kept_and_an_interrupted_one_is_rerun(
    task: Task, capsys: pytest.CaptureFixture[str], failing: tuple[int, str], kept: int, torn: int, round: int
) -> None:
    with pytest.raises(ToolError):
        run(task, failing=failing)
    assert f"The {kept + torn} samples so far are in" in capsys.readouterr().err
    before = read_record(task.output)
    assert isinstance(before, RunRecord)
    assert before.incomplete == f"the run ended after {kept + torn} samples (it was cold.)."
    taken, _ = run(replace(task, resume=True))
    assert taken == [(number, layout) for number in range(round, 4) for layout in LAYOUTS]
    found = read_record(task.output)
    assert isinstance(found, RunRecord)
    assert found.samples[:kept] == before.samples[:kept]
    assert len(found.samples) == 9
    assert found.incomplete is None
    (resumption,) = found.resumptions
    assert (resumption.round, list(resumption.torn)) == (round, before.samples[kept:])
    assert "it was cold" in resumption.reason


def test_run_that_fails_before_its_first_sample_leaves_nothing(task: Task) -> None:
    with pytest.raises(ToolError):
        run(task, failing=(1, "interface"))
    assert not task.output.exists()


def test_run_does_not_write_into_the_samples_of_another_that_began_meanwhile(task: Task) -> None:
    runner = Runner(task, RunRecord, OPTIONS)
    SampleLog.begin(task.output / "samples.jsonl", run_record(package="Other"))
    before = (task.output / "samples.jsonl").read_bytes()
    with pytest.raises(UsageError, match="holds the samples of an unfinished run"), runner.running():
        runner.begin(record())
        runner.keep()
        runner.take(steps([]), 1)
    assert (task.output / "samples.jsonl").read_bytes() == before


def test_samples_in_another_order_are_refused(task: Task) -> None:
    with pytest.raises(ToolError):
        run(task, failing=(2, "fused"))
    runner = Runner(replace(task, resume=True), RunRecord, RunOptions())
    with pytest.raises(RecordError, match="order"), runner.running():
        runner.begin(record())
        runner.take(steps([])[::-1])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"package": "Other"}, "the package was Tiny, and is Other"),
        ({"contents": "1" * 64}, "the digest of the code was 000000000000, and is 111111111111"),
        ({"toolchain": "Swift 7"}, "the toolchain was Swift 6, and is Swift 7"),
        ({"machine": changed(MACHINE, cores=4)}, "the machine was 2 cores, .*, and is 4 cores"),
        ({"placements": {"body Store": "elsewhere"}}, "places of the edits"),
        ({"instruments": None}, "the way to read conditions"),
    ],
)
def test_run_is_resumed_only_where_everything_is_the_same(task: Task, change: dict[str, Any], said: str) -> None:
    with pytest.raises(ToolError):
        run(task, failing=(3, "fused"))
    log = task.output / "samples.jsonl"
    before = log.read_bytes()
    with pytest.raises(RecordError, match=said):
        run(replace(task, resume=True), now=changed(record(), **change))
    assert log.read_bytes().startswith(before)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (RunOptions(rounds=2), "--rounds differs from that of the run that is resumed, which is 3"),
        (RunOptions(edits=("noop",)), "--edits differs from that of the run that is resumed, which is body"),
        (RunOptions(layouts=("fused",)), "which is interface,fused"),
    ],
)
def test_options_of_another_run_cannot_be_combined_with_resume(task: Task, options: RunOptions, said: str) -> None:
    SampleLog.begin(task.output / "samples.jsonl", record())
    with pytest.raises(UsageError, match=said):
        Runner(replace(task, resume=True), RunRecord, options)
    assert Runner(replace(task, resume=True), RunRecord, RunOptions(seed=1)).options.edits == ("body",)


def test_new_run_does_not_overwrite_an_interrupted_one(task: Task) -> None:
    SampleLog.begin(task.output / "samples.jsonl", record())
    with pytest.raises(UsageError, match=r"holds the results of an unfinished run\. Resume the run with --resume"):
        Runner(task, RunRecord, OPTIONS)


def test_run_of_another_kind_or_without_samples_is_not_resumed(task: Task) -> None:
    with pytest.raises(RecordError, match=r"holds no samples\.jsonl"):
        Runner(replace(task, output=task.package, resume=True), RunRecord, OPTIONS)
    SampleLog.begin(task.output / "samples.jsonl", record())
    with pytest.raises(RecordError, match="is of 'run'; resume it with that command"):
        Runner(replace(task, resume=True), MatrixRecord, MatrixOptions())


@pytest.mark.parametrize("below", ["", "below"])
def test_output_that_cannot_be_written_is_refused_before_the_first_build(task: Task, below: str) -> None:
    file = task.package / "file"
    file.write_text("no folder")
    with pytest.raises(UsageError, match=f"the results cannot be written to .*: {file} is not a writable folder"):
        Runner(replace(task, output=file / below if below else file), RunRecord, OPTIONS)


def test_parts_of_a_record_without_samples_are_kept_and_not_remade(task: Task) -> None:
    made: list[str] = []

    def session(failing: str | None, resume: bool) -> list[str]:
        runner = Runner(replace(task, resume=resume), MatrixRecord, MatrixOptions())
        found = []
        with runner.running(takes_times=False):
            runner.begin(MatrixRecord(package="Tiny", command="c", toolchain="Swift 6", options=MatrixOptions()))
            for edit in ("noop", "body", "touch"):

                def take(number: int, position: int, edit: str = edit) -> MatrixCell:
                    if edit == failing:
                        raise ToolError("it was cold.")
                    made.append(edit)
                    return MatrixCell(edit=edit, layout="interface")

                def is_meant(entry: MatrixCell, edit: str = edit) -> bool:
                    return entry.edit == edit

                found += runner.take([Step(edit, take, is_meant, MatrixCell)])
            runner.record.cells = found
        return [cell.edit for cell in runner.record.cells]

    with pytest.raises(ToolError):
        session("touch", resume=False)
    assert session(None, resume=True) == ["noop", "body", "touch"]
    assert made == ["noop", "body", "touch"]
    found = read_record(task.output)
    assert isinstance(found, MatrixRecord)
    assert [cell.edit for cell in found.cells] == ["noop", "body", "touch"]


def test_every_round_has_every_step_once_and_the_seed_repeats_the_orders() -> None:
    cells = list(range(12))
    orders = shuffled(cells, 5, 1)
    assert all(sorted(order) == cells for order in orders)
    assert orders == shuffled(cells, 5, 1) != shuffled(cells, 5, 2)
    assert len({tuple(order) for order in orders}) == 5
    # Records that are there already have been taken in these orders.
    generator = random.Random(1)
    assert orders == [generator.sample(cells, 12) for _ in range(5)]


def test_control_goes_to_random_places_and_leaves_the_order_of_the_others() -> None:
    orders = shuffled(["a", "b", "c"], 200, 1)
    extended = shuffled(["a", "b", "c"], 200, 1, ["x"])
    assert [[each for each in order if each != "x"] for order in extended] == orders
    places = Counter(order.index("x") for order in extended)
    assert set(places) == {0, 1, 2, 3}
    assert min(places.values()) > 25
    assert shuffled(["a", "b", "c"], 200, 1, ["x"]) == extended


def test_sample_has_what_the_build_did() -> None:
    finished = Finished(0, seconds=2.0, cpu_seconds=3.0, largest_process_bytes=4, peak_memory_bytes=5)
    conditions = Conditions(load_average=1.0, other_cpu_seconds=0.5, noisy=True)
    build = Build(finished, CompilerWork(("A.swift",), 1, ("App",)), conditions)
    build.settling = build
    found = sample_of(build, Cell("fused", "body", "Store"), 3, 4, {"size": 5})
    assert (found.round, found.position, found.cell, found.size) == (3, 4, Cell("fused", "body", "Store"), 5)
    assert (found.seconds, found.cpu_seconds, found.settling_seconds, found.files) == (2.0, 3.0, 2.0, 1)
    assert (found.links, found.emitted_modules, found.memory_bytes, found.is_noisy) == (1, 1, 5, True)
    assert Instruments(0.05, 0.1) == INSTRUMENTS


def test_digest_is_that_of_all_code_in_all_layouts(tiny_read: Read) -> None:
    def digest(read: Read) -> str:
        layouts = (make_layout(name, read.package, read.sources, read.modules) for name in ("interface", "fused"))
        return contents_of(layouts)

    before = digest(tiny_read)
    assert digest(tiny_read) == before
    path, file = next(iter(tiny_read.sources.items()))
    assert (
        digest(replace(tiny_read, sources={**tiny_read.sources, path: changed(file, text=file.text + b"\n")})) != before
    )
    assert digest(replace(tiny_read, package=changed(tiny_read.package, language_modes=("5",)))) != before


def test_lines_show_what_is_done_and_how_long_it_takes(capsys: pytest.CaptureFixture[str]) -> None:
    view = ProgressView(Console(width=200))
    view.stage("Building [bold]")
    view.planned(2)
    view.begins("a")
    view.finished("round 1: a")
    view.finished("round 1: b")
    assert capsys.readouterr().out.splitlines() == [
        "Building [bold]",
        "[1/2] round 1: a (about 0 s left)",
        "[2/2] round 1: b (about 0 s left)",
    ]
