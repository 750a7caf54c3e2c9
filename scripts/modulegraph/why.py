"""Why one target comes to depend on another: the paths through the graph of targets."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice

from buildspeed.failures import UsageError
from modulegraph.adjacency import Adjacency, paths
from modulegraph.architecture import Architecture
from modulegraph.names import targets_named

# Between two targets of a large package there may be millions.
MOST_PATHS = 10


@dataclass(frozen=True)
class Explanation:
    """The shortest paths, at most `MOST_PATHS`. `is_reversed` tells that there is none, but one the other way."""

    source: str
    target: str
    paths: tuple[tuple[str, ...], ...]
    has_more: bool
    is_reversed: bool

    def __str__(self) -> str:
        if not self.paths:
            text = f"{self.source} does not depend on {self.target}."
            if self.is_reversed:
                text += f" It is the other way round: {self.target} depends on {self.source}."
            return text
        lines = [" → ".join(path) for path in self.paths]
        return "\n".join([*lines, f"… and more; these are the {MOST_PATHS} shortest."] if self.has_more else lines)


def why(architecture: Architecture, source: str, target: str) -> Explanation:
    """Explains by targets, also where modules are named: that Login uses Display in its implementation does not
    make those depend on Display who know Login's interface."""
    if source == target:
        raise UsageError(f"'{source}' is named twice. Name what depends, then what it depends on.")
    starts, ends = targets_named(architecture, source), targets_named(architecture, target)
    # A module and one of its own targets: the others of the module are meant.
    if len(starts) > len(ends):
        starts = [each for each in starts if each not in ends]
    else:
        ends = [each for each in ends if each not in starts]
    adjacency = target_adjacency(architecture)
    found = list(islice(paths(adjacency, starts, ends), MOST_PATHS + 1))
    return Explanation(
        source,
        target,
        tuple(found[:MOST_PATHS]),
        has_more=len(found) > MOST_PATHS,
        is_reversed=not found and any(paths(adjacency, ends, starts)),
    )


def target_adjacency(architecture: Architecture) -> Adjacency:
    """What each target depends on, products of other packages included."""
    return {target.name: [*target.dependencies, *target.products] for target in architecture.package.targets}
