"""Finds the generated parts of a document, between their markers.

    <!-- graph: begin Login -->
    …
    <!-- graph: end -->

The word before the colon is the kind of the part, and what follows `begin` its argument; code names its source alone,
as in `<!-- code: App/main.swift#start -->`. Markers inside a fenced block are part of the text, and mean nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.errors import ToolError

from repo.docs.markdown import unfenced

_MARKER = re.compile(r"(?P<indentation>\s*)<!--\s*(?P<kind>\w+):\s*(?P<words>.*?)\s*-->\s*")


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
    begin: tuple[int, int, re.Match[str]] | None = None
    for number, offset, line in unfenced(text):
        marker = _MARKER.fullmatch(line)
        if marker is None or marker["kind"] not in generators:
            continue
        kind, is_end = marker["kind"], marker["words"].partition(" ")[0] == "end"
        if begin is None and is_end:
            raise ToolError(f"{document}:{number}: No part '{kind}' ends here. Remove the line, or begin one above it.")
        if begin is None:
            begin = number, offset + len(line) + 1, marker
            continue
        first, start, opening = begin
        if not is_end or kind != opening["kind"]:
            break
        argument = re.sub(r"^begin\b\s*", "", opening["words"])
        try:
            source, expected = generators[kind](argument)
        except ToolError as error:
            error.args = (f"{document}:{first}: {error}",)
            raise
        lines = textwrap.indent("\n".join(expected), opening["indentation"])
        yield Generated(first, source, start, offset, f"{lines}\n" if expected else "")
        begin = None
    if begin is not None:
        first, _, opening = begin
        raise ToolError(
            f"{document}:{first}: The part '{opening['kind']}' that begins here is not ended. Add a line "
            f"'<!-- {opening['kind']}: end -->' after it, outside of any fence."
        )


def with_generated(text: str, spans: Sequence[Generated]) -> str:
    """A document's text with the right text in every span."""
    for each in sorted(spans, key=lambda each: each.start, reverse=True):
        text = text[: each.start] + each.text + text[each.end :]
    return text
