"""Rules for imports, as the toolchain's parser gives them, also those in `#if`: no source goes around the manifest."""

from __future__ import annotations

from collections.abc import Iterator

from swiftmodules.check.subject import Finding, Subject, rule
from swiftmodules.check.targets import allowance, remedy
from swiftmodules.closure import reached
from swiftmodules.swiftpm.reader import Import, SourceFile
from swiftmodules.swiftpm.target import Target


@rule("import", "no source imports a target that the dependency rule forbids")
def is_allowed(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        if _is_forbidden(subject, target, imported):
            message = f"{target.name} imports {imported.name}; {allowance(subject, target.name)}"
            fix = remedy(subject, target.name, imported.name)
            yield Finding(file.path, file.line_of(declaration), message, fix)


@rule("undeclared-import", "a target depends on what its sources import, also in '#if'")
def is_declared(subject: Subject) -> Iterator[Finding]:
    """One finding for all that a target imports because one of its dependencies brings it in, at the first import."""
    for target in subject.package.targets:
        yield from _conditional(subject, target)
        brought_in: dict[str, list[str]] = {}
        undeclared = _undeclared(subject, target)
        for imported, (file, declaration) in undeclared.items():
            through = _through(subject, target, imported)
            if through:
                brought_in.setdefault(through, []).append(imported)
            else:
                message = f"{target.name} imports {imported} without depending on it, so it builds only by chance."
                fix = f"Add {imported} to the dependencies of {target.name} in the manifest, or remove the import."
                yield Finding(file.path, file.line_of(declaration), message, fix)
        for through, names in brought_in.items():
            file, declaration = undeclared[names[0]]
            message = (
                f"{target.name} imports {', '.join(names)}, which it reaches only through {through}: it stops building "
                f"once {through} does without."
            )
            place = "" if through in _imported(subject, target) else f" in place of {through}, which it does not import"
            fix = f"Add {', '.join(names)} to the dependencies of {target.name} in the manifest{place}."
            yield Finding(file.path, file.line_of(declaration), message, fix)


def _conditional(subject: Subject, target: Target) -> Iterator[Finding]:
    """The imports of what a target depends on for some platforms, which stand under no condition."""
    for file in subject.files(target):
        for each in file.imports:
            imported = subject.package.imported(each.module)
            name = imported.name if imported else each.module
            if name in target.platforms and not file.conditions_at(each.start):
                message = (
                    f"{target.name} imports {each.module} on every platform, and depends on it on "
                    f"{', '.join(target.platforms[name])} only: elsewhere it does not build."
                )
                fix = f"Put the import into '#if canImport({each.module})', or remove the condition in the manifest."
                yield Finding(file.path, file.line_of(each), message, fix)


@rule("linked-source", "no target compiles a source of one that it may not import, through a symbolic link")
def compiles_its_own(subject: Subject) -> Iterator[Finding]:
    for target in subject.package.targets:
        for path in target.sources:
            real = subject.real(path)
            owner = subject.package.target_of(real) if real != path else None
            if owner is None or owner.name == target.name:
                continue
            is_forbidden = _is_forbidden(subject, target, owner)
            if is_forbidden or owner.name not in target.dependencies:
                message = (
                    f"{target.name} compiles this source of {owner.name} too, through the link {path}: it goes around "
                    "the manifest, and its types differ in each of them."
                )
                fix = f"Add {owner.name} to the dependencies of {target.name} in the manifest, and import it."
                fix = remedy(subject, target.name, owner.name) if is_forbidden else fix
                yield Finding(real, 1, message, f"Remove the link. {fix}")


@rule("unused-edge", "a target imports what it depends on")
def uses_every_edge(subject: Subject) -> Iterator[Finding]:
    """An interface that is reached anyway has to be named, and the vocabulary may be by every target. One that brings
    in what the target imports is part of that finding."""
    for target in subject.package.targets:
        files = subject.files(target)
        if subject.is_test(target) or not files or any(file.problem for file in files):
            continue
        needed = {_through(subject, target, imported) for imported in _undeclared(subject, target)}
        for name in target.dependencies:
            dependency = subject.package.target(name)
            if dependency is None or name in needed | _imported(subject, target):
                continue
            # Programs, macros, plugins and resources are needed without an import.
            if dependency.kind != "library" or dependency.resources:
                continue
            others = reached((each for each in target.dependencies if each != name), subject.package.dependencies_of)
            is_reached = subject.package.kind(name) == "interface" and others.get(name) is not None
            if not is_reached and not subject.is_vocabulary(name):
                message = f"{target.name} depends on {name}, and none of its sources imports it."
                fix = "Remove the dependency from the manifest."
                yield subject.in_manifest(target.name, name, message, fix)


@rule("composition-imports", "one file of a composition root imports implementations")
def is_composed_in_one_file(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        kinds = subject.package.kind(target.name), subject.package.kind(imported.name)
        if kinds != ("composition", "implementation"):
            continue
        name = subject.package.roles[target.name].rule.composition_file
        # One that is forbidden to the whole target is reported as such.
        if name and file.path != target.folder / name and not _is_forbidden(subject, target, imported):
            message = (
                f"{file.path.name} imports {imported.name}; in {target.name}, only {name} may name implementations, so "
                f"that one file composes the program."
            )
            fix = f"Move what needs the implementation into {target.folder / name}, and use its interface here."
            yield Finding(file.path, file.line_of(declaration), message, fix)


@rule("testable-import", "only tests import with '@testable', and only their own module")
def tests_its_own(subject: Subject) -> Iterator[Finding]:
    for target, file, declaration, imported in _imports(subject):
        if "testable" in declaration.attributes and not _may_test(subject, target, imported):
            message = (
                f"{target.name} reaches into the internals of {imported.name}; only tests of a module may, into their "
                "own."
            )
            fix = "Import it without '@testable', and use what it makes public."
            yield Finding(file.path, file.line_of(declaration), message, fix)


def _may_test(subject: Subject, target: Target, imported: Target) -> bool:
    # Where its name does not show which module it tests, it may be any.
    is_own = subject.package.module(target.name) in (None, subject.package.module(imported.name))
    return subject.is_test(target) and (is_own or subject.package.kind(imported.name) == "composition")


@rule("exported-import", "no import is passed on with '@_exported'")
def is_not_exported(subject: Subject) -> Iterator[Finding]:
    for target, file in subject.files_by_target():
        for declaration in file.imports:
            if "_exported" in declaration.attributes:
                message = f"every file that imports {target.name} imports {declaration.module} too, without showing it."
                fix = "Remove '@_exported', and import the module where it is used."
                yield Finding(file.path, file.line_of(declaration), message, fix)


def _imported(subject: Subject, target: Target) -> set[str]:
    """The names of the targets that a target imports."""
    return {imported.name for _, _, imported in _imports_of(subject, target)}


def _undeclared(subject: Subject, target: Target) -> dict[str, tuple[SourceFile, Import]]:
    """The targets and products that a target imports and does not depend on, each with its first import. A forbidden
    one is reported as such; to declare it would be the wrong advice."""
    found: dict[str, tuple[SourceFile, Import]] = {}
    products = _products_of_others(subject, target)
    for file in subject.files(target):
        for declaration in file.imports:
            imported = subject.package.imported(declaration.module)
            if imported is None:
                is_known = declaration.module not in products
            else:
                is_known = imported.name in (target.name, *target.dependencies) or not imported.is_importable
                is_known = is_known or _is_forbidden(subject, target, imported)
            if not is_known and not _is_for_another_build(target, file, declaration):
                found.setdefault(imported.name if imported else declaration.module, (file, declaration))
    return found


def _products_of_others(subject: Subject, target: Target) -> set[str]:
    """The products of other packages of which only other targets name one; a product may hold modules of any name."""
    own = {package for _, package in target.products}
    every = {product for each in subject.package.targets for product in each.products}
    return {name for name, package in every if not own or (not own & {package, None} and package)}


def _through(subject: Subject, target: Target, imported: str) -> str | None:
    """The dependency of a target through which it reaches another one."""

    def needed(name: str) -> list[str]:
        found = subject.package.target(name)
        return [*found.dependencies, *(product for product, _ in found.products)] if found else []

    found = reached(target.dependencies, needed)
    name = imported
    while (before := found.get(name)) is not None:
        name = before
    return name if imported in found else None


def _is_for_another_build(target: Target, file: SourceFile, declaration: Import) -> bool:
    """Whether an import stands under a flag that SwiftPM does not define: `#if SINGLE_MODULE`."""
    defined = {"DEBUG", *(each["kind"].get("define", {}).get("_0") for each in target.settings)}
    clauses = file.conditions_at(declaration.start)
    return any(clause.isidentifier() and clause not in defined for clause in clauses)


def _is_forbidden(subject: Subject, target: Target, imported: Target) -> bool:
    return target.name in subject.package.roles and not subject.package.may_import(target.name, imported.name)


def _imports(subject: Subject) -> Iterator[tuple[Target, SourceFile, Import, Target]]:
    """Imports of other targets of the package."""
    for target in subject.package.targets:
        for file, declaration, imported in _imports_of(subject, target):
            yield target, file, declaration, imported


def _imports_of(subject: Subject, target: Target) -> Iterator[tuple[SourceFile, Import, Target]]:
    for file in subject.files(target):
        for declaration in file.imports:
            imported = subject.package.imported(declaration.module)
            if imported and imported.is_importable and imported is not target:
                yield file, declaration, imported
