"""The samples of steps."""

from __future__ import annotations

import re
from typing import Any

from msgspec.structs import asdict

from swiftmodules.builds.workspace import Build
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.measure.plan import Step
from swiftmodules.measure.record import BUILT, Sample

_ERROR = re.compile(r"^\S.*?:\d+:\d+: error: ")
_ANY_ERROR = re.compile(r"error:|Program crashed")


def facts_of(build: Build) -> dict[str, Any]:
    """The fields of a sample that every build fills."""
    return {
        "seconds": build.seconds,
        "cpu_seconds": build.finished.cpu_seconds,
        "compiled": dict.fromkeys(build.work.compiled, ""),
        "emitted_modules": build.work.emitted_modules,
        "linked": build.work.linked,
        "settling_seconds": build.settling.seconds if build.settling else None,
        "conditions": build.conditions,
    }


def sample_of(step: Step, until: Any = BUILT, **fields: Any) -> Sample:  # noqa: ANN401  fields of a sample
    """The sample of a step. Where there are thousands of files, it has their number only."""
    if step.copies and isinstance(fields.get("compiled"), dict):
        fields["compiled"] = len(fields["compiled"])
    return Sample(**asdict(step.cell(until)), control=step.control, **fields)


def is_of_variant(error: ToolError) -> bool:
    """Whether a variant is to blame for an error; not for a full disk, for example."""
    return type(error) in (ToolError, BuildFailedError)


def first_error(message: str) -> str:
    """The first error of the compiler in a message, or of its crash, or else its last line."""
    lines = message.splitlines()
    errors = [line for line in lines if _ERROR.match(line)] or [line for line in lines if _ANY_ERROR.search(line)]
    return (errors or lines[-1:])[0].strip()
