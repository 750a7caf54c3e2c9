"""The loop: its orders, what it keeps, and how it is resumed, with a bench that builds nothing."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import pytest
from conftest import Read
from made_records import MACHINE
from msgspec.structs import replace as changed
from rich.console import Console
from swiftmodules.builds.recorder import CompilerWork
from swiftmodules.builds.workspace import Build
from swiftmodules.errors import RecordError, ToolError, UsageError
from swiftmodules.layouts.generate import make_layout
from swiftmodules.layouts.layout import digest
from swiftmodules.measure.loop import Run, Task, quick_choices, shuffled
from swiftmodules.measure.plan import Step
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import Place, Record, Sample, Variant
from swiftmodules.measure.samples import facts_of, first_error, sample_of
from swiftmodules.measure.store import SampleLog, read_record
from swiftmodules.observed import Conditions
from swiftmodules.options import MeasureChoices
from swiftmodules.process import Finished
from swiftmodules.swiftpm.toolchain import Toolchain
from test_measure_store import ORIGIN, record

STEPS = [Step(layout=layout, edit="body", module="Store") for layout in ("interface", "fused", "monolith")]


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    """A run whose work and results go to a folder."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    view, toolchain = ProgressView(Console(width=200)), Toolchain(Path("/nowhere"), "Swift 6")
    return Task(tmp_path, tmp_path / "output", tmp_path / "scratch", toolchain, view, lambda *_: "measure")


@dataclass
class FakeBench:
    """Takes steps; in the round `failing[0]`, the step of the layout `failing[1]` ends the run. Builds of the layouts
    `broken` fail."""

    failing: tuple[int, str] | None = None
    broken: Sequence[str] = ()
    taken: list[tuple[int, str]] = field(default_factory=list)

    def rounds(self, pieces: Iterable[tuple[int, Sequence[Step]]]) -> Iterator[Iterator[list[Sample]]]:
        return (self._round(number, steps) for number, steps in pieces)

    def _round(self, number: int, steps: Sequence[Step]) -> Iterator[list[Sample]]:
        for position, step in enumerate(steps, start=1):
            if (number, step.layout) == self.failing:
                raise ToolError("it was cold.\nAnd wet.")
            self.taken.append((number, step.layout))
            how = {"failure": "no linker"} if step.layout in self.broken else {"seconds": 1.0 if number else None}
            yield [sample_of(step, round=number, position=position, compiled={"A": ""}, **how)]


def header(**more: Any) -> Record:  # noqa: ANN401  fields of a record
    usual = {
        "rounds": 3,
        "contents": "0" * 64,
        "machine": MACHINE,
        "placements": (Place(edit="body", description="d"),),
    }
    return record(**(usual | more))


def taken_by(bench: FakeBench, task: Task, rounds: int = 3, **more: Any) -> list[tuple[int, str]]:  # noqa: ANN401
    """Takes so many rounds, and returns what was taken in this session."""
    run = Run(MeasureChoices(rounds=rounds), task)
    with run.journal.kept():
        run.journal.begin(header(rounds=rounds, **more))
        orders = [(number, STEPS) for number in range(1, rounds + 1)] if rounds else [(0, STEPS)]
        run._take(bench, orders)  # type: ignore[arg-type]
    return bench.taken


LAYOUTS = [step.layout for step in STEPS]


def test_run_keeps_its_samples_in_their_order_and_writes_the_record(task: Task) -> None:
    assert taken_by(FakeBench(), task) == [(number, layout) for number in (1, 2, 3) for layout in LAYOUTS]
    found = read_record(task.output)
    assert [(each.round, each.position, each.layout) for each in found.samples] == [
        (number, position, layout) for number in (1, 2, 3) for position, layout in enumerate(LAYOUTS, start=1)
    ]
    assert found.incomplete is None and found.seconds is not None
    assert [path.name for path in task.output.iterdir()] == ["results.json"]


