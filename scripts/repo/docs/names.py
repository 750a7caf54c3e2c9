"""Finds names of code in documents that do not exist.

Between backquotes, outside of string literals: `Profile.Overview`, whose first part is a type that the package
declares, names members that the type has; `show(_:as:)` and `validate()` name a function that the package declares or
uses, and that has these labels. Single words may mean anything, and are not looked at.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from repo.docs.markdown import Document, Located
from repo.docs.references import References

# Third-party names, where no code of ours uses them: UIKit's, and those that Compare.md names.
FOREIGN = re.compile(r"UI\w*|promised")
# The members that types get from protocols outside of the package, as far as documents are likely to name them.
_GIVEN = {
    *("init", "self", "Self", "Type", "Protocol", "encode", "rawValue", "allCases", "AllCases", "customMirror"),
    *("debugDescription", "description", "localizedDescription", "hash", "hashValue", "id", "ID"),
}
# Paths, URLs, options, commands and links are not Swift.
_OTHER = re.compile(r"[/|<>$%=\\]|^-|^\w+ --|^(?:swift|git|python3?) |\.\w+\*|\.swift$")
_CHAIN = re.compile(r"(?<![\w.#@\-])[^\W\d]\w*(?:\.[^\W\d]\w*)+(?![\w-])")
_CALL = re.compile(r"(?:(?P<owner>\w+)\.)*(?P<name>\w+)\((?P<labels>(?:\w+:)*)\)")
_WORD = re.compile(r"[^\W\d]\w*")


def _is_script(path: Path) -> bool:
    """Whether a file is code of the scripts; their tests name what must not exist."""
    return path.parts[0] == "scripts" and path.parts[1] != "tests" and path.suffix in ("", ".py")


class Names:
    """The types of the package with their members, the labels of its functions, and the words of its code."""

    def __init__(self, code: References) -> None:
        self._files = {path.name for path in code.files}
        # Of each type that is declared, the members that it and its extensions have, and what it inherits from.
        self._types: set[str] = set()
        self._members: dict[str, set[str]] = defaultdict(set)
        self._inherited: dict[str, set[str]] = defaultdict(set)
        self._labels: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        # A value may hold a function, which has no labels.
        self._values: set[str] = set()
        texts = [source.mask.decode(errors="replace") for source in code.sources.values()]
        texts += [code.text(path) for path in code.files if _is_script(path)]
        self._words = set(_WORD.findall("\n".join([*texts, *map(str, code.files)])))
        for source in code.sources.values():
            for declaration, owners in source.walk():
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

    def problems(self, document: Document) -> Iterator[Located]:
        """The names in a document that do not exist, each with its line."""
        for span in document.code_spans:
            text = re.sub(r'"[^"]*"', '""', span.content)
            if span.content not in self._files and not _OTHER.search(text.replace("->", "")):
                for problem in self._problems(text):
                    yield Located(
                        span.line, f"{problem} Correct it, or list it in scripts/repo/docs/names.py as foreign."
                    )

    def _problems(self, text: str) -> Iterator[str]:
        call = _CALL.fullmatch(text)
        if call:
            name, labels = call["name"], call["labels"].split(":")[:-1]
            if FOREIGN.fullmatch(name) or (call["owner"] and call["owner"] not in self._types):
                return
            if name not in self._labels and name not in self._words:
                yield f"No code has a function {name}."
                return
            if not self._accepts(name, labels):
                yield f"{name} has no parameters ({call['labels']})."
                return
        for chain in _CHAIN.finditer(text):
            for owner, name in pairwise(chain[0].split(".")):
                if owner in self._types and not self._has_member(owner, name):
                    yield f"{owner} has no member {name}."
                    break

    def _has_member(self, type: str, member: str) -> bool:
        """Whether a declared type has a member, of its own or inherited."""
        reached: set[str] = set()
        found = {type}
        while found:
            reached |= found
            found = {each for name in found for each in self._inherited[name]} - reached
        return member in _GIVEN or any(member in self._members[each] for each in reached)

    def _accepts(self, function: str, labels: list[str]) -> bool:
        """Whether a function can be called with these labels, where those with a default value may be missing. A
        function that is used but not declared here is third-party code."""
        if function not in self._labels or function in self._values:
            return True
        return any(all(label in rest for label in labels) for rest in map(iter, self._labels[function]))
