"""Where edits are placed: the package's targets and files, the module that is edited, and what its files declare."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.edits.placement import ChangedDeclaration, Insertion, NoPlaceError, Placement
from swiftmodules.swiftpm import declarations
from swiftmodules.swiftpm.declarations import Declaration, Owners
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.syntax import SourceFile

STATEMENT = '\n        _ = "edit {n}"\n'


@dataclass(frozen=True)
class Place:
    """A declaration in its file, with the types and extensions around it. None stands in a clause of `#if`."""

    file: SourceFile
    declaration: Declaration
    owners: Owners

    @property
    def path(self) -> str:
        return declarations.path(self.declaration, self.owners)

    @property
    def end(self) -> int:
        """The position of the closing brace."""
        assert self.declaration.body_end is not None
        return self.declaration.body_end

    @property
    def members(self) -> list[Declaration]:
        """The direct members, but for those in a clause of `#if`."""
        return [each for each in self.declaration.members if not _is_conditional(each, self.file)]

    @property
    def changed(self) -> ChangedDeclaration:
        """The declaration, as an edit of it changes it."""
        line = self.file.lines.at(self.declaration.name_start)
        return ChangedDeclaration(self.file.path, line, self.declaration.name, self.declaration.is_type)


@dataclass(frozen=True)
class Site:
    """A package, its files by path, and the module to edit, which is None for an edit of the whole package."""

    package: Package
    sources: Mapping[Path, SourceFile]
    module: Module | None = None

    @property
    def interface(self) -> Target:
        return self._edited.interface

    @property
    def implementation(self) -> Target:
        return self._edited.implementation

    @property
    def module_name(self) -> str | None:
        return self.module.name if self.module else None

    def files(self, target: Target) -> list[SourceFile]:
        return [self.sources[path] for path in target.sources]

    def types(self, target: Target) -> list[Place]:
        """The types of a target at any depth, but for those inside functions."""
        return [place for file in self.files(target) for place in places(file) if place.declaration.is_type]

    def insert(
        self, edit: str, description: str, file: SourceFile, *parts: Insertion, at: Place | None = None
    ) -> Placement:
        """An edit of a file, of the declaration `at` where that means something else afterwards."""
        changed = at.changed if at else None
        return Placement(edit, self.module_name, description, file.path, parts, declaration=changed)

    @property
    def _edited(self) -> Module:
        if self.module is None:
            raise NoPlaceError("this edit is made in a module, and none is given.")
        return self.module


def places(file: SourceFile) -> Iterator[Place]:
    """The declarations of a file at any depth, but for those inside functions and in clauses of `#if`."""
    for declaration, owners in file.walk():
        if not any(_is_conditional(each, file) for each in (*owners, declaration)):
            yield Place(file, declaration, owners)


def blocks(file: SourceFile) -> list[Place]:
    """The `extension` blocks of a file."""
    return [place for place in places(file) if place.declaration.kind == "extension"]


def functions(file: SourceFile) -> list[Place]:
    """The functions of a file that have a body."""
    return [place for place in places(file) if place.declaration.kind == "func" and place.declaration.has_body]


def function_in(files: Iterable[SourceFile], fits: Callable[[Place], bool]) -> Place | None:
    """The first function that fits, in the file that has the most of them (the first by name of several)."""
    fitting = [[place for place in functions(file) if fits(place)] for file in files]
    most = max(map(len, fitting), default=0)
    return next((found[0] for found in fitting if found and len(found) == most), None)


def largest_type(types: Iterable[Place], fits: Callable[[Place], bool]) -> Place | None:
    """The type with the most members of those that fit (the first of several)."""
    return max(filter(fits, types), key=lambda place: len(place.members), default=None)


def after_last_line(file: SourceFile) -> str:
    """What must stand between the end of a file and a new declaration: an empty line."""
    return "\n" if file.text.endswith(b"\n") or not file.text else "\n\n"


def _is_conditional(declaration: Declaration, file: SourceFile) -> bool:
    return any(start <= declaration.start < end for start, end in file.conditions)
