"""The table of the router's capabilities: each row leads to a line of the App or a module that uses the capability.

Code of a live session does not count, except for what only a live session does: replacing a module.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from swiftmodules.swiftpm.text import conditions_at, masked

from repo.docs.markdown import unfenced

_HEADING = "| Capability |"
_ONLY_LIVE = "`router.replace(_:)`"
_LINK = re.compile(r"\]\(([^()\s#]+\.swift)#L(\d+)")


def unused_capabilities(text: str, document: Path, repository: Path) -> Iterator[tuple[int, str]]:
    """The rows without such a line, each with its line in the document."""
    is_table = False
    for number, _, line in unfenced(text):
        is_table = line.startswith(_HEADING) or (is_table and line.startswith("|"))
        if not is_table or line.startswith((_HEADING, "| ---")) or _ONLY_LIVE in line:
            continue
        links = [(Path(os.path.normpath(document.parent / path)), int(at)) for path, at in _LINK.findall(line)]
        if not any(each.parts[0] in ("App", "Modules") and _is_compiled(repository / each, at) for each, at in links):
            name = line.split("|")[1].strip()
            yield number, f"No line of App or Modules uses '{name}'. Link to one, or remove the capability."


def _is_compiled(file: Path, line: int) -> bool:
    """Whether a line is compiled without the condition LIVE."""
    if not file.is_file():
        return False
    mask = masked(file.read_bytes())
    position = len(b"".join(mask.splitlines(keepends=True)[: line - 1]))
    return "LIVE" not in conditions_at(mask, position)
