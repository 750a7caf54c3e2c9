"""The pieces of a target, which can be moved to other files, as a graph by the compiler's index: which use which, and
which have to stay together."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path

from swiftmodules.split.declarations import Declarations, Node
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, SourceFile, pairs

_MAIN = "main.swift"
_BLANK = re.compile(rb"[ \t\r]*\n")
_OPERATOR = re.compile(rb"\b(?:operator|precedencegroup)\s+([^\s:{]+)")


@dataclass(frozen=True, eq=False)
class Piece:
    """A range of a file: a top-level declaration, a whole `#if`, or other code such as an operator's declaration."""

    file: Path
    start: int
    end: int
    line: int
    # All declarations in it.
    nodes: tuple[Node, ...]

    @cached_property
    def declarations(self) -> list[Declaration]:
        """Its declarations at the top level."""
        return [each.declaration for each in self.nodes if not each.around]

    @property
    def types(self) -> list[Declaration]:
        return [each for each in self.declarations if each.is_type]

    @property
    def title(self) -> str:
        """The name of its first type, or else of its first declaration."""
        titles = [each.title for each in self.nodes if not each.around]
        return next(iter([*(each.title for each in self.types), *titles]), f"{self.file.name}:{self.line}")

    @property
    def is_program(self) -> bool:
        """Whether a program begins in it, so that it stays in its target."""
        return self.file.name == _MAIN or any("main" in each.attributes for each in self.declarations)


