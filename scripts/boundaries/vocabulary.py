"""The names that the code of a package uses and declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from boundaries.configuration import DocumentRule
from boundaries.declarations import Declaration, with_owners
from boundaries.subject import Subject
from boundaries.swift_text import masked

_WORD = re.compile(r"[^\W\d]\w*")
_CODE_SUFFIXES = {"", ".swift", ".py", ".sh"}

# What types get from protocols outside of the package, as far as documents are likely to name it.
_GIVEN = {
    "AnyObject": (),
    "CaseIterable": ("allCases", "AllCases"),
    "Codable": ("encode",),
    "Comparable": (),
    "CustomDebugStringConvertible": ("debugDescription",),
    "CustomReflectable": ("customMirror",),
    "CustomStringConvertible": ("description",),
    "Decodable": (),
    "Encodable": ("encode",),
    "Equatable": (),
    "Error": ("localizedDescription",),
    "Hashable": ("hash", "hashValue"),
    "Identifiable": ("id", "ID"),
    "Int": ("rawValue",),
    "Sendable": (),
    "String": ("rawValue",),
    "~Copyable": (),
}
_ALWAYS = {"init", "self", "Self", "Type", "Protocol"}


@dataclass
class DeclaredType:
    """Everything that is declared in types of one name, and what they inherit from.

    `is_declared` is false for a type of another module, of which only extensions are known.
    """

    is_declared: bool = False
    members: set[str] = field(default_factory=set)
    inherits: set[str] = field(default_factory=set)


@dataclass(frozen=True)
class Vocabulary:
    """The names of a package. `words` are all that its code uses; `calls` the labels that each function can have."""

    words: frozenset[str]
    types: dict[str, DeclaredType]
    calls: dict[str, list[tuple[str, ...]]]
    values: frozenset[str]

    def declares(self, type: str) -> bool:
        declared = self.types.get(type)
        return declared is not None and declared.is_declared

    def has_member(self, type: str, member: str) -> bool:
        """Whether a declared type has a member; also where nobody can tell, for it inherits from elsewhere."""
        return member in _ALWAYS or self._finds(type, member, set())

    def _finds(self, type: str, member: str, seen: set[str]) -> bool:
        seen.add(type)
        if type in _GIVEN:
            return member in _GIVEN[type]
        if not self.declares(type):
            return True
        declared = self.types[type]
        return member in declared.members or any(
            self._finds(each, member, seen) for each in declared.inherits if each not in seen
        )

    def accepts(self, function: str, labels: tuple[str, ...]) -> bool:
        """Whether a function can be called with these labels, where those with a default value may be missing."""
        return any(_is_part(labels, declared) for declared in self.calls.get(function, []))


def vocabulary(subject: Subject, rule: DocumentRule) -> Vocabulary:
    """Collects the names of the package's targets, and of the other code that the configuration names."""
    words: set[str] = set()
    types: dict[str, DeclaredType] = {}
    calls: dict[str, list[tuple[str, ...]]] = {}
    values: set[str] = set()
    for target, file in subject.files_by_target():
        words.add(target.name)
        words.update(_WORD.findall(masked(file.text).decode(errors="replace")))
        for declaration, owners in with_owners(file.declarations):
            _collect(declaration, owners, types)
            if declaration.kind in ("func", "init", "subscript", "case", "macro"):
                calls.setdefault(declaration.name, []).append(declaration.labels)
            else:
                values.add(declaration.name)
    for path in subject.tracked:
        words.update(part.partition(".")[0] for part in path.parts)
        is_code = _is_within(path, rule.code) and not _is_within(path, rule.without)
        if is_code and path.suffix in _CODE_SUFFIXES:
            words.update(_WORD.findall((subject.folder / path).read_text(encoding="utf-8", errors="replace")))
    words.update(_WORD.findall((subject.folder / "Package.swift").read_text(encoding="utf-8", errors="replace")))
    return Vocabulary(frozenset(words), types, calls, frozenset(values))


def _collect(declaration: Declaration, owners: tuple[Declaration, ...], types: dict[str, DeclaredType]) -> None:
    if declaration.is_type or declaration.kind == "extension":
        # An extension of `Profile.Link` adds to `Link`.
        entry = types.setdefault(declaration.name.rpartition(".")[2], DeclaredType())
        entry.is_declared = entry.is_declared or declaration.is_type
        entry.inherits.update(declaration.inherits)
    if owners:
        types.setdefault(owners[-1].name.rpartition(".")[2], DeclaredType()).members.add(declaration.name)


def _is_part(labels: tuple[str, ...], declared: tuple[str, ...]) -> bool:
    rest: Iterator[str] = iter(declared)
    return all(label in rest for label in labels)


def _is_within(path: Path, folders: Iterable[str]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
