"""The findings of rules, and how they are printed: as text, and as JSON."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True, order=True)
class Finding:
    """A place that breaks a rule. The path is relative to the package; lines count from 1."""

    path: Path
    line: int
    rule: str
    message: str
    fix: str


def text(findings: Sequence[Finding]) -> str:
    """A line for each finding, as compilers write them, with its fix below."""
    return "\n".join(
        f"{each.path}:{each.line}: error: {each.message} [{each.rule}]\n    {each.fix}" for each in findings
    )


def json_text(findings: Sequence[Finding], package: str, rules: Sequence[str]) -> str:
    """One object with the rules that were looked at and the findings."""
    listed = [asdict(each) | {"path": each.path.as_posix()} for each in findings]
    return json.dumps({"package": package, "rules": list(rules), "findings": listed}, indent=2, ensure_ascii=False)
