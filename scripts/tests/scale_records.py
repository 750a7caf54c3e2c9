"""Makes records of growth for tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from records import MACHINE

from buildspeed.private_copy import Revision
from buildspeed.record import CleanBuild, Instruments
from buildspeed.scale.record import MeasuredSize, ScaleOptions, ScaleRecord, ScaleSample, SkippedSize

Cost = Callable[[str, int], tuple[float, int]]


def scale_record(
    cost: Cost, sizes: Sequence[int] = (5, 10, 20), shapes: Sequence[str] = ("star",), skipped: Sequence[int] = ()
) -> ScaleRecord:
    """A record whose cells cost what `cost` says of a layout and a size: seconds and compiled files."""
    layouts, edits = ("interface", "packages"), ("noop", "body")
    return ScaleRecord(
        package="Sample",
        command="scripts/measure scale --seed 1",
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        toolchain="Swift 6",
        revision=Revision("abc", False),
        options=ScaleOptions(
            tuple(shapes), (*sizes, *skipped), layouts, edits, ("HTTPClient", "Profile1"), 3, 1, 2, 30
        ),
        instruments=Instruments(0.05, 0.1),
        placements={"body Profile1": "a statement somewhere"},
        sizes=[_size(shape, size, layouts, cost) for shape in shapes for size in sizes],
        skipped=[SkippedSize(shape, size, 1200, 300) for shape in shapes for size in skipped],
        seconds=600,
    )


def _size(shape: str, size: int, layouts: Sequence[str], cost: Cost) -> MeasuredSize:
    samples = [
        _sample(round, layout, edit, module, cost(layout, size))
        for round in (1, 2, 3)
        for layout in layouts
        for edit, module in (("noop", None), ("body", "HTTPClient"), ("body", "Profile1"))
    ]
    clean = {layout: CleanBuild(10 * size, 100 * size, 12.5, 20.5) for layout in layouts}
    return MeasuredSize(shape, size, None, clean, tuple(samples), 60.0 * size)


def _sample(round: int, layout: str, edit: str, module: str | None, cost: tuple[float, int]) -> ScaleSample:
    seconds, files = cost
    # The middle of three is what the cell costs.
    moved = seconds * (1, 0.9, 1.3)[round - 1]
    return ScaleSample(round, 1, layout, edit, module, moved, 2 * moved, files, 1, 1, 0.5, 2**28, round == 1)
