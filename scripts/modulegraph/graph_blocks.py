"""Finds the graphs in a document, and says what they have to be.

    <!-- graph: begin Login -->
    …
    <!-- graph: end -->

The name is that of a module, which is shown with what it uses and who uses it; without a name, all modules are
shown. Markers inside a fenced block are part of the text and mean nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from buildspeed.code_blocks import CodeBlock, fence_after
from buildspeed.failures import MeasurementError, UsageError
from modulegraph.architecture import Architecture
from modulegraph.legend import legend
from modulegraph.mermaid import mermaid
from modulegraph.names import owner_named
from modulegraph.views import modules_view, neighbours_view

_MARKER = re.compile(r"<!--\s*graph:\s*(?P<word>begin|end)\b\s*(?P<module>.*?)\s*-->\s*")
_SOURCE = "Package.swift"


def graph_blocks(text: str, document: Path, architecture: Callable[[], Architecture]) -> list[CodeBlock]:
    """The blocks of a document's text in their order; `document` is its name in messages. The package is only
    read where a document has a graph."""
    lines = text.split("\n")
    blocks: list[CodeBlock] = []
    begin: tuple[int, str] | None = None
    fence: str | None = None
    for number, line in enumerate(lines, start=1):
        fence, is_fenced = fence_after(line, fence), fence is not None
        marker = None if is_fenced else _MARKER.fullmatch(line)
        if marker is None:
            continue
        if marker["word"] == "begin":
            if begin is not None:
                break
            begin = number, marker["module"]
        elif begin is None:
            raise MeasurementError(
                f"{document}:{number}: No graph ends here. Remove the line, or begin with "
                "'<!-- graph: begin <module> -->' above it."
            )
        else:
            first, module = begin
            expected = _graph(architecture(), module, f"{document}:{first}")
            blocks.append(CodeBlock(first, _SOURCE, lines[first : number - 1], expected))
            begin = None
    if begin is not None:
        raise MeasurementError(
            f"{document}:{begin[0]}: The graph that begins here is not ended. Add a line '<!-- graph: end -->' after "
            f"it{', outside of the fence' if fence else ''}."
        )
    return blocks


def _graph(architecture: Architecture, module: str, place: str) -> list[str]:
    try:
        owner = owner_named(architecture, module) if module else None
    except UsageError as error:
        raise MeasurementError(f"{place}: {error}") from error
    drawing = neighbours_view(architecture, owner) if owner else modules_view(architecture)
    return ["```mermaid", *mermaid(drawing).split("\n"), "```", "", legend(drawing)]
