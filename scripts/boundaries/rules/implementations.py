"""An implementation shows its module entry to others, and nothing else; it changes no type that is not its own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from boundaries.declarations import Declaration, effective_access, with_owners
from boundaries.findings import Finding
from boundaries.rules.rule import Rule
from boundaries.sources import SwiftFile
from boundaries.subject import Subject
from boundaries.target_kinds import matches
from buildspeed.package_graph import Target


def only_entry_is_public(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("implementation"):
        rule = subject.roles[target.name].rule
        declared = {
            each.name for file in subject.files(target) for each, _ in with_owners(file.declarations) if each.is_type
        }
        entries = [
            each
            for each in _public_declarations(subject, target)
            if each[1].is_type and matches(each[1].name, rule.entry)
        ]
        for file, declaration in _public_declarations(subject, target):
            is_own_extension = declaration.kind == "extension" and declaration.name.partition(".")[0] in declared
            is_first_entry = bool(entries) and declaration is entries[0][1]
            if is_own_extension or is_first_entry or matches(declaration.name, rule.public):
                continue
            known = f" besides its module entry {entries[0][1].name}" if entries else ""
            yield Finding(
                file.path,
                declaration.line,
                "implementation-public",
                f"{declaration.title} is public in {target.name}{known}: what others can see, they come to depend on.",
                "Make it internal, or declare what others need of it in the interface.",
            )
        if rule.entry and not entries and target.sources:
            yield Finding(
                target.sources[0],
                1,
                "implementation-public",
                f"{target.name} has no public type {' or '.join(rule.entry)}, so nobody can register what it provides.",
                "Add the module entry.",
            )


def own_conformances(subject: Subject) -> Iterator[Finding]:
    """A conformance holds in the whole program, whatever its access, also where two modules disagree about it."""
    for target in subject.of_kind("implementation"):
        own = {
            ".".join([*(_path(owner) for owner in owners), declaration.name])
            for file in subject.files(target)
            for declaration, owners in with_owners(file.declarations)
            if declaration.is_type
        }
        for file in subject.files(target):
            for declaration in file.declarations:
                if declaration.kind != "extension" or not declaration.inherits:
                    continue
                name = _path(declaration).removeprefix(f"{target.name}.")
                # What is nested in an own type is own as well, also where a macro or an alias declares it.
                if name in own or name.partition(".")[0] in own:
                    continue
                yield Finding(
                    file.path,
                    declaration.line,
                    "foreign-conformance",
                    f"{target.name} makes {declaration.name} conform to {', '.join(declaration.inherits)}, a type that "
                    "it does not declare: a conformance holds in the whole program, and two of them clash.",
                    "Wrap the value in a type of this target, or declare the conformance where the type is declared.",
                )


def _path(declaration: Declaration) -> str:
    """The name of a type, or of the one that is extended, without generic arguments and backquotes."""
    return re.sub(r"<.*?>+|`", "", declaration.name)


def _public_declarations(subject: Subject, target: Target) -> Iterator[tuple[SwiftFile, Declaration]]:
    """Public declarations at top level, and extensions of other modules' types with public members.

    Members that fulfil the conformance of an extension have to be as public as the type is.
    """
    for file in subject.files(target):
        for declaration in file.declarations:
            if declaration.kind != "extension":
                if declaration.is_public:
                    yield file, declaration
            elif not declaration.inherits and any(
                effective_access(member, (declaration,)) in ("public", "open") for member in declaration.members
            ):
                yield file, declaration


RULES = (
    Rule("implementation-public", "an implementation's only public type is its module entry", only_entry_is_public),
    Rule("foreign-conformance", "an implementation declares conformances for its own types only", own_conformances),
)
