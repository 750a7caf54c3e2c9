"""No source goes around the manifest: imports as the compiler's parser gives them, also those in `#if`."""

from __future__ import annotations

from collections.abc import Iterator

from boundaries.findings import Finding
from boundaries.rules.edges import allowance, remedy
from boundaries.rules.rule import Rule
from boundaries.sources import SwiftFile
from boundaries.subject import Subject
from boundaries.target_kinds import may_import
from buildspeed.package_graph import Target
from buildspeed.swift_source import Import


def allowed_imports(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration in _imports_of_targets(subject):
        if _is_forbidden(subject, target, declaration):
            yield Finding(
                file.path,
                file.line_of(declaration),
                "import",
                f"{target.name} imports {declaration.module}; {allowance(subject, target.name)}",
                remedy(subject, target.name, declaration.module),
            )


def declared_imports(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration in _imports_of_targets(subject):
        # What is forbidden is told as such; to declare it would be the wrong advice.
        if declaration.module not in target.dependencies and not _is_forbidden(subject, target, declaration):
            yield Finding(
                file.path,
                file.line_of(declaration),
                "undeclared-import",
                f"{target.name} imports {declaration.module} without depending on it, so whether it builds is luck.",
                f"Add {declaration.module} to the dependencies of {target.name} in the manifest, or do without it.",
            )


def composed_in_one_file(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration in _imports_of_targets(subject):
        if subject.kind(target.name) != "composition" or subject.kind(declaration.module) != "implementation":
            continue
        name = subject.roles[target.name].rule.composition_file
        # What is forbidden to the whole target is told as such.
        if name is None or file.path == target.folder / name or _is_forbidden(subject, target, declaration):
            continue
        yield Finding(
            file.path,
            file.line_of(declaration),
            "composition-imports",
            f"{file.path.name} imports {declaration.module}; in {target.name}, only {name} may name implementations, "
            "so that one file decides what the program is made of.",
            f"Move what needs the implementation into {target.folder / name}, and use its interface here.",
        )


def own_internals(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration in _imports_of_targets(subject):
        if "@testable" not in declaration.prefix:
            continue
        imported = subject.package.target(declaration.module)
        is_own = imported is not None and subject.module(imported) == subject.module(target) is not None
        if subject.kind(target.name) == "tests" and (is_own or subject.kind(declaration.module) == "composition"):
            continue
        yield Finding(
            file.path,
            file.line_of(declaration),
            "testable-import",
            f"{target.name} reaches into the internals of {declaration.module}; only tests of a module may, into "
            "their own.",
            "Import it without '@testable', and use what it makes public.",
        )


def no_exports(subject: Subject) -> Iterator[Finding]:
    for target, file in subject.files_by_target():
        for declaration in file.imports:
            if "@_exported" in declaration.prefix:
                yield Finding(
                    file.path,
                    file.line_of(declaration),
                    "exported-import",
                    f"whoever imports {target.name} gets {declaration.module} as well, without saying so.",
                    "Remove '@_exported', and import the module where it is used.",
                )


def _is_forbidden(subject: Subject, target: Target, declaration: Import) -> bool:
    return target.name in subject.roles and not may_import(target.name, declaration.module, subject.roles)


def _imports_of_targets(subject: Subject) -> Iterator[tuple[Target, SwiftFile, Import]]:
    """Imports of other targets of the package."""
    names = {target.name for target in subject.package.targets}
    for target, file in subject.files_by_target():
        for declaration in file.imports:
            if declaration.module in names and declaration.module != target.name:
                yield target, file, declaration


RULES = (
    Rule("import", "no source imports a target that the dependency rule forbids", allowed_imports),
    Rule("undeclared-import", "a target depends on what its sources import, also in '#if'", declared_imports),
    Rule("composition-imports", "one file of a composition root imports implementations", composed_in_one_file),
    Rule("testable-import", "only tests import with '@testable', and only their own module", own_internals),
    Rule("exported-import", "no import is passed on with '@_exported'", no_exports),
)
