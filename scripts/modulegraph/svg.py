"""Writes a graph as an SVG that needs nothing else: no font, no script, no style sheet from elsewhere."""

from __future__ import annotations

from modulegraph.architecture import Role
from modulegraph.drawing import Drawing
from modulegraph.layering import Layering, is_waypoint, layering
from modulegraph.placing import placed
from modulegraph.svg_edges import edge_elements, marker_elements
from modulegraph.svg_nodes import Box, box, node_elements, node_size
from modulegraph.svg_style import FONT_SIZE, SMALL_FONT_SIZE, TITLE_FONT_SIZE, edge_class, style_sheet
from modulegraph.svg_text import as_attribute, as_text, text_width

_MARGIN = 24
_NODE_GAP = 26.0
_ROW_GAP = 62
_LEGEND_LINE = 24
_LEGEND_SIGN = 34


def svg(drawing: Drawing) -> str:
    """The graph with its title above and its legend below it."""
    layers = layering([node.name for node in drawing.nodes], [(edge.source, edge.target) for edge in drawing.edges])
    boxes = _boxes(drawing, layers)
    graph_width = max((each.centre + each.width / 2 for each in boxes.values()), default=0)
    graph_bottom = max((each.bottom for each in boxes.values()), default=_MARGIN + TITLE_FONT_SIZE)
    legend, legend_width, bottom = _legend(drawing, graph_bottom + 36, max(graph_width, 480))
    width = max(graph_width, legend_width, text_width(drawing.title, TITLE_FONT_SIZE) + _MARGIN) + _MARGIN
    height = bottom + _MARGIN
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height:.0f}" width="{width:.0f}" '
            f'height="{height:.0f}" role="img" aria-label={as_attribute(drawing.title)}>',
            f"<style>\n{style_sheet()}\n</style>",
            "<defs>",
            *marker_elements(drawing),
            "</defs>",
            '<rect class="background" width="100%" height="100%"/>',
            f'<text class="title" x="{_MARGIN}" y="{_MARGIN + TITLE_FONT_SIZE}">{as_text(drawing.title)}</text>',
            *edge_elements(drawing, layers, boxes),
            *(line for node in drawing.nodes for line in node_elements(node, boxes[node.name])),
            *legend,
            "</svg>",
        ]
    )


def _boxes(drawing: Drawing, layers: Layering) -> dict[str, Box]:
    sizes = {node.name: node_size(node) for node in drawing.nodes}
    names = [name for row in layers.rows for name in row]
    centres = placed(layers, {name: sizes[name][0] if name in sizes else 0.0 for name in names}, _NODE_GAP)
    boxes = {}
    top = 2.0 * _MARGIN + TITLE_FONT_SIZE
    for row in layers.rows:
        row_height = max(sizes[name][1] for name in row if not is_waypoint(name))
        for name in row:
            width, height = sizes.get(name, (0.0, row_height))
            boxes[name] = Box(_MARGIN + centres[name], top + (row_height - height) / 2, width, height)
        top += row_height + _ROW_GAP
    return boxes


def _legend(drawing: Drawing, top: float, width: float) -> tuple[list[str], float, float]:
    """The signs that occur with what they mean, in lines of at most a width unless one alone is wider; how wide
    they are in fact, and where they end."""
    elements = ["<g>"]
    left, line, widest = float(_MARGIN), top, 0.0
    signs = [(role.value, role) for role in drawing.roles] + [(kind.value, kind) for kind in drawing.edge_kinds]
    for text, sign in signs:
        extent = _LEGEND_SIGN + text_width(text, FONT_SIZE)
        if left > _MARGIN and left + extent > width:
            left, line = float(_MARGIN), line + _LEGEND_LINE
        if isinstance(sign, Role):
            elements.append(box(sign, left, line - 12, 26, 16))
        else:
            name = edge_class(sign)
            path = f"M{left:.1f},{line - 4:.1f} L{left + 26:.1f},{line - 4:.1f}"
            elements.append(f'<path class="{name}" d="{path}" marker-end="url(#{name}-head)"/>')
        elements.append(f'<text x="{left + _LEGEND_SIGN:.1f}" y="{line:.1f}">{as_text(text)}</text>')
        left += extent + 22
        widest = max(widest, left - 22)
    for note in drawing.notes:
        line += _LEGEND_LINE
        elements.append(f'<text class="small" x="{_MARGIN}" y="{line:.1f}">{as_text(note)}</text>')
        widest = max(widest, _MARGIN + text_width(note, SMALL_FONT_SIZE))
    return [*elements, "</g>"], widest, line
