"""An interface is a namespace with its API in `extension` blocks, has no behaviour of its own, and is not empty."""

from __future__ import annotations

from collections.abc import Iterator

from boundaries.declarations import Declaration, is_api, with_owners
from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.sources import SwiftFile
from boundaries.subject import MANIFEST, Subject
from buildspeed.package_graph import Target


def in_namespace(subject: Subject) -> Iterator[Finding]:
    for target in _with_namespace(subject):
        namespaces = _namespaces(subject, target)
        names = {declaration.name for _, declaration in namespaces}
        for file, declaration in namespaces[1:]:
            yield Finding(
                file.path,
                declaration.line,
                "interface-namespace",
                f"{target.name} has a second namespace, {declaration.name}, besides {namespaces[0][1].name}.",
                f"Put its API into 'extension {namespaces[0][1].name}' blocks, or make it a module of its own.",
            )
        yield from _outside(subject, target, names)


def _outside(subject: Subject, target: Target, namespaces: set[str]) -> Iterator[Finding]:
    namespace = min(namespaces, default=f"{subject.module(target) or target.name}")
    types = [
        (declaration.name, is_api(declaration, owners))
        for file in subject.files(target)
        for declaration, owners in with_owners(file.declarations)
        if declaration.is_type
    ]
    # What their extensions call public is not, and fulfils a protocol.
    hidden = {name for name, _ in types} - {name for name, is_public in types if is_public}
    for file in subject.files(target):
        for declaration, owners in with_owners(file.declarations):
            if declaration.kind == "extension" or not is_api(declaration, owners):
                continue
            if any(owner.name.rpartition(".")[2] in hidden for owner in owners):
                continue
            if not _is_inside(declaration, owners, namespaces):
                where = f"in '{owners[0].kind} {owners[0].name}'" if owners else "at top level"
                yield Finding(
                    file.path,
                    declaration.line,
                    "interface-namespace",
                    f"{declaration.title} is public {where} of {target.name}: adding to it compiles every file again "
                    "that uses anything of the module.",
                    f"Move it into an 'extension {namespace} {{ … }}' block.",
                )


def _is_inside(declaration: Declaration, owners: tuple[Declaration, ...], namespaces: set[str]) -> bool:
    """Whether a declaration stands in an `extension` block of a namespace, or in a type, which is looked at itself."""
    if not owners:
        return declaration.name in namespaces
    outermost = owners[0]
    if outermost.kind == "extension":
        return len(owners) > 1 or outermost.name.partition(".")[0] in namespaces
    return len(owners) > 1 or outermost.name not in namespaces


def without_behaviour(subject: Subject) -> Iterator[Finding]:
    for target in _with_namespace(subject):
        classes: set[str] = set()
        for file in subject.files(target):
            classes |= {each.name for each, _ in with_owners(file.declarations) if each.kind in ("class", "actor")}
        for file in subject.files(target):
            for declaration, owners in with_owners(file.declarations):
                owner = owners[-1] if owners else None
                if owner is None or not _is_behaviour(declaration):
                    continue
                if owner.kind in ("class", "actor") or (
                    owner.kind == "extension" and owner.name.rpartition(".")[2] in classes
                ):
                    yield Finding(
                        file.path,
                        declaration.line,
                        "interface-behaviour",
                        f"{declaration.title} is behaviour of the class {owner.name} in {target.name}: users could not "
                        "have it replaced, and wait for it to compile.",
                        "Declare a protocol here, and move the class to an implementation.",
                    )


def not_empty(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("interface"):
        namespaces = {declaration.name for _, declaration in _namespaces(subject, target)}
        has_api = any(
            is_api(declaration, owners) and (owners or declaration.name not in namespaces)
            for file in subject.files(target)
            for declaration, owners in with_owners(file.declarations)
            if declaration.kind != "extension"
        )
        if not has_api and not any(file.problem for file in subject.files(target)):
            path = target.sources[0] if target.sources else MANIFEST
            yield Finding(
                path,
                1 if target.sources else subject.manifest_line(target.name),
                "interface-empty",
                f"{target.name} declares nothing that another module could use.",
                "Declare a route or a protocol here, or remove the target: nobody needs to depend on it.",
            )


def _with_namespace(subject: Subject) -> list[Target]:
    return [
        target
        for target in subject.of_kind("interface")
        if target.name not in subject.roles[target.name].rule.vocabulary
    ]


def _namespaces(subject: Subject, target: Target) -> list[tuple[SwiftFile, Declaration]]:
    """Public `enum`s at top level that have no cases: names to stand under."""
    return [
        (file, declaration)
        for file in subject.files(target)
        for declaration in file.declarations
        if declaration.kind == "enum"
        and declaration.is_public
        and not any(member.kind == "case" for member in declaration.members)
    ]


def _is_behaviour(declaration: Declaration) -> bool:
    return declaration.kind in ("func", "subscript", "var", "deinit") and declaration.has_body


RULES = (
    Rule("interface-namespace", "an interface's API stands in 'extension' blocks of its one namespace", in_namespace),
    Rule("interface-behaviour", "no class of an interface carries behaviour", without_behaviour),
    Rule("interface-empty", "an interface declares something", not_empty),
)
