"""The drawn part of a package: its modules, its targets, or one module with its neighbours."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from swiftmodules.closure import reached
from swiftmodules.graph.architecture import Architecture, Role


class EdgeKind(Enum):
    """The kind of dependency of one node on another; of two edges, the one of the later kind is drawn."""

    TESTS = "in tests only"
    PLAIN = "depends on it"
    IMPLEMENTATION = "depends on an implementation"


@dataclass(frozen=True)
class Node:
    """A target or a module. `group` is the module that a target is drawn inside of."""

    name: str
    role: Role
    group: str | None = None


@dataclass(frozen=True)
class Edge:
    """Goes from what depends to what it depends on."""

    source: str
    target: str
    kind: EdgeKind


@dataclass(frozen=True)
class Drawing:
    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]

    @property
    def groups(self) -> dict[str | None, list[Node]]:
        """The nodes by the module that they are drawn inside of."""
        groups: dict[str | None, list[Node]] = {}
        for node in self.nodes:
            groups.setdefault(node.group, []).append(node)
        return groups


def modules_view(architecture: Architecture) -> Drawing:
    """One node for each module and for each target that belongs to none, without what depends on the vocabulary."""
    owners = [
        owner
        for owner, targets in architecture.owned.items()
        if any(architecture.is_production(target.name) for target in targets)
    ]

    def edge_of(source: str, target: str) -> Edge | None:
        ends = architecture.owners[source], architecture.owners.get(target, target)
        is_drawn = architecture.is_production(source) and ends[0] != ends[1]
        return Edge(*ends, _kind(architecture, source, target)) if is_drawn else None

    edges = _edges(architecture, edge_of)
    adjacency: dict[str, list[str]] = {owner: [] for owner in owners}
    for edge in edges:
        adjacency[edge.source].append(edge.target)
    # Those that depend on the most come first, as a drawing shows them.
    owners.sort(key=lambda owner: (-len(reached([owner], lambda each: adjacency.get(each, ()))), owner))
    modules = architecture.package.modules
    nodes = [Node(owner, Role.MODULE if owner in modules else architecture.roles[owner]) for owner in owners]
    nodes += [Node(name, role) for name, role in architecture.roles.items() if role == Role.PRODUCT]
    return _drawing(nodes, edges)


def targets_view(architecture: Architecture) -> Drawing:
    """One node for each target, without tests and fakes."""
    shown = [target for target in architecture.targets if architecture.is_production(target.name)]
    nodes = [_target_node(architecture, target.name) for target in shown]
    used = [name for target in shown for name, _ in target.products]
    nodes += [Node(name, Role.PRODUCT) for name in used if architecture.roles[name] == Role.PRODUCT]
    edges = _edges(architecture, lambda source, target: Edge(source, target, _kind(architecture, source, target)))
    return _drawing(nodes, edges)


def neighbours_view(architecture: Architecture, owner: str) -> Drawing:
    """The targets of a module, the targets that they depend on, and the modules that depend on them."""
    architecture.require_owner(owner)
    inside = [target.name for target in architecture.owned[owner] if architecture.roles[target.name] != Role.TESTS]

    def edge_of(source: str, target: str) -> Edge | None:
        kind, user = _kind(architecture, source, target), architecture.owners[source]
        if source in inside:
            return Edge(source, target, kind)
        if target not in inside or user == owner:
            return None
        return Edge(user, target, kind if architecture.is_production(source) else EdgeKind.TESTS)

    edges = _edges(architecture, edge_of, with_vocabulary=owner in architecture.vocabulary)
    users = [edge.source for edge in edges if edge.source not in inside]
    used = [edge.target for edge in edges if edge.target not in inside]
    nodes = [Node(user, architecture.roles.get(user, Role.MODULE)) for user in users]
    nodes += [_target_node(architecture, name) for name in inside]
    nodes += [Node(name, architecture.roles[name]) for name in used]
    return _drawing(nodes, edges)


def _edges(
    architecture: Architecture, edge_of: Callable[[str, str], Edge | None], with_vocabulary: bool = False
) -> list[Edge]:
    """The edge that a drawing has for each dependency of a target."""
    return [
        edge
        for source, targets in architecture.dependencies.items()
        for target in targets
        if (edge := edge_of(source, target))
        and (with_vocabulary or not _is_about_vocabulary(architecture, source, target))
    ]


def _kind(architecture: Architecture, source: str, target: str) -> EdgeKind:
    role = architecture.roles[target]
    if role == Role.IMPLEMENTATION and architecture.owners[source] != architecture.owners[target]:
        return EdgeKind.IMPLEMENTATION
    return EdgeKind.PLAIN


def _is_about_vocabulary(architecture: Architecture, source: str, target: str) -> bool:
    """Whether an edge only shows that the vocabulary is used, as it is everywhere. A program chooses what it composes,
    so an edge from there shows more."""
    owner = architecture.owners.get(target)
    if owner not in architecture.vocabulary or architecture.owners[source] in architecture.vocabulary:
        return False
    return architecture.roles[source] != Role.PROGRAM


def _target_node(architecture: Architecture, name: str) -> Node:
    owner = architecture.owners[name]
    return Node(name, architecture.roles[name], owner if owner in architecture.package.modules else None)


def _drawing(nodes: Iterable[Node], edges: Iterable[Edge]) -> Drawing:
    """One node for each name, although it may be a user and be used (its tests may need a target that needs it),
    and one edge for each pair of nodes, in the order of the nodes."""
    by_name: dict[str, Node] = {}
    for node in nodes:
        by_name.setdefault(node.name, node)
    order, positions = list(EdgeKind), {name: position for position, name in enumerate(by_name)}
    # The strongest last, which stays.
    by_ends = {
        (positions[edge.source], positions[edge.target]): edge
        for edge in sorted(edges, key=lambda edge: order.index(edge.kind))
        if edge.source in positions and edge.target in positions
    }
    return Drawing(tuple(by_name.values()), tuple(by_ends[ends] for ends in sorted(by_ends)))
