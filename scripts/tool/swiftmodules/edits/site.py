"""The site of an edit: the package's targets and files, the module that is edited, and what its files declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules.edits.placement import ChangedDeclaration, Insertion, NoPlaceError, Placement
from swiftmodules.swiftpm import reader
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile


@dataclass(frozen=True)
class Place:
    """A declaration in its file, with the types and extensions around it. None stands in a clause of `#if`."""

    file: SourceFile
    declaration: Declaration
    owners: Owners

    @property
    def path(self) -> str:
        return reader.path(self.declaration, self.owners)

    @property
    def end(self) -> int:
        """The position of the closing brace."""
        assert self.declaration.body_end is not None
        return self.declaration.body_end

    @property
    def members(self) -> list[Declaration]:
        """The direct members, but for those in a clause of `#if`."""
        return [each for each in self.declaration.members if not each.is_conditional]


@dataclass(frozen=True)
class Site:
    """A package and its files by path, with the module to edit, which is None for an edit of the whole package, and
    the name of the edit that is placed."""

    package: Package
    sources: Mapping[Path, SourceFile]
    module: Module | None = None
    edit: str = ""

    @property
    def interface(self) -> Target:
        return self._edited.interface

    @property
    def implementation(self) -> Target:
        return self._edited.implementation

    @property
    def _edited(self) -> Module:
        if self.module is None:
            raise NoPlaceError("this edit is made in a module, and none is given.")
        return self.module

    def files(self, target: Target) -> list[SourceFile]:
        return [self.sources[path] for path in target.sources]

    def types(self, target: Target) -> list[Place]:
        """The types of a target at any depth, but for those inside functions."""
        return [place for file in self.files(target) for place in places(file) if place.declaration.is_type]

    def placement(self, description: str, file: SourceFile | None, added: str | None = None) -> Placement:
        """The edit that adds a file beside another one, or changes no text."""
        module, path = (self.module.name if self.module else None), (file.path if file else None)
        return Placement(self.edit, module, description, path, added=added)

    def insert(self, description: str, file: SourceFile, *parts: Insertion, at: Place | None = None) -> Placement:
        """The edit of a file, of the declaration `at` where that means something else afterwards."""
        changed = None
        if at is not None:
            line = file.line_of(at.declaration)
            changed = ChangedDeclaration(file.path, line, at.declaration.name, at.declaration.is_type)
        return replace(self.placement(description, file), insertions=parts, declaration=changed)

    def insert_member(self, what: str, type: Place, text: str, changes_type: bool = True) -> Placement:
        """The edit that adds a member to a type."""
        description = f"{what} `{type.path}` in {type.file.path}"
        return self.insert(description, type.file, member(type, text), at=type if changes_type else None)

    def append(self, what: str, file: SourceFile, text: str) -> Placement:
        """The edit that adds a declaration to a file."""
        return self.insert(f"{what} at the end of {file.path}", file, last(file, text))


def member(type: Place, text: str) -> Insertion:
    """A member at the end of a type or extension."""
    return Insertion(type.end, f"\n    {text}\n")


def last(file: SourceFile, text: str) -> Insertion:
    """A declaration at the end of a file, after an empty line."""
    line_break = "" if file.text.endswith(b"\n") or not file.text else "\n"
    return Insertion(len(file.text), f"{line_break}\n{text}\n")


def places(file: SourceFile) -> Iterator[Place]:
    """The declarations of a file at any depth, but for those inside functions and in clauses of `#if`."""
    return (Place(file, declaration, owners) for declaration, owners in file.walk() if not declaration.is_conditional)


def blocks(file: SourceFile) -> list[Place]:
    """The `extension` blocks of a file that hold for every case of their type."""
    return [
        place
        for place in places(file)
        if place.declaration.kind == "extension" and not place.declaration.is_constrained
    ]


def function_in(files: Iterable[SourceFile], fits: Callable[[Place], bool]) -> Place | None:
    """The first function with a body that fits, in the file that has the most of them (the first of several)."""
    fitting = [[each for each in places(file) if each.declaration.kind == "func" and fits(each)] for file in files]
    most: list[Place] = max(fitting, key=len, default=[])
    return most[0] if most else None


def largest_type(types: Iterable[Place], fits: Callable[[Place], bool]) -> Place | None:
    """The type with the most members of those that fit (the first of several)."""
    return max(filter(fits, types), key=lambda place: len(place.members), default=None)
