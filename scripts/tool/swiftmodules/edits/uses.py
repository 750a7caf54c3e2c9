"""The uses of a declaration, as far as the text shows: names are compared, and no types are known."""

from __future__ import annotations

import re
from collections.abc import Iterable

from swiftmodules.edits.site import Place, places
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.syntax import SourceFile

_COMMENT_OR_STRING = re.compile(rb'("(?:\\.|[^"\\\n])*")|//[^\n]*|/\*.*?\*/', re.DOTALL)

_WITHOUT_FUNCTIONS = (
    *("AnyObject", "CaseIterable", "CustomDebugStringConvertible", "CustomStringConvertible", "Equatable", "Error"),
    *("Identifiable", "LocalizedError", "Observable", "Sendable"),
)
# Protocols of the standard library and Foundation with the functions and initialisers that they require.
_OUTSIDE_REQUIREMENTS: dict[str, set[str]] = {
    **{name: set() for name in _WITHOUT_FUNCTIONS},
    "Codable": {"init", "encode"},
    "Decodable": {"init"},
    "Encodable": {"encode"},
    "Hashable": {"hash"},
}


def _code(file: SourceFile) -> bytes:
    """The text without its comments."""
    return _COMMENT_OR_STRING.sub(lambda match: match[1] or b" ", file.text)


def mentions(file: SourceFile, names: Iterable[str]) -> bool:
    """Whether a file has one of the names, as a word, in its code."""
    choices = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return bool(choices) and re.search(rb"\b(?:%b)\b" % choices, _code(file)) is not None


def importing_files(module: Module, package: Package, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files of the package that import a module's interface and are not part of it; tests are left out."""
    compiled = {path for target in package.code for path in target.sources} - set(module.interface.sources)
    name = module.interface.imported_as
    return [file for file in sources if file.path in compiled and name in {each.module for each in file.imports}]


def is_used(block: Place, users: Iterable[SourceFile]) -> bool:
    """Whether a file mentions a type declared in the block, or a member where it declares no types."""
    names = {each.name for each in block.members if each.is_type}
    names = names or {declaration.name for declaration, _ in block.declaration.walk()}
    return any(mentions(file, names) for file in users)


class Program:
    """All files of a package, to decide whether a function may get another parameter."""

    def __init__(self, files: Iterable[SourceFile]) -> None:
        files = list(files)
        self._code = [_code(file) for file in files]
        self._types: dict[str, list[Place]] = {}
        self._conformances: dict[str, set[str]] = {}
        for place in (place for file in files for place in places(file)):
            declaration = place.declaration
            if declaration.is_type:
                self._types.setdefault(declaration.name, []).append(place)
            if declaration.is_type or declaration.kind == "extension":
                name = declaration.name.rpartition(".")[2]
                self._conformances.setdefault(name, set()).update(each.lstrip("~") for each in declaration.inherited)

    def takes_another_parameter(self, place: Place) -> bool:
        """Whether all uses of a function still compile when a parameter with a default is added.

        Not where the function fulfils a requirement, which a default cannot, where it may be overridden, or
        where it is used as a value, whose type would change.
        """
        function = place.declaration
        if not function.is_public or function.is_override or not function.name.isidentifier():
            return False
        owner = place.owners[-1].name.rpartition(".")[2] if place.owners else None
        if owner is not None and self._may_be_required(function.name, owner, set()):
            return False
        return not self._is_used_as_a_value(function.name, owner)

    def _may_be_required(self, function: str, type: str, seen: set[str]) -> bool:
        """Whether a protocol that the type conforms to requires a function of this name, or is not known."""
        if type in seen:
            return False
        seen.add(type)
        if type in _OUTSIDE_REQUIREMENTS:
            return function in _OUTSIDE_REQUIREMENTS[type]
        if type not in self._types:
            return True
        for place in self._types[type]:
            if place.declaration.kind == "protocol" and function in {each.name for each in place.members}:
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
