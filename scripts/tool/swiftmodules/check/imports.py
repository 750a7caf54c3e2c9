"""Rules for imports, as the compiler's parser gives them, also those in `#if`: no source goes around the manifest."""

from __future__ import annotations

from collections.abc import Iterator

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.check.targets import allowance, remedy
from swiftmodules.swiftpm.declarations import Import
from swiftmodules.swiftpm.modules import allows, may_import
from swiftmodules.swiftpm.package import Target
from swiftmodules.swiftpm.syntax import SourceFile
from swiftmodules.swiftpm.text import conditions_at

_Entry = tuple[Target, SourceFile, Import, Target]


def _are_allowed(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        if _is_forbidden(subject, target, imported):
            yield _finding(
                "import",
                file,
                declaration,
                f"{target.name} imports {imported.name}; {allowance(subject, target.name)}",
                remedy(subject, target.name, imported.name),
            )


def _are_declared(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        # A forbidden one is reported as such; to declare it would be the wrong advice.
        is_declared = imported.name in target.dependencies or _is_forbidden(subject, target, imported)
        if not is_declared and not _is_for_another_build(target, file, declaration):
            yield _finding(
                "undeclared-import",
                file,
                declaration,
                f"{target.name} imports {imported.name} without depending on it, so whether it builds is luck.",
                f"Add {imported.name} to the dependencies of {target.name} in the manifest, or do without it.",
            )


def _are_composed_in_one_file(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        if subject.kind(target.name) != "composition" or subject.kind(imported.name) != "implementation":
            continue
        name = subject.roles[target.name].rule.composition_file
        # One that is forbidden to the whole target is reported as such.
        if name is None or file.path == target.folder / name or _is_forbidden(subject, target, imported):
            continue
        yield _finding(
            "composition-imports",
            file,
            declaration,
            f"{file.path.name} imports {imported.name}; in {target.name}, only {name} may name implementations, "
            "so that one file decides what the program is made of.",
            f"Move what needs the implementation into {target.folder / name}, and use its interface here.",
        )


def _test_their_own(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        if "@testable" in declaration.prefix and not _may_test(subject, target, imported):
            yield _finding(
                "testable-import",
                file,
                declaration,
                f"{target.name} reaches into the internals of {imported.name}; only tests of a module may, into "
                "their own.",
                "Import it without '@testable', and use what it makes public.",
            )


def _may_test(subject: Subject, target: Target, imported: Target) -> bool:
    role = subject.roles.get(target.name)
    if role and role.rule.testable is not None:
        return allows(role.rule.testable, target.name, imported.name, subject.roles)
    if not subject.is_test(target):
        return False
    # Where its name does not say which module it tests, it may be any.
    is_own = role is None or role.module in (None, subject.module(imported.name))
    return is_own or subject.kind(imported.name) == "composition"


def _are_not_exported(subject: Subject) -> Iterator[Finding]:
    for target, file in subject.files_by_target():
        for declaration in file.imports:
            if "@_exported" in declaration.prefix:
                yield _finding(
                    "exported-import",
                    file,
                    declaration,
                    f"every file that imports {target.name} gets {declaration.module} as well, without saying so.",
                    "Remove '@_exported', and import the module where it is used.",
                )


def _is_for_another_build(target: Target, file: SourceFile, declaration: Import) -> bool:
    """Whether an import stands under a flag that SwiftPM does not define: `#if SINGLE_MODULE`."""
    if not any(start <= declaration.start < end for start, end in file.conditions):
        return False
    defined = {"DEBUG", *(each["kind"].get("define", {}).get("_0") for each in target.settings)}
    clauses = conditions_at(file.mask, declaration.start)
    return any(clause.isidentifier() and clause not in defined for clause in clauses)


def _is_forbidden(subject: Subject, target: Target, imported: Target) -> bool:
    return target.name in subject.roles and not may_import(target.name, imported.name, subject.roles)


def _imports(subject: Subject) -> Iterator[_Entry]:
    """Imports of other targets of the package."""
    for target, file in subject.files_by_target():
        for declaration in file.imports:
            imported = subject.package.imported(declaration.module)
            if imported and imported.is_importable and imported is not target:
                yield target, file, declaration, imported


def _finding(rule: str, file: SourceFile, declaration: Import, message: str, fix: str) -> Finding:
    return Finding(file.path, file.line_of(declaration), rule, message, fix)


RULES = (
    Rule("import", "no source imports a target that the dependency rule forbids", _are_allowed),
    Rule("undeclared-import", "a target depends on what its sources import, also in '#if'", _are_declared),
    Rule("composition-imports", "one file of a composition root imports implementations", _are_composed_in_one_file),
    Rule("testable-import", "only tests import with '@testable', and only their own module", _test_their_own),
    Rule("exported-import", "no import is passed on with '@_exported'", _are_not_exported),
)
