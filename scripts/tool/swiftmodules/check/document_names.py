"""The rule for names of code in documents, and the names that the code of a package uses and declares."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise

from swiftmodules.check.subject import Problem, Subject, is_within, rule
from swiftmodules.swiftpm.config import Documents

_LITERAL = re.compile(r'"[^"]*"')
# Paths, URLs, options, commands and links are not Swift.
_OTHER = re.compile(r"[/|<>$%=\\]|^-|^\w+ --|^(?:swift|git|python3?) |\.\w+\*|\.swift$")
_CHAIN = re.compile(r"(?<![\w.#@\-])[^\W\d]\w*(?:\.[^\W\d]\w*)+(?![\w-])")
_CALL = re.compile(r"(?:(?P<owner>\w+)\.)*(?P<name>\w+)\((?P<labels>(?:\w+:)*)\)")
_WORD = re.compile(r"[^\W\d]\w*")
_CODE_SUFFIXES = {"", ".swift", ".py", ".sh"}

# The members that types get from protocols outside of the package, as far as documents are likely to name them.
_GIVEN = {
    **dict.fromkeys(("AnyObject", "Comparable", "Decodable", "Equatable", "Sendable", "~Copyable"), ()),
    **dict.fromkeys(("Codable", "Encodable"), ("encode",)),
    **dict.fromkeys(("Int", "String"), ("rawValue",)),
    "CaseIterable": ("allCases", "AllCases"),
    "CustomDebugStringConvertible": ("debugDescription",),
    "CustomReflectable": ("customMirror",),
    "CustomStringConvertible": ("description",),
    "Error": ("localizedDescription",),
    "Hashable": ("hash", "hashValue"),
    "Identifiable": ("id", "ID"),
}
_ALWAYS = {"init", "self", "Self", "Type", "Protocol"}


@rule("document-name", "names of code in documents, with dots or labels, exist")
def names_exist(subject: Subject) -> Iterator[Problem]:
    """Between backquotes, outside of string literals: `Profile.Overview`, whose first part is a type that the package
    declares, names members that the type has; `show(_:as:)` and `validate()` name a function that the package declares
    or uses, and that has these labels. Single words may mean anything, and are not looked at."""
    if not subject.documents:
        return
    known = _Vocabulary(subject)
    files = {path.name for path in subject.tracked}
    for document in subject.documents:
        for span in document.code_spans:
            for name, complaint in known.complaints(span.content) if span.content not in files else ():
                if not subject.is_foreign(name) and not subject.is_foreign(span.content):
                    fix = "Correct the name. If it is third-party, name it in the configuration's 'foreign'."
                    yield Problem(document.path, span.line, complaint, fix)


class _Vocabulary:
    """The types of a package with their members, the labels of its functions, and the words of its code."""

    def __init__(self, subject: Subject) -> None:
        self._types: set[str] = set()
        # Of each type, also of one of another module that is extended here.
        self._members: dict[str, set[str]] = defaultdict(set)
        self._inherited: dict[str, set[str]] = defaultdict(set)
        self._labels: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        # A value may hold a function, which has no labels.
        self._values: set[str] = set()
        self._words = set(_words(subject))
        for _, declaration, owners in subject.declarations(subject.package.targets):
            # An extension of `Profile.Link` adds to `Link`.
            name = declaration.name.rpartition(".")[2]
            if declaration.is_type:
                self._types.add(name)
            if declaration.is_type or declaration.kind == "extension":
                self._inherited[name].update(declaration.inherited)
            if owners:
                self._members[owners[-1].name.rpartition(".")[2]].add(declaration.name)
            if declaration.kind in ("func", "init", "subscript", "case", "macro"):
                self._labels[declaration.name].append(declaration.labels)
            else:
                self._values.add(declaration.name)

    def complaints(self, span: str) -> Iterator[tuple[str, str]]:
        """The names in a code span that do not exist, each with the complaint."""
        text = _LITERAL.sub('""', span)
        if _OTHER.search(text.replace("->", "")):
            return
        call = _CALL.fullmatch(text)
        if call:
            name = call["name"]
            if call["owner"] and call["owner"] not in self._types:
                return
            if name not in self._labels and name not in self._words:
                yield name, f"no code has a function {name}."
                return
            if not self._accepts(name, call["labels"].split(":")[:-1]):
                yield name, f"{name} has no parameters ({call['labels']})."
                return
        for chain in _CHAIN.finditer(text):
            for owner, name in pairwise(chain[0].split(".")):
                if owner in self._types and not self._has_member(owner, name):
                    yield chain[0], f"{owner} has no member {name}."
                    break

    def _has_member(self, type: str, member: str) -> bool:
        """Whether a declared type has a member, of its own or inherited."""
        reached: set[str] = set()
        found = {type}
        while found:
            reached |= found
            found = {each for name in found & self._types for each in self._inherited[name]} - reached
        return member in _ALWAYS or any(self._may_give(each, member) for each in reached)

    def _may_give(self, type: str, member: str) -> bool:
        """Whether a type gives a member to those that inherit from it; true where the type is not known."""
        if type in _GIVEN:
            return member in _GIVEN[type]
        return type not in self._types or member in self._members[type]

    def _accepts(self, function: str, labels: list[str]) -> bool:
        """Whether a function can be called with these labels, where those with a default value may be missing. A
        function that is used but not declared here is third-party code."""
        if function not in self._labels or function in self._values:
            return True
        return any(all(label in rest for label in labels) for rest in map(iter, self._labels[function]))


def _words(subject: Subject) -> Iterator[str]:
    """The words of the package's code, and the names of its files."""
    documents = subject.config.documents or Documents()
    yield from _WORD.findall("\n".join(subject.manifest))
    for target, file in subject.files_by_target():
        yield target.name
        yield from _WORD.findall(file.mask.decode(errors="replace"))
    for path in subject.tracked:
        yield from (part.partition(".")[0] for part in path.parts)
        is_code = is_within(path, documents.code) and not is_within(path, documents.without)
        if is_code and path.suffix in _CODE_SUFFIXES:
            yield from _WORD.findall(subject.text(path))
