"""The declarations of a package that was built, as a graph: what the code of each mentions, and which files use it, by
the compiler's index."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from swiftmodules import closure
from swiftmodules.builds.index import BASE, DEFINITION, OVERRIDE, occurrences
from swiftmodules.builds.workspace import Workspace
from swiftmodules.swiftpm.outlines import TOP, declarations, public_declarations
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, Owners, SourceFile, path

# What the names of operators begin with.
_OPERATORS = tuple("=<>+-*/%!&|^~?")
_ARGUMENTS = re.compile(r"<.*>")


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
        return _ARGUMENTS.sub("", path(whole[-1], whole[:-1])) if whole else ""

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
    """The declarations in the files of a package's targets that were built."""

    def __init__(self, workspace: Workspace, package: Package, sources: Mapping[Path, SourceFile]) -> None:
        self.target = {path: each.name for each in package.code for path in each.sources}
        self._sources = sources
        # By file: the positions of what is declared and mentioned there, each with an identity.
        self._defined: dict[Path, list[tuple[int, str]]] = defaultdict(list)
        self._mentioned: dict[Path, list[tuple[int, str]]] = defaultdict(list)
        # By identity: the files that use it, and the lines in which they do, or make a subclass of it.
        self._uses: dict[str, dict[Path, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._subclassed: dict[str, dict[Path, set[int]]] = defaultdict(lambda: defaultdict(set))
        self._witnesses: set[str] = set()
        # The compiler knows operators by name only: a `==` in a file reaches every file that uses one and may see it.
        self._operators: dict[Path, set[str]] = defaultdict(set)
        self._seen = {
            name: closure.reached([name], package.dependencies_of) for name in dict.fromkeys(self.target.values())
        }
        for file, each in occurrences(workspace, workspace.toolchain):
            # Tests are built for the cut of a large target only.
            if file not in self.target:
                continue
            self._uses[each.usr][file].add(each.line)
            if each.name.startswith(_OPERATORS):
                self._uses[each.name][file].add(each.line)
            # What the compiler makes up has no line.
            if file not in sources or not each.line:
                continue
            position = sources[file].position(each.line, each.column)
            self._mentioned[file].append((position, each.usr))
            if each.roles & BASE:
                self._subclassed[each.usr][file].add(each.line)
            if each.roles & DEFINITION:
                self._defined[file].append((position, each.usr))
                self._witnesses |= {each.usr} if each.roles & OVERRIDE else set()
                if each.name.startswith(_OPERATORS):
                    self._operators[file].add(each.name)
        for found in (*self._defined.values(), *self._mentioned.values()):
            found.sort()
        self._nodes = {file: list(self._read(file)) for file in self.target if file in sources}
        self._by_usr = {usr: node for nodes in self._nodes.values() for node in nodes for usr in node.usrs}

    def of(self, files: Iterable[Path]) -> list[Node]:
        """The declarations of some files."""
        return [node for file in sorted(files) for node in self._nodes.get(file, ())]

    def known(self, usrs: Iterable[str]) -> set[Node]:
        """The declarations with some identities; those of other packages are none."""
        return {self._by_usr[usr] for usr in usrs if usr in self._by_usr}

    def users(self, node: Node) -> set[Path]:
        """The files that use a declaration, its own too."""
        return {file for usr in node.usrs for file in self._uses.get(usr, ())}

    def uses(self, node: Node, files: Collection[Path], as_base: bool = False) -> Iterator[tuple[Path, int]]:
        """The places in some files that use a declaration, or make a subclass of it."""
        for usr in node.usrs:
            found = (self._subclassed if as_base else self._uses).get(usr, {})
            yield from ((file, line) for file in found.keys() & files for line in found[file])

    def users_of(self, file: Path, block: str = TOP, without: Collection[Node] = ()) -> set[Path]:
        """The other files that use a type or `extension` block in a file, or anything of it, apart from some
        declarations."""
        ranges = [range(0, len(self._sources[file].text))] if block == TOP and file in self._sources else []
        ranges += [each for name, each in self._blocks(file) if name == block]
        known = {usr for node in without for usr in node.usrs}
        inside = {usr for each in ranges for usr in _between(self._defined[file], each.start, each.stop)} - known
        users = {user for usr in inside for user in self._uses[usr]}
        same = {user for each in self._operators[file] for user in self._uses[each] if block == TOP}
        return {*users, *(user for user in same if self.target[file] in self._seen[self.target[user]])} - {file}

    def _blocks(self, file: Path) -> Iterator[tuple[str, range]]:
        """The types and `extension` blocks in a file, by their paths, from their names on."""
        if (source := self._sources.get(file)) is None:
            return
        for each, owners in source.walk():
            if each.is_block:
                yield path(each, owners), range(each.name_start, each.end)

    def _read(self, file: Path) -> Iterator[Node]:
        source = self._sources[file]
        visible = {each.start for _, each, _ in public_declarations(source)}
        defined, mentioned = self._defined[file], self._mentioned[file]
        for title, each, owners in declarations(source):
            # The name may stand in backticks.
            usrs = _between(defined, each.name_start, each.name_start + 2)
            signature = each.body_start or each.end
            yield Node(
                title=title,
                declaration=each,
                owners=owners,
                file=file,
                line=source.line_of(each),
                usrs=usrs,
                named=_between(mentioned, each.start, signature) - usrs,
                mentioned=_between(mentioned, each.start, signature if each.is_block else each.end) - usrs,
                is_visible=each.start in visible,
                is_witness=not self._witnesses.isdisjoint(usrs) and not each.is_block,
            )


def _between(found: list[tuple[int, str]], start: int, end: int) -> frozenset[str]:
    return frozenset(usr for _, usr in found[bisect_left(found, (start, "")) : bisect_left(found, (end, ""))])
