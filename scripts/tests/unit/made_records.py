"""Makes records for tests."""

from __future__ import annotations

import io
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from msgspec.structs import replace
from rich.console import Console
from swiftmodules.measure.record import (
    BY_HAND,
    CLEAN,
    FORMAT,
    ModuleFacts,
    Place,
    Record,
    Refusal,
    Sample,
    SettingFacts,
    Variant,
)
from swiftmodules.observed import Conditions, Machine, Revision

MACHINE = Machine(2, "A processor", 2**34, "A system")
MEANINGS = {
    "interface": "the targets as they are",
    "fused": "two targets in one",
    "body": "a statement in a body",
    "lld": "the linker lld",
}
CONTROL = "control"


def run_record(samples: Iterable[Sample] = (), **more: object) -> Record:
    """A record with the values of its samples on the axes, in the order in which they come."""
    own = list(samples)
    values = {
        name: tuple(dict.fromkeys(value for each in own if (value := getattr(each, name)) is not None))
        for name in ("layout", "copies", "setting", "edit", "module", "until")
    }
    rows = dict.fromkeys(each.row for each in own)
    made = Record(
        format=FORMAT,
        package="Tiny",
        command="measure --seed 1",
        toolchain="Swift 6",
        started="2026-01-01T00:00:00+00:00",
        machine=MACHINE,
        revision=Revision("abc", True),
        axes=values,
        rounds=max((each.round for each in own), default=3),
        seed=1,
        jobs=2,
        seconds=600,
        meanings=MEANINGS,
        modules={"Store": ModuleFacts(3, 2)},
        placements=tuple(
            Place(edit=edit, module=module, description="a statement in S/Store.swift", file="S/Store.swift")
            for edit, module in rows
            if edit not in (CLEAN, "noop")
        ),
        samples=own,
    )
    return replace(made, **more)


def sample(
    round: int, layout: str, seconds: float | None, files: int = 1, module: str | None = "Store", **more: object
) -> Sample:
    """A sample of the edit `body`; of the layout `control`, one of the second build of `interface`."""
    fields: dict[str, object] = {
        "position": 1,
        "edit": "body",
        "cpu_seconds": seconds and 2 * seconds,
        "compiled": {f"S/{number}.swift": "" for number in range(files)},
        "emitted_modules": 1,
        "linked": ("App",),
        "settling_seconds": 0.5,
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


def noisy_record(seconds: Mapping[str, float], count: int = 10, noise: float = 0.02, seed: int = 1) -> Record:
    """A record with so many samples around the seconds of each layout; `control` is the A/A control of `interface`."""
    generator = random.Random(seed)
    samples = [
        sample(
            round,
            layout,
            median * generator.lognormvariate(0, noise),
            position=position,
            conditions=conditions(round == 1),
        )
        for round in range(1, count + 1)
        for position, (layout, median) in enumerate(seconds.items(), start=1)
    ]
    return run_record(samples, control=(Variant(layout="interface"),) if CONTROL in seconds else ())


def printed(show: Callable[[Console], object], width: int = 160) -> str:
    """What is shown at a terminal of that width."""
    console = Console(width=width, file=io.StringIO(), record=True)
    show(console)
    return console.export_text()


def conditions(noisy: bool | None) -> Conditions:
    return Conditions(other_cpu_seconds=0.3, noisy=noisy)


def straight(layout: str, copies: int) -> tuple[float, int]:
    """40 ms and half a file for each copy, and 100 ms and 2 files in one that is fused."""
    return (2 + 0.1 * copies, 3 + 2 * copies) if layout == "fused" else (1 + 0.04 * copies, 4 + copies // 2)


def growing_record(
    cost: Callable[[str, int], tuple[float, int]] = straight,
    copies: Sequence[int] = (5, 10, 20),
    rounds: Sequence[float] = (1, 0.9, 1.3),
) -> Record:
    """A record whose cells cost what `cost` returns for a layout and a number of copies: seconds and compiled files.
    The seconds of each round are as many times that."""
    layouts = ("interface", "fused")
    samples = [
        sample(
            round,
            layout,
            cost(layout, number)[0] * slowness,
            module=module,
            edit=edit,
            copies=number,
            compiled=cost(layout, number)[1],
            conditions=conditions(round == 1),
        )
        for number in copies
        for round, slowness in enumerate(rounds, start=1)
        for layout in layouts
        for edit, module in (("noop", None), ("body", "HTTPClient"), ("body", "Profile"))
    ]
    return run_record(samples, copied="Profile")


def settings_record(rounds: int = 7) -> Record:
    """A record of settings in two layouts, with clean builds and the work by hand. `lld` halves a build in `interface`,
    and takes a third longer in `fused`; the second clean build with `cache` finds the results of the first."""

    def edited(round: int, layout: str, setting: str, seconds: float, files: int = 1, **more: object) -> Sample:
        phases = {"start": 0.1, "link": 0.1}
        return sample(round, layout, seconds, files, setting=setting, phases=phases, **more)

    def clean(round: int, setting: str, seconds: float) -> Sample:
        made = sample(round, "interface", seconds, module=None, edit=CLEAN, setting=setting, compiled=None)
        return replace(made, product_bytes=2**20)

    samples = [clean(1, "default", 10), clean(1, "cache", 20), clean(2, "default", 10), clean(2, "cache", 2)]
    for number in range(1, rounds + 1):
        samples += [
            edited(number, "interface", "default", number),
            edited(number, CONTROL, "default", number),
            edited(number, "interface", "lld", number / 2),
            edited(number, "fused", "default", 3 * number, 4),
            edited(number, "fused", "lld", 4 * number, 5),
            replace(edited(number, "interface", "lld", number / 10, until=BY_HAND), compiled=None),
        ]
    failure = replace(edited(1, "interface", "whole", 0.1), failure="error: no index")
    facts = {
        "lld": SettingFacts(("-Xswiftc", "-use-ld=lld"), "https://example.org/lld"),
        "cache": SettingFacts(("-cas-path", "{folder}/cache")),
    }
    refused = (Refusal(setting="whole", reason="error: no index"),)
    control = (Variant(layout="interface"),)
    return run_record([*samples, failure], settings=facts, refused=refused, control=control)


def counted(edit: str, layout: str, files: Sequence[str] = ("A.swift",), **more: Any) -> Sample:  # noqa: ANN401
    """A build without times; the files without a reason were edited."""
    compiled = dict.fromkeys(files, "edited") | more.pop("reasons", {})
    usual = {"module": "M", "smallest": ("A.swift",), "compiled": compiled}
    return sample(0, layout, None, edit=edit, **usual | more)


def counts_record(*samples: Sample, **more: object) -> Record:
    """A record without times."""
    return run_record(samples, rounds=0, seconds=None, started=None, machine=None, **more)
