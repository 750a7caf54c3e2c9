"""Writes a graph as Mermaid, which GitHub and others show in Markdown."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import replace

from swiftmodules.graph.architecture import Architecture, Role
from swiftmodules.graph.views import Drawing, EdgeKind, Node, modules_view, neighbours_view
from swiftmodules.swiftpm.package import Package

_ARROW = "-->"
_ARROWS = {EdgeKind.IMPLEMENTATION: "==>", EdgeKind.TESTS: "-.->"}
# The brackets around a label, which make the shape.
_SHAPES = {
    Role.INTERFACE: ("([", "])"),
    Role.FAKES: ("[/", "/]"),
    Role.PROGRAM: ("[[", "]]"),
    Role.TESTS: (">", "]"),
    Role.PRODUCT: ("[(", ")]"),
}
# Words that mean something else where a node's name is expected.
_RESERVED = {
    *("call", "class", "classdef", "click", "default", "direction", "end", "flowchart", "graph", "href"),
    *("interpolate", "linkstyle", "style", "subgraph"),
}
_SPECIAL = re.compile(r"[^\w .,:/+()\-]")


def document_block(package: Package, module: str | None = None) -> list[str]:
    """The lines of a document between `<!-- graph: begin MODULE -->` and `<!-- graph: end -->`: a module with what it
    uses and who uses it, tests aside, or all modules where none is named."""
    architecture = Architecture(package)
    drawing = neighbours_view(architecture, module) if module else modules_view(architecture)
    drawing = replace(drawing, edges=tuple(edge for edge in drawing.edges if edge.kind is not EdgeKind.TESTS))
    return ["```mermaid", *mermaid(drawing).split("\n"), "```"]


def mermaid(drawing: Drawing) -> str:
    """The graph without a fence around it."""
    identifiers = _identifiers(drawing)
    lines = ["graph TD"]
    for position, (group, nodes) in enumerate(drawing.groups.items()):
        if group is None:
            lines += [f"    {line}" for node in nodes if (line := _declaration(node, identifiers, drawing))]
        else:
            lines.append(f'    subgraph {_unused(f"g{position}", identifiers.values())}["{_escaped(group)}"]')
            lines += [f"        {_declaration(node, identifiers, drawing) or identifiers[node.name]}" for node in nodes]
            lines.append("    end")
    return "\n".join([*lines, *_edges(drawing, identifiers)])


def _declaration(node: Node, identifiers: dict[str, str], drawing: Drawing) -> str:
    """A node with its shape and name; empty where its edges are enough."""
    identifier = identifiers[node.name]
    if identifier == node.name and node.role not in _SHAPES:
        has_edge = any(node.name in (edge.source, edge.target) for edge in drawing.edges)
        return "" if has_edge else identifier
    opening, closing = _SHAPES.get(node.role, ("[", "]"))
    return f'{identifier}{opening}"{_escaped(node.name)}"{closing}'


def _edges(drawing: Drawing, identifiers: dict[str, str]) -> list[str]:
    """One line for all edges of a kind from a node."""
    grouped: dict[tuple[str, EdgeKind], list[str]] = {}
    for edge in drawing.edges:
        grouped.setdefault((edge.source, edge.kind), []).append(identifiers[edge.target])
    return [
        f"    {identifiers[source]} {_ARROWS.get(kind, _ARROW)} {' & '.join(targets)}"
        for (source, kind), targets in grouped.items()
    ]


def _identifiers(drawing: Drawing) -> dict[str, str]:
    """The names themselves where Mermaid takes them, else others that are not the name of a node."""
    names = {node.name for node in drawing.nodes}
    return {
        node.name: node.name if _is_usable(node.name) else _unused(f"n{position}", names)
        for position, node in enumerate(drawing.nodes)
    }


def _is_usable(name: str) -> bool:
    return re.fullmatch(r"[A-Za-z]\w*", name, re.ASCII) is not None and name.lower() not in _RESERVED


def _unused(identifier: str, taken: Collection[str]) -> str:
    while identifier in taken:
        identifier += "_"
    return identifier


def _escaped(text: str) -> str:
    """A text for between quotation marks, with Mermaid's own entities in place of what it might read."""
    return _SPECIAL.sub(lambda match: f"#{ord(match[0])};", text)