class Graph:
    """The pieces of a target of a package, by their numbers."""

    def __init__(self, target: str, declarations: Declarations, package: Package) -> None:
        self.target, self.declarations, self.package = target, declarations, package
        self.sources = declarations.sources
        self.whole = package.by_name[target]
        self.files = sorted(self.whole.sources)
        self.pieces: list[Piece] = []
        self.of_file: dict[Path, range] = {}
        for file in self.files:
            first = len(self.pieces)
            self.pieces += pieces_of(file, declarations)
            self.of_file[file] = range(first, len(self.pieces))
        # The piece of each declaration, and by identity.
        self.nodes = {node: number for number, piece in enumerate(self.pieces) for node in piece.nodes}
        self.piece_of = {usr: number for node, number in self.nodes.items() for usr in node.usrs}
        # By name, without labels.
        self.named: dict[str, list[Node]] = defaultdict(list)
        for node in self.nodes:
            self.named[node.declaration.name].append(node)
        # By identity: the other pieces that use it, each with a place.
        self.uses: dict[str, dict[int, tuple[Path, int]]] = {usr: {} for usr in self.piece_of}
        # The pieces that each file of another target uses.
        self.outside: dict[Path, set[int]] = defaultdict(set)
        others = {file for each in package.targets if each != self.whole for file in each.sources}
        for usr, piece in self.piece_of.items():
            places = declarations.places[usr]
            for file in self.files:
                for position in sorted(places.get(file, ())):
                    user = self.at(file, position)
                    if user is not None and user != piece:
                        self.uses[usr].setdefault(user, (file, position))
            for file in places.keys() & others:
                self.outside[file].add(piece)
        # The declarations that a piece uses of another one.
        self.edges: dict[tuple[int, int], set[str]] = defaultdict(set)
        for usr, users in self.uses.items():
            for user in users:
                self.edges[user, self.piece_of[usr]].add(usr)
        # What has to stay together, in both orders.
        self.bound: set[tuple[int, int]] = set()
        self._bind_subclasses()
        self._bind_extensions()
        self._bind_operators()
        self._bind_unused()
        self.bound |= {(other, one) for one, other in self.bound}
        # The pieces of which the first needs the second. The program keeps the name of the target, and needs all.
        programs = [number for number, piece in enumerate(self.pieces) if piece.is_program]
        self.order = {*self.edges, *self.bound, *product(programs, range(len(self.pieces)))}

    def at(self, file: Path, position: int) -> int | None:
        """The piece at a position of a file."""
        known = self.of_file[file]
        found = bisect_right(known, position, key=lambda each: self.pieces[each].start) - 1
        number = known[found] if found >= 0 else None
        return number if number is not None and position < self.pieces[number].end else None

    @cached_property
    def following(self) -> Mapping[int, set[int]]:
        """The pieces that each piece needs."""
        found: dict[int, set[int]] = {number: set() for number in range(len(self.pieces))}
        for user, used in self.order:
            found[user].add(used)
        return found

    def _bind_subclasses(self) -> None:
        """A subclass goes with its class, unless that is open: only then another module can have it."""
        for node, piece in self.nodes.items():
            if node.declaration.kind == "class" and node.declaration.access != "open":
                places = self.declarations.uses(node, self.of_file.keys(), as_base=True)
                self.bound |= {(user, piece) for each in places if (user := self.at(*each)) not in (None, piece)}

    def _bind_extensions(self) -> None:
        """A conformance goes with its type, or with its protocol where the type is of another module; and so does an
        extension that implements a requirement."""
        witnessing = {piece for node, piece in self.nodes.items() if node.is_witness}
        types = {each.name: number for number, piece in enumerate(self.pieces) for each in piece.types}
        for number, piece in enumerate(self.pieces):
            for each in piece.declarations:
                if each.kind == "extension":
                    extended = re.split(r"[.<]", each.name)[0]
                    if extended not in types:
                        self.bound |= {(number, types[name]) for name in each.inherited if name in types}
                    elif each.inherits or number in witnessing:
                        self.bound.add((number, types[extended]))

    def _bind_operators(self) -> None:
        """The declaration of an operator or of its group, which the index does not have, goes with all that declares
        something of its name, and with the operators of the group."""
        texts = [self.sources[piece.file].mask[piece.start : piece.end] for piece in self.pieces]
        declared: dict[bytes, list[int]] = defaultdict(list)
        for number, piece in enumerate(self.pieces):
            for name in () if piece.nodes else _OPERATOR.findall(texts[number]):
                declared[name].append(number)
        for number, piece in enumerate(self.pieces):
            named = {node.declaration.name.encode() for node in piece.nodes} or {
                *re.split(rb"[\s:{},]+", texts[number])
            }
            self.bound |= {(each, number) for name in named for each in declared.get(name, ()) if each != number}

    def _bind_unused(self) -> None:
        """A piece that uses no other, and that no other uses, goes with the largest of its file."""
        connected = {piece for pair in (*self.edges, *self.bound) for piece in pair}
        for own in filter(None, self.of_file.values()):
            largest = max(own, key=lambda each: self.pieces[each].end - self.pieces[each].start)
            self.bound |= {(each, largest) for each in own if each not in connected and each != largest}


def pieces_of(file: Path, declarations: Declarations) -> Iterator[Piece]:
    """The pieces of a file in their order. All of `main.swift` is one, as its statements run in order."""
    source, nodes = declarations.sources[file], declarations.of([file])
    for start, end in [(0, len(source.text))] if file.name == _MAIN else _with_comments(source):
        own = tuple(each for each in nodes if start <= each.declaration.start < end)
        yield Piece(file, start, end, own[0].line if own else source.line_at(start), own)


def _with_comments(source: SourceFile) -> list[tuple[int, int]]:
    """The statements as ranges of whole lines, each with the lines of comments right above it and the blank lines below
    it; those of a line are one."""
    text, mask = source.text, source.mask
    found: list[tuple[int, int]] = []
    for start, end in pairs(source.statements):
        former = found[-1][1] if found else 0
        first, last = text.rfind(b"\n", 0, start) + 1, text.find(b"\n", end) + 1 or len(text)
        while blank := _BLANK.match(text, last):
            last = blank.end()
        if first < former:
            found[-1] = found[-1][0], max(last, former)
            continue
        while first > former:
            above = text.rfind(b"\n", 0, first - 1) + 1
            if not text[above:first].strip() or mask[above:first].strip():
                break
            first = above
        found.append((first, last))
    return found
