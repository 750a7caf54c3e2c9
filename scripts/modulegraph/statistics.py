"""How the modules and targets of a package depend on one another, in numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from modulegraph.adjacency import components, depths, inverted
from modulegraph.architecture import Architecture, Role
from modulegraph.drawing import Drawing
from modulegraph.views import modules_view, targets_view

_NOTE = (
    "fan-in (Ca): how many depend on it. fan-out (Ce): on how many it depends. depth: the longest path down from it. "
    "instability: Ce/(Ca+Ce) after Martin, 0 where others rely on it, 1 where none does. Tests and fakes count with "
    "--tests only."
)


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


def statistics(architecture: Architecture, tests: bool = False) -> Statistics:
    """Counts every edge, those to the vocabulary too; tests and fakes where they are wanted."""
    modules = modules_view(architecture, everything=True)
    cycles = [members for members in components(_adjacency(modules)) if len(members) > 1]
    return Statistics(
        package=architecture.package.name,
        modules=_numbers(modules),
        targets=_numbers(targets_view(architecture, everything=True, tests=tests)),
        cycles=tuple(tuple(sorted(members)) for members in cycles),
    )


def statistics_tables(statistics: Statistics) -> list[Table | Text]:
    """What is shown in the terminal."""
    tables: list[Table | Text] = []
    if any(row.role == Role.MODULE.value for row in statistics.modules):
        tables.append(_table("module", statistics.modules))
    tables.append(_table("target", statistics.targets))
    tables += [Text(f"These modules need one another: {', '.join(cycle)}.") for cycle in statistics.cycles]
    return [*tables, Text(_NOTE)]


def _numbers(drawing: Drawing) -> tuple[NodeStatistics, ...]:
    adjacency = _adjacency(drawing)
    users, depth = inverted(adjacency), depths(adjacency)
    rows = []
    for node in drawing.nodes:
        if node.role == Role.PRODUCT:
            continue
        fan_in, fan_out = len(users[node.name]), len(adjacency[node.name])
        total = fan_in + fan_out
        instability = fan_out / total if total else None
        rows.append(NodeStatistics(node.name, node.role.value, fan_in, fan_out, depth[node.name], instability))
    return tuple(rows)


def _adjacency(drawing: Drawing) -> dict[str, list[str]]:
    adjacency: dict[str, list[str]] = {node.name: [] for node in drawing.nodes if node.role != Role.PRODUCT}
    for edge in drawing.edges:
        if edge.target in adjacency:
            adjacency[edge.source].append(edge.target)
    return adjacency


def _table(noun: str, rows: Sequence[NodeStatistics]) -> Table:
    table = Table(pad_edge=False, box=SIMPLE_HEAD)
    table.add_column(noun, no_wrap=True)
    table.add_column("kind")
    for heading in ("fan-in", "fan-out", "depth", "instability"):
        table.add_column(heading, justify="right")
    for row in rows:
        instability = "–" if row.instability is None else f"{row.instability:.2f}"
        table.add_row(Text(row.name), row.role, str(row.fan_in), str(row.fan_out), str(row.depth), instability)
    return table
