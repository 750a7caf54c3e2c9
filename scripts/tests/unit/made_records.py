"""Makes records for tests."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec.structs import replace
from swiftmodules.records.kinds import MatrixCell, MatrixOptions, MatrixRecord, RunOptions, RunRecord
from swiftmodules.records.model import CleanBuild, Conditions, Machine, Revision, Sample

MACHINE = Machine(2, "A processor", 2**34, "A system")


def sample(
    round: int, layout: str, seconds: float, files: int = 1, module: str | None = "Store", **more: object
) -> Sample:
    made = Sample(
        round=round,
        position=1,
        layout=layout,
        edit="body",
        module=module,
        seconds=seconds,
        cpu_seconds=2 * seconds,
        compiled=tuple(f"{number}.swift" for number in range(files)),
        emitted_modules=1,
        links=1,
        settling_seconds=0.5,
    )
    return replace(made, **more)


def run_record(
    samples: Iterable[Sample] = (), layouts: Sequence[str] = ("interface", "fused"), rounds: int = 1, **more: object
) -> RunRecord:
    made = RunRecord(
        package="Tiny",
        command="measure --seed 1",
        toolchain="Swift 6",
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        revision=Revision("abc", False),
        options=RunOptions(layouts=tuple(layouts), edits=("body",), modules=("Store",), rounds=rounds, seed=1, jobs=2),
        placements={"body Store": "a statement in `f` in Store.swift"},
        clean_builds={layout: CleanBuild(3, 4, 5.0, 6.0) for layout in layouts},
        samples=list(samples),
    )
    return replace(made, **more)


def rounds_of(seconds: dict[str, Sequence[float]], files: int = 1, **more: object) -> list[Sample]:
    """A sample for each layout in each round."""
    return [
        replace(sample(round, layout, value, files), **more)
        for layout, values in seconds.items()
        for round, value in enumerate(values, start=1)
    ]


def conditions(noisy: bool | None) -> Conditions:
    return Conditions(load_average=1.0, cpu_pressure=0.1, other_cpu_seconds=0.02, noisy=noisy)


def cell(edit: str, layout: str, compiled: Sequence[str], module: str | None = "Store", **more: object) -> MatrixCell:
    made = MatrixCell(edit=edit, module=module, layout=layout, compiled=dict.fromkeys(compiled, "edited"))
    return replace(made, **more)


def matrix(cells: Iterable[MatrixCell], **more: object) -> MatrixRecord:
    cells = list(cells)
    options = MatrixOptions(
        layouts=tuple(dict.fromkeys(each.layout for each in cells)),
        edits=tuple(dict.fromkeys(each.edit for each in cells)),
        modules=tuple(dict.fromkeys(each.module for each in cells if each.module)),
    )
    made = MatrixRecord(package="Tiny", command="measure matrix", toolchain="Swift 6", options=options, cells=cells)
    return replace(made, **more)
