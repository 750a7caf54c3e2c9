"""The place of an edit: the files among which it is looked for, and what is inserted or added where."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm import reader
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile
from swiftmodules.swiftpm.target import Target

# The positions in a declaration at which edits are made.
_ENDS = ("body_start", "body_end", "single_expression")


@dataclass(frozen=True)
class Replacement:
    """Replaces the bytes from `start` up to `end`; an insertion where they are equal. In the text of an edit, `{n}`
    becomes a number."""

    start: int
    end: int
    text: bytes

    @classmethod
    def inserting(cls, position: int, text: str) -> Replacement:
        return cls(position, position, text.encode())

    def numbered(self, number: int) -> Replacement:
        return replace(self, text=self.text.replace(b"{n}", b"%d" % number))


def rewrite(text: bytes, replacements: Iterable[Replacement]) -> bytes:
    """The text with all replacements made. Positions refer to the original text; ranges must not overlap."""
    parts = []
    position = 0
    for replacement in sorted(replacements, key=lambda each: (each.start, each.end)):
        if replacement.start < position:
            raise ValueError(f"replacements overlap at byte {replacement.start}")
        parts += [text[position : replacement.start], replacement.text]
        position = replacement.end
    return b"".join([*parts, text[position:]])


class NoPlaceError(ToolError):
    """A module, or a package, has nothing that the edit could change; the message says what is missing."""


@dataclass(frozen=True)
class Placement:
    """The place of an edit, in words (`description`) and in fact: the original path of the file that gets
    `insertions`."""

    description: str
    file: Path
    insertions: tuple[Replacement, ...]


@dataclass(frozen=True)
class Located:
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
    """A package and its files by path, and the module in which an edit is made."""

    package: Package
    sources: Mapping[Path, SourceFile]
    module: Module

    @property
    def interface(self) -> Target:
        return self.module.interface

    @property
    def implementation(self) -> Target:
        return self.module.implementation

    def files(self, target: Target) -> list[SourceFile]:
        return [self.sources[path] for path in target.sources]

    def types(self, target: Target) -> list[Located]:
        """The types of a target at any depth, but for those inside functions."""
        return [place for file in self.files(target) for place in places(file) if place.declaration.is_type]


def same_place(placement: Placement, here: Mapping[Path, SourceFile], there: Mapping[Path, SourceFile]) -> Placement:
    """The place of an edit in the same declaration of another state of a package. Where the file has moved, it is the
    file that has the declaration, or that shares the most declarations with it. Raises `NoPlaceError` where no file has
    the declaration."""
    file, missing = here[placement.file], NoPlaceError(f"there is no such declaration: {placement.description}.")
    own = _declarations(file)
    # The first of several declarations at a position counts.
    ends = {getattr(each, name): (key, name) for key, each in reversed(own.items()) for name in reversed(_ENDS)}
    inside = {each.start for each in placement.insertions if each.start != len(file.text)}
    if not inside <= ends.keys():
        raise missing

    def likeness(other: SourceFile) -> tuple[bool, int, bool]:
        found = _declarations(other).keys()
        return {ends[each][0] for each in inside} <= found, len(own.keys() & found), other.path == file.path

    other = max(there.values(), key=likeness)
    found, insertions = _declarations(other), []
    if own.keys().isdisjoint(found):
        raise missing
    for insertion in placement.insertions:
        if insertion.start not in inside:
            insertions.append(replace(last(other, ""), text=insertion.text))
            continue
        key, name = ends[insertion.start]
        position = getattr(found[key], name) if key in found else None
        if position is None:
            raise missing
        insertions.append(replace(insertion, start=position, end=position))
    return replace(placement, file=other.path, insertions=tuple(insertions))


def _declarations(file: SourceFile) -> dict[tuple[str, str], Declaration]:
    """The declarations of a file by their kinds and full names; of several alike the first."""
    found: dict[tuple[str, str], Declaration] = {}
    for each, owners in file.walk():
        found.setdefault((each.kind, f"{reader.path(each, owners)} {each.title}"), each)
    return found


def last(file: SourceFile, text: str) -> Replacement:
    """A declaration at the end of a file, after an empty line."""
    line_break = "" if file.text.endswith(b"\n") or not file.text else "\n"
    return Replacement.inserting(len(file.text), f"{line_break}\n{text}\n")


def places(file: SourceFile) -> Iterator[Located]:
    """The declarations of a file at any depth, but for those inside functions and in clauses of `#if`."""
    return (Located(file, declaration, owners) for declaration, owners in file.walk() if not declaration.is_conditional)


def mentions(file: SourceFile, names: Iterable[str]) -> bool:
    """Whether a file has one of the names, as a word, in its code."""
    choices = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return bool(choices) and re.search(rb"\b(?:%b)\b" % choices, file.mask) is not None


def importing_files(module: Module, package: Package, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files of the package that import a module's interface and are not part of it; tests are left out."""
    compiled = {path for target in package.code for path in target.sources} - set(module.interface.sources)
    name = module.interface.imported_as
    return [file for file in sources if file.path in compiled and name in {each.module for each in file.imports}]
