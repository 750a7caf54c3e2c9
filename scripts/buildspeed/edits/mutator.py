"""A kind of edit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from buildspeed.edits.placement import Placement
from buildspeed.edits.site import Site


@dataclass(frozen=True)
class Mutator:
    """A kind of edit, by its name on the command line and in records."""

    name: str
    # What it changes, as a phrase for `--help` and reports.
    changes: str
    # Finds the place for one edit, or raises `NoPlaceError`. None where nothing is edited.
    place: Callable[[Site], Placement] | None
    # Whether it is made in each module, or once for the whole package.
    is_per_module: bool = True
    # Whether only a build with the tests can show it.
    needs_tests: bool = False
