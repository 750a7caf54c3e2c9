"""How an SVG looks, by light and in the dark. Nothing is loaded from elsewhere."""

from __future__ import annotations

from modulegraph.architecture import Role
from modulegraph.drawing import EdgeKind

FONT_SIZE = 13
SMALL_FONT_SIZE = 11
TITLE_FONT_SIZE = 16

# Fill and outline by light, then in the dark.
_ROLES = {
    Role.MODULE: ("#ffffff", "#475569", "#1e293b", "#94a3b8"),
    Role.INTERFACE: ("#dbeafe", "#1d4ed8", "#1e3a8a", "#93c5fd"),
    Role.IMPLEMENTATION: ("#fdebd0", "#b45309", "#713f12", "#fbbf24"),
    Role.FAKES: ("#f1f5f9", "#64748b", "#334155", "#94a3b8"),
    Role.TESTS: ("#f1f5f9", "#64748b", "#334155", "#94a3b8"),
    Role.PROGRAM: ("#dcfce7", "#15803d", "#14532d", "#86efac"),
    Role.OTHER: ("#ffffff", "#475569", "#1e293b", "#94a3b8"),
    Role.PRODUCT: ("#ede9fe", "#6d28d9", "#3b0764", "#c4b5fd"),
}
_EDGES = {
    EdgeKind.PLAIN: ("#64748b", "#94a3b8"),
    EdgeKind.INTERFACE: ("#3b6fd8", "#93c5fd"),
    EdgeKind.IMPLEMENTATION: ("#b45309", "#fbbf24"),
    EdgeKind.TESTS: ("#64748b", "#94a3b8"),
}


def role_class(role: Role) -> str:
    """The class of a node or part."""
    return f"role-{role.name.lower()}"


def edge_class(kind: EdgeKind) -> str:
    """The class of an edge; its arrow head has it with `-head` after it."""
    return f"edge-{kind.name.lower()}"


def corner_radius(role: Role) -> int:
    """Tells interfaces from implementations where colours do not."""
    return 13 if role == Role.INTERFACE else 3


def style_sheet() -> str:
    """The rules for every class, with those for the dark after those for the light."""
    light, dark = _colours(0, "#ffffff", "#0f172a"), _colours(1, "#0f172a", "#f1f5f9")
    return "\n".join(
        [
            "text { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, 'DejaVu Sans Mono', monospace;"
            f" font-size: {FONT_SIZE}px; }}",
            f".small {{ font-size: {SMALL_FONT_SIZE}px; }}",
            f".title {{ font-size: {TITLE_FONT_SIZE}px; font-weight: bold; }}",
            ".name { font-weight: bold; }",
            "rect { stroke-width: 1.5; }",
            ".role-fakes, .role-tests { stroke-dasharray: 5 3; }",
            ".role-program { stroke-width: 3; }",
            "path { fill: none; stroke-width: 1.5; }",
            ".edge-implementation { stroke-width: 3; }",
            ".edge-tests { stroke-dasharray: 2 4; }",
            *light,
            "@media (prefers-color-scheme: dark) {",
            *dark,
            "}",
        ]
    )


def _colours(scheme: int, background: str, text: str) -> list[str]:
    rules = [f".background {{ fill: {background}; stroke: none; }}", f"text {{ fill: {text}; }}"]
    for role, colours in _ROLES.items():
        fill, outline = colours[2 * scheme : 2 * scheme + 2]
        rules.append(f".{role_class(role)} {{ fill: {fill}; stroke: {outline}; }}")
    for kind, colours in _EDGES.items():
        rules.append(f".{edge_class(kind)} {{ stroke: {colours[scheme]}; }}")
        rules.append(f".{edge_class(kind)}-head {{ fill: {colours[scheme]}; stroke: none; }}")
    return rules
