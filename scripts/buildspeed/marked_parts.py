"""Finds the parts of a document that other files decide, between their markers.

    <!-- graph: begin Login -->
    …
    <!-- graph: end -->

Markers inside a fenced block are part of the text and mean nothing.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.code_blocks import CodeBlock, fence_after
from buildspeed.failures import MeasurementError


@dataclass(frozen=True)
class MarkedPart:
    """Lines of a document between two markers. `line` is that of the first marker, `argument` what it names, and
    `indentation` how far in it stands."""

    line: int
    argument: str
    indentation: str
    present: Sequence[str]

    @property
    def lines(self) -> list[str]:
        """What is present, without the indentation."""
        return [line.removeprefix(self.indentation) for line in self.present]

    def block(self, source: str, expected: Iterable[str]) -> CodeBlock:
        """The part with what has to stand there, indented as the marker is."""
        indented = textwrap.indent("\n".join(expected), self.indentation)
        return CodeBlock(self.line, source, self.present, indented.split("\n"))


def marked_parts(text: str, document: Path, word: str, noun: str) -> list[MarkedPart]:
    """The parts that markers with a word enclose, in their order.

    `document` is its name in messages, and `noun` what stands between the markers.
    """
    pattern = re.compile(rf"(?P<indentation>\s*)<!--\s*{word}:\s*(?P<edge>begin|end)\b\s*(?P<argument>.*?)\s*-->\s*")
    lines = text.split("\n")
    parts: list[MarkedPart] = []
    begin: tuple[int, re.Match[str]] | None = None
    fence: str | None = None
    for number, line in enumerate(lines, start=1):
        fence, is_fenced = fence_after(line, fence), fence is not None
        marker = None if is_fenced else pattern.fullmatch(line)
        if marker is None:
            continue
        if marker["edge"] == "begin":
            if begin is not None:
                break
            begin = number, marker
        elif begin is None:
            raise MeasurementError(
                f"{document}:{number}: No {noun} ends here. Remove the line, or begin with "
                f"'<!-- {word}: begin … -->' above it."
            )
        else:
            first, opening = begin
            present = lines[first : number - 1]
            parts.append(MarkedPart(first, opening["argument"], opening["indentation"], present))
            begin = None
    if begin is not None:
        raise MeasurementError(
            f"{document}:{begin[0]}: The {noun} that begins here is not ended. Add a line '<!-- {word}: end -->' "
            f"after it{', outside of the fence' if fence else ''}."
        )
    return parts
