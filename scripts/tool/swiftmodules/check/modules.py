"""Rules for modules: each says what it is, others can test with its fakes, it has tests, and its routes are handled."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.swiftpm.config import Kind
from swiftmodules.swiftpm.declarations import Declaration, Owners, is_api, path
from swiftmodules.swiftpm.package import Target
from swiftmodules.swiftpm.syntax import SourceFile


def _have_readmes(subject: Subject) -> Iterator[Finding]:
    rule = subject.config.modules
    for module, interface in _modules(subject):
        readme = interface.folder.parent / (rule.readme if rule else "README.md")
        if not (subject.folder / readme).is_file() or not subject.text(readme).strip():
            yield Finding(
                readme,
                1,
                "module-readme",
                f"the module {module} does not say what it is.",
                f"Write {readme}: what the module is for, and what its interface offers.",
            )


def _have_fakes(subject: Subject) -> Iterator[Finding]:
    if subject.config.modules and subject.config.modules.fakes:
        for module, interface, targets in _without(subject, "testing", is_api):
            message = f"the module {module} has no fakes: tests of others cannot do without its implementation."
            fix = "Declare a public fake of each protocol of the interface in its Testing target."
            yield _missing(subject, "module-fakes", interface, targets, message, fix)


def _have_tests(subject: Subject) -> Iterator[Finding]:
    if subject.config.modules and subject.config.modules.tests:
        for module, interface, targets in _without(subject, "tests", _is_test):
            message, fix = f"the module {module} has no tests.", "Add a test target for it, with a '@Test' function."
            yield _missing(subject, "module-tests", interface, targets, message, fix)


def _modules(subject: Subject) -> Iterator[tuple[str, Target]]:
    for interface in subject.of_kind("interface") if subject.config.modules else ():
        module = subject.module(interface.name)
        if module:
            yield module, interface


def _without(
    subject: Subject, kind: Kind, counts: Callable[[Declaration, Owners], bool]
) -> Iterator[tuple[str, Target, list[Target]]]:
    """The modules whose targets of a kind have no declaration that counts, with their interfaces and these targets."""
    for module, interface in _modules(subject):
        targets = [target for target in subject.of_kind(kind) if subject.module(target.name) == module]
        if not any(counts(each, owners) for _, each, owners in subject.declarations(targets)):
            yield module, interface, targets


def _is_test(declaration: Declaration, owners: Owners) -> bool:
    if declaration.kind != "func":
        return False
    is_xctest = declaration.name.startswith("test") and any(owner.kind in ("class", "extension") for owner in owners)
    return "Test" in declaration.attributes or "Testing.Test" in declaration.attributes or is_xctest


def _missing(subject: Subject, rule: str, interface: Target, targets: list[Target], message: str, fix: str) -> Finding:
    """A finding in the target that has nothing, or in the manifest where there is no such target."""
    if targets and targets[0].sources:
        return Finding(targets[0].sources[0], 1, rule, message, fix)
    return subject.in_manifest(rule, interface.name, None, message, fix)


def _handle_their_routes(subject: Subject) -> Iterator[Finding]:
    """Compares the routes that interfaces declare with those that the program says it handles."""
    rule = subject.config.routes
    declared = list(_routes(subject, rule.protocol)) if rule else []
    if rule is None or not declared:
        return
    words = " ".join(rule.command)
    result = subprocess.run(rule.command, cwd=subject.folder, env=os.environ, capture_output=True)
    try:
        handled = set(_named(json.loads(result.stdout), rule.name)) if result.returncode == 0 else None
        problem = f"ended with {result.returncode}:\n{result.stderr.decode(errors='replace').strip()[-2000:]}"
    except ValueError as error:
        handled, problem = None, f"printed no JSON: {error}."
    if handled is None:
        message = f"'{words}' is to print the routes that have a handler, but {problem}"
        fix = "Correct the program, or the command in the configuration's [routes]."
        yield Finding(subject.package.manifest, 1, "route-handler", message, fix)
        return
    for file, declaration, name in declared:
        if not any(_means_the_same(name, other) for other in handled):
            yield Finding(
                file.path,
                declaration.line,
                "route-handler",
                f"nothing registers a handler for the route {name}, so opening it fails: '{words}' does not list it.",
                "Register a handler for it in the module entry, or remove the route.",
            )


def _routes(subject: Subject, protocol: str) -> Iterator[tuple[SourceFile, Declaration, str]]:
    """Types in interfaces that conform to the protocol, or to one there that refines it, with their full names."""
    declared = [
        (file, each, path(each, owners)) for file, each, owners in subject.declarations(subject.of_kind("interface"))
    ]
    protocols = {protocol}
    size = 0
    while size < len(protocols):
        size = len(protocols)
        protocols |= {each.name for _, each, _ in declared if each.kind == "protocol" and each.inherits_any(protocols)}
    seen: set[str] = set()
    for file, declaration, name in declared:
        is_type = declaration.is_type and declaration.kind != "protocol"
        if (is_type or declaration.kind == "extension") and declaration.inherits_any(protocols) and name not in seen:
            seen.add(name)
            yield file, declaration, name


def _named(value: Any, name: str) -> Iterator[str]:  # noqa: ANN401
    """The texts of all fields of a name, and the texts of a plain list."""
    if isinstance(value, list):
        for each in value:
            yield from [each] if isinstance(each, str) else _named(each, name)
    elif isinstance(value, dict):
        for field, each in value.items():
            if field == name and isinstance(each, str):
                yield each
            elif isinstance(each, dict) or (isinstance(each, list) and not all(isinstance(one, str) for one in each)):
                yield from _named(each, name)


def _means_the_same(one: str, other: str) -> bool:
    """Whether two names end alike: one may leave out its namespace, or name the target as well."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


RULES = (
    Rule("module-readme", "every module has a README", _have_readmes),
    Rule("module-fakes", "every module has a Testing target with a public declaration", _have_fakes),
    Rule("module-tests", "every module has a test", _have_tests),
    Rule(
        "route-handler",
        "every route of an interface has a handler, as the built program lists them",
        _handle_their_routes,
        needs_build=True,
    ),
)
