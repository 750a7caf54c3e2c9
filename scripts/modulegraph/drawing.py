"""A graph that is ready to be written in any format: nodes, edges between them, and what the reader has to know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum

from modulegraph.architecture import Role


class EdgeKind(Enum):
    """How one node depends on another."""

    PLAIN = "depends on it"
    INTERFACE = "depends on the interface"
    IMPLEMENTATION = "depends on an implementation"
    TESTS = "in tests only"


@dataclass(frozen=True)
class Part:
    """A target inside the node of its module, with the word for it: `Interface`."""

    word: str
    role: Role


@dataclass(frozen=True)
class Node:
    """A target or a module, which has parts. `group` is the module that a target is drawn inside of."""

    name: str
    role: Role
    group: str | None = None
    parts: tuple[Part, ...] = ()


@dataclass(frozen=True)
class Edge:
    """Goes from what depends to what it depends on."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True)
class Drawing:
    """A graph. `notes` are sentences about what it leaves out."""

    title: str
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    notes: tuple[str, ...] = ()

    @property
    def roles(self) -> list[Role]:
        """The roles that occur, in the order of their declaration."""
        present = {node.role for node in self.nodes}
        present |= {part.role for node in self.nodes for part in node.parts}
        return [role for role in Role if role in present]

    @property
    def edge_kinds(self) -> list[EdgeKind]:
        """The kinds of edges that occur, in the order of their declaration."""
        present = {edge.kind for edge in self.edges}
        return [kind for kind in EdgeKind if kind in present]

    @property
    def groups(self) -> dict[str | None, list[Node]]:
        """The nodes by the module that they are drawn inside of."""
        groups: dict[str | None, list[Node]] = {}
        for node in self.nodes:
            groups.setdefault(node.group, []).append(node)
        return groups


def strongest(edges: Sequence[Edge]) -> tuple[Edge, ...]:
    """One edge for each pair of nodes: to an implementation rather than to an interface, to either rather than in
    tests only."""
    order = [EdgeKind.TESTS, EdgeKind.PLAIN, EdgeKind.INTERFACE, EdgeKind.IMPLEMENTATION]
    chosen: dict[tuple[str, str], Edge] = {}
    for edge in edges:
        pair = (edge.source, edge.target)
        if pair not in chosen or order.index(chosen[pair].kind) < order.index(edge.kind):
            chosen[pair] = edge
    return tuple(chosen.values())
