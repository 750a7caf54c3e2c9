"""Finds the graphs in a document, and says what they have to be.

    <!-- graph: begin Login -->
    …
    <!-- graph: end -->

The name is that of a module, which is shown with what it uses and who uses it; without a name, all modules are
shown.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from buildspeed.code_blocks import CodeBlock
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.marked_parts import marked_parts
from modulegraph.architecture import Architecture
from modulegraph.legend import legend
from modulegraph.mermaid import mermaid
from modulegraph.names import owner_named
from modulegraph.views import modules_view, neighbours_view

_SOURCE = "Package.swift"


def graph_blocks(text: str, document: Path, architecture: Callable[[], Architecture]) -> list[CodeBlock]:
    """The blocks of a document's text in their order; `document` is its name in messages. The package is only
    read where a document has a graph."""
    return [
        part.block(_SOURCE, _graph(architecture(), part.argument, f"{document}:{part.line}"))
        for part in marked_parts(text, document, "graph", "graph")
    ]


def _graph(architecture: Architecture, module: str, place: str) -> list[str]:
    try:
        owner = owner_named(architecture, module) if module else None
    except UsageError as error:
        raise MeasurementError(f"{place}: {error}") from error
    drawing = neighbours_view(architecture, owner) if owner else modules_view(architecture)
    return ["```mermaid", *mermaid(drawing).split("\n"), "```", "", legend(drawing)]
