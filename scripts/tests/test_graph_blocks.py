"""Graphs in documents."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import pytest
from graphs import SHOP, architecture

from buildspeed.code_blocks import with_code
from buildspeed.failures import MeasurementError
from modulegraph.architecture import Architecture
from modulegraph.graph_blocks import graph_blocks

DOCUMENT = Path("docs/Guide.md")


def shop() -> Architecture:
    return architecture(SHOP)


def never() -> NoReturn:
    raise AssertionError("the package is read without need")


def test_graph_of_all_modules_goes_between_markers_without_a_name() -> None:
    text = "Before\n<!-- graph: begin -->\nold\n<!-- graph: end -->\nAfter\n"
    once = with_code(text, graph_blocks(text, DOCUMENT, shop))
    assert once.startswith("Before\n<!-- graph: begin -->\n```mermaid\ngraph TD\n    App")
    assert "    Home --> Cart\n```\n\nDouble sides: program;" in once
    assert once.endswith("every interface depends on.\n<!-- graph: end -->\nAfter\n")
    assert with_code(once, graph_blocks(once, DOCUMENT, shop)) == once


def test_graph_of_a_module_goes_between_markers_with_its_name() -> None:
    text = "<!-- graph: begin Cart -->\n<!-- graph: end -->\n"
    assert '    subgraph g1["Cart"]' in graph_blocks(text, DOCUMENT, shop)[0].expected


def test_graph_in_step_is_known() -> None:
    text = "<!-- graph: begin Cart -->\n<!-- graph: end -->\n"
    once = with_code(text, graph_blocks(text, DOCUMENT, shop))
    for changed, is_in_step in ((once, True), (once.replace("Home -->", "Home ==>"), False)):
        (block,) = graph_blocks(changed, DOCUMENT, shop)
        assert (block.present == block.expected) is is_in_step


@pytest.mark.parametrize("text", ["", "# Title\n", "```markdown\n<!-- graph: begin Cart -->\n```\n"])
def test_package_is_not_read_for_a_document_without_graphs(text: str) -> None:
    assert graph_blocks(text, DOCUMENT, never) == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("T\n<!-- graph: begin Crat -->\n<!-- graph: end -->", "docs/Guide.md:2: no module is called 'Crat'. Did you"),
        ("T\n<!-- graph: end -->", "docs/Guide.md:2: No graph ends here. Remove the line"),
        ("T\n<!-- graph: begin -->\nT", "docs/Guide.md:2: The graph that begins here is not ended. Add a line"),
        ("<!-- graph: begin -->\n<!-- graph: begin -->\n<!-- graph: end -->", "docs/Guide.md:1: The graph that begins"),
        ("<!-- graph: begin -->\n```\n<!-- graph: end -->", "docs/Guide.md:1: The graph that begins here is not ended"),
    ],
)
def test_mistake_is_refused_with_its_place(text: str, message: str) -> None:
    with pytest.raises(MeasurementError) as caught:
        graph_blocks(text, DOCUMENT, shop)
    assert str(caught.value).startswith(message)
