"""The edits: what a developer types, and where.

Placed by the parser, the same in every layout, undone to the byte.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed.conventions import ModuleTargets
from buildspeed.failures import MeasurementError
from buildspeed.package_graph import Target
from buildspeed.rewriting import Replacement
from buildspeed.swift_source import Extension, Function, SourceFile

Sources = Mapping[Path, SourceFile]

EDITS = {
    "noop": "nothing at all",
    "body": "a statement in a function body of the implementation",
    "private": "a private function added at the top level of an implementation file",
    "public": "a public function added at the top level of the same file",
    "interface": "a public nested type added to the interface",
    "app": "a statement in a function body of the executable",
}
# The others are made once per round, not once per module.
MODULE_EDITS = ("body", "private", "public", "interface")

_STATEMENT = '\n        _ = "edit {n}"\n'


@dataclass(frozen=True)
class Placement:
    """Where an edit goes in the original file, and what it adds; `{n}` in the text becomes a number."""

    edit: str
    module: str | None
    file: Path
    offset: int
    text: str
    description: str

    def numbered(self, number: int) -> Replacement:
        """The edit with a number of its own, so that nothing can be served from an earlier build."""
        return Replacement(self.offset, self.offset, self.text.replace("{n}", str(number)).encode())


def place(edit: str, module: ModuleTargets, sources: Sequence[SourceFile]) -> Placement:
    """Places one of `MODULE_EDITS`. `sources` are the files of the package."""
    return _PLACERS[edit](module, {source.path: source for source in sources})


def place_in_application(application: Target, sources: Sequence[SourceFile]) -> Placement:
    """Places the edit `app`: in a function, or in the top-level code where the executable has none."""
    files = _files(application, {source.path: source for source in sources})
    found = _function_in(files, lambda function: function.accepts_statement)
    if found is not None:
        return _statement("app", None, *found)
    main = next((file for file in files if file.path.name == "main.swift"), None)
    if main is None:
        raise MeasurementError(f"{application.name} has no function whose body could be edited, and no main.swift.")
    # Imports may come later; only `#!` must come first.
    offset = main.text.find(b"\n") + 1 if main.text.startswith(b"#!") else 0
    description = f"a statement at the top of {main.path}"
    return Placement("app", None, main.path, offset, '_ = "edit {n}"\n', description)


def _place_body(module: ModuleTargets, sources: Sources) -> Placement:
    return _statement("body", module.name, *_implementation_function(module, sources))


def _place_private(module: ModuleTargets, sources: Sources) -> Placement:
    return _top_level_function("private", module, sources)


def _place_public(module: ModuleTargets, sources: Sources) -> Placement:
    return _top_level_function("public", module, sources)


def _place_interface(module: ModuleTargets, sources: Sources) -> Placement:
    """Where a developer would add to the API: at the end of the namespace's `extension` block that has the most
    members, or at the top level where the module has no namespace."""
    files = _files(module.interface, sources)
    namespaces = {type.name for file in files for type in file.types if type.is_public and type.is_namespace}
    blocks = [(file, block) for file in files for block in file.extensions if block.type in namespaces]
    if not blocks:
        return _top_level_type(module, files)

    def size(entry: tuple[SourceFile, Extension]) -> tuple[int, int]:
        return entry[1].members, entry[1].length

    file, block = max(blocks, key=size)
    text = "\n    public struct Edit{n} {}\n"
    description = f"a public struct at the end of the `extension {block.type}` block in {file.path}"
    return Placement("interface", module.name, file.path, block.body_end, text, description)


def _top_level_type(module: ModuleTargets, files: Sequence[SourceFile]) -> Placement:
    file = max((file for file in files if file.types), key=lambda file: len(file.text), default=None)
    if file is None:
        raise MeasurementError(f"{module.interface.name} declares no type, so there is nothing to add one to.")
    description = f"a public struct at the top level of {file.path} (the interface has no namespace)"
    text = _after_last_line(file) + "public struct Edit{n} {}\n"
    return Placement("interface", module.name, file.path, len(file.text), text, description)


def _top_level_function(access: str, module: ModuleTargets, sources: Sources) -> Placement:
    file, _ = _implementation_function(module, sources)
    text = _after_last_line(file) + access + " func edit{n}() -> Int { {n} }\n"
    description = f"a {access} function at the end of {file.path}"
    return Placement(access, module.name, file.path, len(file.text), text, description)


def _statement(edit: str, module: str | None, file: SourceFile, function: Function) -> Placement:
    description = f"a statement in `{function.path}` in {file.path}"
    return Placement(edit, module, file.path, function.body_start, _STATEMENT, description)


def _implementation_function(module: ModuleTargets, sources: Sources) -> tuple[SourceFile, Function]:
    """A method of an internal type, in the file that has the most of them.

    A method of the public module entry, or a free function, where the implementation has nothing else.
    """
    files = _files(module.implementation, sources)
    entries = {type.name for file in files for type in file.types if type.is_public}

    def is_method(function: Function) -> bool:
        return function.accepts_statement and bool(function.owners)

    found = _function_in(
        files, lambda function: is_method(function) and function.owners[0].partition(".")[0] not in entries
    )
    found = found or _function_in(files, is_method)
    found = found or _function_in(files, lambda function: function.accepts_statement)
    if found is None:
        raise MeasurementError(
            f"{module.implementation.name} has no function into whose body a statement could be put: its "
            "bodies are empty or single expressions. Leave the module out with --modules."
        )
    return found


def _function_in(files: Sequence[SourceFile], fits: Callable[[Function], bool]) -> tuple[SourceFile, Function] | None:
    """The first function that fits, in the file that has the most of them (the first by name of several)."""
    fitting = [(file, [function for function in file.functions if fits(function)]) for file in files]
    file, functions = max(fitting, key=lambda entry: len(entry[1]), default=(None, []))
    return (file, functions[0]) if file is not None and functions else None


def _files(target: Target, sources: Sources) -> list[SourceFile]:
    return [sources[path] for path in target.sources]


def _after_last_line(file: SourceFile) -> str:
    return "\n" if file.text.endswith(b"\n") or not file.text else "\n\n"


_PLACERS = {
    "body": _place_body,
    "private": _place_private,
    "public": _place_public,
    "interface": _place_interface,
}
