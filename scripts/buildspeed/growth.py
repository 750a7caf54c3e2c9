"""How seconds and compiled files grow with the number of modules: what growth curves show."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import cattrs

from buildspeed.failures import RecordError


@dataclass(frozen=True)
class GrowthPoint:
    """The median seconds of a build, and the files that it compiles, in a package with so many modules."""

    modules: int
    seconds: float
    files: float


@dataclass(frozen=True)
class GrowthSeries:
    """One edit in one layout of packages that differ in size only. `graph` says how their modules use each other,
    such as `star`."""

    graph: str
    edit: str
    layout: str
    points: tuple[GrowthPoint, ...]


def read_growth(path: Path) -> tuple[GrowthSeries, ...]:
    """Reads the list `growth` of a record, and nothing else of it. Raises `RecordError`."""
    try:
        return cattrs.structure(json.loads(path.read_text(encoding="utf-8"))["growth"], tuple[GrowthSeries, ...])
    except OSError as error:
        raise RecordError(f"cannot read {path}: {error.strerror}.") from error
    except (ValueError, TypeError, KeyError, cattrs.BaseValidationError) as error:
        raise RecordError(f"{path} has no list 'growth' as docs/ResultsFormat.md describes it: {error}.") from error
