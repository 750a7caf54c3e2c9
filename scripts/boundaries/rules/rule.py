"""What a rule is."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from boundaries.findings import Finding
from boundaries.subject import Subject


@dataclass(frozen=True)
class Rule:
    """A named check. `check` looks at a package and yields what breaks the rule."""

    name: str
    summary: str
    check: Callable[[Subject], Iterator[Finding]]
