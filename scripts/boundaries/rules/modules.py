"""A module is whole: it says what it is, others can test with its fakes, and it has tests itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from boundaries.configuration import Kind
from boundaries.declarations import Declaration, is_api, with_owners
from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.subject import MANIFEST, Subject
from buildspeed.package_graph import Target


def has_readme(subject: Subject) -> Iterator[Finding]:
    rule = subject.configuration.modules
    for module, interface in _modules(subject):
        if rule is None:
            return
        readme = interface.folder.parent / rule.readme
        file = subject.folder / readme
        if not file.is_file() or not file.read_text(encoding="utf-8", errors="replace").strip():
            yield Finding(
                readme,
                1,
                "module-readme",
                f"the module {module} does not say what it is.",
                f"Write {readme}: what the module is for, and what its interface offers.",
            )


def has_fakes(subject: Subject) -> Iterator[Finding]:
    for module, interface, targets in _without(subject, "testing", is_api):
        message = f"the module {module} has no fakes: tests of others cannot do without its implementation."
        fix = "Declare a public fake of each protocol of the interface in its Testing target."
        yield _missing(subject, "module-fakes", interface, targets, message, fix)


def has_tests(subject: Subject) -> Iterator[Finding]:
    for module, interface, targets in _without(subject, "tests", _is_test):
        message, fix = f"the module {module} has no tests.", "Add a test target for it, with a '@Test' function."
        yield _missing(subject, "module-tests", interface, targets, message, fix)


def _modules(subject: Subject) -> Iterator[tuple[str, Target]]:
    if subject.configuration.modules is None:
        return
    for interface in subject.of_kind("interface"):
        module = subject.module(interface)
        if module:
            yield module, interface


def _without(
    subject: Subject, kind: Kind, counts: Callable[[Declaration, tuple[Declaration, ...]], bool]
) -> Iterator[tuple[str, Target, list[Target]]]:
    """The modules whose targets of a kind have no declaration that counts, with their interfaces and these targets."""
    for module, interface in _modules(subject):
        targets = [target for target in subject.of_kind(kind) if subject.module(target) == module]
        if not any(counts(each, owners) for target in targets for each, owners in _declarations(subject, target)):
            yield module, interface, targets


def _declarations(subject: Subject, target: Target) -> Iterator[tuple[Declaration, tuple[Declaration, ...]]]:
    for file in subject.files(target):
        yield from with_owners(file.declarations)


def _is_test(declaration: Declaration, owners: tuple[Declaration, ...]) -> bool:
    if declaration.kind != "func":
        return False
    is_xctest = declaration.name.startswith("test") and any(owner.kind in ("class", "extension") for owner in owners)
    return "Test" in declaration.attributes or "Testing.Test" in declaration.attributes or is_xctest


def _missing(subject: Subject, rule: str, interface: Target, targets: list[Target], message: str, fix: str) -> Finding:
    """A finding in the target that has nothing, or in the manifest where there is no such target."""
    if targets and targets[0].sources:
        return Finding(targets[0].sources[0], 1, rule, message, fix)
    return Finding(MANIFEST, subject.manifest_line(interface.name), rule, message, fix)


RULES = (
    Rule("module-readme", "every module has a README", has_readme),
    Rule("module-fakes", "every module has a Testing target with a public declaration", has_fakes),
    Rule("module-tests", "every module has a test", has_tests),
)
