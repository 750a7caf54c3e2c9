"""What the files of a package declare and use, by the compiler's index."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from swiftmodules.builds.index import BASE, DEFINITION, IMPLICIT, OVERRIDE, Occurrence
from swiftmodules.swiftpm.reader import Sources

# The positions of names in each file, with the identities of what they name.
Named = dict[Path, list[tuple[int, str]]]
# The positions in each file, by the identity that is named there.
Places = dict[str, dict[Path, set[int]]]


class Uses:
    """The declarations of some files, and where each of them is used."""

    def __init__(self, sources: Sources, occurrences: Iterable[tuple[Path, Occurrence]]) -> None:
        self.sources = sources
        self.defined: Named = defaultdict(list)
        self.mentioned: Named = defaultdict(list)
        self.names: dict[str, str] = {}
        self.places: Places = defaultdict(lambda: defaultdict(set))
        # Where a class gets a subclass, or a protocol a conformance.
        self.inherited: Places = defaultdict(lambda: defaultdict(set))
        # What a protocol requires or a superclass has, and the initialisers that the compiler makes up.
        self.witnesses: set[str] = set()
        self.implicit: set[str] = set()
        for file, each in occurrences:
            # What the compiler makes up elsewhere has no line.
            if file not in sources or not each.line:
                continue
            position = sources[file].position(each.line, each.column)
            self.mentioned[file].append((position, each.usr))
            self.places[each.usr][file].add(position)
            if each.roles & BASE:
                self.inherited[each.usr][file].add(position)
            if each.roles & DEFINITION:
                self.defined[file].append((position, each.usr))
                self.names[each.usr] = each.name
                if each.roles & OVERRIDE:
                    self.witnesses.add(each.usr)
                if each.roles & IMPLICIT and each.name.startswith("init("):
                    self.implicit.add(each.usr)
        for found in (*self.defined.values(), *self.mentioned.values()):
            found.sort()

    def declared(self, file: Path, start: int, end: int) -> frozenset[str]:
        """What is declared in a range of a file."""
        return _between(self.defined[file], start, end)

    def named(self, file: Path, start: int, end: int) -> frozenset[str]:
        """What is named in a range of a file."""
        return _between(self.mentioned[file], start, end)


def _between(found: list[tuple[int, str]], start: int, end: int) -> frozenset[str]:
    return frozenset(usr for _, usr in found[bisect_left(found, (start, "")) : bisect_left(found, (end, ""))])
