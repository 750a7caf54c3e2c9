"""The pieces of a target as a graph, by the compiler's index: which use which, and which have to stay together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path

from swiftmodules.builds.index import BASE, DEFINITION, IMPLICIT, OVERRIDE, Occurrence
from swiftmodules.split.pieces import Piece, pieces_of
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile

_OPERATOR = re.compile(rb"\b(?:operator|precedencegroup)\s+([^\s:{]+)")
# A file and a line.
Place = tuple[Path, int]


class Graph:
    """The pieces of a target, by their numbers. `owners` names the target of each file that was built."""

    def __init__(
        self,
        target: str,
        sources: Mapping[Path, SourceFile],
        owners: Mapping[Path, str],
        occurrences: Iterable[tuple[Path, Occurrence]],
    ) -> None:
        self.target, self.sources, self.owners = target, sources, owners
        self.files = [file for file in sorted(sources) if owners.get(file) == target]
        self.pieces: list[Piece] = []
        self.of_file: dict[Path, range] = {}
        for file in self.files:
            first = len(self.pieces)
            self.pieces += pieces_of(sources[file])
            self.of_file[file] = range(first, len(self.pieces))
        # The declarations of the target by their files and the positions of their names.
        self.declared: dict[tuple[Path, int], tuple[Declaration, Owners]] = {
            (file, each.name_start): (each, around) for file in self.files for each, around in sources[file].walk()
        }
        # What is used, by identity: its piece; where it is declared; the type whose members its initialiser takes.
        self.piece_of: dict[str, int] = {}
        self.place_of: dict[str, tuple[Path, int]] = {}
        self.implicit: dict[str, tuple[Path, int]] = {}
        self.names: dict[str, str] = {}
        # All that is mentioned in each file, by position.
        self.mentioned: dict[Path, list[tuple[int, str]]] = defaultdict(list)
        # The places of users, by identity and piece, and by identity and file outside of the target.
        self.uses: dict[str, dict[int, Place]] = defaultdict(dict)
        self.outside: dict[str, dict[Path, int]] = defaultdict(dict)
        self.bound: set[tuple[int, int]] = set()
        self._read(occurrences)
        self._bind_extensions()
        self._bind_operators()
        # The declarations that a piece uses of another one.
        self.edges: dict[tuple[int, int], set[str]] = defaultdict(set)
        for usr, users in self.uses.items():
            for user in users:
                self.edges[user, self.piece_of[usr]].add(usr)
        self._bind_unused()

    def at(self, file: Path, position: int) -> int | None:
        """The piece at a position of a file."""
        known = self.of_file[file]
        found = bisect_right(known, position, key=lambda each: self.pieces[each].start) - 1
        number = known[found] if found >= 0 else None
        return number if number is not None and position < self.pieces[number].end else None

    @cached_property
    def following(self) -> Mapping[int, set[int]]:
        """The pieces that each piece uses, or stays together with."""
        found: dict[int, set[int]] = {number: set() for number in range(len(self.pieces))}
        for one, other in (*self.edges, *self.bound, *((other, one) for one, other in self.bound)):
            found[one].add(other)
        return found

    def _read(self, occurrences: Iterable[tuple[Path, Occurrence]]) -> None:
        found = [(file, each) for file, each in occurrences if file in self.owners and each.line]
        placed: list[tuple[Path, int, int | None, Occurrence]] = []
        for file, each in found:
            if file in self.of_file:
                position = self.sources[file].position(each.line, each.column)
                placed.append((file, position, self.at(file, position), each))
                self.mentioned[file].append((position, each.usr))
        for file, position, piece, each in placed:
            if piece is not None and each.roles & DEFINITION and each.usr not in self.piece_of:
                self.piece_of[each.usr], self.names[each.usr] = piece, each.name
                is_made_up = each.roles & IMPLICIT and each.name.startswith("init(")
                (self.implicit if is_made_up else self.place_of)[each.usr] = file, position
        classes = {
            usr
            for usr, place in self.place_of.items()
            if place in self.declared and self.declared[place][0].kind == "class"
            if self.declared[place][0].access != "open"
        }
        for file, _, piece, each in placed:
            known = self.piece_of.get(each.usr)
            if piece is None or known is None or known == piece:
                continue
            self.uses[each.usr].setdefault(piece, (file, each.line))
            if each.roles & BASE and each.usr in classes:
                # Only a class that is open can have subclasses in another module.
                self.bound.add((piece, known))
        self.witnesses = {each.usr for _, _, _, each in placed if _is_witness(each)}
        for file, each in found:
            if file not in self.of_file and each.usr in self.piece_of:
                self.outside[each.usr].setdefault(file, each.line)
        for mentioned in self.mentioned.values():
            mentioned.sort()

    def _bind_extensions(self) -> None:
        """A conformance goes with its type, or with its protocol where the type is of another module; and so does an
        extension that has what a protocol requires."""
        witnessing = {self.piece_of[usr] for usr in self.witnesses & self.piece_of.keys()}
        types = {each.name: number for number, piece in enumerate(self.pieces) for each in _types(piece)}
        required = {
            each.name: {member.title for member in each.members}
            for piece in self.pieces
            for each in _types(piece)
            if each.kind == "protocol"
        }
        for number, piece in enumerate(self.pieces):
            for each in piece.declarations:
                if each.kind != "extension":
                    continue
                extended = re.split(r"[.<]", each.name)[0]
                has_defaults = not required.get(extended, set()).isdisjoint(member.title for member in each.members)
                if extended in types and (each.inherits or has_defaults or number in witnessing):
                    self.bound.add((number, types[extended]))
                elif extended not in types:
                    self.bound |= {(number, types[name]) for name in each.inherited if name in types}

    def _bind_operators(self) -> None:
        """The declaration of an operator, which the index does not have, goes with the functions of its name."""
        for number, piece in enumerate(self.pieces):
            if piece.declarations:
                continue
            declared = set(_OPERATOR.findall(self.sources[piece.file].mask[piece.start : piece.end]))
            for other, each in enumerate(self.pieces):
                named = {name.rpartition(".")[2].partition("(")[0].encode() for name in each.names}
                text = self.sources[each.file].mask[each.start : each.end]
                is_group = not each.declarations and any(
                    re.search(rb":\s*%b\b" % re.escape(name), text) for name in declared
                )
                if other != number and (not declared.isdisjoint(named) or is_group):
                    self.bound.add((number, other))

    def _bind_unused(self) -> None:
        """A piece that uses no other, and that no other uses, goes with the largest of its file."""
        connected = {piece for pair in (*self.edges, *self.bound) for piece in pair}
        for own in filter(None, self.of_file.values()):
            largest = max(own, key=lambda each: self.pieces[each].end - self.pieces[each].start)
            self.bound |= {(each, largest) for each in own if each not in connected and each != largest}


def _types(piece: Piece) -> Iterator[Declaration]:
    return (each for each in piece.declarations if each.is_type)


def _is_witness(occurrence: Occurrence) -> bool:
    return occurrence.roles & (DEFINITION | OVERRIDE) == DEFINITION | OVERRIDE


def is_part(declaration: Declaration, around: Owners) -> bool:
    """Whether it is as visible as the type around it: a case, or a requirement."""
    return declaration.kind in ("case", "associatedtype") or any(each.kind == "protocol" for each in around[-1:])
