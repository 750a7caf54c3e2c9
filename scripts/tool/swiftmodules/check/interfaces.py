"""Rules for interfaces: a namespace with its API in `extension` blocks, without behaviour of its own, and not empty."""

from __future__ import annotations

import re
from collections.abc import Iterator

from swiftmodules.check.findings import Finding
from swiftmodules.check.subject import Rule, Subject
from swiftmodules.swiftpm.declarations import PUBLIC, Declaration, Owners
from swiftmodules.swiftpm.package import Target
from swiftmodules.swiftpm.syntax import SourceFile

# Other modules of the package see what is `package`, too.
VISIBLE = (*PUBLIC, "package")

_INPUT_OUTPUT = re.compile(
    rb"(?:(?<![\w.])|(?<=\bSwift\.)|(?<=\bFoundation\.)|(?<=\bGlibc\.)|(?<=\bDarwin\.))"
    rb"(?P<name>(?:print|debugPrint|readLine|fopen|fputs|puts|getenv|system|Process)(?=\s*\()"
    rb"|(?:FileManager|FileHandle|URLSession|UserDefaults|ProcessInfo|NWConnection|NotificationCenter)\b"
    rb"|(?:Data|String|NSData|NSString|InputStream)(?=\((?:contentsOf|contentsOfFile|url):))"
)
_SHARED_NAMES = {"shared", "sharedInstance", "instance", "singleton", "standard", "current"}


def _have_one_namespace(subject: Subject) -> Iterator[Finding]:
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
    namespace = min(namespaces, default=f"{subject.module(target.name) or target.name}")
    for file, declaration, owners in subject.visible(target, VISIBLE):
        if declaration.kind == "extension":
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


def _is_inside(declaration: Declaration, owners: Owners, namespaces: set[str]) -> bool:
    """Whether a declaration stands in an `extension` block of a namespace, or in a type, which is looked at itself."""
    if not owners:
        return declaration.name in namespaces
    outermost = owners[0]
    if outermost.kind == "extension":
        return len(owners) > 1 or outermost.name.partition(".")[0] in namespaces
    return len(owners) > 1 or outermost.name not in namespaces


def _have_no_behaviour(subject: Subject) -> Iterator[Finding]:
    interfaces = subject.of_kind("interface")
    shared_types = {
        each.name for _, each, _ in subject.declarations(subject.package.targets) if each.kind in ("class", "actor")
    }
    for target in interfaces:
        found = list(subject.declarations([target]))
        classes = {each.name for _, each, _ in found if each.kind in ("class", "actor")}
        for file, declaration, owners in found:
            problem = None
            if not subject.is_vocabulary(target.name):
                problem = _behaviour_of_a_class(declaration, owners, classes)
            problem = problem or _shared_instance(declaration, shared_types) or _input_output(file, declaration)
            if problem:
                message, fix = problem
                yield Finding(
                    file.path,
                    declaration.line,
                    "interface-behaviour",
                    f"{declaration.title} {message.format(target=target.name)}",
                    fix,
                )


def _behaviour_of_a_class(declaration: Declaration, owners: Owners, classes: set[str]) -> tuple[str, str] | None:
    is_behaviour = declaration.kind in ("func", "subscript", "var", "deinit") and declaration.has_body
    if not owners or not is_behaviour:
        return None
    owner = owners[-1]
    extends_a_class = owner.kind == "extension" and owner.name.rpartition(".")[2] in classes
    if owner.kind not in ("class", "actor") and not extends_a_class:
        return None
    return (
        f"is behaviour of the class {owner.name} in {{target}}: users could not have it replaced, and wait for it to "
        "compile.",
        "Declare a protocol here, and move the class to an implementation.",
    )


def _shared_instance(declaration: Declaration, shared_types: set[str]) -> tuple[str, str] | None:
    """A static property that holds one instance for all, in place of a dependency that can be replaced."""
    is_stored = declaration.kind == "var" and declaration.is_static and not declaration.has_body
    if not is_stored or "TaskLocal" in declaration.attributes:
        return None
    if declaration.name not in _SHARED_NAMES and declaration.initial_call not in shared_types:
        return None
    return (
        "is one instance for all users of {target}: no composition root can replace it, and no test.",
        "Declare a protocol here, and register the instance as a service.",
    )


def _input_output(file: SourceFile, declaration: Declaration) -> tuple[str, str] | None:
    if declaration.body_start is not None and not declaration.is_type and declaration.kind != "extension":
        part = file.mask[declaration.body_start : declaration.body_end]
    elif declaration.kind in ("var", "subscript") and (declaration.has_body or declaration.is_static):
        lines = file.mask[declaration.name_start :].split(b"\n")
        part = b"\n".join(lines[: declaration.last_line - file.lines.at(declaration.name_start) + 1])
    else:
        return None
    found = _INPUT_OUTPUT.search(part)
    if found is None:
        return None
    return (
        f"uses {found['name'].decode()} in {{target}}: an interface does no input or output, which users could not "
        "have replaced.",
        "Declare a protocol here, and move the code to an implementation.",
    )


def _are_not_empty(subject: Subject) -> Iterator[Finding]:
    for target in subject.of_kind("interface"):
        namespaces = {declaration.name for _, declaration in _namespaces(subject, target)}
        has_api = any(
            owners or declaration.name not in namespaces
            for _, declaration, owners in subject.visible(target, VISIBLE)
            if declaration.kind != "extension"
        )
        if not has_api and not any(file.problem for file in subject.files(target)):
            message = f"{target.name} declares nothing that another module could use."
            fix = "Declare a route or a protocol here, or remove the target: no other target needs it."
            if target.sources:
                yield Finding(target.sources[0], 1, "interface-empty", message, fix)
            else:
                yield subject.in_manifest("interface-empty", target.name, None, message, fix)


def _with_namespace(subject: Subject) -> list[Target]:
    return [target for target in subject.of_kind("interface") if not subject.is_vocabulary(target.name)]


def _namespaces(subject: Subject, target: Target) -> list[tuple[SourceFile, Declaration]]:
    """Public `enum`s at top level that have no cases: names to stand under."""
    return [
        (file, declaration)
        for file in subject.files(target)
        for declaration in file.declarations
        if declaration.is_namespace and declaration.access in VISIBLE
    ]


RULES = (
    Rule(
        "interface-namespace",
        "an interface's API stands in 'extension' blocks of its one namespace",
        _have_one_namespace,
    ),
    Rule(
        "interface-behaviour",
        "an interface has no classes with behaviour, shared instances, input or output",
        _have_no_behaviour,
    ),
    Rule("interface-empty", "an interface declares something", _are_not_empty),
)
