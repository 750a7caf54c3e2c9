"""What a rule finds, and where."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Finding:
    """A place that breaks a rule. The path is relative to the package; lines count from 1."""

    path: Path
    line: int
    rule: str
    message: str
    fix: str
