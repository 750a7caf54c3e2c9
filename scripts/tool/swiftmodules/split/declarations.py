"""The declarations of a package that was built: what the code of each mentions, and where each is used, by the
compiler's index."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.builds.index import BASE, DEFINITION, IMPLICIT, Occurrence
from swiftmodules.swiftpm.outlines import declarations, public_declarations
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Sources, path

# The positions of names in each file, with the identities of what they name.
Named = dict[Path, list[tuple[int, str]]]
# The positions in each file, by the identity that is named there.
Places = dict[str, dict[Path, set[int]]]


@dataclass(frozen=True, eq=False)
class Node:
    """A declaration, with its identities in the index, and those of what its code mentions.

    The code of a type or an extension is what comes before its members, which are nodes of their own.
    """

    title: str
    declaration: Declaration
    # The types and extensions around it, outermost first.
    around: tuple[Node, ...]
    file: Path
    line: int
    usrs: frozenset[str]
    # In its signature, and in all of its code.
    named: frozenset[str]
    mentioned: frozenset[str]
    # Whether other targets may use it.
    is_visible: bool
    # Whether a protocol requires it, or a superclass has it.
    is_witness: bool

    @property
    def owners(self) -> tuple[Declaration, ...]:
        return tuple(each.declaration for each in self.around)

    @property
    def owner(self) -> str:
        """The type around it, or the type that it extends."""
        whole = self.owners if self.declaration.kind != "extension" else (*self.owners, self.declaration)
        return re.sub(r"<.*>", "", path(whole[-1], whole[:-1])) if whole else ""

    @property
    def place(self) -> str:
        return f"{self.file.as_posix()}:{self.line}"

    @property
    def is_api(self) -> bool:
        """Whether other targets may name it."""
        return self.is_visible and self.declaration.kind != "extension"

    @property
    def is_of_instance(self) -> bool:
        """Whether a value of its type is needed to call it, so that a protocol can require it."""
        return self.declaration.kind in ("func", "var", "subscript") and not self.declaration.is_static

    @property
    def is_part(self) -> bool:
        """Whether it goes wherever its type goes: a case, a requirement, a stored property, a witness, a
        conformance."""
        each, kind = self.declaration, self.owners[-1].kind if self.around else ""
        is_stored = each.kind == "var" and not each.has_body and not each.is_static
        is_conformance = each.kind == "extension" and bool(each.inherits)
        is_inner = kind == "protocol" or (kind in ("struct", "class", "actor") and is_stored)
        return each.kind == "case" or is_inner or self.is_witness or is_conformance


class Declarations:
    """The declarations of the targets in Swift, without tests, and where all files use them."""

    def __init__(self, sources: Sources, occurrences: Iterable[tuple[Path, Occurrence]], package: Package) -> None:
        self.sources = sources
        self.target = {path: each.name for each in package.code for path in each.sources}
        self.mentioned: Named = defaultdict(list)
        self._declared: Named = defaultdict(list)
        self.places: Places = defaultdict(lambda: defaultdict(set))
        # Where a class gets a subclass, or a protocol a conformance.
        self.inherited: Places = defaultdict(lambda: defaultdict(set))
        # The initialisers that the compiler makes up, with their labels.
        self.implicit: dict[str, str] = {}
        # The requirements that a declaration implements, and the members of superclasses that it overrides.
        self.overridden: dict[str, set[str]] = {}
        for file, each in occurrences:
            # What the compiler makes up elsewhere has no line.
            if file in sources and each.line:
                self._add(file, sources[file].position(each.line, each.column), each)
        for found in (*self.mentioned.values(), *self._declared.values()):
            found.sort()
        self._nodes = {file: list(self._read(file)) for file in self.target if file in sources}
        self.by_usr = {usr: node for nodes in self._nodes.values() for node in nodes for usr in node.usrs}

    def _add(self, file: Path, position: int, each: Occurrence) -> None:
        if each.roles & DEFINITION or not each.overridden:
            # What implements a requirement is there at the conformance, too, and not in the text.
            self.mentioned[file].append((position, each.usr))
        self.places[each.usr][file].add(position)
        if each.roles & BASE:
            self.inherited[each.usr][file].add(position)
        if each.overridden:
            self.overridden.setdefault(each.usr, set()).update(each.overridden)
        if each.roles & DEFINITION:
            self._declared[file].append((position, each.usr))
            if each.roles & IMPLICIT and each.name.startswith("init("):
                self.implicit[each.usr] = each.name

    def _read(self, file: Path) -> Iterator[Node]:
        source, made = self.sources[file], dict[int, Node]()
        visible = {each.start for _, each, _ in public_declarations(source)}
        for title, each, owners in declarations(source):
            # The name may stand in backticks.
            usrs = _between(self._declared[file], each.name_start, each.name_start + 2)
            if each.body_start:
                # With the accessors of a property; at the brace of a class, the initialisers that it inherits.
                end = each.body_start if each.is_block else each.body_end
                usrs |= _between(self._declared[file], each.body_start - 1, end or 0)
            signature = each.body_start or each.end
            # Others are declared with it in `let name, kind: String`.
            declared = _between(self._declared[file], each.start, each.end)
            made[each.start] = Node(
                title=title,
                declaration=each,
                around=tuple(made[owner.start] for owner in owners),
                file=file,
                line=source.line_at(each.name_start),
                usrs=usrs,
                named=self.named(file, each.start, signature) - declared,
                mentioned=self.named(file, each.start, signature if each.is_block else each.end) - declared,
                is_visible=each.start in visible,
                is_witness=not self.overridden.keys().isdisjoint(usrs) and not each.is_block,
            )
            yield made[each.start]

    def named(self, file: Path, start: int, end: int) -> frozenset[str]:
        """What is named in a range of a file."""
        return _between(self.mentioned[file], start, end)

    def of(self, files: Iterable[Path]) -> list[Node]:
        """The declarations of some files."""
        return [node for file in sorted(files) for node in self._nodes.get(file, ())]

    def known(self, usrs: Iterable[str]) -> set[Node]:
        """The declarations with some identities; those of other packages are none."""
        return {self.by_usr[usr] for usr in usrs if usr in self.by_usr}

    def users(self, node: Node) -> set[Path]:
        """The files that use a declaration, its own too."""
        return {file for usr in node.usrs for file in self.places.get(usr, ())} & self.target.keys()

    def uses(self, node: Node, files: Collection[Path], as_base: bool = False) -> Iterator[tuple[Path, int]]:
        """The positions in some files where a declaration is used, or gets a subclass or a conformance."""
        for usr in node.usrs:
            found = (self.inherited if as_base else self.places).get(usr, {})
            yield from ((file, each) for file in found.keys() & files for each in sorted(found[file]))


def _between(found: list[tuple[int, str]], start: int, end: int) -> frozenset[str]:
    return frozenset(usr for _, usr in found[bisect_left(found, (start, "")) : bisect_left(found, (end, ""))])
