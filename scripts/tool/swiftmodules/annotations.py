"""Findings as annotations of a workflow, which GitHub shows beside the lines that they are about."""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Literal


def annotate(
    kind: Literal["error", "warning", "notice"], message: str, file: Path | None = None, line: int = 1
) -> None:
    """Prints an annotation on standard error, which the runner reads too, where a workflow of GitHub runs."""
    if os.environ.get("GITHUB_ACTIONS") != "true":
        return
    place = ""
    if file is not None:
        path = os.path.relpath(file, os.environ.get("GITHUB_WORKSPACE") or Path.cwd())
        place = f" file={_escaped(path).replace(':', '%3A').replace(',', '%2C')},line={line}"
    print(f"::{kind}{place}::{_escaped(message)}", file=sys.stderr)


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