def test_failing_step_is_noted_once_and_left_out_afterwards(task: Task, capsys: pytest.CaptureFixture[str]) -> None:
    taken = taken_by(FakeBench(broken=["fused"]), task)
    assert [number for number, layout in taken if layout == "fused"] == [1]
    found = read_record(task.output)
    assert [each.failure for each in found.samples if each.layout == "fused"] == ["no linker"]
    assert [(each.layout, each.edit, each.reason) for each in found.refused] == [("fused", "body", "no linker")]
    assert capsys.readouterr().out.count("Left out: fused body Store: no linker") == 1


@pytest.mark.parametrize(
    ("failing", "kept", "torn", "round"),
    [((2, "interface"), 3, 0, 2), ((2, "fused"), 3, 1, 2), ((3, "monolith"), 6, 2, 3)],
)
def test_whole_rounds_are_kept_and_an_interrupted_one_is_rerun(
    task: Task, capsys: pytest.CaptureFixture[str], failing: tuple[int, str], kept: int, torn: int, round: int
) -> None:
    with pytest.raises(ToolError):
        taken_by(FakeBench(failing), task)
    assert "The samples so far are in" in capsys.readouterr().err
    before = read_record(task.output)
    assert before.incomplete == f"the run ended after sample {kept + torn} (it was cold.)."
    again = taken_by(FakeBench(), replace(task, resume=True))
    assert again == [(number, layout) for number in range(round, 4) for layout in LAYOUTS]
    found = read_record(task.output)
    assert found.samples[:kept] == before.samples[:kept]
    assert (len(found.samples), found.incomplete) == (9, None)
    noted = [(each.round, "it was cold" in each.reason) for each in found.resumptions]
    assert noted == ([(round, True)] if torn else [])


def test_steps_without_times_are_kept_one_by_one(task: Task) -> None:
    with pytest.raises(ToolError):
        taken_by(FakeBench((0, "monolith")), task, rounds=0)
    assert taken_by(FakeBench(), replace(task, resume=True), rounds=0) == [(0, "monolith")]
    found = read_record(task.output)
    assert [(each.layout, each.position) for each in found.samples] == [(each, n) for n, each in enumerate(LAYOUTS, 1)]
    assert (found.resumptions, found.seconds) == ((), None)


def test_failed_step_of_an_earlier_session_is_not_taken_again(task: Task) -> None:
    with pytest.raises(ToolError):
        taken_by(FakeBench((3, "interface"), broken=["fused"]), task)
    assert taken_by(FakeBench(), replace(task, resume=True)) == [(3, "interface"), (3, "monolith")]


def test_run_that_fails_before_its_first_sample_leaves_nothing(task: Task) -> None:
    with pytest.raises(ToolError):
        taken_by(FakeBench((1, "interface")), task)
    assert not task.output.exists()


def test_samples_of_another_run_are_left_alone(task: Task) -> None:
    run = Run(MeasureChoices(), task)
    SampleLog(task.output).begin(header(package="Other"), ORIGIN)
    before = (task.output / "samples.jsonl").read_bytes()
    with pytest.raises(UsageError, match="holds the samples of an unfinished run"), run.journal.kept():
        run.journal.begin(header())
        run.journal.keep()
        run._take(FakeBench(), [(1, STEPS)])  # type: ignore[arg-type]
    assert (task.output / "samples.jsonl").read_bytes() == before
    with pytest.raises(UsageError, match=r"an unfinished run\. Resume the run with --resume .*Remove the file"):
        Run(MeasureChoices(), task)


CHANGES: list[tuple[dict[str, Any], str]] = [
    ({"package": "Other"}, "the package was Tiny, and is Other"),
    ({"contents": "1" * 64}, "the digest of the code was 000000000000, and is 111111111111"),
    ({"machine": changed(MACHINE, cores=4)}, "the machine was 2 cores, .*, and is 4 cores"),
    ({"placements": ()}, "places of the edits"),
    ({"axes": {}}, "mixed: the axes differ. Begin"),
]


