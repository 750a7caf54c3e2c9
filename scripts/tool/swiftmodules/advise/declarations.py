"""The declarations of a package that was built, as a graph: what the code of each mentions, and which files use it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.split.uses import Uses
from swiftmodules.swiftpm.outlines import declarations, public_declarations
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Owners, path


@dataclass(frozen=True, eq=False)
class Node:
    """A declaration, with its identities in the index, and those of what its code mentions.

    The code of a type or an extension is what comes before its members, which are nodes of their own.
    """

    title: str
    declaration: Declaration
    owners: Owners
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
    def owner(self) -> str:
        """The type around it, or the type that it extends."""
        whole = self.owners if self.declaration.kind != "extension" else (*self.owners, self.declaration)
        return re.sub(r"<.*>", "", path(whole[-1], whole[:-1])) if whole else ""

    @property
    def place(self) -> str:
        return f"{self.file.as_posix()}:{self.line}"

    @property
    def is_of_instance(self) -> bool:
        """Whether a value of its type is needed to call it, so that a protocol can require it."""
        return self.declaration.kind in ("func", "var", "subscript") and not self.declaration.is_static

    @property
    def is_part(self) -> bool:
        """Whether it goes wherever its type goes: a case, a requirement, a stored property, a witness, a
        conformance."""
        each, kind = self.declaration, self.owners[-1].kind if self.owners else ""
        is_stored = each.kind == "var" and not each.has_body and not each.is_static
        is_conformance = each.kind == "extension" and bool(each.inherits)
        is_inner = kind == "protocol" or (kind in ("struct", "class", "actor") and is_stored)
        return each.kind == "case" or is_inner or self.is_witness or is_conformance


class Declarations:
    """The declarations of the targets in Swift, without tests, which are built for the cut of a large target only."""

    def __init__(self, uses: Uses, package: Package) -> None:
        self.target = {path: each.name for each in package.code for path in each.sources}
        self.sources, self._uses = uses.sources, uses
        self._nodes = {file: list(self._read(file)) for file in self.target if file in self.sources}
        self._by_usr = {usr: node for nodes in self._nodes.values() for node in nodes for usr in node.usrs}

    def of(self, files: Iterable[Path]) -> list[Node]:
        """The declarations of some files."""
        return [node for file in sorted(files) for node in self._nodes.get(file, ())]

    def known(self, usrs: Iterable[str]) -> set[Node]:
        """The declarations with some identities; those of other packages are none."""
        return {self._by_usr[usr] for usr in usrs if usr in self._by_usr}

    def users(self, node: Node) -> set[Path]:
        """The files that use a declaration, its own too."""
        return {file for usr in node.usrs for file in self._uses.places.get(usr, ())} & self.target.keys()

    def uses(self, node: Node, files: Collection[Path], as_base: bool = False) -> Iterator[tuple[Path, int]]:
        """The lines of some files that use a declaration, or make a subclass of it."""
        places = self._uses.inherited if as_base else self._uses.places
        for usr in node.usrs:
            found = places.get(usr, {})
            for file in found.keys() & files:
                yield from ((file, self.sources[file].line_at(each)) for each in found[file])

    def _read(self, file: Path) -> Iterator[Node]:
        source, uses = self.sources[file], self._uses
        visible = {each.start for _, each, _ in public_declarations(source)}
        for title, each, owners in declarations(source):
            # The name may stand in backticks.
            usrs = uses.declared(file, each.name_start, each.name_start + 2)
            signature = each.body_start or each.end
            yield Node(
                title=title,
                declaration=each,
                owners=owners,
                file=file,
                line=source.line_of(each),
                usrs=usrs,
                named=uses.named(file, each.start, signature) - usrs,
                mentioned=uses.named(file, each.start, signature if each.is_block else each.end) - usrs,
                is_visible=each.start in visible,
                is_witness=not uses.witnesses.isdisjoint(usrs) and not each.is_block,
            )
