"""The reason why one module or target depends on another: the shortest path between them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from swiftmodules.closure import reached
from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest path, empty where there is none. `is_reversed` where
    there is only one in the other direction."""

    source: str
    target: str
    path: tuple[str, ...]
    is_reversed: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        text = " → ".join(self.path) or f"{self.source} does not depend on {self.target}."
        reverse = f" It is the other way round: {self.target} depends on {self.source}." if self.is_reversed else ""
        return text + reverse


def why(architecture: Architecture, source: str, target: str) -> Explanation:
    """Explains by targets, also where modules are named: where Login uses Display in its implementation, users of
    Login's interface do not depend on Display."""
    if source == target:
        raise UsageError(f"'{source}' is named twice. Name what depends, then what it depends on.")
    starts, ends = architecture.targets_named(source), architecture.targets_named(target)
    # A module and one of its own targets: the others of the module are meant.
    if len(starts) > len(ends):
        starts = [each for each in starts if each not in ends]
    else:
        ends = [each for each in ends if each not in starts]
    path = _path(architecture, starts, ends)
    return Explanation(source, target, path, is_reversed=not path and bool(_path(architecture, ends, starts)))


def _path(architecture: Architecture, starts: Sequence[str], ends: Sequence[str]) -> tuple[str, ...]:
    """The shortest path from one of the starts to one of the ends."""
    found = reached(starts, lambda name: architecture.dependencies.get(name, ()))
    name = next((each for each in found if each in ends), None)
    path: list[str] = []
    while name is not None:
        path.insert(0, name)
        name = found[name]
    return tuple(path)
