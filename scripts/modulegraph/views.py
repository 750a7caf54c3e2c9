"""What is drawn of a package: its modules, its targets, or one module with its neighbours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from modulegraph.adjacency import reachable
from modulegraph.architecture import Architecture, Role
from modulegraph.drawing import Drawing, Edge, EdgeKind, Node, Part, strongest
from modulegraph.package_targets import PackageTarget


def modules_view(architecture: Architecture, everything: bool = False) -> Drawing:
    """One node for each module and for each target that belongs to none.

    Leaves out what depends on the vocabulary, unless `everything` is wanted.
    """
    package = architecture.package
    owners = [
        owner
        for owner, targets in architecture.owned.items()
        if any(architecture.is_production(target.name) for target in targets)
    ]
    hidden, edges = False, []
    for source, target, kind in _dependencies(architecture):
        ends = architecture.owners[source.name], architecture.owners.get(target, target)
        if not architecture.is_production(source.name) or ends[0] == ends[1]:
            continue
        if not everything and _is_about_vocabulary(architecture, source.name, target):
            hidden = True
        else:
            edges.append(Edge(*ends, kind))
    nodes = [_owner_node(architecture, owner) for owner in _outermost_first(owners, edges)]
    nodes += [Node(product, Role.PRODUCT) for product in package.products if package.target(product) is None]
    return Drawing(
        f"Modules of {package.name}",
        tuple(nodes),
        _in_order_of_nodes(strongest(edges), nodes),
        _vocabulary_notes(architecture) if hidden else (),
    )


def targets_view(architecture: Architecture, everything: bool = False, tests: bool = False) -> Drawing:
    """One node for each target. Tests and fakes are shown where `tests` is wanted."""
    package = architecture.package
    shown = [target for target in package.targets if tests or architecture.is_production(target.name)]
    names = {target.name for target in shown}
    nodes = [_target_node(architecture, target.name) for target in shown]
    products = dict.fromkeys(product for target in shown for product in target.products)
    nodes += [Node(product, Role.PRODUCT) for product in products if package.target(product) is None]
    hidden, edges = False, []
    for source, target, kind in _dependencies(architecture):
        if source.name not in names or (architecture.roles[target] in (Role.TESTS, Role.FAKES) and target not in names):
            continue
        if not everything and _is_about_vocabulary(architecture, source.name, target):
            hidden = True
        else:
            edges.append(Edge(source.name, target, kind))
    return Drawing(
        f"Targets of {package.name}",
        tuple(nodes),
        _in_order_of_nodes(strongest(edges), nodes),
        _vocabulary_notes(architecture) if hidden else (),
    )


def neighbours_view(architecture: Architecture, owner: str, everything: bool = False) -> Drawing:
    """The targets of a module, the targets that they depend on, and the modules that depend on them."""
    inside = [target.name for target in architecture.owned[owner] if architecture.roles[target.name] != Role.TESTS]
    users: dict[str, None] = {}
    used: dict[str, None] = {}
    hidden, edges = False, []
    for source, target, kind in _dependencies(architecture):
        source_owner = architecture.owners[source.name]
        if source.name in inside:
            if (
                not everything
                and owner not in architecture.vocabulary
                and _is_about_vocabulary(architecture, source.name, target)
            ):
                hidden = True
                continue
            if target not in inside:
                used[target] = None
            edges.append(Edge(source.name, target, kind))
        elif target in inside and source_owner != owner:
            users[source_owner] = None
            edges.append(Edge(source_owner, target, _kind_for_user(architecture, source, kind)))
    nodes = [_owner_node(architecture, user, parts=False) for user in users]
    nodes += [_target_node(architecture, name) for name in inside]
    nodes += [Node(name, architecture.roles[name]) for name in used]
    return Drawing(
        f"{owner}, what it uses and who uses it",
        tuple(nodes),
        _in_order_of_nodes(strongest(edges), nodes),
        _vocabulary_notes(architecture) if hidden else (),
    )


def _dependencies(architecture: Architecture) -> Iterator[tuple[PackageTarget, str, EdgeKind]]:
    for source in architecture.package.targets:
        for target in source.dependencies:
            yield source, target, _kind(architecture, source.name, target)
        for product in source.products:
            if architecture.package.target(product) is None:
                yield source, product, EdgeKind.PLAIN


def _kind(architecture: Architecture, source: str, target: str) -> EdgeKind:
    if architecture.roles[target] == Role.INTERFACE:
        return EdgeKind.INTERFACE
    if architecture.roles[target] == Role.IMPLEMENTATION and architecture.owners[source] != architecture.owners[target]:
        return EdgeKind.IMPLEMENTATION
    return EdgeKind.PLAIN


def _kind_for_user(architecture: Architecture, user: PackageTarget, kind: EdgeKind) -> EdgeKind:
    return kind if architecture.is_production(user.name) else EdgeKind.TESTS


def _is_about_vocabulary(architecture: Architecture, source: str, target: str) -> bool:
    """Whether an edge only says that the vocabulary is used, as it is everywhere. Programs choose what they
    compose, so theirs says more."""
    owner = architecture.owners.get(target)
    if owner not in architecture.vocabulary or architecture.owners[source] in architecture.vocabulary:
        return False
    return architecture.roles[source] != Role.PROGRAM


def _vocabulary_notes(architecture: Architecture) -> tuple[str, ...]:
    modules = architecture.modules
    return tuple(
        f"Not drawn: {modules[name].interface.name}, which every interface depends on."
        for name in sorted(architecture.vocabulary)
    )


def _target_node(architecture: Architecture, name: str) -> Node:
    owner = architecture.owners[name]
    return Node(name, architecture.roles[name], owner if owner in architecture.modules else None)


def _owner_node(architecture: Architecture, owner: str, parts: bool = True) -> Node:
    if owner not in architecture.modules:
        return Node(owner, architecture.roles[owner])
    if not parts:
        return Node(owner, Role.MODULE)
    words = [
        Part(target.name.removeprefix(owner), architecture.roles[target.name])
        for target in architecture.owned[owner]
        if architecture.is_production(target.name)
    ]
    # The interface comes first, as it does for the reader of a module.
    words.sort(key=lambda part: part.role != Role.INTERFACE)
    return Node(owner, Role.MODULE, parts=tuple(words))


def _outermost_first(owners: list[str], edges: list[Edge]) -> list[str]:
    """Those that depend on the most come first, in the order in which a drawing shows them."""
    adjacency: dict[str, list[str]] = {owner: [] for owner in owners}
    for edge in edges:
        adjacency[edge.source].append(edge.target)
    return sorted(owners, key=lambda owner: (-len(reachable(adjacency, owner)), owner))


def _in_order_of_nodes(edges: Iterable[Edge], nodes: Sequence[Node]) -> tuple[Edge, ...]:
    positions = {node.name: position for position, node in enumerate(nodes)}
    return tuple(sorted(edges, key=lambda edge: positions[edge.source]))
