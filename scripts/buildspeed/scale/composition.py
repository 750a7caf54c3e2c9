"""Lists the copies where the App lists its modules."""

from __future__ import annotations

import re

from buildspeed.failures import MeasurementError

COMPOSITION = "Composition.swift"


def composition_with_copies(text: str, module: str, size: int) -> str:
    """The App's composition with every copy in the place of the original module.

    Raises `MeasurementError` where the composition is not as it was when this was written.
    """
    lines = re.compile(rf"^.*\b{module}(?:Interface|Implementation|Module\(\))(?!\w).*\n", re.MULTILINE)
    routes = re.compile(rf"\b{module}\.routes\b")
    if len(lines.findall(text)) != 3 or len(routes.findall(text)) != 1:
        raise MeasurementError(
            f"{COMPOSITION} of the App does not import {module} with two lines, register it with one, and name its "
            "routes once. Bring scripts/buildspeed/scale/composition.py up to date."
        )
    numbers = range(1, size + 1)
    text = lines.sub(lambda match: "".join(match[0].replace(module, f"{module}{each}") for each in numbers), text)
    # Not a sum: the compiler would try every meaning of every `+`.
    every = ", ".join(f"{module}{each}.routes" for each in numbers)
    return routes.sub(f"([{every}] as [[any Route.Type]]).flatMap {{ $0 }}", text)
