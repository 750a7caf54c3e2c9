"""Makes records of every kind for tests."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

from msgspec.structs import replace
from swiftmodules.observed import Conditions, Job, Machine, Revision
from swiftmodules.records import kinds
from swiftmodules.records.kinds import MatrixCell, MatrixRecord, RunOptions, RunRecord
from swiftmodules.records.model import CONTROL, CleanBuild, Instruments, Sample

MACHINE = Machine(2, "A processor", 2**34, "A system")
HEADER = {
    "package": "Tiny",
    "toolchain": "Swift 6",
    "started": "2026-01-01T00:00:00+00:00",
    "machine": MACHINE,
    "revision": Revision("abc", True),
}
PHASES = ("start", "planning", "compile", "emit-module", "wrap", "link", "rest")


def sample(
    round: int, layout: str, seconds: float, files: int = 1, module: str | None = "Store", **more: object
) -> Sample:
    compiled = tuple(f"{number}.swift" for number in range(files))
    usual = {"position": 1, "edit": "body", "cpu_seconds": 2 * seconds, "compiled": compiled, "emitted_modules": 1}
    fields = {**usual, "links": 1, "settling_seconds": 0.5, **more}
    return Sample(round=round, layout=layout, seconds=seconds, module=module, **fields)


def run_record(
    samples: Iterable[Sample] = (), layouts: Sequence[str] = ("interface", "fused"), rounds: int = 3, **more: object
) -> RunRecord:
    """A record of one edit in one module, without a control."""
    made = RunRecord(
        command="measure --seed 1",
        **HEADER,
        options=RunOptions(layouts=tuple(layouts), edits=("body",), modules=("Store",), rounds=rounds, seed=1, jobs=2),
        meanings={"interface": "the targets as they are", "fused": "two targets in one", "body": "a statement"},
        placements={"body Store": "a statement somewhere"},
        modules={"Store": kinds.ModuleFacts(3, 2)},
        clean_builds={layout: CleanBuild(4, 9, 1.5, 2.5) for layout in layouts},
        instruments=Instruments(0.05, 0.1),
        samples=list(samples),
    )
    return replace(made, **more)


def noisy_record(seconds: Mapping[str, float], count: int = 10, noise: float = 0.02, seed: int = 1) -> RunRecord:
    """A record with so many samples around the seconds of each layout; `control` is the A/A control of `interface`."""
    generator = random.Random(seed)
    made = run_record(layouts=[layout for layout in seconds if layout != CONTROL], rounds=count)
    if CONTROL in seconds:
        made.options = with_options(made.options, control="interface")
    made.samples = [
        sample(
            round,
            layout,
            median * generator.lognormvariate(0, noise),
            position=position,
            cpu_seconds=2 * median,
            largest_process_bytes=100 * 2**20,
            peak_memory_bytes=180 * 2**20,
            conditions=conditions(round == 1),
        )
        for round in range(1, count + 1)
        for position, (layout, median) in enumerate(seconds.items(), start=1)
    ]
    return made


def with_options(options: RunOptions, **changes: object) -> RunOptions:
    return RunOptions(**(vars(options) | changes))


def rounds_of(seconds: Mapping[str, Sequence[float]], files: int = 1) -> list[Sample]:
    """A sample for each layout in each round."""
    return [
        sample(round, layout, value, files)
        for layout, values in seconds.items()
        for round, value in enumerate(values, start=1)
    ]


def conditions(noisy: bool | None) -> Conditions:
    return Conditions(load_average=1.5, cpu_pressure=0.25, other_cpu_seconds=0.3, noisy=noisy)


def cell(
    edit: str,
    layout: str,
    files: Sequence[str] = ("A.swift",),
    module: str | None = "M",
    smallest: Sequence[str] = ("A.swift",),
    linked: Sequence[str] = ("App",),
    reasons: Mapping[str, str] | None = None,
) -> MatrixCell:
    """A build after an edit; the files without a reason were edited."""
    return MatrixCell(
        edit=edit,
        module=module,
        layout=layout,
        compiled=dict.fromkeys(files, "edited") | dict(reasons or {}),
        smallest=tuple(smallest),
        emitted_modules=1,
        linked=tuple(linked),
    )


def matrix(*cells: MatrixCell, more_edits: Sequence[str] = (), **more: object) -> MatrixRecord:
    """A record with the edits, layouts and modules of its cells."""
    made = MatrixRecord(
        package="Tiny",
        command="measure matrix",
        toolchain="Swift 6.9",
        options=kinds.MatrixOptions(
            layouts=tuple(dict.fromkeys(each.layout for each in cells)),
            edits=tuple(dict.fromkeys(each.edit for each in cells)) + tuple(more_edits),
            modules=tuple(dict.fromkeys(each.module for each in cells if each.module)),
        ),
        targets={"App": "App", "MInterface": "M/Interface", "MImplementation": "M/Implementation", "N": "N"},
        cells=list(cells),
    )
    return replace(made, **more)


def straight(layout: str, size: int) -> tuple[float, int]:
    """40 ms and half a file for each copy, and 100 ms and 2 files in packages."""
    return (2 + 0.1 * size, 3 + 2 * size) if layout == "packages" else (1 + 0.04 * size, 4 + size // 2)


def scale_record(
    cost: Callable[[str, int], tuple[float, int]] = straight,
    sizes: Sequence[int] = (5, 10, 20),
    skipped: Sequence[int] = (),
    rounds: Sequence[float] = (1, 0.9, 1.3),
) -> kinds.ScaleRecord:
    """A record whose cells cost what `cost` returns for a layout and a size: seconds and compiled files. The seconds of
    each round are as many times that."""
    layouts = ("interface", "packages")
    return kinds.ScaleRecord(
        command="measure scale --seed 1",
        **HEADER | {"revision": Revision("abc", False)},
        options=kinds.ScaleOptions(
            sizes=(*sizes, *skipped),
            layouts=layouts,
            edits=("noop", "body"),
            modules=("HTTPClient", "Profile1"),
            rounds=len(rounds),
            seed=1,
            jobs=2,
            budget_minutes=30,
        ),
        placements={"body Profile1": "a statement somewhere", "body HTTPClient": "another one"},
        sizes=[
            kinds.MeasuredSize(
                size=size,
                clean_builds={layout: CleanBuild(10 * size, 100 * size, 12.5, 20.5) for layout in layouts},
                seconds=60.0 * size,
            )
            for size in sizes
        ],
        skipped=[kinds.SkippedSize(size, 1200, 300) for size in skipped],
        seconds=600,
        samples=[
            sample(
                round,
                layout,
                cost(layout, size)[0] * slowness,
                module=module,
                edit=edit,
                size=size,
                compiled=cost(layout, size)[1],
                conditions=Conditions(noisy=round == 1),
            )
            for size in sizes
            for round, slowness in enumerate(rounds, start=1)
            for layout in layouts
            for edit, module in (("noop", None), ("body", "HTTPClient"), ("body", "Profile1"))
        ],
    )


def floor_record(rounds: int = 7) -> kinds.FloorRecord:
    def edited(round: int, setting: str, seconds: float, files: int = 1, edit: str = "body") -> Sample:
        return sample(
            round,
            setting,
            seconds,
            files,
            edit=edit,
            module="A",
            null_seconds=0.3,
            by_hand_seconds=0.4,
            phases={**dict.fromkeys(PHASES, 0.0), "link": 0.1},
            steps={"compile": 0.2, "emit-module": 0.1, "link": 0.1},
        )

    def clean(round: int, setting: str, seconds: float, kept: bool) -> Sample:
        made = sample(round, setting, seconds, module=None, edit=None, compiled=None)
        return replace(made, kept_results=kept, product_bytes=2**20)

    return kinds.FloorRecord(
        command="measure floor",
        **HEADER,
        options=kinds.FloorOptions(
            settings=("default", "lld", "cache", "whole"),
            layouts=("interface", "fused"),
            edits=("body", "private-top"),
            module="A",
            rounds=rounds,
            clean_rounds=2,
            seed=1,
            control="default",
            jobs=2,
        ),
        placements={"body A": "a statement in `f` in a.swift", "private-top A": "a private function in a.swift"},
        meanings={"default": "what SwiftPM does", "lld": "the linker lld", "cache": "the compile cache"},
        words={"default": (), "lld": ("-Xswiftc", "-use-ld=lld"), "cache": ("-cas-path", "{folder}/cache")},
        sources={"lld": "https://example.org/lld"},
        broken={
            "whole": "error: no index",
            "whole in fused": "error: no index",
            "lld in fused private-top A": "error: no linker",
        },
        timelines={"default": (Job(kind="link", target="App", began=0.1, finished=0.2, driver=4, cpu_seconds=0.1),)},
        samples=[
            clean(1, "default", 10, False),
            clean(1, "cache", 20, False),
            clean(2, "default", 10, False),
            clean(2, "cache", 2, True),
            replace(clean(1, "whole", 0.1, False), failed=True),
            *(
                each
                for n in range(1, rounds + 1)
                for each in (
                    edited(n, "default", n),
                    edited(n, "lld", n / 2),
                    edited(n, "control", n),
                    *(edited(n, name, 2 * n, 7, "private-top") for name in ("default in fused", "control in fused")),
                    *(edited(n, name, 3 * n, 4) for name in ("default in fused", "control in fused")),
                    # More than the default after the one edit, and it fails after the other.
                    edited(n, "lld in fused", 4 * n, 5),
                    replace(edited(n, "lld in fused", 0.1, 1, "private-top"), failed=True),
                )
            ),
        ],
    )


# A build of one target with two files, as it was measured with one job at a time: 6 s in all.
COSTS = kinds.BuildCosts(
    start=1.0,
    end=0.6,
    gap=0.1,
    commands=(
        kinds.CommandCosts(
            kind="target",
            target="A",
            plan=0.5,
            emit=0.5,
            waves=(kinds.Wave(("a.swift", "b.swift"), 1.4),),
            wrap=0.2,
            rest=0.4,
        ),
        kinds.CommandCosts(kind="wrap", target="A", plan=0.2),
        kinds.CommandCosts(kind="link", target="App", plan=1.0),
    ),
)
GRAPH = (
    kinds.GraphCommand(name="/s/A.swiftmodule.o", kind="wrap", target="A", after=("C.A.module",)),
    kinds.GraphCommand(name="/s/sources"),
    kinds.GraphCommand(name="C.A.module", kind="target", target="A", after=("/s/sources",)),
    kinds.GraphCommand(name="C.App.exe", kind="link", target="App", after=("/s/A.swiftmodule.o", "C.A.module")),
    kinds.GraphCommand(name="P.App", after=("C.App.exe",)),
)


def build(checks: Mapping[int, tuple[float, ...]] | None = None, **more: object) -> kinds.MeasuredBuild:
    """A measured build, with real builds by their number of jobs."""
    job = Job(kind="compile", target="A", files=("A/a.swift", "A/b.swift"), began=1, finished=3)
    made = kinds.MeasuredBuild(edit="body", module="A", costs=(COSTS,), checks=checks or {}, timeline=(job,))
    return replace(made, **more)


def simulate_record(*builds: kinds.MeasuredBuild, **more: object) -> kinds.SimulateRecord:
    made = kinds.SimulateRecord(
        command="measure simulate",
        **HEADER,
        options=kinds.SimulateOptions(packages=("P",), layouts=("interface",), edits=("body",), modules=("A",), seed=1),
        layouts=[
            kinds.MeasuredLayout(
                package="P",
                layout="interface",
                targets=1,
                files=2,
                graph=GRAPH,
                file_costs=kinds.FileCosts({"a.swift": 1.0}, {"A": 0.4}),
                null_seconds=(0.4,),
                builds=builds,
            )
        ],
    )
    return replace(made, **more)


def bench_record() -> kinds.BenchRecord:
    return kinds.BenchRecord(
        command="bench --counts",
        **HEADER,
        options=kinds.BenchOptions(rounds=2, batches=3),
        timings={"resolve": [80.0, 90.0, 85.0], "match": [5000.0, 5100.0, 12000.0], "register": [1.2e6]},
        instructions={"resolve": 1234.0},
        failed_bars=("match",),
    )
