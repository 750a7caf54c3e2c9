"""The manifest draws no edge that the dependency rule forbids, and none is missing."""

from __future__ import annotations

from collections.abc import Iterator

from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.subject import MANIFEST, Subject
from boundaries.target_kinds import may_import


def allowed_edges(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        if target.name not in subject.roles:
            continue
        for dependency in target.dependencies:
            if subject.package.target(dependency) and not may_import(target.name, dependency, subject.roles):
                yield Finding(
                    MANIFEST,
                    subject.manifest_line(target.name, dependency),
                    "edge",
                    f"{target.name} depends on {dependency}; {allowance(subject, target.name)}",
                    remedy(subject, target.name, dependency),
                )


def named_interfaces(subject: Subject) -> Iterator[Finding]:
    """SwiftPM compiles a target anew when a module that it names has changed, and not for one that it only reaches.

    Interfaces hold the types that others store, so their layouts travel. An edge that is forbidden is found already.
    """
    for target in subject.package.targets:
        for interface, through in _reached(subject, target.name).items():
            if subject.kind(interface) == "interface" and interface not in target.dependencies:
                yield Finding(
                    MANIFEST,
                    subject.manifest_line(target.name),
                    "named-interface",
                    f"{target.name} reaches {interface} through {through} without naming it; when a struct there gets "
                    f"another stored property, SwiftPM leaves {target.name} as it is, and the program is wrong.",
                    f"Add {interface} to the dependencies of {target.name}.",
                )


def _reached(subject: Subject, target: str) -> dict[str, str]:
    """The targets that a target reaches by edges that the dependency rule allows, each with one that names it."""
    reached: dict[str, str] = {}
    waiting = [target]
    while waiting:
        name = waiting.pop()
        named = subject.package.target(name)
        for dependency in named.dependencies if named and name in subject.roles else ():
            if dependency not in reached and may_import(name, dependency, subject.roles):
                reached[dependency] = name
                waiting.append(dependency)
    return reached


def allowance(subject: Subject, target: str) -> str:
    """What a target may import, in words."""
    rule = subject.roles[target].rule
    article = "an" if rule.kind[0] in "aeiou" else "a"
    kind = {"testing": "a Testing target", "tests": "a test target", "composition": "a composition root"}.get(
        rule.kind, f"{article} {rule.kind}"
    )
    return f"{kind} may import {_listed(rule.may_import) or 'no other target'}."


def remedy(subject: Subject, importing: str, imported: str) -> str:
    """What to do instead of importing a target."""
    if subject.kind(imported) in ("implementation", "testing"):
        role = subject.roles[imported]
        interface = next(
            (each.name for each in subject.of_kind("interface") if subject.module(each) == role.module), ""
        )
        if interface and may_import(importing, interface, subject.roles):
            return f"Use {interface} instead, and let the composition root register the implementation."
    if subject.kind(importing) == "interface":
        return "Declare in this interface what it needs, and let the composition root adapt the other module to it."
    return f"Do without {imported}: move what is needed into an interface."


def _listed(words: tuple[str, ...]) -> str:
    plural = {"interface": "interfaces", "implementation": "implementations", "testing": "Testing targets"}
    plural |= {"tests": "test targets", "composition": "composition roots"}
    own = {f"own {kind}": f"its own {words}" for kind, words in plural.items()} | {"own interface": "its own interface"}
    return ", ".join({**plural, **own}.get(word, word) for word in words)


RULES = (
    Rule("edge", "the manifest draws no edge that the dependency rule forbids", allowed_edges),
    Rule("named-interface", "a target names every interface that it reaches in the manifest", named_interfaces),
)
