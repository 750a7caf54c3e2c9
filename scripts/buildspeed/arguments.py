"""Reads what the command lines of all subcommands have in common."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterable
from typing import NoReturn

from buildspeed.edits import ALIASES, MUTATORS, canonical_name


class Parser(argparse.ArgumentParser):
    """Tells mistakes as every other error is told."""

    def error(self, message: str) -> NoReturn:
        self.print_usage(sys.stderr)
        print(f"error: {message}", file=sys.stderr)
        sys.exit(os.EX_USAGE)


def names(kind: str, known: Iterable[str] | None = None) -> Callable[[str], tuple[str, ...]]:
    """Parses a list such as `a,b`. Modules are known later, when the package has been read."""
    choices = None if known is None else tuple(known)

    def parse(text: str) -> tuple[str, ...]:
        found = tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))
        if not found:
            raise argparse.ArgumentTypeError(f"no {kind} is named")
        for name in found:
            if choices is not None and name not in choices:
                raise argparse.ArgumentTypeError(f"no {kind} is called '{name}'. Choose from: {', '.join(choices)}.")
        return found

    return parse


def edit_names(text: str) -> tuple[str, ...]:
    """Parses a list of edits, in which earlier names stand for the present ones, or `all`."""
    if text == "all":
        return tuple(MUTATORS)
    return tuple(dict.fromkeys(canonical_name(name) for name in names("edit", [*MUTATORS, *ALIASES])(text)))
