"""The rounds of a run, and how often their intervals hold where each folder has its own luck."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from types import SimpleNamespace
from unittest.mock import Mock

import pytest
from made_files import committed
from made_packages import package_of
from made_records import run_record
from msgspec.structs import asdict, replace
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.measure import loop
from swiftmodules.measure.loop import Run
from swiftmodules.measure.place import Place
from swiftmodules.measure.record import Cell, LeftOut, Sample, Step
from swiftmodules.measure.results import Results
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.toolchain import Toolchain

LAYOUTS, EDITS = ("interface", "fused"), ("body", "private-top", "interface")
CELLS = [Cell(layout=layout, edit=edit, module="Store") for layout in LAYOUTS for edit in EDITS]
# Of a single build, and of a folder.
NOISE = 0.05


@pytest.fixture
def run(tmp_path: Path, toolchain: Toolchain) -> Run:
    view = ProgressView(lambda text: None)
    made = Run(MeasureChoices(), tmp_path, tmp_path, tmp_path, toolchain, view, random=random.Random(1))
    made._record = run_record(rounds=6)
    return made


def test_each_round_has_each_step_once_in_an_order_of_its_own(run: Run) -> None:
    rounds = run.rounds(CELLS)
    assert len(rounds) == 6
    for number, steps in enumerate(rounds, start=1):
        first = [Step(**asdict(cell), round=number) for cell in CELLS]
        again = [replace(step, control=True) for step in first if step.layout == "interface"]
        assert len(steps) == len(first + again) and {*steps} == {*first, *again}
    assert len({tuple(replace(step, round=0) for step in steps) for steps in rounds}) == 6
    run.record.left_out = (LeftOut(layout="fused", reason="it does not build"),)
    assert {step.layout for steps in run.rounds(CELLS) for step in steps} == {"interface"}
    run.record.left_out, run.plan = (), dataclasses.replace(run.plan, rounds=0)
    # What is only counted has its order, and no second build.
    assert run.rounds(CELLS) == [[Step(**asdict(cell), round=0) for cell in CELLS]]


def test_cells_that_were_measured_are_verified_and_the_last_commits_of_a_history(run: Run) -> None:
    run.record.samples = [Sample(**asdict(step), round=1) for step in CELLS if step.edit != "body"]
    assert run.verified(CELLS) == [step for step in CELLS if step.edit != "body"]
    commits = [Cell(edit=f"commit{number}") for number in range(9)]
    run.plan = dataclasses.replace(run.plan, history=9)
    run.record.samples = [Sample(**asdict(step), round=1) for step in commits]
    assert run.verified(commits) == commits[-3:]


def test_record_names_the_commit_that_was_copied(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "package"
    run.package, run.scratch = package, tmp_path / "scratch"
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
        for steps in run.rounds(CELLS):
            # What is taken in one round shares the folder of its variant.
            luck = {(step.variant, step.control): generator.lognormvariate(0, NOISE) for step in sorted(steps, key=str)}
            for step in steps:
                seconds = luck[step.variant, step.control] * generator.lognormvariate(0, NOISE)
                samples.append(Sample(**asdict(step), seconds=seconds))
        # The record has the layouts in this order.
        samples.sort(key=lambda each: LAYOUTS.index(each.layout))
        results = Results(run_record(samples))
        (ratio,) = [
            each.ratio
            for cell, each in results.summaries.items()
            if each.ratio and (cell.layout, cell.edit) == ("fused", "body")
        ]
        assert results.control is not None and ratio.is_interval and results.control.is_interval
        held["ratio"] += ratio.low <= 1 <= ratio.high
        held["control"] += results.control.low <= 1 <= results.control.high
    assert min(held.values()) >= 950, held


def test_package_without_a_program_is_not_verified_unless_its_tests_are_run(run: Run) -> None:
    package, layout = package_of({}), SimpleNamespace(program=None)
    states = SimpleNamespace(subject=SimpleNamespace(package=package), before=lambda cell, with_tests: layout)
    run._verify(states, CELLS)  # type: ignore[arg-type]
    verification = run.record.verification
    assert verification is not None and not verification.is_sound
    assert (verification.left_out or "").startswith("a verification requires exactly one executable, or tests")


def test_state_that_failed_to_build_is_built_again_and_one_that_stands_is_not() -> None:
    workspace = Mock()
    workspace.become.side_effect = [True, False, False]
    workspace.build.side_effect = [BuildFailedError("no"), None]
    place = Place(workspace)
    with pytest.raises(BuildFailedError):
        place.stand(Mock())
    place.stand(Mock())
    place.stand(Mock())
    assert workspace.build.call_count == 2


class Clock:
    """A clock that only builds move, each of which takes so many seconds."""

    now = 0.0

    def __init__(self, clean: float, step: float) -> None:
        self.clean, self.step = clean, step

    def places(self, _: object) -> Clock:
        self._made = set[object]()
        return self

    def take(self, steps: Iterable[Step]) -> Iterator[Sample]:
        for step in steps:
            key = step.variant, step.control
            self.now += self.step if key in self._made else self.step + self.clean
            self._made.add(key)
            yield Sample(**asdict(step), seconds=self.step)


@pytest.mark.parametrize(
    ("clean", "step", "rounds", "edits"),
    [
        # Three places: a round takes so many seconds for clean builds, and for each edit.
        pytest.param(2, 1, 6, EDITS, id="all rounds"),
        pytest.param(30, 3, 2, EDITS, id="two rounds"),
        pytest.param(110, 3, 1, EDITS[:1], id="one edit"),
    ],
)
def test_quick_run_takes_the_rounds_and_edits_that_fit_and_repeats_what_it_took(
    clean: float, step: float, rounds: int, edits: Sequence[str], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = Clock(clean, step)
    monkeypatch.setattr(loop, "Places", clock.places)
    monkeypatch.setattr(loop.time, "monotonic", lambda: clock.now)
    run.plan, run._start = dataclasses.replace(run.plan, quick=True, edits=EDITS), 0.0
    sources = SimpleNamespace(rows=[(edit, "Store") for edit in EDITS])
    for each in run._quick(sources, run.rounds(CELLS)):  # type: ignore[arg-type]
        run._add(each)
    assert clock.now <= 300 or rounds == 1
    repeated = f"--edits {','.join(edits)} --modules Store" + f" --rounds {rounds} --no-verify"
    assert run.record.rounds == rounds and repeated in run.record.command
    taken = [each.cell for each in run.record.samples if not each.control]
    assert {taken.count(cell) for cell in taken} == {rounds}
    assert {cell.edit for cell in taken} == {*edits}
    assert [each.edit for each in run.record.left_out] == [each for each in EDITS if each not in edits]
