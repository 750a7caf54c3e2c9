"""Makes records for tests."""

from __future__ import annotations

import json
import random
from collections.abc import Mapping, Sequence
from pathlib import Path

from buildspeed.conditions import NOISY_ABOVE, Conditions
from buildspeed.growth import GrowthPoint, GrowthSeries
from buildspeed.machine import Machine
from buildspeed.private_copy import Revision
from buildspeed.rebuild import Job, Rebuild
from buildspeed.record import CleanBuild, Instruments, ModuleFacts, Options, Record, Sample

MACHINE = Machine(2, "A processor", 2**34, "A system")

REBUILDS = {
    "interface": Rebuild(
        "body",
        "Store",
        1.2,
        (
            Job("plan", "", "the package", 0, 0.3),
            Job("compile", "StoreImplementation", "MemoryReader.swift", 0.3, 0.7),
            Job("emit module", "StoreImplementation", "", 0.3, 0.5),
            Job("link", "App", "", 0.72, 1.15),
        ),
    ),
    "fused": Rebuild("body", "Store", 0.9, (Job("compile", "Store", "MemoryReader.swift", 0.2, 0.6),)),
}

GROWTH = tuple(
    GrowthSeries(
        "star",
        "interface-requirement",
        layout,
        tuple(GrowthPoint(modules, 0.5 + slope * modules, files * modules) for modules in (5, 10, 20, 40, 80)),
    )
    for layout, slope, files in (
        ("interface", 0.01, 1),
        ("fused", 0.04, 3),
        ("packages", 0.05, 1),
        ("monolith", 0.02, 2),
    )
)


def sample(round: int, layout: str, seconds: float, files: int = 1, module: str | None = "Store") -> Sample:
    """As version 1 of the format had it."""
    compiled = tuple(f"{number}.swift" for number in range(files))
    return Sample(round, 1, layout, "body", module, seconds, 2 * seconds, compiled, 1, 1, 0.5)


def record(samples: Sequence[Sample] = (), layouts: Sequence[str] = ("interface", "fused")) -> Record:
    """As version 1 of the format had it."""
    return Record(
        package="Tiny",
        command="scripts/measure --seed 1",
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        toolchain="Swift 6",
        revision=Revision("abc", True),
        options=Options(tuple(layouts), ("body",), ("Store",), 3, False, 1),
        placements={"body Store": "a statement somewhere"},
        modules={"Store": ModuleFacts(3, 2)},
        clean_builds={name: CleanBuild(4, 9, 1.5, 2.5) for name in layouts},
        samples=list(samples),
    )


def new_record(seconds: Mapping[str, float], count: int = 10, noise: float = 0.02, seed: int = 1) -> Record:
    """As the present version has it, with so many samples around the seconds of each layout. The layout `control`
    is the A/A control of `interface`."""
    generator = random.Random(seed)
    layouts = [layout for layout in seconds if layout != "control"]
    made = record(layouts=layouts)
    made.instruments = Instruments(memory_interval_seconds=0.05, noisy_above=NOISY_ABOVE)
    control = "interface" if "control" in seconds else None
    made.options = Options(tuple(layouts), ("body",), ("Store",), count, False, 1, control, 2)
    for round in range(1, count + 1):
        for position, (layout, median) in enumerate(seconds.items(), start=1):
            made.samples.append(
                Sample(
                    round=round,
                    position=position,
                    layout=layout,
                    edit="body",
                    module="Store",
                    seconds=median * generator.lognormvariate(0, noise),
                    cpu_seconds=2 * median,
                    compiled=("0.swift",),
                    emitted_modules=1,
                    links=1,
                    settling_seconds=0.5,
                    largest_process_bytes=100 * 2**20,
                    peak_memory_bytes=180 * 2**20,
                    conditions=Conditions(1.5, 0.25, 0.3 if round == 1 else 0, noisy=round == 1),
                )
            )
    return made


def write_matrix_file(path: Path, compiled: Mapping[str, int]) -> None:
    """A record of `matrix`, in which `edit module layout` compiles so many files."""
    cells = [
        {
            **dict(zip(("edit", "module", "layout"), key.split(), strict=True)),
            "compiled": {f"{number}.swift": "a reason" for number in range(files)},
            "smallest": [],
            "emitted_modules": 1,
            "linked": [],
        }
        for key, files in compiled.items()
    ]
    fields = {
        name: list(dict.fromkeys(cell[name.removesuffix("s")] for cell in cells))
        for name in ("layouts", "edits", "modules")
    }
    text = {"package": "Tiny", "command": "", "toolchain": "Swift 6.9", "targets": {}, "placements": {}, "missing": {}}
    path.write_text(json.dumps({"schema_version": 1, **text, **fields, "cells": cells}))


def write_scale_file(path: Path, sizes: Mapping[int, Sequence[tuple[str, float, int]]]) -> None:
    """A record of `scale`, with the layout, the seconds and the compiled files of each sample at each size."""
    measured = [
        {
            "shape": "star",
            "size": size,
            "samples": [
                {"layout": layout, "edit": "body", "module": "Profile", "seconds": seconds, "compiled_files": files}
                for layout, seconds, files in samples
            ],
        }
        for size, samples in sizes.items()
    ]
    path.write_text(json.dumps({"schema_version": 1, "package": "Tiny", "sizes": measured}))


def write_simulation_file(path: Path, builds: Mapping[str, Sequence[str | None]]) -> None:
    """A record of `simulate`, with builds after these edits, or from nothing, in each layout."""
    job = {"kind": "compile", "target": "Store", "files": ["Store/A.swift", "Store/B.swift"], "driver": 1}
    measured = [
        {
            "package": "Tiny",
            "layout": layout,
            "builds": [
                {
                    "edit": edit,
                    "module": "Store",
                    "checks": {"10": [8, 4], "2": [9]},
                    "timeline": [{**job, "began": 1, "finished": 3}],
                }
                for edit in edits
            ],
        }
        for layout, edits in builds.items()
    ]
    other = {**measured[0], "package": "Large", "layout": "packages"}
    path.write_text(json.dumps({"schema_version": 1, "kind": "simulate", "layouts": [*measured, other]}))
