"""Draws the code that the numbered list of a section links to: what runs next, and in which module.

    <!-- sequence: begin One route followed from a key press to a screen -->
    …
    <!-- sequence: end -->

The argument is the section's heading. A link to a method of a module is a step; other links are not drawn.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from swiftmodules.errors import UsageError

_ITEM = re.compile(r"(\d+)\. ")
_METHOD = re.compile(r"\[`(\w+\.\w+)[^`]*`\]\([^()\s]*Modules/(\w+)/[^()\s]*\.swift#L\d[^()\s]*\)")


def sequence(text: str, heading: str) -> list[str]:
    """A Mermaid diagram of a document's section. Raises `UsageError` where the section has no such list."""
    section = text.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    steps = list(_steps(section))
    if not steps:
        raise UsageError(f"no section '{heading}' has a numbered list with links to methods of modules.")
    lines = ["```mermaid", "sequenceDiagram"]
    place = steps[0][2]
    for number, method, module in steps:
        lines.append(f"    {place}->>{module}: {number} {method}")
        place = module
    return ["", *lines, "```", ""]


def _steps(section: str) -> Iterator[tuple[str, str, str]]:
    """The number of the item, the method and the module of each link."""
    number = ""
    for line in section.split("\n"):
        if item := _ITEM.match(line):
            number = item[1]
        elif line and not line.startswith(" "):
            number = ""
        if number:
            yield from ((number, method, module) for method, module in _METHOD.findall(line))
