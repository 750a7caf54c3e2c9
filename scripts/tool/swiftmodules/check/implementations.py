"""Rules for implementations: each shows its module entry to others, and changes no type that is not its own."""

from __future__ import annotations

from collections.abc import Iterator

from swiftmodules.check.findings import Finding
from swiftmodules.check.interfaces import VISIBLE
from swiftmodules.check.subject import Rule, Subject, own_path, plain_name
from swiftmodules.swiftpm.declarations import Declaration, Owners, effective_access
from swiftmodules.swiftpm.modules import matches
from swiftmodules.swiftpm.package import Target
from swiftmodules.swiftpm.syntax import SourceFile


def _show_only_their_entry(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("implementation"):
        rule = subject.roles[target.name].rule
        shown = list(_shown(subject, target))
        entries = [each for _, each, owners in shown if not owners and each.is_type and matches(each.name, rule.entry)]
        for file, declaration, owners in shown:
            outermost = plain_name(owners[0], target).partition(".")[0] if owners else declaration.name
            if (entries and declaration is entries[0]) or matches(outermost, rule.public):
                continue
            known = f" besides its module entry {entries[0].name}" if entries else ""
            yield Finding(
                file.path,
                declaration.line,
                "implementation-public",
                f"{declaration.title} is {_level(declaration, owners)} in {target.name}{known}: what others can see, "
                "they come to depend on.",
                "Make it internal, or declare what others need of it in the interface.",
            )
        if rule.entry and not entries and target.sources:
            yield Finding(
                target.sources[0],
                1,
                "implementation-public",
                f"{target.name} has no public type {' or '.join(rule.entry)}, so nothing can register what it has.",
                "Add the module entry.",
            )


def _shown(subject: Subject, target: Target) -> Iterator[tuple[SourceFile, Declaration, Owners]]:
    """What others see: declarations at top level, types inside of others, and members added to other modules' types.

    Members that fulfil the conformance of an extension have to be as public as the type is.
    """
    own = {own_path(target, each, owners) for _, each, owners in subject.declarations([target]) if each.is_type}
    for file in subject.files(target):
        for declaration in file.declarations:
            if declaration.kind != "extension" or declaration.inherits:
                continue
            is_own = plain_name(declaration, target).partition(".")[0] in own
            if not is_own and any(effective_access(each, (declaration,)) in VISIBLE for each in declaration.members):
                yield file, declaration, ()
    for file, declaration, owners in subject.visible(target, VISIBLE):
        is_nested = bool(owners) and plain_name(owners[0], target).partition(".")[0] in own
        if declaration.kind != "extension" and (not owners or (declaration.is_type and is_nested)):
            yield file, declaration, owners


def _conform_own_types(subject: Subject) -> Iterator[Finding]:
    """A conformance holds in the whole program, whatever its access, also where two modules disagree about it."""
    for target in subject.of_kind("implementation"):
        own = {own_path(target, each, owners) for _, each, owners in subject.declarations([target]) if each.is_type}
        for file in subject.files(target):
            for declaration in file.declarations:
                if declaration.kind != "extension" or not declaration.inherits:
                    continue
                name = plain_name(declaration, target)
                # What is nested in an own type is own as well, also where a macro or an alias declares it.
                if name in own or name.partition(".")[0] in own:
                    continue
                inherited = ", ".join(declaration.inherited)
                yield Finding(
                    file.path,
                    declaration.line,
                    "foreign-conformance",
                    f"{target.name} makes {declaration.name} conform to {inherited}, a type that it does not declare: "
                    "a conformance holds in the whole program, and two of them clash.",
                    "Wrap the value in a type of this target, or declare the conformance where the type is declared.",
                )


def _level(declaration: Declaration, owners: Owners) -> str:
    access = effective_access(declaration, owners)
    return access if access == "package" else "public"


RULES = (
    Rule("implementation-public", "an implementation's only public type is its module entry", _show_only_their_entry),
    Rule("foreign-conformance", "an implementation declares conformances for its own types only", _conform_own_types),
)
