"""Makes records of growth for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from records import MACHINE

from buildspeed.private_copy import Revision
from buildspeed.record import CleanBuild, Instruments
from buildspeed.scale.record import MeasuredSize, ScaleOptions, ScaleRecord, ScaleSample, SkippedSize

Cost = Callable[[str, int], tuple[float, int]]


def scale_record(
    cost: Cost,
    sizes: Sequence[int] = (5, 10, 20),
    shapes: Sequence[str] = ("star",),
    skipped: Sequence[int] = (),
    rounds: Sequence[float] = (1, 0.9, 1.3),
) -> ScaleRecord:
    """A record whose cells cost what `cost` says of a layout and a size: seconds and compiled files.

    The seconds of each round are as many times that.
    """
    layouts, edits = ("interface", "packages"), ("noop", "body")
    return ScaleRecord(
        package="Sample",
        command="scripts/measure scale --seed 1",
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        toolchain="Swift 6",
        revision=Revision("abc", False),
        options=ScaleOptions(
            tuple(shapes), (*sizes, *skipped), layouts, edits, ("HTTPClient", "Profile1"), len(rounds), 1, 2, 30
        ),
        instruments=Instruments(0.05, 0.1),
        placements={"body Profile1": "a statement somewhere"},
        sizes=[_size(shape, size, layouts, cost, rounds) for shape in shapes for size in sizes],
        skipped=[SkippedSize(shape, size, 1200, 300) for shape in shapes for size in skipped],
        seconds=600,
    )


def _size(shape: str, size: int, layouts: Sequence[str], cost: Cost, rounds: Sequence[float]) -> MeasuredSize:
    samples = [
        _sample(number, layout, edit, module, cost(layout, size), slowness)
        for number, slowness in enumerate(rounds, 1)
        for layout in layouts
        for edit, module in (("noop", None), ("body", "HTTPClient"), ("body", "Profile1"))
    ]
    clean = {layout: CleanBuild(10 * size, 100 * size, 12.5, 20.5) for layout in layouts}
    return MeasuredSize(shape, size, None, clean, tuple(samples), 60.0 * size)


def _sample(
    number: int, layout: str, edit: str, module: str | None, cost: tuple[float, int], slowness: float
) -> ScaleSample:
    seconds, files = cost[0] * slowness, cost[1]
    return ScaleSample(number, 1, layout, edit, module, seconds, 2 * seconds, files, 1, 1, 0.5, 2**28, number == 1)
