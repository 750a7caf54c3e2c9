"""In which order a run of `scripts/measure scale` measures its sizes, with builds that take the time they are told."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace

import pytest
from records import record, sample

from buildspeed.measurement import Request
from buildspeed.plan import Cell
from buildspeed.prepared_run import PreparedRun
from buildspeed.record import CleanBuild, Options, Record, Sample
from buildspeed.scale import run, size_run
from buildspeed.scale.record import ScaleOptions
from buildspeed.soundness import Verification

PREPARATION, SAMPLE, CLEAN = 100.0, 10.0, 30.0


@dataclass
class Machine:
    """What was done, in its order, and the time, which only work moves on."""

    done: list[str]
    seconds: float = 0.0

    def work(self, what: str, seconds: float) -> None:
        self.done.append(what)
        self.seconds += seconds


class View:
    """Only remembers what the person should know."""

    def __init__(self) -> None:
        self.notes: list[str] = []
        self.plans: list[int] = []

    def stage(self, text: str) -> None:
        pass

    def note(self, text: str) -> None:
        self.notes.append(text)

    def planned(self, samples: int) -> None:
        self.plans.append(samples)

    def begins(self, name: str) -> None:
        pass

    def finished(self, sample: Sample) -> None:
        pass


@dataclass
class FakeSampling:
    machine: Machine
    name: str

    def take_round(self, to: Record, number: int, order: Sequence[Cell], keep: Callable[[Record], None]) -> None:
        self.machine.work(f"{self.name} round {number}", SAMPLE * len(order))
        to.samples += [replace(sample(number, cell.layout, SAMPLE), position=1) for cell in order]
        keep(to)

    def verify(
        self, to: Record, cells: Sequence[Cell], session: Sequence[object], keep: Callable[[Record], None]
    ) -> None:
        if to.verification is not None and to.verification.left_out is None:
            self.machine.work(f"{self.name} verified", CLEAN * len(cells))
            keep(to)


@pytest.fixture
def machine(monkeypatch: pytest.MonkeyPatch) -> Machine:
    machine = Machine([])

    class FakeMeasurement:
        def __init__(
            self, request: Request, toolchain: object, folder: Path, view: View, subject: object, maker: object
        ) -> None:
            self._request, self._name = request, folder.name

        def prepare(self, command: Callable[[Options], str]) -> PreparedRun:
            machine.work(f"{self._name} prepared", PREPARATION * (int(self._name.rpartition("-")[2])))
            layouts = self._request.layouts
            cells = [Cell(layout, "body", "Store") for layout in layouts]
            made = record(layouts=layouts)
            made.clean_builds = {layout: CleanBuild(1, 1, CLEAN, CLEAN) for layout in layouts}
            made.verification = Verification(self._request.unverified)
            return PreparedRun(
                made, [cells] * (self._request.rounds or 0), cells, (), FakeSampling(machine, self._name)
            )

    clock = SimpleNamespace(monotonic=lambda: machine.seconds)
    for module in (run, size_run):
        monkeypatch.setattr(module, "time", clock)
    subject = SimpleNamespace(package=SimpleNamespace(name="P"))
    monkeypatch.setattr(run, "read_subject", lambda *_: subject)
    monkeypatch.setattr(run, "PackageGenerator", lambda *_: SimpleNamespace(make=lambda *_: None))
    monkeypatch.setattr(run, "read_session", lambda *_: ())
    monkeypatch.setattr(run, "Measurement", FakeMeasurement)
    return machine


def scale_run(
    view: View, folder: Path, verified: run.VerifiedSizes = run.VerifiedSizes.SMALLEST, **options: object
) -> run.ScaleRun:
    chosen = ScaleOptions(("star",), (1, 2, 4), ("interface", "fused"), ("body",), (), 4, 1, 2, 600)
    toolchain = SimpleNamespace(version="Swift 6")
    return run.ScaleRun(folder, replace(chosen, **options), "command", toolchain, folder, view, verified)


def test_rounds_hold_all_sizes_in_changing_order_and_verifying_comes_last(machine: Machine, tmp_path: Path) -> None:
    view, kept = View(), []
    found = scale_run(view, tmp_path).run(lambda each: kept.append(len(each.sizes)))
    assert machine.done[:6] == [
        text for size in (1, 2, 4) for text in (f"star-{size} prepared", f"star-{size} round 1")
    ]
    later = [machine.done[begin : begin + 3] for begin in (6, 9, 12)]
    for number, names in enumerate(later, start=2):
        assert sorted(names) == [f"star-{size} round {number}" for size in (1, 2, 4)]
    assert len({tuple(name.partition(" ")[0] for name in names) for names in later}) > 1
    # Of the smallest size only, unless more is asked for.
    assert machine.done[15:] == ["star-1 verified"]
    assert [(each.size, len(each.samples)) for each in found.sizes] == [(1, 8), (2, 8), (4, 8)]
    # Each size with its own time, and the run with all of it.
    assert [each.seconds for each in found.sizes] == [100 + 80 + 60, 200 + 80, 400 + 80]
    assert found.seconds == machine.seconds == sum(each.seconds for each in found.sizes)
    # The samples of each first round, and of all that follow; each is saved.
    assert view.plans == [2, 2, 2, 18]
    assert kept == [1, 2, 3, *[3] * 10]


@pytest.mark.parametrize(
    ("verified", "skipped"),
    [
        # The first takes 180 s, and 60 s to verify; the next takes 360 s, which are all that is left of the budget.
        (run.VerifiedSizes.SMALLEST, []),
        # With verifying, the next takes 480 s.
        (run.VerifiedSizes.ALL, [2]),
        (run.VerifiedSizes.NONE, []),
    ],
)
def test_size_has_to_fit_beside_what_is_left_of_those_before_it(
    machine: Machine, tmp_path: Path, verified: run.VerifiedSizes, skipped: list[int]
) -> None:
    view = View()
    work = scale_run(view, tmp_path, verified, sizes=(1, 2), budget_minutes=10)
    found = work.run(lambda _: None)
    assert [each.size for each in found.skipped] == skipped
    assert machine.seconds <= 600
    if skipped:
        assert (found.skipped[0].estimated_seconds, found.skipped[0].seconds_left) == (480, 360)
        assert "it would take about 8 minutes, and 6 of --budget 10 are left" in view.notes[0]


def test_failure_at_a_larger_size_leaves_the_first_round_of_smaller_ones(machine: Machine, tmp_path: Path) -> None:
    work = scale_run(View(), tmp_path)

    def fail_at_size_4(what: str, seconds: float) -> None:
        if what == "star-4 prepared":
            raise OSError("no space left")
        Machine.work(machine, what, seconds)

    machine.work = fail_at_size_4
    with pytest.raises(OSError, match="no space"):
        work.run(lambda _: None)
    assert [(each.size, len(each.samples)) for each in work.record.sizes] == [(1, 2), (2, 2)]
