"""The arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from pathlib import Path

from buildspeed.command_line import names
from buildspeed.edits import ALIASES, MUTATORS, canonical_name
from buildspeed.layouts import LAYOUT_ALIASES


def edit_names(text: str) -> tuple[str, ...]:
    """Parses a list of edits, in which earlier names stand for the present ones, or `all`."""
    if text == "all":
        return tuple(MUTATORS)
    return tuple(dict.fromkeys(canonical_name(name) for name in names("edit", [*MUTATORS, *ALIASES])(text)))


def layout_names(known: Iterable[str]) -> Callable[[str], tuple[str, ...]]:
    """Parses a list of layouts, in which other names stand for the present ones."""
    parse = names("layout", [*known, *LAYOUT_ALIASES])
    return lambda text: tuple(dict.fromkeys(LAYOUT_ALIASES.get(name, name) for name in parse(text)))


def add_scratch_path(parser: argparse.ArgumentParser) -> None:
    """The option whose value `scratch_folder` takes."""
    parser.add_argument(
        "--scratch-path",
        type=Path,
        metavar="DIR",
        help="where the work is done, an empty or a new folder (default: .build/measure in the package)",
    )
