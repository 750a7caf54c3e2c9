"""How a person names edits on a command line."""

from __future__ import annotations

from buildspeed.command_line import names
from buildspeed.edits import ALIASES, MUTATORS, canonical_name


def edit_names(text: str) -> tuple[str, ...]:
    """Parses a list of edits, in which earlier names stand for the present ones, or `all`."""
    if text == "all":
        return tuple(MUTATORS)
    return tuple(dict.fromkeys(canonical_name(name) for name in names("edit", [*MUTATORS, *ALIASES])(text)))
