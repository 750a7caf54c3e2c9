"""The rounds of a run, and how often their intervals hold where each folder has its own luck."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_files import committed
from made_records import run_record
from msgspec.structs import asdict, replace
from rich.console import Console
from swiftmodules.errors import ToolError
from swiftmodules.measure import loop
from swiftmodules.measure.loop import Run, Task
from swiftmodules.measure.place import Step
from swiftmodules.measure.record import LeftOut, Sample, Variant
from swiftmodules.measure.results import Results
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.toolchain import Toolchain

LAYOUTS, EDITS = ("interface", "fused"), ("body", "private-top", "interface")
STEPS = [Step(layout=layout, edit=edit, module="Store") for layout in LAYOUTS for edit in EDITS]
AGAIN = [replace(step, control=True) for step in STEPS if step.layout == "interface"]
# Of a single build, and of a folder.
NOISE = 0.05


@pytest.fixture
def run(tmp_path: Path, toolchain: Toolchain) -> Run:
    view = ProgressView(Console(quiet=True))
    made = Run(MeasureChoices(seed=1), Task(tmp_path, tmp_path, tmp_path, toolchain, view, lambda rounds, seed: ""))
    made._record = run_record(rounds=6, control=(Variant(),))
    return made


def test_each_round_has_each_step_once_in_an_order_of_its_own(run: Run) -> None:
    rounds = run.rounds(STEPS, AGAIN)
    assert [number for number, _ in rounds] == [1, 2, 3, 4, 5, 6]
    for _, steps in rounds:
        assert len(steps) == len(STEPS + AGAIN) and {*steps} == {*STEPS, *AGAIN}
    assert len({tuple(steps) for _, steps in rounds}) == 6 and rounds == run.rounds(STEPS, AGAIN)
    run.record.left_out = (LeftOut(layout="fused", reason="it does not build"),)
    assert {step.layout for _, steps in run.rounds(STEPS, AGAIN) for step in steps} == {"interface"}


def test_cells_with_the_fewest_copies_are_verified_and_three_commits_of_a_history(run: Run) -> None:
    steps = [Step(edit=edit, copies=copies, module="Store") for edit in EDITS for copies in (1, 2)]
    run.plan = dataclasses.replace(run.plan, copies=(1, 2))
    run.record.samples = [Sample(**asdict(step), round=1) for step in steps if step.edit != "body"]
    assert [(step.edit, step.copies) for step in run.verified(steps)] == [("private-top", 1), ("interface", 1)]
    commits = [Step(edit=f"commit{number}") for number in range(9)]
    run.plan = dataclasses.replace(run.plan, copies=(0,), history=9)
    run.record.samples = [Sample(**asdict(step), round=1) for step in commits]
    chosen = run.verified(commits)
    assert len(chosen) == 3 and chosen[-1].edit == "commit8"


def test_record_names_the_commit_that_was_copied(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    run.task = dataclasses.replace(run.task, package=package, scratch=tmp_path / "scratch")
    first = committed(package, texts={"Package.swift": "\n"})

    def copied(plan: object, origin: object) -> None:
        committed(package, "Meanwhile", {"Package.swift": "\n\n"})
        raise ToolError("no package")

    monkeypatch.setattr(loop, "states_of", copied)
    with pytest.raises(ToolError, match="no package"):
        run.run()
    assert (run._revision.commit, run._revision.has_changes) == (first, False)


def test_intervals_hold_where_folders_differ_as_much_as_single_builds(run: Run) -> None:
    generator = random.Random(1)
    held = {"ratio": 0, "control": 0}
    for _ in range(1000):
        samples = []
        for number, steps in run.rounds(STEPS, AGAIN):
            # What is taken in one round shares the folder of its variant.
            luck = {(step.variant, step.control): generator.lognormvariate(0, NOISE) for step in sorted(steps, key=str)}
            for step in steps:
                seconds = luck[step.variant, step.control] * generator.lognormvariate(0, NOISE)
                samples.append(Sample(**asdict(step), round=number, seconds=seconds))
        results = Results(run_record(samples, control=(Variant(),)))
        (ratio,) = [
            each.ratios["layout"]
            for cell, each in results.summaries.items()
            if (cell.layout, cell.edit) == ("fused", "body")
        ]
        assert ratio.interval is not None and results.control is not None and results.control.interval is not None
        held["ratio"] += 1 in ratio.interval
        held["control"] += 1 in results.control.interval
    assert min(held.values()) >= 950, held


class Clock:
    """A clock that only builds move, each of which takes so many seconds."""

    now = 0.0

    def __init__(self, clean: float, step: float) -> None:
        self.clean, self.step = clean, step

    def places(self, _: object, number: int) -> Clock:
        self.number, self._made = number, set[object]()
        return self

    def take(self, steps: Iterable[Step]) -> Iterator[Sample]:
        for step in steps:
            key = step.variant, step.control
            self.now += self.step if key in self._made else self.step + self.clean
            self._made.add(key)
            yield Sample(**asdict(step), round=self.number, seconds=self.step)


@pytest.mark.parametrize(
    ("clean", "step", "rounds", "edits"),
    [
        # Three places: a round takes 6 s and 3 s for each edit.
        pytest.param(2, 1, 6, EDITS, id="all"),
        # A round takes 24 s and 10.5 s for each edit, and 50 s are left for it.
        pytest.param(8, 3.5, 6, EDITS[:2], id="edits"),
        # A round takes 120 s with one edit.
        pytest.param(30, 10, 2, EDITS[:1], id="rounds"),
        pytest.param(300, 10, 1, EDITS[:1], id="one round"),
    ],
)
def test_quick_run_cuts_edits_before_rounds_and_repeats_what_it_took(
    clean: float, step: float, rounds: int, edits: Sequence[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(clean, step)
    monkeypatch.setattr(loop, "Places", clock.places)
    monkeypatch.setattr(loop.time, "monotonic", lambda: clock.now)
    chosen: dict[str, object] = {}
    run.task = dataclasses.replace(
        run.task, command=lambda rounds, seed, **more: str(chosen.update(more, rounds=rounds))
    )
    run._log.begin(run.record)
    run.plan, run._start = dataclasses.replace(run.plan, quick=True, edits=EDITS), 0.0
    sources = SimpleNamespace(rows=[(edit, "Store") for edit in EDITS])
    for each in run._taken(sources, run.rounds(STEPS, AGAIN)):  # type: ignore[arg-type]
        run._add(each)
    assert clock.now <= 300 or rounds == 1
    assert (run.record.rounds, chosen) == (rounds, {"rounds": rounds, "edits": tuple(edits), "modules": ("Store",)})
    taken = [each.cell for each in run.record.samples if not each.control]
    assert {taken.count(cell) for cell in taken} == {rounds}
    assert {cell.edit for cell in taken} == {*edits}
    assert [each.edit for each in run.record.left_out] == [each for each in EDITS if each not in edits]
