"""How the names of targets tell a module's interface and implementation."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

_PLACE = "{module}"


@dataclass(frozen=True)
class Naming:
    """Two patterns, in which `{module}` stands for the name of a module."""

    interface: str = "{module}Interface"
    implementation: str = "{module}Implementation"

    def modules(self, targets: Iterable[str]) -> dict[str, tuple[str, str]]:
        """The interface and the implementation of each module that has both, by its name."""
        known = set(targets)
        before, _, after = self.interface.partition(_PLACE)
        pattern = re.compile(rf"{re.escape(before)}(\w+){re.escape(after)}")
        names = sorted(match[1] for match in map(pattern.fullmatch, known) if match)
        pairs = {
            name: (self.interface.replace(_PLACE, name), self.implementation.replace(_PLACE, name)) for name in names
        }
        return {name: pair for name, pair in pairs.items() if pair[1] in known and pair[0] != pair[1]}


CONVENTION = Naming()
