"""The arguments that several commands take."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable
from datetime import datetime, timezone
from pathlib import Path

from buildspeed.command_line import names, positive
from buildspeed.edits import ALIASES, MUTATORS, canonical_name
from buildspeed.failures import UsageError
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


def package_folder(chosen: Path) -> Path:
    """The folder of the package that the person has chosen. Raises `UsageError` where it holds none."""
    package = chosen.resolve()
    if not (package / "Package.swift").is_file():
        raise UsageError(f"{chosen} is no Swift package: it has no Package.swift.")
    return package


def results_folder(chosen: Path | None, measure: Path, name: str = "") -> Path:
    """Where the results go: where the person says, or to a new folder that is named for the moment."""
    stamp = datetime.now(timezone.utc).strftime("%Y-%m-%d-%H%M%S")
    return chosen or measure / "results" / "-".join(filter(None, (name, stamp)))


def add_run_options(parser: argparse.ArgumentParser, jobs: bool = True) -> None:
    """The options of every command that takes times: `--seed`, `--jobs` where that is one number, `--output` and
    `--scratch-path`."""
    parser.add_argument("--seed", type=int, metavar="N", help="repeats the random choices of an earlier run")
    if jobs:
        add_jobs(parser)
    parser.add_argument(
        "--output",
        type=Path,
        metavar="DIR",
        help="where the results go (default: a new folder in .build/measure/results)",
    )
    add_scratch_path(parser)


def add_jobs(parser: argparse.ArgumentParser) -> None:
    """The option `--jobs`."""
    parser.add_argument(
        "--jobs",
        type=positive("jobs"),
        metavar="N",
        help="how many processes a build starts at once (default: as many as there are cores)",
    )


def add_scratch_path(parser: argparse.ArgumentParser) -> None:
    """The option whose value `scratch_folder` takes."""
    parser.add_argument(
        "--scratch-path",
        type=Path,
        metavar="DIR",
        help="where the work is done, an empty or a new folder (default: .build/measure in the package)",
    )
