"""Who uses a declaration, as far as the text tells: names are compared, and no types are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from buildspeed.conventions import ModuleTargets
from buildspeed.declarations import Extension, ParameterList, TypeDeclaration, last_component
from buildspeed.package_graph import Package
from buildspeed.swift_source import SourceFile

_COMMENT_OR_STRING = re.compile(rb'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)

# Protocols of the standard library and Foundation with the functions and initialisers that they require.
_OUTSIDE_REQUIREMENTS = {
    "AnyObject": set(),
    "CaseIterable": set(),
    "Codable": {"init", "encode"},
    "CustomDebugStringConvertible": set(),
    "CustomStringConvertible": set(),
    "Decodable": {"init"},
    "Encodable": {"encode"},
    "Equatable": set(),
    "Error": set(),
    "Hashable": {"hash"},
    "Identifiable": set(),
    "LocalizedError": set(),
    "Observable": set(),
    "Sendable": set(),
}


def code_of(file: SourceFile) -> bytes:
    """The text without its comments."""
    return _COMMENT_OR_STRING.sub(lambda match: match[1] or b" ", file.text)


def mentions(file: SourceFile, names: Iterable[str]) -> bool:
    """Whether a file has one of the names, as a word, in its code."""
    choices = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return bool(choices) and re.search(rb"\b(?:%b)\b" % choices, code_of(file)) is not None


def outside_files(module: ModuleTargets, package: Package, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files that import a module's interface and are no part of it."""
    own = set(module.interface.sources)
    compiled = {path for target in package.targets for path in target.sources} - own
    return [
        file
        for file in sources
        if file.path in compiled and module.interface.name in {each.module for each in file.imports}
    ]


def is_used(block: Extension, users: Iterable[SourceFile]) -> bool:
    """Whether a file mentions a type declared in the block, or a member where it declares no types."""
    return any(mentions(file, block.types or block.names) for file in users)


def is_surely_unused(block: Extension, files: Iterable[SourceFile]) -> bool:
    """Whether no file mentions anything of the block, at any depth. A conformance is used without its name."""
    names = block.names - {"init"}
    return bool(names) and not block.inherits and not any(mentions(file, names) for file in files)


def ends_with_comma(text: bytes) -> bool:
    """Whether code ends with a comma, as a list of parameters may."""
    return _COMMENT_OR_STRING.sub(lambda match: match[1] or b" ", text).rstrip().endswith(b",")


class Program:
    """All files of a package, to tell whether a function may get another parameter."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        files = list(files)
        self._code = [code_of(file) for file in files]
        self._types: dict[str, list[TypeDeclaration]] = {}
        for file in files:
            for type in file.types:
                self._types.setdefault(type.name, []).append(type)
        self._conformances: dict[str, set[str]] = {}
        for name, types in self._types.items():
            self._conformances[name] = {last_component(each) for type in types for each in type.inherits}
        for file in files:
            for block in file.extensions:
                inherited = {last_component(each) for each in block.inherits}
                self._conformances.setdefault(last_component(block.type), set()).update(inherited)

    def takes_another_parameter(self, parameters: ParameterList) -> bool:
        """Whether all uses still compile when a parameter with a default is added.

        Not where the function fulfils a requirement, which a default cannot, where it may be overridden, or
        where it is used as a value, whose type would change.
        """
        if not parameters.is_public or parameters.is_override or not parameters.name.isidentifier():
            return False
        owner = last_component(parameters.owners[-1]) if parameters.owners else None
        if owner is not None and self._may_be_required(parameters.name, owner, set()):
            return False
        return not self._is_used_as_a_value(parameters.name, owner)

    def _may_be_required(self, function: str, type: str, seen: set[str]) -> bool:
        """Whether a protocol that the type conforms to requires a function of this name, or is not known."""
        if type in seen:
            return False
        seen.add(type)
        if type in _OUTSIDE_REQUIREMENTS:
            return function in _OUTSIDE_REQUIREMENTS[type]
        declarations = self._types.get(type)
        if declarations is None:
            return True
        if any(each.kind == "protocol" and function in each.members for each in declarations):
            return True
        return any(self._may_be_required(function, each, seen) for each in self._conformances.get(type, ()))

    def _is_used_as_a_value(self, function: str, owner: str | None) -> bool:
        name = re.escape(function.encode())
        if function == "init":
            type = re.escape((owner or "").encode())
            value = rb"(?:\b%b(?:<[^<>]*>)?|(?<![\w)>\]?]))\.init\b(?!\s*\()" % type
        else:
            value = rb"(?<!func )\b%b\b(?!\s*[(<{:])" % name
        return any(re.search(value, code) for code in self._code)
