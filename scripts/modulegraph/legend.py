"""What the shapes and arrows of a graph mean, in words."""

from __future__ import annotations

from modulegraph.architecture import Role
from modulegraph.drawing import Drawing, EdgeKind

_ARROWS = {EdgeKind.IMPLEMENTATION: "thick arrow", EdgeKind.TESTS: "dotted arrow"}
_SHAPES = {
    Role.INTERFACE: "rounded",
    Role.FAKES: "slanted",
    Role.PROGRAM: "double sides",
    Role.TESTS: "asymmetric",
    Role.PRODUCT: "cylinder",
}


def legend(drawing: Drawing) -> str:
    """Sentences about what occurs in a graph as Mermaid draws it, each with a full stop."""
    # Parts of a module's node have roles too, but no shape.
    drawn = {node.role for node in drawing.nodes}
    meanings = [f"{shape}: {role.value}" for role, shape in _SHAPES.items() if role in drawn]
    meanings += [f"{_ARROWS.get(kind, 'arrow')}: {kind.value}" for kind in drawing.edge_kinds]
    sentence = "; ".join(meanings)
    sentences = [f"{sentence[0].upper()}{sentence[1:]}."] if sentence else []
    return " ".join([*sentences, *drawing.notes])
