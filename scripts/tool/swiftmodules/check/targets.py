"""Rules for the manifest: which targets there are, how they depend on one another, and their settings."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import pairwise

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.swiftpm.modules import matches, may_import
from swiftmodules.swiftpm.package import Target


def _have_kinds(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets if subject.config.targets else ():
        if target.name not in subject.roles:
            yield subject.in_manifest(
                "target-kind",
                target.name,
                None,
                f"{target.name} is no interface, implementation, fakes, tests or composition root by its name, "
                "so its imports cannot be checked.",
                "Name it after its module and what it is, or add its name to the configuration.",
            )


def _draw_allowed_edges(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        if target.name not in subject.roles:
            continue
        for dependency in target.dependencies:
            named = subject.package.target(dependency)
            if named and named.is_importable and not may_import(target.name, dependency, subject.roles):
                yield subject.in_manifest(
                    "edge",
                    target.name,
                    dependency,
                    f"{target.name} depends on {dependency}; {allowance(subject, target.name)}",
                    remedy(subject, target.name, dependency),
                )
        yield from _local_packages(subject, target)


def _local_packages(subject: Subject, target: Target) -> Iterator[Finding]:
    """What an interface takes from a local package is code of ours that no rule looks at."""
    rule = subject.roles[target.name].rule
    if rule.kind != "interface" or rule.may_import is None:
        return
    local = subject.package.local_packages
    for product, package in target.products:
        is_local = package.lower() in local if package else len(local) == len(subject.package.dependencies)
        if is_local and not matches(product, rule.may_import):
            yield subject.in_manifest(
                "edge",
                target.name,
                product,
                f"{target.name} depends on {product} of a local package; {allowance(subject, target.name)}",
                "Declare in this interface what it needs, or name the product in 'may_import'.",
            )


def _name_reached_interfaces(subject: Subject) -> Iterator[Finding]:
    """SwiftPM recompiles a target when a module that it names has changed, and not for one that it only reaches.

    Interfaces hold the types that others store, so their layouts travel. An edge that is forbidden is found already.
    """
    for target in subject.package.targets:
        for interface, through in _reached(subject, target).items():
            if subject.kind(interface) == "interface" and interface not in target.dependencies:
                yield subject.in_manifest(
                    "named-interface",
                    target.name,
                    None,
                    f"{target.name} reaches {interface} through {through} without naming it; when a struct there gets "
                    f"another stored property, SwiftPM leaves {target.name} as it is, and the program is wrong.",
                    f"Add {interface} to the dependencies of {target.name}.",
                )


def _reached(subject: Subject, target: Target) -> dict[str, str]:
    """The targets that a target reaches by edges that the dependency rule allows, each with one that names it."""

    def is_allowed(name: str, dependency: str) -> bool:
        return name in subject.roles and may_import(name, dependency, subject.roles)

    return _below(subject, target, is_allowed)


def _below(
    subject: Subject, target: Target, counts: Callable[[str, str], bool] = lambda name, dependency: True
) -> dict[str, str]:
    """The targets that a target reaches by edges that count, each with one that names it."""
    reached: dict[str, str] = {}
    waiting = [target]
    while waiting:
        current = waiting.pop()
        for name in current.dependencies:
            dependency = subject.package.target(name)
            if name not in reached and counts(current.name, name):
                reached[name] = current.name
                waiting += [dependency] if dependency else []
    return reached


def _use_every_edge(subject: Subject) -> Iterator[Finding]:
    """An interface that is reached anyway has to be named, and the vocabulary may be by every target."""
    for target in subject.package.targets:
        files = subject.files(target)
        if subject.is_test(target) or not files or any(file.problem for file in files):
            continue
        imported = {each.module for file in files for each in file.imports}
        for name in target.dependencies:
            dependency = subject.package.target(name)
            # Programs, macros and plugins are needed without an import.
            if dependency is None or dependency.kind != "library" or dependency.imported_as in imported:
                continue
            is_interface = subject.kind(name) == "interface"
            others = [each for each in target.dependencies if each != name]
            reached = {
                each for other in others if (named := subject.package.target(other)) for each in _below(subject, named)
            }
            if subject.is_vocabulary(name) or (is_interface and name in reached):
                continue
            yield subject.in_manifest(
                "unused-edge",
                target.name,
                name,
                f"{target.name} depends on {name}, and none of its sources imports it.",
                "Remove the dependency from the manifest.",
            )


def _use_one_way(subject: Subject) -> Iterator[Finding]:
    """Two modules that use one another, or several in a circle, are one module. Reported once, on its first edge."""
    uses: dict[str, dict[str, tuple[str, str]]] = {}
    for target in subject.of_kind("interface", "implementation", "testing"):
        module = subject.module(target.name)
        for dependency in target.dependencies:
            used = subject.module(dependency)
            if module and used and module != used and not subject.is_vocabulary(dependency):
                uses.setdefault(module, {}).setdefault(used, (target.name, dependency))
    reported: set[frozenset[str]] = set()
    for module in sorted(uses):
        circle = _shortest_circle(module, uses)
        if circle and frozenset(circle) not in reported:
            reported.add(frozenset(circle))
            edges = [uses[one][other] for one, other in pairwise(circle)]
            listed = ", ".join(f"{importing} depends on {imported}" for importing, imported in edges)
            yield subject.in_manifest(
                "mutual-use",
                *edges[0],
                f"the modules {' → '.join(circle)} use one another: {listed}. None can be built or understood alone.",
                "Move what both need into one of them or a third, or let the composition root connect them.",
            )


def _shortest_circle(start: str, uses: dict[str, dict[str, tuple[str, str]]]) -> list[str] | None:
    paths = [[start]]
    seen: set[str] = set()
    while paths:
        path = paths.pop(0)
        for used in sorted(uses.get(path[-1], ())):
            if used == start:
                return [*path, used]
            if used not in seen:
                seen.add(used)
                paths.append([*path, used])
    return None


def _switch_features_on(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        missing = [each for each in subject.config.code.features if not _is_on(each, target)]
        if missing:
            yield subject.in_manifest(
                "features",
                target.name,
                None,
                f"{target.name} does not switch on {', '.join(missing)}, which every target has to.",
                f"Add '.enableUpcomingFeature(\"{missing[0]}\")' to its swiftSettings.",
            )


def _is_on(feature: str, target: Target) -> bool:
    """Whether a target switches a feature on for every platform and configuration, and not off again."""
    on = {"enableUpcomingFeature": {"_0": feature}}
    flags = [flag for each in target.settings for flag in each["kind"].get("unsafeFlags", {}).get("_0", ())]
    is_off_again = any(one == "-disable-upcoming-feature" and other == feature for one, other in pairwise(flags))
    return not is_off_again and any(each["kind"] == on and not each.get("condition") for each in target.settings)


def allowance(subject: Subject, target: str) -> str:
    """The targets that a target may import, in words."""
    rule = subject.roles[target].rule
    article = "an" if rule.kind[0] in "aeiou" else "a"
    kind = {"testing": "a Testing target", "tests": "a test target", "composition": "a composition root"}.get(
        rule.kind, f"{article} {rule.kind}"
    )
    return f"{kind} may import {_listed(rule.may_import or ()) or 'no other target'}."


def remedy(subject: Subject, importing: str, imported: str) -> str:
    """What to do instead of importing a target."""
    if subject.kind(imported) == "testing" and subject.kind(importing) in ("composition", "implementation"):
        return f"Fakes are for tests: use the implementation that {imported} stands in for, or move this into a test."
    if subject.kind(imported) in ("implementation", "testing"):
        role = subject.roles[imported]
        interface = next(
            (each.name for each in subject.of_kind("interface") if subject.module(each.name) == role.module), ""
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
    Rule("target-kind", "every target is of a kind that the configuration names", _have_kinds),
    Rule("edge", "the manifest draws no edge that the dependency rule forbids", _draw_allowed_edges),
    Rule("named-interface", "a target names every interface that it reaches in the manifest", _name_reached_interfaces),
    Rule("unused-edge", "a target imports what it depends on", _use_every_edge),
    Rule("mutual-use", "no two modules use one another", _use_one_way),
    Rule(
        "features", "every target switches on the upcoming features that the configuration names", _switch_features_on
    ),
)
