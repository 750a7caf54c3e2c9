"""What the compiler's errors ask for after a cut: more access, another import, a declaration that moves along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.split.costs import Parts
from swiftmodules.split.cut import Cut

_ERROR = re.compile(r"^(/[^\n:]+\.swift):(\d+):\d+: error: (.*)$", re.MULTILINE)
_QUOTED = re.compile(r"'([^']+)'")
_MISSING = re.compile(
    r"cannot find (?:type |operator )?'|no type named '|has no member '|does not conform to|requires that '"
)
_INITIALISER = re.compile(r"'(\w+)' initializer is inaccessible")
_AMBIGUOUS = re.compile(r"'(\w+)' is ambiguous for type lookup")


@dataclass(frozen=True)
class CompilerError:
    path: Path
    line: int
    message: str


def errors_of(log: str, folder: Path) -> list[CompilerError]:
    """The errors that a build has printed, with paths in the package."""
    found = dict.fromkeys(_ERROR.findall(log))
    return [CompilerError(_within(path, folder), int(line), message) for path, line, message in found]


def _within(path: str, folder: Path) -> Path:
    return Path(path).relative_to(folder) if Path(path).is_relative_to(folder) else Path(path)


class Repair:
    """Changes a cut by the errors of a build. `done` has a sentence for each change."""

    def __init__(self, cut: Cut, folder: Path) -> None:
        self.cut, self.folder = cut, folder
        self.done: list[str] = []
        self._names: dict[str, list[int]] = {}
        for usr, piece in cut.graph.piece_of.items():
            self._names.setdefault(cut.graph.names[usr].partition("(")[0].strip("`"), []).append(piece)
        self._foreign = {each.module for file in cut.graph.files for each in cut.graph.sources[file].imports}

    def apply(self, log: str) -> list[CompilerError]:
        """Repairs what it can, and returns all errors."""
        errors, parts = errors_of(log, self.folder), self.cut.part_of_file
        for error in errors:
            self.done += self._repaired(error, parts.get(error.path))
        return errors

    def _repaired(self, error: CompilerError, part: int | None) -> Iterator[str]:
        cut, access, quoted = self.cut, self.cut.access, _QUOTED.findall(error.message)
        names = [*dict.fromkeys(re.split(r"[.(<]", each)[0] for each in quoted)]
        if match := _AMBIGUOUS.search(error.message):
            if part is not None and match[1] in self._names and match[1] not in cut.aliases[part]:
                cut.aliases[part].add(match[1])
                yield f"alias {match[1]} in {cut.parts.names[part]}"
            return
        if (match := _INITIALISER.search(error.message)) and access.need_initialiser(match[1]):
            yield f"write the initialiser of {match[1]}"
        raised, pieces = names, list(enumerate(cut.graph.pieces))
        if "is inaccessible" in error.message:
            pieces = [(number, each) for number, each in pieces if cut.parts.part_of[number] != part]
        elif "matches a requirement" in error.message:
            # It is in the file of the error, and named with its labels.
            pieces = [(number, each) for number, each in pieces if cut.place(each.file, part or 0) == error.path]
            raised = quoted[:1]
        for name in raised:
            if access.need_named(name, {number for number, _ in pieces}):
                yield f"raise {name}"
        if _MISSING.search(error.message):
            yield from self._found(error.path, names, part)

    def _found(self, path: Path, names: list[str], part: int | None) -> Iterator[str]:
        """Imports what a file does not see, or moves it into the part that uses it."""
        parts, more = self.cut.parts, self.cut.more[path]
        pieces = [piece for name in names for piece in self._names.get(name, ())]
        for piece in pieces:
            other = parts.part_of[piece]
            if other == part:
                continue
            if part in (None, parts.kept) or other in reached([part], lambda one: parts.needs[one]):
                if other != parts.kept and parts.names[other] not in more:
                    more.add(parts.names[other])
                    yield f"import {parts.names[other]} in {path.name}"
            elif part is not None and self._moved(piece, part):
                yield f"move {self.cut.graph.pieces[piece].title} to {parts.names[part]}"
        if part is not None and not pieces and (missing := self._foreign - more):
            more |= missing
            yield f"import {', '.join(sorted(missing))} in {path.name}"

    def _moved(self, piece: int, part: int) -> bool:
        """Moves a piece with all that it needs and that the part does not see; where that makes a cycle, or the part
        that keeps the name would be used, nothing is moved."""
        parts, graph = self.cut.parts, self.cut.graph
        seen = reached([part], lambda one: parts.needs[one])
        following = graph.following
        moved = reached([piece], lambda one: (each for each in following[one] if parts.part_of[each] not in seen))
        labels = [part if number in moved else own for number, own in enumerate(parts.part_of)]
        moved_to = Parts(graph, parts.package, labels, parts.kept, parts.names)
        if moved_to.is_cyclic or parts.kept not in moved_to.members.keys() - set().union(*moved_to.needs.values()):
            return False
        self.cut.recut(moved_to)
        return True
