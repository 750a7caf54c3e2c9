"""The drawn parts of a package, in every format."""

from __future__ import annotations

from pathlib import Path

from made_packages import MUTUAL, SHOP, architecture, package_of
from msgspec.structs import replace
from swiftmodules.graph.architecture import Architecture, Role
from swiftmodules.graph.mermaid import document_block, mermaid
from swiftmodules.graph.views import Drawing, Edge, EdgeKind, Node, modules_view, neighbours_view, targets_view
from swiftmodules.swiftpm.target import Target

IMPLEMENTATION, PLAIN, TESTS = EdgeKind.IMPLEMENTATION, EdgeKind.PLAIN, EdgeKind.TESTS


def edges(drawing: Drawing) -> set[tuple[str, str, EdgeKind]]:
    return {(edge.source, edge.target, edge.kind) for edge in drawing.edges}


def test_targets_have_the_roles_of_their_names() -> None:
    names = ("App", "AppTests", "CartImplementation", "CartInterface", "CartMocks", "CartOffline", "CartTests", "Tool")
    shop = architecture({name: ["App"] if name == "AppTests" else [] for name in names})
    assert {name: (shop.roles[name], shop.owners[name]) for name in shop.roles} == {
        "App": (Role.PROGRAM, "App"),
        "AppTests": (Role.TESTS, "App"),
        "CartInterface": (Role.INTERFACE, "Cart"),
        "CartImplementation": (Role.IMPLEMENTATION, "Cart"),
        "CartOffline": (Role.IMPLEMENTATION, "Cart"),
        "CartMocks": (Role.FAKES, "Cart"),
        "CartTests": (Role.TESTS, "Cart"),
        "Tool": (Role.OTHER, "Tool"),
    }


def test_vocabulary_is_what_all_others_use_and_its_edges_are_drawn_around_it_only() -> None:
    # What is drawn without them is in the documents below.
    vocabulary = neighbours_view(architecture(SHOP), "Router")
    users = {edge.source for edge in vocabulary.edges if edge.target == "RouterInterface"}
    assert users == {"App", "Cart", "Home", "RouterImplementation"}
    assert architecture({**SHOP, "CartInterface": []}).vocabulary == set()
    two = {name: needed for name, needed in SHOP.items() if not name.startswith(("Home", "App"))}
    assert architecture(two).vocabulary == set()


def test_leaks_mutual_use_and_helpers_of_tests_are_drawn_between_nodes() -> None:
    leaking = {**SHOP, "HomeImplementation": ["CartInterface", "CartImplementation", "HomeInterface"]}
    assert ("Home", "Cart", IMPLEMENTATION) in edges(modules_view(architecture(leaking)))
    assert {("Home", "Cart", PLAIN), ("Cart", "Home", PLAIN)} < edges(modules_view(architecture(MUTUAL)))
    supported = architecture({"Lib": [], "Support": ["Lib"], "LibTests": ["Lib", "Support"]})
    drawing = neighbours_view(supported, "Support")
    assert [node.name for node in drawing.nodes] == ["Lib", "Support"]
    assert edges(drawing) == {("Lib", "Support", TESTS), ("Support", "Lib", PLAIN)}
    # Documents leave tests out.
    assert [line for line in document_block(supported.package, "Support") if ">" in line] == ["    Support --> Lib"]
    odd = architecture({**SHOP, "CartImplementation": ["CartInterface", "CartTesting"], "Tool": ["HomeTests"]})
    for drawing in (modules_view(odd), targets_view(odd), *(neighbours_view(odd, owner) for owner in odd.owned)):
        names = [node.name for node in drawing.nodes]
        assert len(names) == len(set(names))
        assert {end for edge in drawing.edges for end in (edge.source, edge.target)} <= set(names)


def test_targets_are_drawn_without_tests_and_fakes_and_products_and_plugins_are_nodes() -> None:
    drawn = targets_view(architecture(SHOP))
    assert {node.role for node in drawn.nodes} == {Role.PROGRAM, Role.INTERFACE, Role.IMPLEMENTATION}
    only = architecture({"Only": []})
    for drawing in (modules_view(only), targets_view(only), neighbours_view(only, "Only")):
        assert [node.name for node in drawing.nodes] == ["Only"]
        assert drawing.edges == ()
    plugin = Target("Generate", "plugin", Path("Plugins/Generate"))
    tool = Architecture(replace(package_of({"Tool": ["ArgumentParser"]}), others=(plugin,)))
    for drawing in (modules_view(tool), targets_view(tool)):
        roles = {node.name: node.role for node in drawing.nodes}
        assert roles == {"Tool": Role.OTHER, "Generate": Role.OTHER, "ArgumentParser": Role.PRODUCT}
        assert edges(drawing) == {("Tool", "ArgumentParser", PLAIN)}
    assert [node.name for node in neighbours_view(tool, "Tool").nodes] == ["Tool", "ArgumentParser"]


def test_names_that_mermaid_would_misread_get_an_identifier_and_an_escaped_label() -> None:
    nodes = tuple(Node(name, Role.OTHER) for name in ["end", 'a"b', "n0", "two words", "Graph", "<目\\\u0001"])
    drawing = Drawing(nodes, (Edge("end", 'a"b', PLAIN),))
    assert mermaid(drawing).split("\n") == [
        *("graph TD", '    n0_["end"]', '    n1["a#34;b"]', "    n0", '    n3["two words"]', '    n4["Graph"]'),
        *('    n5["#60;目#92;#1;"]', "    n0_ --> n1"),
    ]
