"""What is drawn of a package."""

from __future__ import annotations

from graphs import ANYWHERE, SHOP, architecture, dump

from modulegraph.architecture import Role, architecture_of
from modulegraph.drawing import Drawing, EdgeKind
from modulegraph.package_targets import targets_from
from modulegraph.views import modules_view, neighbours_view, targets_view


def edges(drawing: Drawing) -> set[tuple[str, str, EdgeKind]]:
    return {(edge.source, edge.target, edge.kind) for edge in drawing.edges}


def test_modules_are_drawn_with_the_program_above_and_without_edges_to_the_vocabulary() -> None:
    drawing = modules_view(architecture(SHOP))
    assert [node.name for node in drawing.nodes] == ["App", "Home", "Cart", "Router"]
    assert edges(drawing) == {
        ("App", "Home", EdgeKind.IMPLEMENTATION),
        ("App", "Cart", EdgeKind.IMPLEMENTATION),
        ("App", "Router", EdgeKind.IMPLEMENTATION),
        ("Home", "Cart", EdgeKind.INTERFACE),
    }
    assert drawing.notes == ("Not drawn: RouterInterface, which every interface depends on.",)


def test_everything_is_drawn_where_it_is_wanted() -> None:
    drawing = modules_view(architecture(SHOP), everything=True)
    assert {("Home", "Router", EdgeKind.INTERFACE), ("Cart", "Router", EdgeKind.INTERFACE)} < edges(drawing)
    assert drawing.notes == ()


def test_implementation_that_depends_on_another_is_seen() -> None:
    leaking = {**SHOP, "HomeImplementation": ["CartInterface", "CartImplementation", "HomeInterface"]}
    assert ("Home", "Cart", EdgeKind.IMPLEMENTATION) in edges(modules_view(architecture(leaking)))


def test_module_that_two_others_do_not_all_use_is_no_vocabulary() -> None:
    assert architecture({**SHOP, "CartInterface": []}).vocabulary == set()
    two = {name: needed for name, needed in SHOP.items() if not name.startswith(("Home", "App"))}
    assert architecture(two).vocabulary == set()


def test_targets_are_drawn_without_tests_and_fakes_unless_they_are_wanted() -> None:
    shop = architecture(SHOP)
    without, with_tests = targets_view(shop), targets_view(shop, tests=True)
    assert {node.role for node in without.nodes} == {Role.PROGRAM, Role.INTERFACE, Role.IMPLEMENTATION}
    added = {node.name for node in with_tests.nodes} - {node.name for node in without.nodes}
    assert added == {"CartTesting", "CartTests", "HomeTests"}
    assert ("HomeTests", "CartTesting", EdgeKind.PLAIN) in edges(with_tests)


def test_module_is_drawn_with_its_targets_what_it_uses_and_who_uses_it() -> None:
    drawing = neighbours_view(architecture(SHOP), "Cart")
    assert [node.name for node in drawing.groups["Cart"]] == ["CartInterface", "CartImplementation", "CartTesting"]
    assert edges(drawing) == {
        ("App", "CartInterface", EdgeKind.INTERFACE),
        ("App", "CartImplementation", EdgeKind.IMPLEMENTATION),
        ("Home", "CartInterface", EdgeKind.INTERFACE),
        ("Home", "CartTesting", EdgeKind.TESTS),
        ("CartImplementation", "CartInterface", EdgeKind.INTERFACE),
        ("CartTesting", "CartInterface", EdgeKind.INTERFACE),
    }
    home = neighbours_view(architecture(SHOP), "Home")
    assert ("HomeImplementation", "CartInterface", EdgeKind.INTERFACE) in edges(home)


def test_vocabulary_itself_is_drawn_with_everybody_who_uses_it() -> None:
    drawing = neighbours_view(architecture(SHOP), "Router")
    users = {edge.source for edge in drawing.edges if edge.target == "RouterInterface"}
    assert users == {"App", "Cart", "Home", "RouterImplementation"}
    assert drawing.notes == ()


def test_package_of_one_target_is_one_node() -> None:
    only = architecture({"Only": []})
    for drawing in (modules_view(only), targets_view(only), neighbours_view(only, "Only")):
        assert [node.name for node in drawing.nodes] == ["Only"]
        assert drawing.edges == ()


def test_product_of_another_package_is_a_node() -> None:
    described = dump({"Tool": []})
    described["targets"][0]["dependencies"] = [{"product": ["ArgumentParser", "swift-argument-parser", None, None]}]
    tool = architecture_of(targets_from(described, ANYWHERE))
    for drawing in (modules_view(tool), targets_view(tool), neighbours_view(tool, "Tool")):
        assert [(node.name, node.role) for node in drawing.nodes][1:] == [("ArgumentParser", Role.PRODUCT)]
        assert edges(drawing) == {("Tool", "ArgumentParser", EdgeKind.PLAIN)}


def test_modules_that_need_one_another_are_drawn() -> None:
    mutual = {**SHOP, "CartImplementation": ["CartInterface", "HomeInterface"]}
    assert {("Home", "Cart", EdgeKind.INTERFACE), ("Cart", "Home", EdgeKind.INTERFACE)} < edges(
        modules_view(architecture(mutual))
    )
