"""A graph as Mermaid, DOT and SVG."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from itertools import pairwise
from xml.etree import ElementTree

import pytest
from graphs import SHOP, STRANGE, architecture

from modulegraph.architecture import Role
from modulegraph.dot import dot
from modulegraph.drawing import Drawing, Edge, EdgeKind, Node
from modulegraph.legend import legend
from modulegraph.mermaid import mermaid
from modulegraph.svg import svg
from modulegraph.views import modules_view, neighbours_view, targets_view

_SVG = "{http://www.w3.org/2000/svg}"

# Everything that a graph can have: each role, each kind of edge, a cycle, a node alone, and strange names.
ALL_OF_IT = Drawing(
    "Strange & <more>",
    (
        *(Node(role.value, role) for role in Role),
        *(Node(name, Role.OTHER, "a group" if number % 2 else None) for number, name in enumerate(STRANGE)),
    ),
    (
        *(Edge("program", "module", kind) for kind in EdgeKind),
        *(Edge(source, target, EdgeKind.PLAIN) for source, target in pairwise(STRANGE)),
        Edge(STRANGE[-1], STRANGE[0], EdgeKind.PLAIN),
    ),
    ('A note with <, & and ".',),
)

VIEWS: list[Callable[[], Drawing]] = [
    lambda: modules_view(architecture(SHOP)),
    lambda: targets_view(architecture(SHOP), everything=True, tests=True),
    lambda: neighbours_view(architecture(SHOP), "Cart"),
    lambda: ALL_OF_IT,
    lambda: Drawing("Nothing", (), ()),
]


def test_modules_as_mermaid() -> None:
    assert mermaid(modules_view(architecture(SHOP))) == (
        'graph TD\n    App[["App"]]\n    App ==> Home & Cart & Router\n    Home --> Cart'
    )


def test_module_as_mermaid_with_its_legend() -> None:
    drawing = neighbours_view(architecture(SHOP), "Cart")
    assert mermaid(drawing).split("\n") == [
        "graph TD",
        '    App[["App"]]',
        '    subgraph g1["Cart"]',
        '        CartInterface(["CartInterface"])',
        "        CartImplementation",
        '        CartTesting[/"CartTesting"/]',
        "    end",
        "    App --> CartInterface",
        "    App ==> CartImplementation",
        "    Home --> CartInterface",
        "    Home -.-> CartTesting",
        "    CartImplementation --> CartInterface",
        "    CartTesting --> CartInterface",
    ]
    assert legend(drawing) == (
        "Rounded: interface; slanted: fakes; double sides: program; arrow: depends on the interface; thick arrow: "
        "depends on an implementation; dotted arrow: in tests only. "
        "Not drawn: RouterInterface, which every interface depends on."
    )


def test_names_that_mermaid_would_misread_get_an_identifier_and_an_escaped_label() -> None:
    nodes = tuple(Node(name, Role.OTHER) for name in ["end", 'a"b', "n0", "two words", "Graph"])
    drawing = Drawing("", nodes, (Edge("end", 'a"b', EdgeKind.PLAIN),))
    assert mermaid(drawing).split("\n") == [
        "graph TD",
        '    n0_["end"]',
        '    n1["a#34;b"]',
        "    n0",
        '    n3["two words"]',
        '    n4["Graph"]',
        "    n0_ --> n1",
    ]


def test_every_label_in_mermaid_is_closed() -> None:
    for line in mermaid(ALL_OF_IT).split("\n"):
        assert line.count('"') in (0, 2), line
        assert re.fullmatch(r'[\w\s.,:/+()\[\]{}<>&#;="\-]*', line), line


@pytest.mark.parametrize("name", STRANGE)
def test_names_are_quoted_in_dot(name: str) -> None:
    text = dot(Drawing("", (Node(name, Role.OTHER),), ()))
    written = next(line for line in text.split("\n") if "shape=box" in line and "legend" not in line).strip()
    quoted = re.match(r'"((?:[^"\\]|\\.)*)" \[', written)
    assert quoted is not None
    assert re.sub(r"\\(.)", r"\1", quoted[1]) == name


@pytest.mark.parametrize("view", VIEWS)
def test_dot_has_each_node_and_edge_and_balanced_braces(view: Callable[[], Drawing]) -> None:
    drawing = view()
    text = dot(drawing)
    unquoted = re.sub(r'"(?:[^"\\]|\\.)*"', "", text)
    assert unquoted.count("{") == unquoted.count("}")
    assert unquoted.count("->") == len(drawing.edges) + len(drawing.edge_kinds)


@pytest.mark.skipif(shutil.which("dot") is None, reason="Graphviz is not installed")
@pytest.mark.parametrize("view", VIEWS)
def test_graphviz_reads_dot(view: Callable[[], Drawing]) -> None:
    subprocess.run(["dot", "-Tplain"], input=dot(view()), text=True, capture_output=True, check=True)


@pytest.mark.parametrize("view", VIEWS)
def test_svg_is_well_formed_and_has_each_node_and_edge_inside_its_frame(view: Callable[[], Drawing]) -> None:
    drawing = view()
    root = ElementTree.fromstring(svg(drawing))
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    titles = [element.text for element in root.iter(f"{_SVG}title")]
    assert titles == [f"{node.name}: {node.role.value}".replace("\u0001", "\ufffd") for node in drawing.nodes]
    paths = [element for element in root.iter(f"{_SVG}path") if element.attrib["d"].count("C")]
    assert len(paths) == len(drawing.edges)
    for box in root.iter(f"{_SVG}rect"):
        if box.attrib["class"] != "background":
            assert 0 <= float(box.attrib["x"]) <= width - float(box.attrib["width"])
            assert 0 <= float(box.attrib["y"]) <= height - float(box.attrib["height"])
    for path in paths:
        numbers = [float(number) for number in re.findall(r"-?\d+\.\d", path.attrib["d"])]
        assert all(0 <= x <= width for x in numbers[::2])
        assert all(0 <= y <= height for y in numbers[1::2])


def test_svg_needs_nothing_from_elsewhere() -> None:
    text = svg(ALL_OF_IT)
    assert re.findall(r"https?://[^\"']*", text) == ["http://www.w3.org/2000/svg"]
    root = ElementTree.fromstring(text)
    assert not [element.tag for element in root.iter() if element.tag.endswith(("script", "image", "use"))]
    assert "href" not in text and "@import" not in text


def test_svg_styles_and_marks_whatever_it_uses_by_light_and_in_the_dark() -> None:
    root = ElementTree.fromstring(svg(ALL_OF_IT))
    style = next(root.iter(f"{_SVG}style")).text or ""
    light, _, dark = style.partition("@media (prefers-color-scheme: dark)")
    used = {element.attrib["class"] for element in root.iter() if "class" in element.attrib}
    for name in used - {"name", "small", "title"}:
        assert f".{name} {{" in light and f".{name} {{" in dark, name
    heads = {element.attrib["id"] for element in root.iter(f"{_SVG}marker")}
    references = {path.attrib["marker-end"] for path in root.iter(f"{_SVG}path")}
    assert references == {f"url(#{head})" for head in heads}


def test_svg_tells_interfaces_from_implementations_in_the_graph_and_in_the_legend() -> None:
    root = ElementTree.fromstring(svg(targets_view(architecture(SHOP))))
    classes = [element.attrib["class"] for element in root.iter(f"{_SVG}rect")]
    # One of each is the legend's.
    assert classes.count("role-interface") == 4
    assert classes.count("role-implementation") == 4
    texts = [element.text for element in root.iter(f"{_SVG}text")]
    assert {"interface", "implementation", "depends on the interface", "depends on an implementation"} <= set(texts)


def test_same_graph_is_drawn_the_same_each_time() -> None:
    assert svg(VIEWS[1]()) == svg(VIEWS[1]())
