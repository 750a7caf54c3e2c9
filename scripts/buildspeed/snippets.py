"""Cuts out of a source file the code that documents show.

A snippet stands between the comments `// snippet: <name>` and `// snippet: end` (or the same after `#`). Snippets may
stand in one another.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from buildspeed.failures import MeasurementError

_MARKER = re.compile(r"\s*(?://|#)\s*snippet:(.*)")
_NAME = re.compile(r"\w[\w.-]*")
_END = "end"


@dataclass(frozen=True)
class Snippets:
    """The code of a source file, without the markers: the whole of it, and what stands under each name."""

    whole: str
    named: Mapping[str, str]


def read_snippets(text: str, source: Path) -> Snippets:
    """The snippets of a source file's text; `source` is its name in messages."""
    whole: list[str] = []
    named: dict[str, list[str]] = {}
    begun: dict[str, int] = {}
    open_names: list[str] = []
    for number, line in enumerate(text.split("\n"), start=1):
        marker = _MARKER.fullmatch(line)
        if marker is None:
            whole.append(line)
            for name in open_names:
                named[name].append(line)
            continue
        name = marker[1].strip()
        if name == _END:
            if not open_names:
                raise MeasurementError(
                    f"{source}:{number}: No snippet ends here. Remove the line, or begin the snippet above it."
                )
            open_names.pop()
        elif not _NAME.fullmatch(name):
            raise MeasurementError(
                f"{source}:{number}: '{name}' cannot name a snippet. Use letters, digits and hyphens."
            )
        elif name in begun:
            raise MeasurementError(
                f"{source}:{number}: The snippet '{name}' exists already, in line {begun[name]}. Rename one of them."
            )
        else:
            begun[name] = number
            named[name] = []
            open_names.append(name)
    if open_names:
        name = open_names[-1]
        raise MeasurementError(
            f"{source}:{begun[name]}: The snippet '{name}' is not ended. "
            "Add a line '// snippet: end' after its last line."
        )
    return Snippets(_tidy(whole), {name: _tidy(lines) for name, lines in named.items()})


def _tidy(lines: list[str]) -> str:
    """The lines without their common indentation, and without empty ones around them."""
    return textwrap.dedent("\n".join(lines)).strip("\n")
