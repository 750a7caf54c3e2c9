"""Rules for implementations: each shows only its entry, conforms only its own types, and declares no operators."""

from __future__ import annotations

import re
from collections.abc import Iterator

from swiftmodules.check.subject import Finding, Subject, own_path, plain_name, rule
from swiftmodules.swiftpm.modules import matches
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, Owners, SourceFile, effective_access
from swiftmodules.swiftpm.target import Target


@rule("implementation-public", "an implementation's only public type is its module entry", "implementations")
def shows_only_its_entry(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("implementation"):
        allowed = subject.package.roles[target.name].rule
        shown = list(_shown(subject, target))
        entries = [
            each for _, each, owners in shown if not owners and each.is_type and matches(each.name, allowed.entry)
        ]
        for file, declaration, owners in shown:
            if entries and declaration is entries[0]:
                continue
            level = "package" if effective_access(declaration, owners) == "package" else "public"
            known = f" besides its module entry {entries[0].name}" if entries else ""
            message = f"{declaration.title} is {level} in {target.name}{known}: others may come to depend on it."
            fix = "Make it internal, or declare what others need of it in the interface."
            yield Finding(file.path, file.line_of(declaration), message, fix)
        if allowed.entry and not entries and target.sources:
            names = " or ".join(allowed.entry)
            message = f"{target.name} has no public type {names}, so nothing can register what it has."
            yield Finding(target.sources[0], 1, message, "Add the module entry.")


def _shown(subject: Subject, target: Target) -> Iterator[tuple[SourceFile, Declaration, Owners]]:
    """Yields what others see: declarations at top level, types in others, and members added to other modules' types.

    Members that fulfil the conformance of an extension have to be as public as the type is.
    """
    own = _own_types(subject, target)
    for file, declaration in _extensions(subject, target):
        is_own = bool(declaration.inherits) or _outermost(declaration, target) in own
        if not is_own and any(effective_access(each, (declaration,)) in VISIBLE for each in declaration.members):
            yield file, declaration, ()
    for file, declaration, owners in subject.visible(target):
        # Where the extension declares no conformance, an alias fulfils none.
        is_alias = declaration.kind == "typealias" and bool(owners) and owners[-1].kind == "extension"
        is_type = declaration.is_type or (is_alias and not owners[-1].inherits)
        is_nested_type = bool(owners) and is_type and _outermost(owners[0], target) in own
        if declaration.kind != "extension" and (not owners or is_nested_type):
            yield file, declaration, owners


@rule("foreign-conformance", "an implementation declares conformances for its own types only", "implementations")
def conforms_own_types(subject: Subject) -> Iterator[Finding]:
    """A conformance holds in the whole program, whatever its access, also where two modules disagree about it."""
    for target in subject.of_kind("implementation"):
        own = _own_types(subject, target)
        for file, declaration in _extensions(subject, target):
            # A type nested in an own type is own too, also where a macro or an alias declares it.
            is_own = plain_name(declaration, target) in own or _outermost(declaration, target) in own
            if declaration.inherits and not is_own:
                message = (
                    f"{target.name} makes {declaration.name} conform to {', '.join(declaration.inherited)}, a type "
                    "that it does not declare: a conformance holds in the whole program, and two of them clash."
                )
                fix = "Wrap the value in a type of this target, or declare the conformance where the type is declared."
                yield Finding(file.path, file.line_of(declaration), message, fix)


@rule("implementation-operator", "an implementation declares no operator functions", "implementations")
def declares_no_operators(subject: Subject) -> Iterator[Finding]:
    """The compiler looks operators up by name in the whole program, so that each of them reaches files elsewhere."""
    for target in subject.of_kind("implementation"):
        for file, declaration, _ in subject.declarations([target]):
            if declaration.kind == "func" and not re.match(r"[`\w]", declaration.name):
                message = (
                    f"{target.name} declares the operator {declaration.title}: additions at the top level of its file "
                    "recompile files of other targets that use an operator of that name."
                )
                fix = "Give it a name, as in 'isBefore(_:)', or let the compiler derive it."
                yield Finding(file.path, file.line_of(declaration), message, fix)


def _own_types(subject: Subject, target: Target) -> set[str]:
    return {own_path(target, each, owners) for _, each, owners in subject.declarations([target]) if each.is_type}


def _extensions(subject: Subject, target: Target) -> Iterator[tuple[SourceFile, Declaration]]:
    for file in subject.files(target):
        for declaration in file.declarations:
            if declaration.kind == "extension":
                yield file, declaration


def _outermost(declaration: Declaration, target: Target) -> str:
    return plain_name(declaration, target).partition(".")[0]