def test_run_is_resumed_only_where_everything_is_the_same(task: Task) -> None:
    with pytest.raises(ToolError):
        taken_by(FakeBench((3, "fused")), task)
    before = (task.output / "samples.jsonl").read_bytes()
    for change, said in CHANGES:
        with pytest.raises(RecordError, match=said):
            taken_by(FakeBench(), replace(task, resume=True), **change)
        assert (task.output / "samples.jsonl").read_bytes() == before


def test_run_is_resumed_only_where_it_began(task: Task) -> None:
    for machine, said in ((None, "not begun on a cluster. Resume it without"), ("a", "with --cl")):
        log = SampleLog(task.output)
        log.begin(header(), ORIGIN)
        log.append(Sample(round=1, position=1, edit="body", machine=machine))
        cluster: Any = None if machine else object()
        with pytest.raises(UsageError, match=said):
            Run(MeasureChoices(), replace(task, resume=True, cluster=cluster))


def test_output_that_cannot_be_written_is_refused_before_the_first_build(task: Task) -> None:
    file = task.package / "file"
    file.write_text("no folder")
    for output in (file, file / "below"):
        with pytest.raises(UsageError, match=f"the results cannot be written to .*: {file} is not a writable folder"):
            Run(MeasureChoices(), replace(task, output=output))


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


def test_quick_run_drops_public_top_then_modules_from_the_end() -> None:
    keys = [(edit, module) for edit in ("private-top", "public-top") for module in ("A", "B", "C")]
    fewer = [key for key in keys if key[0] == "private-top"]
    assert list(quick_choices(keys, True, ["A", "B", "C"])) == [keys, fewer, fewer[:2], fewer[:1]]
    assert list(quick_choices(keys, False, [])) == [keys]
    assert list(quick_choices(keys, False, ["A", "B", "C"]))[-1] == [("private-top", "A"), ("public-top", "A")]


def test_sample_has_what_the_build_did() -> None:
    build = Build(Finished(0, 2.0, 3.0), CompilerWork(("A.swift",), 1, ("App",)), Conditions(noisy=True))
    build.settling = build
    step = Step.of(Variant(layout="fused"), "body", "Store")
    found = sample_of(step, round=3, position=4, **facts_of(build))
    assert (found.round, found.position, found.cell, found.control) == (3, 4, step.cell(), False)
    assert (found.seconds, found.cpu_seconds, found.settling_seconds) == (2.0, 3.0, 2.0)
    assert (found.compiled, found.links, found.emitted_modules, found.is_noisy) == ({"A.swift": ""}, 1, 1, True)
    # With copies there are thousands of files.
    assert sample_of(changed(step, copies=5), round=1, position=1, **facts_of(build)).compiled == 1


def test_first_error_is_that_of_the_compiler() -> None:
    assert first_error("a\nA.swift:1:2: error: no\nB.swift:1:2: error: nor\n") == "A.swift:1:2: error: no"
    assert first_error("failed:\n<unknown>:0: error: no linker\nlast") == "<unknown>:0: error: no linker"
    crashed = "Program crashed: Bad pointer dereference at 0x0"
    assert first_error(f"[1/2] Planning\n{crashed}\n\nThread 3 crashed:\nBacktrace took 0.01s") == crashed
    assert first_error("one\ntwo") == "two"


def test_digest_is_that_of_all_code_in_all_layouts(tiny_read: Read) -> None:
    def found(read: Read) -> str:
        layouts = (make_layout(name, read.package, read.sources, read.modules) for name in ("interface", "fused"))
        return digest(layouts)

    before = found(tiny_read)
    assert found(tiny_read) == before
    path, file = next(iter(tiny_read.sources.items()))
    assert (
        found(replace(tiny_read, sources={**tiny_read.sources, path: changed(file, text=file.text + b"\n")})) != before
    )
    assert found(replace(tiny_read, package=changed(tiny_read.package, language_modes=("5",)))) != before


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
