"""Lists the copies where the App lists its modules."""

from __future__ import annotations

import re

from buildspeed.failures import MeasurementError

COMPOSITION = "Composition.swift"


def composition_with_copies(text: str, module: str, size: int) -> str:
    """The App's composition with every copy in the place of the original module.

    Raises `MeasurementError` where the composition is not as it was when this was written.
    """
    lines = re.compile(rf"^(?:import {module}Implementation| *{module}Module\(\),)\n", re.MULTILINE)
    mentions = re.findall(rf"\b{module}(?:Interface|Implementation|Module)?\b", text)
    if len(lines.findall(text)) != 2 or len(mentions) != 2:
        raise MeasurementError(
            f"{COMPOSITION} of the App does not name {module} in just two lines, one that imports its implementation "
            "and one that is its entry. Bring scripts/buildspeed/scale/composition.py up to date."
        )
    numbers = range(1, size + 1)
    return lines.sub(lambda match: "".join(match[0].replace(module, f"{module}{each}") for each in numbers), text)
