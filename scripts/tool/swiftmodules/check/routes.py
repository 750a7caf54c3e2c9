"""The rule for routes: the program handles each one that an interface declares."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

from swiftmodules.check.subject import Finding, Subject, rule
from swiftmodules.swiftpm.config import Routes
from swiftmodules.swiftpm.reader import Declaration, SourceFile, path


@rule(
    "route-handler", "every route of an interface has a handler, as the program lists them", "routes", needs_build=True
)
def handles_its_routes(subject: Subject) -> Iterator[Finding]:
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
        yield Finding(subject.package.manifest, 1, message, fix)
        return
    for file, declaration, name in declared:
        # One may leave out its namespace, or also name the target.
        if not any(f".{name}".endswith(f".{each}") or f".{each}".endswith(f".{name}") for each in handled):
            message = (
                f"nothing registers a handler for the route {name}, so opening it fails: '{words}' does not list it."
            )
            fix = "Register a handler for it in the module entry, or remove the route."
            yield Finding(file.path, file.line_of(declaration), message, fix)


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
