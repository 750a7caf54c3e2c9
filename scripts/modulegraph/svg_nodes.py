"""The boxes of an SVG: how large each has to be, and what is in it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from modulegraph.architecture import Role
from modulegraph.drawing import Node, Part
from modulegraph.svg_style import FONT_SIZE, SMALL_FONT_SIZE, corner_radius, role_class
from modulegraph.svg_text import as_text, text_width

_PADDING = 14
_LINE = 18
_PART_PADDING = 8
_PART_HEIGHT = 20
_PART_GAP = 6
_LEAST_WIDTH = 72.0


@dataclass(frozen=True)
class Box:
    """Where a node, or a waypoint, is; a waypoint has no width and the height of its row."""

    centre: float
    top: float
    width: float
    height: float

    @property
    def bottom(self) -> float:
        return self.top + self.height


def node_size(node: Node) -> tuple[float, float]:
    """The width and height of a node's box."""
    content = [text_width(line, FONT_SIZE) for line in _lines(node)]
    height = 2 * _PADDING + _LINE * len(content) - (_LINE - FONT_SIZE)
    if node.parts:
        content.append(_parts_width(node.parts))
        height += _PART_HEIGHT + 8
    return max(max(content) + 2 * _PADDING, _LEAST_WIDTH), height


def node_elements(node: Node, place: Box) -> list[str]:
    """A node's box with its name, and its parts side by side below it."""
    centre, top = place.centre, place.top
    elements = [
        "<g>",
        f"<title>{as_text(f'{node.name}: {node.role.value}')}</title>",
        box(node.role, centre - place.width / 2, top, place.width, place.height),
    ]
    baseline = top + _PADDING + FONT_SIZE - 2
    for number, line in enumerate(_lines(node)):
        # The second line is the target's word, which many others share.
        emphasis = ' class="name"' if number == 0 else ""
        elements.append(
            f'<text{emphasis} x="{centre:.1f}" y="{baseline + number * _LINE:.1f}" text-anchor="middle">'
            f"{as_text(line)}</text>"
        )
    if node.parts:
        elements += _part_elements(node.parts, centre, place.bottom - _PADDING - _PART_HEIGHT + 4)
    return [*elements, "</g>"]


def box(role: Role, left: float, top: float, width: float, height: float) -> str:
    """A rectangle with the colours and corners of a role."""
    radius = corner_radius(role)
    return (
        f'<rect class="{role_class(role)}" x="{left:.1f}" y="{top:.1f}" width="{width:.1f}" height="{height:.1f}" '
        f'rx="{radius}"/>'
    )


def _lines(node: Node) -> list[str]:
    """The name of a module's target in two lines, because a row of them is wide."""
    if node.group and node.name != node.group and node.name.startswith(node.group):
        return [node.group, node.name.removeprefix(node.group)]
    return [node.name]


def _part_elements(parts: Sequence[Part], centre: float, top: float) -> list[str]:
    elements = []
    left = centre - _parts_width(parts) / 2
    for part in parts:
        width = _part_width(part)
        elements.append(box(part.role, left, top, width, _PART_HEIGHT))
        elements.append(
            f'<text class="small" x="{left + width / 2:.1f}" y="{top + 14:.1f}" text-anchor="middle">'
            f"{as_text(part.word)}</text>"
        )
        left += width + _PART_GAP
    return elements


def _parts_width(parts: Sequence[Part]) -> float:
    return sum(_part_width(part) for part in parts) + _PART_GAP * (len(parts) - 1)


def _part_width(part: Part) -> float:
    return text_width(part.word, SMALL_FONT_SIZE) + 2 * _PART_PADDING
