"""What the compiler's errors ask for after a cut: more access, another import, a declaration that moves along."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.split.costs import Parts
from swiftmodules.split.cut import Cut
from swiftmodules.split.merge import components

_ERROR = re.compile(r"^(/[^\n:]+\.swift):(\d+):\d+: error: (.*)$", re.MULTILINE)
_HERE = re.compile(r"^(/[^\n:]+\.swift):(\d+):\d+: note: [^\n]*declared here", re.MULTILINE)
_QUOTED = re.compile(r"'([^']+)'")
_ACCESS = re.compile(rb"\b(?:public|package|internal|fileprivate|private)\s+")
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
        errors, origins = errors_of(log, self.folder), self.cut.origins
        for error in errors:
            origin = origins.get(error.path)
            for text in self._repaired(error, *(origin or (None, None))):
                self.done.append(text)
        for path, line in _HERE.findall(log):
            place = _within(path, self.folder)
            if place in origins and self._raised_at(place, int(line), origins[place][0]):
                self.done.append(f"raise {place}:{line}")
        return errors

    def _repaired(self, error: CompilerError, file: Path | None, part: int | None) -> Iterator[str]:
        access, names = self.cut.access, _QUOTED.findall(error.message)
        if match := _AMBIGUOUS.search(error.message):
            if match[1] in self._names and match[1] not in self.cut.aliases:
                self.cut.aliases.add(match[1])
                yield f"alias {match[1]}"
            return
        if (match := _INITIALISER.search(error.message)) and access.need_initialiser(match[1]):
            yield f"write the initialiser of {match[1]}"
        # What is inaccessible is in another part; a type that is shown may be in the same one.
        is_other = "is inaccessible" in error.message
        pieces = {number for number, own in enumerate(self.cut.parts.part_of) if not is_other or own != part}
        for name in dict.fromkeys(re.split(r"[.(<]", each)[0] for each in names):
            if name in self._names and access.need_named(name, pieces):
                yield f"raise {name}"
        if _MISSING.search(error.message):
            yield from self._found(error.path, names, part)
        if file is not None and re.search(r"must be (?:declared|as accessible)|cannot be declared", error.message):
            yield from [f"raise {error.path}:{error.line}"] * self._raised_at(error.path, error.line, file)

    def _found(self, path: Path, names: list[str], part: int | None) -> Iterator[str]:
        """Imports what a file does not see, or moves it into the part that uses it."""
        parts, more = self.cut.parts, self.cut.more[path]
        pieces = [piece for name in names for piece in self._names.get(re.split(r"[.(<]", name)[0], ())]
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
        between = {(labels[user], labels[used]) for user in following for used in following[user]}
        numbers = {label: number for number, label in enumerate(dict.fromkeys(labels))}
        pairs = [(numbers[user], numbers[used]) for user, used in between if user != used]
        is_cyclic = len(set(components(len(numbers), pairs))) < len(numbers)
        if is_cyclic or parts.kept not in numbers or any(used == parts.kept != user for user, used in between):
            return False
        self.cut.recut(Parts(graph, parts.package, labels, parts.kept, parts.names))
        return True

    def _raised_at(self, path: Path, line: int, file: Path) -> bool:
        """Raises the declarations of a file that stand in a line of it after the cut."""

        def plain(text: bytes) -> bytes:
            return _ACCESS.sub(b"", text.strip())

        graph, access = self.cut.graph, self.cut.access
        wanted = plain((self.folder / path).read_bytes().split(b"\n")[line - 1])
        lines = graph.sources[file].text.split(b"\n")
        before = len(access.raised)
        for spot in graph.declared:
            if spot[0] == file and plain(lines[graph.sources[file].line_at(spot[1]) - 1]) == wanted:
                access.need_at(spot)
        return len(access.raised) > before
