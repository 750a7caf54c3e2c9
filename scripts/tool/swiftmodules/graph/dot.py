"""Writes a graph in DOT, which Graphviz draws."""

from __future__ import annotations

from swiftmodules.graph.architecture import Role
from swiftmodules.graph.views import Drawing, EdgeKind, Node

_SHAPES = {
    Role.MODULE: 'shape=box, style="rounded,bold"',
    Role.INTERFACE: 'shape=box, style="rounded,filled", fillcolor="#dbeafe", color="#1d4ed8"',
    Role.IMPLEMENTATION: 'shape=box, style=filled, fillcolor="#fde9cf", color="#b45309"',
    Role.FAKES: 'shape=box, style="dashed,filled", fillcolor="#f3f4f6", color="#6b7280"',
    Role.TESTS: 'shape=note, color="#6b7280"',
    Role.PROGRAM: 'shape=box, peripheries=2, style=filled, fillcolor="#dcfce7", color="#15803d"',
    Role.SNIPPET: 'shape=note, color="#15803d"',
    Role.OTHER: "shape=box",
    Role.PRODUCT: 'shape=cylinder, color="#6b7280"',
}
_STYLES = {EdgeKind.IMPLEMENTATION: " [penwidth=2.5]", EdgeKind.TESTS: " [style=dotted]"}


def dot(drawing: Drawing) -> str:
    """The graph, with a cluster for each module that targets are drawn inside of."""
    lines = [
        f"digraph {_quoted(drawing.title)} {{",
        '    graph [rankdir=TB, fontname="Helvetica", labelloc=b, labeljust=l]',
        '    node [fontname="Helvetica"]',
        '    edge [fontname="Helvetica"]',
        *([f"    label={_quoted(*drawing.notes)}"] if drawing.notes else []),
    ]
    for position, (group, nodes) in enumerate(drawing.groups.items()):
        written = [f"    {_node(node)}" for node in nodes]
        if group is not None:
            head = f"    subgraph {_quoted(f'cluster_{position}')} {{"
            written = [head, f"        label={_quoted(group)}", *(f"    {line}" for line in written), "    }"]
        lines += written
    lines += [
        f"    {_quoted(edge.source)} -> {_quoted(edge.target)}{_STYLES.get(edge.kind, '')}" for edge in drawing.edges
    ]
    return "\n".join([*lines, "}"])


def _node(node: Node) -> str:
    label = f", label={_quoted(node.name, ', '.join(node.parts))}" if node.parts else ""
    return f"{_quoted(node.name)} [{_SHAPES[node.role]}{label}]"


def _quoted(*text: str) -> str:
    """A quoted string, with its lines below one another. Graphviz reads a backslash as the begin of an escape."""
    lines = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for line in text]
    return '"' + "\\n".join(lines) + '"'
