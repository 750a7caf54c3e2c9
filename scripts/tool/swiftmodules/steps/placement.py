"""The place of an edit: the files among which it is looked for, and what is inserted or added where."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm import reader
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile
from swiftmodules.swiftpm.target import Target

# Where edits are made in a declaration.
_ENDS = ("body_start", "body_end", "single_expression", "parameters_end")
# Stands for a new file in the lists of compiled files, as its name differs each time.
NEW_FILE = "NewFile.swift"


@dataclass(frozen=True)
class Replacement:
    """Replaces the bytes from `start` up to `end`; an insertion where they are equal."""

    start: int
    end: int
    text: bytes


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
class Insertion:
    """Text at a position of the original file; `{n}` in it becomes a number."""

    offset: int
    text: str

    def numbered(self, number: int) -> Replacement:
        return Replacement(self.offset, self.offset, numbered(self.text, number))


@dataclass(frozen=True)
class Placement:
    """The place of an edit, in words (`description`) and in fact: `file` is the original path of the file that gets
    `insertions`, or beside which one with the text `added` is made."""

    edit: str
    module: str | None
    description: str
    file: Path
    insertions: tuple[Insertion, ...] = ()
    added: str | None = None

    @property
    def compiled(self) -> Path:
        """The path by which the edited file stands in lists of compiled files."""
        return self.file if self.added is None else self.file.with_name(NEW_FILE)


def numbered(text: str, number: int) -> bytes:
    """The text of an edit with its number."""
    return text.replace("{n}", str(number)).encode()


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
    """A package and its files by path, and to place an edit, its name and the module in which it is made."""

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

    def types(self, target: Target) -> list[Located]:
        """The types of a target at any depth, but for those inside functions."""
        return [place for file in self.files(target) for place in places(file) if place.declaration.is_type]

    def insert(self, description: str, file: SourceFile, *parts: Insertion) -> Placement:
        """The edit of a file."""
        return Placement(self.edit, self.module.name if self.module else None, description, file.path, parts)

    def add(self, description: str, file: SourceFile, text: str) -> Placement:
        """The edit that adds a file beside another one."""
        return replace(self.insert(description, file), added=text)

    def insert_member(self, what: str, type: Located, text: str) -> Placement:
        """The edit that adds a member to a type."""
        return self.insert(f"{what} `{type.path}` in {type.file.path}", type.file, member(type, text))

    def append(self, what: str, file: SourceFile, text: str) -> Placement:
        """The edit that adds a declaration to a file."""
        return self.insert(f"{what} at the end of {file.path}", file, last(file, text))


def same_place(placement: Placement, here: Mapping[Path, SourceFile], there: Mapping[Path, SourceFile]) -> Placement:
    """The place of an edit in the same declaration of another state of a package. Where the file has moved, it is the
    file that has the declaration, or that shares the most declarations with it. Raises `NoPlaceError` where no file has
    the declaration."""
    file, missing = here[placement.file], NoPlaceError(f"there is no such declaration: {placement.description}.")
    own = _declarations(file)
    # Of several at a position, the first.
    ends = {getattr(each, name): (key, name) for key, each in reversed(own.items()) for name in reversed(_ENDS)}
    inside = {each.offset for each in placement.insertions if each.offset != len(file.text)}
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
        if insertion.offset not in inside:
            insertions.append(replace(last(other, ""), text=insertion.text))
            continue
        key, name = ends[insertion.offset]
        position = getattr(found[key], name) if key in found else None
        if position is None:
            raise missing
        insertions.append(replace(insertion, offset=position))
    return replace(placement, file=other.path, insertions=tuple(insertions))


def _declarations(file: SourceFile) -> dict[tuple[str, str], Declaration]:
    """The declarations of a file by their kinds and full names; of several alike the first."""
    found: dict[tuple[str, str], Declaration] = {}
    for each, owners in file.walk():
        found.setdefault((each.kind, f"{reader.path(each, owners)} {each.title}"), each)
    return found


def member(type: Located, text: str) -> Insertion:
    """A member at the end of a type or extension."""
    return Insertion(type.end, f"\n    {text}\n")


def last(file: SourceFile, text: str) -> Insertion:
    """A declaration at the end of a file, after an empty line."""
    line_break = "" if file.text.endswith(b"\n") or not file.text else "\n"
    return Insertion(len(file.text), f"{line_break}\n{text}\n")


def places(file: SourceFile) -> Iterator[Located]:
    """The declarations of a file at any depth, but for those inside functions and in clauses of `#if`."""
    return (Located(file, declaration, owners) for declaration, owners in file.walk() if not declaration.is_conditional)


def blocks(file: SourceFile) -> list[Located]:
    """The `extension` blocks of a file that hold for every case of their type."""
    return [
        place
        for place in places(file)
        if place.declaration.kind == "extension" and not place.declaration.is_constrained
    ]


def function_in(files: Iterable[SourceFile], fits: Callable[[Located], bool]) -> Located | None:
    """The first function with a body that fits, in the file that has the most of them (the first of several)."""
    fitting = [[each for each in places(file) if each.declaration.kind == "func" and fits(each)] for file in files]
    most: list[Located] = max(fitting, key=len, default=[])
    return most[0] if most else None


def largest_type(types: Iterable[Located], fits: Callable[[Located], bool]) -> Located | None:
    """The type with the most members of those that fit (the first of several)."""
    return max(filter(fits, types), key=lambda place: len(place.members), default=None)


def mentions(file: SourceFile, names: Iterable[str]) -> bool:
    """Whether a file has one of the names, as a word, in its code."""
    choices = b"|".join(re.escape(name.encode()) for name in sorted(names))
    return bool(choices) and re.search(rb"\b(?:%b)\b" % choices, file.mask) is not None


def importing_files(module: Module, package: Package, sources: Iterable[SourceFile]) -> list[SourceFile]:
    """The files of the package that import a module's interface and are not part of it; tests are left out."""
    compiled = {path for target in package.code for path in target.sources} - set(module.interface.sources)
    name = module.interface.imported_as
    return [file for file in sources if file.path in compiled and name in {each.module for each in file.imports}]


def is_used(block: Located, users: Iterable[SourceFile]) -> bool:
    """Whether a file mentions a type declared in the block, or a member where it declares no types."""
    names = {each.name for each in block.members if each.is_type}
    names = names or {declaration.name for declaration, _ in block.declaration.walk()}
    return any(mentions(file, names) for file in users)
