"""Rules for interfaces: a namespace with its API in `extension` blocks, without behaviour of its own."""

from __future__ import annotations

from collections.abc import Iterator

from swiftmodules.check.subject import BUDGETS, Finding, Subject, rule
from swiftmodules.errors import UsageError
from swiftmodules.swiftpm.reader import VISIBLE, Declaration, Owners, SourceFile
from swiftmodules.swiftpm.target import Target

_SHARED_NAMES = {"shared", "sharedInstance", "instance", "singleton", "standard", "current"}


@rule("interface-namespace", "an interface's API stands in 'extension' blocks of its one namespace", "interfaces")
def has_one_namespace(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("interface"):
        if subject.is_vocabulary(target.name):
            continue
        namespaces = _namespaces(subject, target)
        first = namespaces[0][1].name if namespaces else subject.package.module(target.name) or target.name
        for file, declaration in namespaces[1:]:
            message = f"{target.name} has a second namespace, {declaration.name}, besides {first}."
            fix = f"Put its API into 'extension {first}' blocks, or make it a module of its own."
            yield Finding(file.path, file.line_of(declaration), message, fix)
        names = {declaration.name for _, declaration in namespaces}
        for file, declaration, owners in subject.visible(target):
            if declaration.kind != "extension" and not _is_inside(declaration, owners, names):
                where = f"in '{owners[0].kind} {owners[0].name}'" if owners else "at top level"
                message = (
                    f"{declaration.title} is public {where} of {target.name}: adding to it recompiles every file that "
                    f"uses anything of the module."
                )
                fix = f"Move it into an 'extension {first} {{ … }}' block."
                yield Finding(file.path, file.line_of(declaration), message, fix)


def _is_inside(declaration: Declaration, owners: Owners, namespaces: set[str]) -> bool:
    """Whether a declaration stands in an `extension` block of a namespace, or in a type, which is looked at itself."""
    if not owners:
        return declaration.name in namespaces
    name = owners[0].name.partition(".")[0]
    return len(owners) > 1 or (name in namespaces) == (owners[0].kind == "extension")


@rule("interface-behaviour", "an interface has no classes with behaviour, and no shared instances", "interfaces")
def has_no_behaviour(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("interface"):
        found = list(subject.declarations([target]))
        classes = {each.name for _, each, _ in found if each.kind in ("class", "actor")}
        for file, declaration, owners in found:
            owner = None if subject.is_vocabulary(target.name) else _class_with_behaviour(declaration, owners, classes)
            if owner:
                problem = (
                    f"is behaviour of the class {owner} in {target.name}: users cannot replace it, and wait for it to "
                    f"compile."
                )
                fix = "Declare a protocol here, and move the class to an implementation."
            elif _is_shared_instance(declaration):
                problem = (
                    f"is one instance for all users of {target.name}: neither a composition root nor a test can "
                    "replace it."
                )
                fix = "Declare a protocol here, and register the instance as a service."
            else:
                continue
            yield Finding(file.path, file.line_of(declaration), f"{declaration.title} {problem}", fix)


def _class_with_behaviour(declaration: Declaration, owners: Owners, classes: set[str]) -> str | None:
    """The name of the class that a declaration is behaviour of."""
    if not owners or not declaration.has_body or declaration.kind not in ("func", "subscript", "var", "deinit"):
        return None
    owner = owners[-1]
    extends_a_class = owner.kind == "extension" and owner.name.rpartition(".")[2] in classes
    return owner.name if owner.kind in ("class", "actor") or extends_a_class else None


def _is_shared_instance(declaration: Declaration) -> bool:
    """Whether a static property holds one instance for all, in place of a dependency that can be replaced."""
    is_stored = declaration.kind == "var" and declaration.is_static and not declaration.has_body
    return is_stored and declaration.name in _SHARED_NAMES and "TaskLocal" not in declaration.attributes


def _namespaces(subject: Subject, target: Target) -> list[tuple[SourceFile, Declaration]]:
    """Public `enum`s at top level that have no cases: names to stand under."""
    return [
        (file, declaration)
        for file in subject.files(target)
        for declaration in file.declarations
        if declaration.is_namespace and declaration.access in VISIBLE
    ]


@rule("interface-budget", "no target has more lines of code than its budget in the configuration", BUDGETS)
def keeps_its_budget(subject: Subject) -> Iterator[Finding]:
    """Counts lines that are neither blank nor comments. What an edit rebuilds includes the target itself."""
    package = subject.package
    known = {target.name: target for target in package.targets}
    for name, budget in subject.config.budgets.items():
        if name not in known:
            raise UsageError(f"[budgets]: no target in Swift is called '{name}'. Choose from: {', '.join(known)}.")
        lines = sum(bool(line.strip()) for file in subject.files(known[name]) for line in file.code.splitlines())
        if lines > budget:
            rebuilt = package.above([name])
            files = sum(len(target.sources) for target in rebuilt)
            message = (
                f"{name} has {lines:,} lines of code, and its budget is {budget:,}. After an edit in it, a cache of "
                f"targets rebuilds {len(rebuilt):,} targets with {files:,} files."
            )
            fix = "Move what few of them need into another target, or raise the budget in the configuration."
            yield subject.in_manifest(name, None, message, fix)
