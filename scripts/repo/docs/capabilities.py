"""The table of the router's capabilities: each row leads to a line of the App or a module that uses the capability.

Code of a live session does not count, except for what only a live session does: replacing a module.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from swiftmodules.swiftpm.reader import SourceFile

from repo.docs.markdown import unfenced

_HEADING = "| Capability |"
_ONLY_LIVE = "`router.replace(_:)`"
_LINK = re.compile(r"\]\(([^()\s#]+\.swift)#L(\d+)")


def unused_capabilities(text: str, document: Path, sources: Mapping[Path, SourceFile]) -> Iterator[tuple[int, str]]:
    """The rows without such a line, each with its line in the document."""
    is_table = False
    for number, _, line in unfenced(text):
        is_table = line.startswith(_HEADING) or (is_table and line.startswith("|"))
        if not is_table or line.startswith((_HEADING, "| ---")) or _ONLY_LIVE in line:
            continue
        links = [(Path(os.path.normpath(document.parent / path)), int(at)) for path, at in _LINK.findall(line)]
        if not any(each.parts[0] in ("App", "Modules") and _is_compiled(sources.get(each), at) for each, at in links):
            name = line.split("|")[1].strip()
            yield number, f"No line of App or Modules uses '{name}'. Link to one, or remove the capability."


def _is_compiled(file: SourceFile | None, line: int) -> bool:
    """Whether a line is compiled without the condition LIVE."""
    if file is None:
        return False
    live = (each for each in file.clauses if each.condition == "LIVE")
    return not any(file.line_at(each.start) < line <= file.line_at(each.end) for each in live)
