"""Rules for modules: each has a README, others can test with its fakes, it has tests, and its routes are handled."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

from swiftmodules.check.subject import Problem, Subject, rule
from swiftmodules.swiftpm.config import Kind, Routes
from swiftmodules.swiftpm.declarations import Declaration, Owners, is_api, path
from swiftmodules.swiftpm.package import Target
from swiftmodules.swiftpm.syntax import SourceFile


@rule("module-readme", "every module has a README", "modules")
def has_readme(subject: Subject) -> Iterator[Problem]:
    wanted = subject.config.modules
    for module, interface in _modules(subject):
        readme = interface.folder.parent / (wanted.readme if wanted else "")
        file = subject.folder / readme
        if not file.is_file() or not file.read_bytes().strip():
            fix = f"Write {readme}: what the module is for, and what its interface offers."
            yield Problem(readme, 1, f"the module {module} does not say what it is.", fix)


@rule("module-fakes", "every module has a Testing target with a public declaration", "modules")
def has_fakes(subject: Subject) -> Iterator[Problem]:
    if subject.config.modules and subject.config.modules.fakes:
        message = "has no fakes: tests of other modules need its implementation."
        fix = "Declare a public fake of each protocol of the interface in its Testing target."
        yield from _without(subject, "testing", is_api, message, fix)


@rule("module-tests", "every module has a test", "modules")
def has_tests(subject: Subject) -> Iterator[Problem]:
    if subject.config.modules and subject.config.modules.tests:
        fix = "Add a test target for it, with a '@Test' function."
        yield from _without(subject, "tests", _is_test, "has no tests.", fix)


def _modules(subject: Subject) -> Iterator[tuple[str, Target]]:
    for interface in subject.of_kind("interface") if subject.config.modules else ():
        module = subject.module(interface.name)
        if module:
            yield module, interface


def _without(
    subject: Subject, kind: Kind, counts: Callable[[Declaration, Owners], bool], message: str, fix: str
) -> Iterator[Problem]:
    """A problem for each module whose targets of a kind have no declaration that counts: in the first of these targets,
    or in the manifest where there is no such target."""
    for module, interface in _modules(subject):
        targets = [target for target in subject.of_kind(kind) if subject.module(target.name) == module]
        if not any(counts(each, owners) for _, each, owners in subject.declarations(targets)):
            problem = f"the module {module} {message}"
            named = subject.in_manifest(interface.name, None, problem, fix)
            yield subject.in_target(targets[0], problem, fix) if targets else named


def _is_test(declaration: Declaration, owners: Owners) -> bool:
    is_in_class = any(owner.kind in ("class", "extension") for owner in owners)
    is_marked = not {"Test", "Testing.Test"}.isdisjoint(declaration.attributes)
    return declaration.kind == "func" and (is_marked or (is_in_class and declaration.name.startswith("test")))


@rule(
    "route-handler", "every route of an interface has a handler, as the program lists them", "routes", needs_build=True
)
def handles_its_routes(subject: Subject) -> Iterator[Problem]:
    """Compares the routes that interfaces declare with those that the program lists."""
    routes = subject.config.routes
    declared = list(_routes(subject, routes.protocol)) if routes else []
    if routes is None or not declared:
        return
    words = " ".join(routes.command)
    handled = _handled(subject, routes)
    if isinstance(handled, str):
        message = f"'{words}' should print the routes that have a handler, but {handled}"
        fix = "Correct the program, or the command in the configuration's [routes]."
        yield Problem(subject.package.manifest, 1, message, fix)
        return
    for file, declaration, name in declared:
        # One may leave out its namespace, or also name the target.
        if not any(f".{name}".endswith(f".{each}") or f".{each}".endswith(f".{name}") for each in handled):
            message = (
                f"nothing registers a handler for the route {name}, so opening it fails: '{words}' does not list it."
            )
            fix = "Register a handler for it in the module entry, or remove the route."
            yield Problem(file.path, declaration.line, message, fix)


def _handled(subject: Subject, routes: Routes) -> set[str] | str:
    """The routes that the program lists, or why that is not known."""
    print(f"{' '.join(routes.command)} ...", file=sys.stderr)
    result = subprocess.run(routes.command, cwd=subject.folder, env=os.environ, capture_output=True)
    if result.returncode != 0:
        return f"ended with {result.returncode}:\n{result.stderr.decode(errors='replace').strip()[-2000:]}"
    try:
        listed = json.loads(result.stdout)
    except ValueError as error:
        return f"printed no JSON: {error}."
    # A plain list of names works too.
    names = listed if isinstance(listed, list) else []
    return {*_named(listed, routes.name), *(each for each in names if isinstance(each, str))}


def _routes(subject: Subject, protocol: str) -> Iterator[tuple[SourceFile, Declaration, str]]:
    """Types in interfaces that conform to the protocol, or to one there that refines it, with their full names."""
    declared = list(subject.declarations(subject.of_kind("interface")))
    protocols = {protocol}
    size = 0
    while size < len(protocols):
        size = len(protocols)
        protocols |= {each.name for _, each, _ in declared if each.kind == "protocol" and each.inherits_any(protocols)}
    seen: set[str] = set()
    for file, declaration, owners in declared:
        name = path(declaration, owners)
        is_type = (declaration.is_type and declaration.kind != "protocol") or declaration.kind == "extension"
        if is_type and declaration.inherits_any(protocols) and name not in seen:
            seen.add(name)
            yield file, declaration, name


def _named(value: Any, name: str) -> Iterator[str]:  # noqa: ANN401
    """The texts of all fields of a name."""
    if isinstance(value, list):
        for each in value:
            yield from _named(each, name)
    elif isinstance(value, dict):
        for field, each in value.items():
            yield from [each] if field == name and isinstance(each, str) else _named(each, name)
