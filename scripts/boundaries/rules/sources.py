"""Every source can be read, and every target is of a kind."""

from __future__ import annotations

from collections.abc import Iterator

from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.subject import MANIFEST, Subject


def readable(subject: Subject) -> Iterator[Finding]:
    for path, file in subject.sources.items():
        if file.problem:
            line, message = file.problem
            yield Finding(
                path,
                line,
                "syntax",
                f"the compiler cannot parse this file: {message}",
                "Correct it. Until then, no other rule but those for imports looks at the file.",
            )


def has_kind(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        if target.name not in subject.roles:
            yield Finding(
                MANIFEST,
                subject.manifest_line(target.name),
                "target-kind",
                f"{target.name} is no interface, implementation, fakes, tests or composition root by its name, "
                "so nobody can tell what it may import.",
                "Name it after its module and what it is, or add its name to the configuration.",
            )


RULES = (
    Rule("syntax", "the compiler can parse every source", readable),
    Rule("target-kind", "every target is of a kind that the configuration names", has_kind),
)
