"""The arrows of an SVG. Each begins and ends at a point of its own on the boxes, so that none hides another."""

from __future__ import annotations

from collections.abc import Mapping

from modulegraph.drawing import Drawing, EdgeKind
from modulegraph.layering import Layering
from modulegraph.svg_nodes import Box
from modulegraph.svg_style import edge_class

_HEAD = 9
# The share of a box's width that arrows are spread over, and how far apart they are at most.
_SPREAD = 0.8
_MOST_APART = 22.0

_End = tuple[str, tuple[str, str]]


def edge_elements(drawing: Drawing, layering: Layering, boxes: Mapping[str, Box]) -> list[str]:
    """The paths of all edges."""
    uppers = _points(layering, boxes, is_upper=True)
    lowers = _points(layering, boxes, is_upper=False)
    elements = []
    for edge in drawing.edges:
        pair = (edge.source, edge.target)
        chain = layering.chains[pair]
        points = [(uppers[chain[0], pair], boxes[chain[0]].bottom)]
        for waypoint in chain[1:-1]:
            points += [(boxes[waypoint].centre, boxes[waypoint].top), (boxes[waypoint].centre, boxes[waypoint].bottom)]
        points.append((lowers[chain[-1], pair], boxes[chain[-1]].top))
        if chain[0] != edge.source:
            points.reverse()
        name = edge_class(edge.kind)
        elements.append(f'<path class="{name}" d="{_curve(points)}" marker-end="url(#{name}-head)"/>')
    return elements


def marker_elements(drawing: Drawing) -> list[str]:
    """The heads of the arrows that occur."""
    return [marker(kind) for kind in drawing.edge_kinds]


def marker(kind: EdgeKind) -> str:
    """The head of one kind of arrow."""
    name = f"{edge_class(kind)}-head"
    return (
        f'<marker id="{name}" markerUnits="userSpaceOnUse" markerWidth="{_HEAD}" markerHeight="{_HEAD}" '
        f'refX="{_HEAD - 1}" refY="{_HEAD / 2}" orient="auto">'
        f'<polygon class="{name}" points="0,0.5 {_HEAD},{_HEAD / 2} 0,{_HEAD - 0.5}"/></marker>'
    )


def _points(layering: Layering, boxes: Mapping[str, Box], is_upper: bool) -> dict[_End, float]:
    """Where on its box each edge begins (at the bottom of the upper one) or ends (at the top of the lower one), in
    the order of where the edges come from."""
    at_node: dict[str, list[tuple[float, tuple[str, str]]]] = {}
    for pair, chain in layering.chains.items():
        node, neighbour = (chain[0], chain[1]) if is_upper else (chain[-1], chain[-2])
        at_node.setdefault(node, []).append((boxes[neighbour].centre, pair))
    points = {}
    for node, ends in at_node.items():
        apart = min(_MOST_APART, boxes[node].width * _SPREAD / len(ends))
        for number, (_, pair) in enumerate(sorted(ends)):
            points[node, pair] = boxes[node].centre + (number - (len(ends) - 1) / 2) * apart
    return points


def _curve(points: list[tuple[float, float]]) -> str:
    """A path that is curved between rows and straight within them."""
    (x, y), *rest = points
    commands = [f"M{x:.1f},{y:.1f}"]
    for number, (next_x, next_y) in enumerate(rest):
        if number % 2:
            commands.append(f"L{next_x:.1f},{next_y:.1f}")
        else:
            middle = (y + next_y) / 2
            commands.append(f"C{x:.1f},{middle:.1f} {next_x:.1f},{middle:.1f} {next_x:.1f},{next_y:.1f}")
        x, y = next_x, next_y
    return " ".join(commands)
