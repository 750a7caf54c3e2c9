"""The dependencies among the modules and targets of a package: paths and numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from swiftmodules.errors import UsageError
from swiftmodules.graph.architecture import Architecture, Role
from swiftmodules.graph.paths import components, depths, inverted, paths
from swiftmodules.graph.views import Drawing, modules_view, targets_view

if TYPE_CHECKING:
    from rich.table import Table

# Between two targets of a large package there may be millions.
MOST_PATHS = 10
NOTE = (
    "fan-in (Ca): how many depend on it. fan-out (Ce): on how many it depends. depth: the longest path down from it. "
    "instability: Ce/(Ca+Ce) after Martin, 0 where others rely on it, 1 where none does. Tests and fakes count with "
    "--tests only."
)


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


@dataclass(frozen=True)
class NodeStatistics:
    """The numbers of a module or target, which count neighbours of the same package."""

    name: str
    role: str
    fan_in: int
    fan_out: int
    depth: int
    # None where nothing depends on it and it depends on nothing.
    instability: float | None


@dataclass(frozen=True)
class Statistics:
    """The numbers of a package. `cycles` names modules that need one another; targets cannot."""

    package: str
    modules: tuple[NodeStatistics, ...]
    targets: tuple[NodeStatistics, ...]
    cycles: tuple[tuple[str, ...], ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)


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


def statistics(architecture: Architecture, tests: bool = False) -> Statistics:
    """Counts every edge, those to the vocabulary too; tests and fakes where they are wanted."""
    modules = modules_view(architecture, everything=True)
    return Statistics(
        package=architecture.package.name,
        modules=_numbers(modules),
        targets=_numbers(targets_view(architecture, everything=True, tests=tests)),
        cycles=tuple(tuple(members) for members in components(_adjacency(modules)) if len(members) > 1),
    )


def statistics_tables(statistics: Statistics) -> list[Table | str]:
    """The tables and sentences for the terminal."""
    shown: list[Table | str] = []
    if any(row.role == Role.MODULE.value for row in statistics.modules):
        shown.append(_table("module", statistics.modules))
    shown.append(_table("target", statistics.targets))
    shown += [f"These modules need one another: {', '.join(cycle)}." for cycle in statistics.cycles]
    return [*shown, NOTE]


def _numbers(drawing: Drawing) -> tuple[NodeStatistics, ...]:
    adjacency = _adjacency(drawing)
    users, depth = inverted(adjacency), depths(adjacency)
    rows = []
    for node in drawing.nodes:
        if node.name in adjacency:
            fan_in, fan_out = len(users[node.name]), len(adjacency[node.name])
            instability = fan_out / (fan_in + fan_out) if fan_in or fan_out else None
            rows.append(NodeStatistics(node.name, node.role.value, fan_in, fan_out, depth[node.name], instability))
    return tuple(rows)


def _adjacency(drawing: Drawing) -> dict[str, list[str]]:
    adjacency: dict[str, list[str]] = {node.name: [] for node in drawing.nodes if node.role != Role.PRODUCT}
    for edge in drawing.edges:
        if edge.target in adjacency:
            adjacency[edge.source].append(edge.target)
    return adjacency


def _table(noun: str, rows: Sequence[NodeStatistics]) -> Table:
    # Only here: it takes longer to load than a graph to draw.
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(pad_edge=False, box=SIMPLE_HEAD)
    table.add_column(noun, no_wrap=True)
    table.add_column("kind")
    for heading in ("fan-in", "fan-out", "depth", "instability"):
        table.add_column(heading, justify="right")
    for row in rows:
        instability = "–" if row.instability is None else f"{row.instability:.2f}"
        table.add_row(Text(row.name), row.role, str(row.fan_in), str(row.fan_out), str(row.depth), instability)
    return table
