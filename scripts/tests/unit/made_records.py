"""Makes records for tests."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence

from msgspec.structs import replace
from swiftmodules.measure.record import CLEAN, FORMAT, PlacedEdit, Record, Sample
from swiftmodules.observed import Revision
from swiftmodules.swiftpm.config import Setting

# In place of a layout: the second build of `interface`.
CONTROL = "control"


def run_record(samples: Iterable[Sample] = (), **more: object) -> Record:
    """A record with the layouts, settings and edits of its samples, in the order in which they come."""
    own = list(samples)
    made = Record(
        format=FORMAT,
        package="Tiny",
        command="measure",
        toolchain="Swift 6",
        started="2026-01-01T00:00:00+00:00",
        machine="2 cores",
        revision=Revision("abc", True),
        layouts={each.layout: f"the layout {each.layout}" for each in own},
        settings=tuple(Setting(name, f"the setting {name}") for name in dict.fromkeys(each.setting for each in own)),
        rounds=max((each.round for each in own), default=3),
        jobs=2,
        seconds=600,
        placements=tuple(
            PlacedEdit(edit=edit, module=f"{module}", description="a statement in S/Store.swift")
            for edit, module in dict.fromkeys(each.row for each in own)
            if edit != CLEAN
        ),
        samples=own,
    )
    return replace(made, **more)


def sample(
    round: int, layout: str, seconds: float | None, files: int = 1, module: str | None = "Store", **more: object
) -> Sample:
    """A sample of the edit `body`; of the layout `control`, one of the second build of `interface`."""
    fields: dict[str, object] = {
        "edit": "body",
        "compiled": {f"S/{number}.swift": "" for number in range(files)},
        "linked": ("App",),
        "control": layout == CONTROL,
    }
    own = "interface" if layout == CONTROL else layout
    return Sample(round=round, layout=own, seconds=seconds, module=module, **fields | more)


def rounds_of(seconds: Mapping[str, Sequence[float]], **more: object) -> list[Sample]:
    """A sample for each layout in each round."""
    return [
        sample(round, layout, value, **more)  # type: ignore[arg-type]
        for layout, values in seconds.items()
        for round, value in enumerate(values, start=1)
    ]


def spread_record(seconds: Mapping[str, float], count: int = 10, noise: float = 0.02, seed: int = 1) -> Record:
    """A record with so many samples around the seconds of each layout; `control` is the A/A control of `interface`."""
    generator = random.Random(seed)
    samples = [
        sample(round, layout, median * generator.lognormvariate(0, noise))
        for round in range(1, count + 1)
        for layout, median in seconds.items()
    ]
    return run_record(samples)


def counted(layout: str, files: Iterable[str] = ("A.swift",), edit: str = "body", **more: object) -> Sample:
    """A build without times."""
    compiled = dict.fromkeys(files, "edited")
    return sample(0, layout, None, **{"module": "M", "compiled": compiled, "edit": edit} | more)  # type: ignore[arg-type]


def counts_record(*samples: Sample, **more: object) -> Record:
    """A record without times."""
    return run_record(samples, **{"rounds": 0, "seconds": None, "started": None, "machine": None} | more)
