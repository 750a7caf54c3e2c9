"""The reason why one module or target depends on another: the paths between them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from itertools import islice
from typing import Any

from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.paths import paths

# Between two targets of a large package there may be millions.
MOST_PATHS = 10


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest paths, at most `MOST_PATHS`. `is_reversed` where there
    is only one in the other direction."""

    source: str
    target: str
    paths: tuple[tuple[str, ...], ...]
    has_more: bool
    is_reversed: bool

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        lines = [" → ".join(path) for path in self.paths] or [f"{self.source} does not depend on {self.target}."]
        if self.is_reversed:
            lines[0] += f" It is the other way round: {self.target} depends on {self.source}."
        if self.has_more:
            lines.append(f"… and more; these are the {MOST_PATHS} shortest.")
        return "\n".join(lines)


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
    found = list(islice(paths(architecture.dependencies, starts, ends), MOST_PATHS + 1))
    return Explanation(
        source,
        target,
        tuple(found[:MOST_PATHS]),
        has_more=len(found) > MOST_PATHS,
        is_reversed=not found and any(paths(architecture.dependencies, ends, starts)),
    )
