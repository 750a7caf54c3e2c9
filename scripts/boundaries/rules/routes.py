"""Every route that an interface declares has a handler, which an implementation or the composition root registers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from boundaries.declarations import Declaration, with_owners
from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.sources import SwiftFile
from boundaries.subject import Subject


def handled(subject: Subject) -> Iterator[Finding]:
    rule = subject.configuration.routes
    if rule is None:
        return
    registered = _registered(subject, set(rule.registered_by))
    for file, declaration, name in _routes(subject, rule.protocol):
        if not any(_means_the_same(name, other) for other in registered):
            yield Finding(
                file.path,
                declaration.line,
                "route-handler",
                f"nothing registers a handler for the route {name}, so opening it fails.",
                f"Write 'registrar.{rule.registered_by[0]}({name}.self, by: …)' in the module entry, or remove the "
                "route.",
            )


def _routes(subject: Subject, protocol: str) -> Iterator[tuple[SwiftFile, Declaration, str]]:
    """Types in interfaces that conform to the protocol, or to one there that refines it, with their full names."""
    declared = [
        (file, declaration, ".".join([*(owner.name for owner in owners), declaration.name]))
        for target in subject.of_kind("interface")
        for file in subject.files(target)
        for declaration, owners in with_owners(file.declarations)
    ]
    protocols = {protocol}
    size = 0
    while size < len(protocols):
        size = len(protocols)
        protocols |= {
            each.name for _, each, _ in declared if each.kind == "protocol" and protocols & set(each.inherits)
        }
    seen: set[str] = set()
    for file, declaration, name in declared:
        is_type = declaration.is_type and declaration.kind != "protocol"
        if (is_type or declaration.kind == "extension") and protocols & set(declaration.inherits) and name not in seen:
            seen.add(name)
            yield file, declaration, name


def _registered(subject: Subject, methods: set[str]) -> set[str]:
    """The `X` of every call such as `registrar.route(X.self, …)`."""
    return {
        name
        for target in subject.of_kind("implementation", "composition")
        for file in subject.files(target)
        for name in _registrations(file.syntax, methods)
    }


def _registrations(node: Any, methods: set[str]) -> Iterator[str]:  # noqa: ANN401
    if isinstance(node, list):
        for each in node:
            yield from _registrations(each, methods)
    elif isinstance(node, dict):
        if node.get("_kind") == "call_expr" and node.get("fn", {}).get("field") in methods:
            arguments = node.get("args", {}).get("args", [])
            first = arguments[0].get("expr", {}) if arguments else {}
            name = _path(first.get("sub_expr", {})) if first.get("_kind") == "dot_self_expr" else None
            if name:
                yield name
        for value in node.values():
            if isinstance(value, (dict, list)):
                yield from _registrations(value, methods)


def _path(expression: dict[str, Any]) -> str | None:
    """`Profile.Overview`, from the expressions that it is made of."""
    if expression.get("_kind") == "unresolved_decl_ref_expr":
        return expression.get("name")
    base = _path(expression.get("base", {})) if expression.get("_kind") == "unresolved_dot_expr" else None
    return f"{base}.{expression['field']}" if base else None


def _means_the_same(one: str, other: str) -> bool:
    """Whether two names end alike: one may leave out its namespace, or name the target as well."""
    return one == other or one.endswith(f".{other}") or other.endswith(f".{one}")


RULES = (Rule("route-handler", "every route of an interface has a handler", handled),)
