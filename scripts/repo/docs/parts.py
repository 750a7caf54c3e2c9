"""Finds the generated parts of a document, between their markers.

    <!-- graph: begin Login -->
    …
    <!-- graph: end -->

The word before the colon is the kind of the part, and what follows `begin` its argument; code names its source alone,
as in `<!-- code: App/main.swift#start -->`. A marker has a line of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.errors import ToolError


@dataclass(frozen=True)
class Generated:
    """A span of a document's text that other files decide: its first line, what decides it, and the right text."""

    line: int
    source: str
    start: int
    end: int
    text: str


# Makes the lines of a part from its argument, and names its source. Raises `ToolError`.
Generator = Callable[[str], tuple[str, Sequence[str]]]


def generated_parts(text: str, document: Path, generators: Mapping[str, Generator]) -> Iterator[Generated]:
    """The parts of a document's text in their order; `document` is its name in messages."""
    kinds = "|".join(generators)
    marker = rf"^<!-- (?P<kind>{kinds}): "
    begin = rf"{marker}(?!end\b)(?:begin\b ?)?(?P<argument>.*?) ?-->\n"
    part = re.compile(rf"{begin}(?P<text>(?:(?!<!-- (?:{kinds}): ).*\n)*)<!-- (?P=kind): end -->$", re.M)
    rest = part.sub(lambda found: "\n" * found[0].count("\n"), text)
    if alone := re.search(marker, rest, re.M):
        line = rest.count("\n", 0, alone.start()) + 1
        raise ToolError(
            f"{document}:{line}: This line begins or ends a part '{alone['kind']}', and its other line is missing. "
            f"Write it ('<!-- {alone['kind']}: end -->' is the last line of the part), or remove this one."
        )
    for found in part.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        try:
            source, lines = generators[found["kind"]](found["argument"])
        except ToolError as error:
            error.args = (f"{document}:{line}: {error}",)
            raise
        yield Generated(line, source, *found.span("text"), "".join(f"{each}\n" for each in lines))


def with_generated(text: str, spans: Sequence[Generated]) -> str:
    """A document's text with the right text in every span."""
    for each in sorted(spans, key=lambda each: each.start, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text
