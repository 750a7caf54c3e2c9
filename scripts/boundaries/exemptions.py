"""Leaves out findings that the configuration excuses, and finds excuses that nothing needs any more."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from boundaries.configuration import Exemption
from boundaries.findings import Finding


def without_exempt(
    findings: Iterable[Finding], exemptions: Iterable[Exemption], checked: set[str], name: Path, configuration: Path
) -> Iterator[Finding]:
    """The findings that no exemption is for; and one for each exemption of a checked rule that excused nothing.

    `name` is what the configuration is called there.
    """
    unused = [each for each in exemptions if each.rule in checked]
    every = list(exemptions)
    for finding in findings:
        excuse = next((each for each in every if each.rule == finding.rule and Path(each.path) == finding.path), None)
        if excuse is None:
            yield finding
        elif excuse in unused:
            unused.remove(excuse)
    for exemption in unused:
        yield Finding(
            name,
            _line(exemption, configuration),
            "exemption",
            f"nothing in {exemption.path} breaks the rule '{exemption.rule}' any more.",
            "Remove the exemption.",
        )


def _line(exemption: Exemption, configuration: Path) -> int:
    """The line that names the exempt path."""
    lines = configuration.read_text(encoding="utf-8").splitlines()
    return next((number for number, line in enumerate(lines, start=1) if f'"{exemption.path}"' in line), 1)
