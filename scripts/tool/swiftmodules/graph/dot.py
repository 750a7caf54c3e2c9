"""Writes a graph in DOT, and as SVG by Graphviz."""

from __future__ import annotations

import shutil
import subprocess

from swiftmodules.errors import MissingToolError, ToolError
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


def svg(drawing: Drawing) -> str:
    """The graph as Graphviz draws it. Raises `MissingToolError` where it is not installed."""
    program = shutil.which("dot")
    if program is None:
        raise MissingToolError(
            "SVG is drawn by Graphviz, and its program 'dot' is not in PATH. Install it (Debian and Ubuntu: "
            "apt install graphviz; macOS: brew install graphviz), or choose another format, such as --format dot."
        )
    result = subprocess.run([program, "-Tsvg"], input=dot(drawing), capture_output=True, encoding="utf-8")
    if result.returncode != 0:
        raise ToolError(f"'{program} -Tsvg' failed with exit code {result.returncode}: {result.stderr.strip()}")
    return result.stdout.rstrip("\n")


def dot(drawing: Drawing) -> str:
    """The graph, with a cluster for each module that targets are drawn inside of, and a legend."""
    lines = [
        f"digraph {_quoted(drawing.title)} {{",
        '    graph [rankdir=TB, fontname="Helvetica", labelloc=b, labeljust=l]',
        '    node [fontname="Helvetica"]',
        '    edge [fontname="Helvetica"]',
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
    return "\n".join([*lines, *_legend(drawing), "}"])


def _node(node: Node) -> str:
    label = f", label={_quoted(node.name, ', '.join(node.parts))}" if node.parts else ""
    return f"{_quoted(node.name)} [{_SHAPES[node.role]}{label}]"


def _legend(drawing: Drawing) -> list[str]:
    lines = ["    subgraph cluster_legend {", '        label="legend"', '        color="#9ca3af"']
    for position, role in enumerate(drawing.roles):
        lines.append(f"        {_quoted(f'legend {position}')} [{_SHAPES[role]}, label={_quoted(role.value)}]")
    for kind in drawing.edge_kinds:
        ends = [_quoted(f"legend {kind.name} {end}") for end in ("from", "to")]
        lines.append(f"        {ends[0]} [shape=point]")
        lines.append(f"        {ends[1]} [shape=plaintext, label={_quoted(kind.value)}]")
        lines.append(f"        {ends[0]} -> {ends[1]}{_STYLES.get(kind, '')}")
    lines += [
        f"        {_quoted(f'legend note {position}')} [shape=plaintext, label={_quoted(note)}]"
        for position, note in enumerate(drawing.notes)
    ]
    return [*lines, "    }"]


def _quoted(*text: str) -> str:
    """A quoted string, with its lines below one another. Graphviz reads a backslash as the begin of an escape."""
    lines = [line.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ") for line in text]
    return '"' + "\\n".join(lines) + '"'
