"""Rules for the manifest: which targets there are, and how they depend on one another."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from swiftmodules.check.subject import Finding, Subject, rule
from swiftmodules.closure import reached

# The names of a target of each kind, and of several of them.
_NOUNS = {
    "interface": ("an interface", "interfaces"),
    "implementation": ("an implementation", "implementations"),
    "testing": ("a Testing target", "Testing targets"),
    "tests": ("a test target", "test targets"),
    "composition": ("a composition root", "composition roots"),
    "other": ("this target", "other targets"),
}
_ALLOWED = {kind: several for kind, (_, several) in _NOUNS.items()}
_ALLOWED |= {f"own {kind}": f"its own {several}" for kind, several in _ALLOWED.items()}
_ALLOWED["own interface"] = "its own interface"


@rule("target-kind", "every target is of a kind that the configuration names")
def has_kind(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets if subject.config.targets else ():
        if target.name not in subject.package.roles:
            message = (
                f"{target.name} is not named as an interface, implementation, fakes, tests or composition root, so its "
                "imports cannot be checked."
            )
            fix = "Name it after its module and its kind, or add its name to the configuration."
            yield subject.in_manifest(target.name, None, message, fix)


@rule("edge", "no target depends on one that the dependency rule forbids")
def draws_allowed_edges(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        if target.name not in subject.package.roles:
            continue
        for dependency in target.dependencies:
            named = subject.package.target(dependency)
            if named and named.is_importable and not subject.package.may_import(target.name, dependency):
                message = f"{target.name} depends on {dependency}; {allowance(subject, target.name)}"
                fix = remedy(subject, target.name, dependency)
                yield subject.in_manifest(target.name, dependency, message, fix)


@rule("named-interface", "a target names every interface that it reaches in the manifest")
def names_reached_interfaces(subject: Subject) -> Iterator[Finding]:
    """SwiftPM recompiles a target when a module that it names has changed, and not for one that it only reaches.

    Interfaces hold the types that others store, so their layouts travel. An edge that is forbidden is found already.
    """

    def allowed(name: str) -> Iterator[str]:
        for dependency in subject.package.dependencies_of(name) if name in subject.package.roles else ():
            if subject.package.may_import(name, dependency):
                yield dependency

    for target in subject.package.targets:
        for interface, through in reached([target.name], allowed).items():
            if through and subject.package.kind(interface) == "interface" and interface not in target.dependencies:
                message = (
                    f"{target.name} reaches {interface} through {through} without naming it; when a struct there gets "
                    f"another stored property, SwiftPM does not recompile {target.name}, and the program is wrong."
                )
                fix = f"Add {interface} to the dependencies of {target.name}."
                yield subject.in_manifest(target.name, None, message, fix)


@rule("mutual-use", "no two modules use one another")
def uses_one_way(subject: Subject) -> Iterator[Finding]:
    """Two modules that use one another, or several in a circle, are one module. Reported once, on its first edge."""
    uses: dict[str, dict[str, tuple[str, str]]] = {}
    for target in subject.of_kind("interface", "implementation", "testing"):
        module = subject.package.module(target.name)
        for dependency in target.dependencies:
            used = subject.package.module(dependency)
            if module and used and module != used and not subject.is_vocabulary(dependency):
                uses.setdefault(module, {}).setdefault(used, (target.name, dependency))
    reported: set[frozenset[str]] = set()
    for module in sorted(uses):
        circle = _shortest_circle(module, uses)
        if circle and frozenset(circle) not in reported:
            reported.add(frozenset(circle))
            edges = [uses[one][other] for one, other in pairwise(circle)]
            listed = ", ".join(f"{importing} depends on {imported}" for importing, imported in edges)
            message = (
                f"the modules {' → '.join(circle)} use one another: {listed}. None can be built or understood alone."
            )
            fix = "Move what both need into one of them or a third, or let the composition root connect them."
            yield subject.in_manifest(*edges[0], message, fix)


def _shortest_circle(start: str, uses: dict[str, dict[str, tuple[str, str]]]) -> list[str] | None:
    """The modules from one back to itself, where it reaches itself."""
    found = reached([start], lambda module: sorted(uses.get(module, ())))
    last: str | None = next((module for module in found if start in uses.get(module, ())), None)
    circle = [start]
    while last is not None:
        circle.append(last)
        last = found[last]
    return circle[::-1] if len(circle) > 1 else None


def allowance(subject: Subject, target: str) -> str:
    """The targets that a target may import, in words."""
    role = subject.package.roles[target]
    allowed = [
        _ALLOWED.get(word, f"targets named '{word}'" if "*" in word else word) for word in role.rule.may_import or ()
    ]
    return f"{_NOUNS[role.kind][0]} may import {', '.join(allowed) or 'no other target'}."


def remedy(subject: Subject, importing: str, imported: str) -> str:
    """Suggests what to do instead of importing a target."""
    package = subject.package
    kind, imported_kind = package.kind(importing), package.kind(imported)
    if imported_kind == "testing" and kind in ("composition", "implementation"):
        return f"Fakes are for tests: use the implementation that {imported} stands in for, or move this into a test."
    if imported_kind in ("implementation", "testing"):
        for interface in subject.of_kind("interface"):
            is_its_own = package.module(interface.name) == package.module(imported)
            if is_its_own and package.may_import(importing, interface.name):
                return f"Use {interface.name} instead, and let the composition root register the implementation."
    if kind == "interface":
        return "Declare in this interface what it needs, and let the composition root adapt the other module to it."
    return f"Do without {imported}: move what is needed into an interface."
