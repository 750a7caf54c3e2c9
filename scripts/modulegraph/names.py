"""Finds what a person calls by name: a module, a target, a product of another package."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from buildspeed.failures import UsageError
from modulegraph.architecture import Architecture


def targets_named(architecture: Architecture, name: str) -> list[str]:
    """The target of that name, or the targets of the module, without its tests and fakes where it has others."""
    if architecture.package.target(name) or name in architecture.package.products:
        return [name]
    targets = [target.name for target in architecture.owned[owner_named(architecture, name, accept_targets=True)]]
    return [target for target in targets if architecture.is_production(target)] or targets


def owner_named(architecture: Architecture, name: str, accept_targets: bool = False) -> str:
    """The module, or the target outside of all modules, of that name."""
    if name in architecture.owned:
        return name
    known = [*architecture.owned]
    if accept_targets:
        known += [*architecture.roles]
    kind = "module or target" if accept_targets else "module"
    raise UsageError(f"no {kind} is called '{name}'.{suggestion(name, known)}")


def suggestion(name: str, known: Iterable[str]) -> str:
    """A sentence with the nearest known name, or with all of them where none is near and they are few."""
    names = sorted(set(known))
    by_lowercase = {each.lower(): each for each in names}
    near = difflib.get_close_matches(name.lower(), by_lowercase, n=1)
    if near:
        return f" Did you mean '{by_lowercase[near[0]]}'?"
    return f" Choose from: {', '.join(names)}." if 0 < len(names) <= 12 else ""
