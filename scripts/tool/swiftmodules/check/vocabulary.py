"""The names that the code of a package uses and declares."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from swiftmodules.check.subject import Subject
from swiftmodules.swiftpm.config import Documents
from swiftmodules.swiftpm.declarations import Declaration, Owners

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
class _DeclaredType:
    """Everything that is declared in types of one name, and what they inherit from.

    `is_declared` is false for a type of another module, of which only extensions are known.
    """

    is_declared: bool = False
    members: set[str] = field(default_factory=set)
    inherits: set[str] = field(default_factory=set)


class Vocabulary:
    """The types of a package with their members, the labels of its functions, and the words of its code."""

    def __init__(self, subject: Subject, rule: Documents) -> None:
        self._subject = subject
        self._rule = rule
        self._types: dict[str, _DeclaredType] = {}
        self._calls: dict[str, list[tuple[str, ...]]] = {}
        self._values: set[str] = set()
        for _, declaration, owners in subject.declarations(subject.package.targets):
            self._collect(declaration, owners)
            if declaration.kind in ("func", "init", "subscript", "case", "macro"):
                self._calls.setdefault(declaration.name, []).append(declaration.labels)
            else:
                self._values.add(declaration.name)

    def declares(self, type: str) -> bool:
        declared = self._types.get(type)
        return declared is not None and declared.is_declared

    def has_member(self, type: str, member: str) -> bool:
        """Whether a declared type has a member; also where that is unknown, because it inherits from elsewhere."""
        return member in _ALWAYS or self._finds(type, member, set())

    def uses(self, name: str) -> bool:
        """Whether a name occurs in the package's code."""
        return name in self._calls or name in self._words

    def accepts(self, function: str, labels: tuple[str, ...]) -> bool:
        """Whether a function can be called with these labels, where those with a default value may be missing.

        A call that is only used is of other people's code; a value may hold a function, which has no labels.
        """
        if function not in self._calls or function in self._values:
            return True
        return any(_is_part(labels, declared) for declared in self._calls[function])

    def _finds(self, type: str, member: str, seen: set[str]) -> bool:
        seen.add(type)
        if type in _GIVEN:
            return member in _GIVEN[type]
        if not self.declares(type):
            return True
        declared = self._types[type]
        return member in declared.members or any(
            self._finds(each, member, seen) for each in declared.inherits if each not in seen
        )

    def _collect(self, declaration: Declaration, owners: Owners) -> None:
        if declaration.is_type or declaration.kind == "extension":
            # An extension of `Profile.Link` adds to `Link`.
            entry = self._types.setdefault(declaration.name.rpartition(".")[2], _DeclaredType())
            entry.is_declared = entry.is_declared or declaration.is_type
            entry.inherits.update(declaration.inherited)
        if owners:
            self._types.setdefault(owners[-1].name.rpartition(".")[2], _DeclaredType()).members.add(declaration.name)

    @cached_property
    def _words(self) -> frozenset[str]:
        subject, words = self._subject, set[str]()
        for target, file in subject.files_by_target():
            words.add(target.name)
            words.update(_WORD.findall(file.mask.decode(errors="replace")))
        for path in subject.tracked:
            words.update(part.partition(".")[0] for part in path.parts)
            is_code = _is_within(path, self._rule.code) and not _is_within(path, self._rule.without)
            if is_code and path.suffix in _CODE_SUFFIXES:
                words.update(_WORD.findall(subject.text(path)))
        words.update(_WORD.findall("\n".join(subject.manifest)))
        return frozenset(words)


def _is_part(labels: tuple[str, ...], declared: tuple[str, ...]) -> bool:
    rest: Iterator[str] = iter(declared)
    return all(label in rest for label in labels)


def _is_within(path: Path, folders: Iterable[str]) -> bool:
    return any(path.is_relative_to(folder) for folder in folders)
