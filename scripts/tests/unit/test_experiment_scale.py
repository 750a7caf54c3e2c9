"""In which order sizes are measured, with builds that take the time they are given, and how such a run is resumed."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from made_records import sample
from msgspec.structs import replace as changed
from swiftmodules.errors import ToolError
from swiftmodules.experiment import runner, scale
from swiftmodules.experiment.runner import Step, Task
from swiftmodules.records.files import read_record
from swiftmodules.records.kinds import ScaleOptions, ScaleRecord
from swiftmodules.records.model import SOUND, Cell, CleanBuild, Sample, Verdict, Verification
from test_experiment_runner import made_task

PREPARATION, SAMPLE, CLEAN = 100.0, 10.0, 30.0
OPTIONS = ScaleOptions(sizes=(4, 1, 2), layouts=("interface", "fused"), edits=("body",), rounds=4, seed=1, jobs=2)


@dataclass
class Machine:
    """The work that was done, in its order, and the time, which only work advances."""

    done: list[str] = field(default_factory=list)
    seconds: float = 0.0
    failing: str | None = None

    def work(self, what: str, seconds: float) -> None:
        if what == self.failing:
            raise ToolError("it was cold.")
        self.done.append(what)
        self.seconds += seconds


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine()

    class FakeLayouts:
        def __init__(self, subject: SimpleNamespace, task: Task, folder: Path, jobs: int) -> None:
            self.size = int(folder.name.removeprefix("size-"))
            self.layouts: dict[str, object] = {}
            self.clean_builds: dict[str, CleanBuild] = {}

        def build(self, name: str, layout: object) -> None:
            self.layouts[name] = layout
            self.clean_builds[name] = CleanBuild(1, 1, CLEAN, CLEAN)

        def warm_up(self) -> None:
            machine.work(f"{self.size} prepared", PREPARATION * self.size)

        def step(self, cell: Cell, more: object) -> Step:
            def take(number: int, position: int) -> Sample:
                machine.work(f"{self.size} round {number} {cell.layout}", SAMPLE)
                return changed(sample(number, cell.layout, SAMPLE), position=position, size=self.size, compiled=1)

            return Step(cell.name, take, lambda entry: True)

        def verdicts(self, cells: Sequence[Cell], verification: Verification) -> Iterator[None]:
            if verification.left_out is None:
                machine.work(f"{self.size} verified", CLEAN * len(cells))
                for cell in cells:
                    verdict = Verdict(layout=cell.layout, edit="body", module="Store", result=SOUND)
                    verification.verdicts.append(verdict)
                    yield

    def subject(*_: object) -> SimpleNamespace:
        def cells(layouts: Sequence[str]) -> list[Cell]:
            return [Cell(layout, "body", "Store") for layout in layouts]

        package = SimpleNamespace(name="P")
        modules = {"Store": None}
        return SimpleNamespace(
            package=package, sources={}, pairs={}, modules=modules, described={}, reasons={}, cells=cells
        )

    clock = SimpleNamespace(monotonic=lambda: machine.seconds)
    for module in (scale, runner):
        monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(scale, "BuiltLayouts", FakeLayouts)
    monkeypatch.setattr(scale, "replica_subjects", lambda *_: subject)
    monkeypatch.setattr(scale, "make_layout", lambda name, *_: name)
    monkeypatch.setattr(runner, "contents_of", lambda _: "0" * 64)
    return machine


@pytest.fixture
def task(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Task:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return made_task(tmp_path, tmp_path)


def rounds(done: Sequence[str]) -> list[str]:
    """Returns the work that was done, with a round instead of its samples."""
    found = [each.rpartition(" ")[0] if "round" in each else each for each in done]
    return [each for number, each in enumerate(found) if each != found[number - 1] or number == 0]


def test_rounds_hold_all_sizes_in_changing_order_and_verifying_comes_last(machine: Machine, task: Task) -> None:
    found = scale.measure(OPTIONS, task)
    done = rounds(machine.done)
    assert done[:6] == ["1 prepared", "1 round 1", "2 prepared", "2 round 1", "4 prepared", "4 round 1"]
    later = [done[start : start + 3] for start in (6, 9, 12)]
    assert [sorted(each) for each in later] == [
        [f"{size} round {number}" for size in (1, 2, 4)] for number in (2, 3, 4)
    ]
    assert len({tuple(each.split()[0] for each in order) for order in later}) > 1
    assert done[15:] == ["1 verified"]
    # The first with a control, and by size in the record.
    assert [each.size for each in found.samples] == [1] * 12 + [2] * 8 + [4] * 8
    assert [(each.size, each.control) for each in found.sizes] == [(1, "interface"), (2, None), (4, None)]
    # Each without what the others did in between.
    assert [each.seconds for each in found.sizes] == [100 + 120 + 60, 200 + 80, 400 + 80]
    assert found.seconds == machine.seconds
    left_out = [each.verification.left_out for each in found.sizes if each.verification]
    assert left_out == [None, *["each cell is verified at the smallest size."] * 2]


@pytest.mark.parametrize(("verified", "expected"), [("none", []), ("all", ["1 verified", "2 verified", "4 verified"])])
def test_every_size_is_verified_or_none(
    machine: Machine, task: Task, verified: scale.VerifiedSizes, expected: list[str]
) -> None:
    scale.measure(OPTIONS, task, verified)
    assert [each for each in machine.done if "verified" in each] == expected


@pytest.mark.parametrize(
    ("minutes", "verified", "measured"),
    [
        (1, "smallest", [1]),
        # The first takes 220 s, and 60 s to verify; the next takes 440 s, which are all that is left of the budget.
        (12, "smallest", [1, 2]),
        # With verifying, the next takes 560 s.
        (12, "all", [1]),
        (12, "none", [1, 2]),
        (30, "smallest", [1, 2, 4]),
    ],
)
def test_size_has_to_fit_beside_what_is_left_of_those_before_it_and_the_first_is_always_measured(
    machine: Machine,
    task: Task,
    minutes: float,
    verified: scale.VerifiedSizes,
    measured: list[int],
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = scale.measure(replace(OPTIONS, budget_minutes=minutes), task, verified)
    assert [each.size for each in found.sizes] == measured
    assert [each.size for each in found.skipped] == [size for size in (1, 2, 4) if size not in measured]
    assert ("Skipped: 4 copies" in capsys.readouterr().out) == (4 not in measured)


@pytest.mark.parametrize(
    "failing",
    ["2 prepared", "2 round 1 fused", "4 round 1 interface", "1 round 3 fused", "4 round 4 fused", "1 verified"],
)
def test_interrupted_run_is_resumed_where_it_was(machine: Machine, task: Task, failing: str) -> None:
    whole = scale.measure(OPTIONS, replace(task, output=task.package / "whole"))
    machine.done.clear()
    machine.failing = failing
    with pytest.raises(ToolError):
        scale.measure(OPTIONS, task)
    before, machine.failing = list(machine.done), None
    interrupted = read_record(task.output)
    assert isinstance(interrupted, ScaleRecord)
    machine.done.clear()
    found = scale.measure(ScaleOptions(), replace(task, resume=True))
    # Layouts are built again, whole rounds are not taken again, and an interrupted one is rerun.
    torn = failing.rpartition(" ")[0] if "round" in failing else ""
    taken = [each for each in rounds(before) if "round" in each and each != torn]
    again = [each for each in rounds(machine.done) if "round" in each]
    assert sorted(taken + again) == sorted(f"{size} round {number}" for size in (1, 2, 4) for number in (1, 2, 3, 4))
    assert [(each.size, each.round, each.layout) for each in found.samples] == [
        (each.size, each.round, each.layout) for each in whole.samples
    ]
    assert [each.size for each in found.sizes] == [1, 2, 4]
    assert found.sizes[0].verification is not None and len(found.sizes[0].verification.verdicts) == 2
    assert found.incomplete is None
