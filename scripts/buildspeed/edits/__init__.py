"""The edits: what a developer types, and where.

Placed by the parser, the same in every layout, undone to the byte. Each family has a file.
"""

from buildspeed.edits.catalogue import (
    ALIASES,
    DEFAULT_EDITS,
    MUTATORS,
    canonical_name,
    mutator,
    needs_tests,
    place,
    place_all,
    what_it_changes,
)
from buildspeed.edits.mutator import Mutator
from buildspeed.edits.placement import NEW_FILE, ChangedDeclaration, Made, NoPlaceError, Placement
from buildspeed.edits.site import Site

__all__ = [
    "ALIASES",
    "DEFAULT_EDITS",
    "MUTATORS",
    "NEW_FILE",
    "ChangedDeclaration",
    "Made",
    "Mutator",
    "NoPlaceError",
    "Placement",
    "Site",
    "canonical_name",
    "mutator",
    "needs_tests",
    "place",
    "place_all",
    "what_it_changes",
]
