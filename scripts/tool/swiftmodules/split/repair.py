"""What the compiler's errors ask for after a cut: more access, another import, a declaration that moves along."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from swiftmodules.builds.printed import CompilerError
from swiftmodules.closure import reached
from swiftmodules.split.cut import Cut
from swiftmodules.split.parts import Parts

_QUOTED = re.compile(r"'([^']+)'")
_MISSING = re.compile(
    r"cannot find (?:type |operator )?'|no type named '|has no member '|does not conform to|requires that '"
)
_INITIALISER = re.compile(r"'\w+' initializer is inaccessible")
_AMBIGUOUS = re.compile(r"'\w+' is ambiguous for type lookup")


def repairs(cut: Cut, errors: Iterable[CompilerError]) -> Iterator[str]:
    """Changes a cut by the errors of a build, and yields a sentence for each change."""
    parts = cut.part_of_file
    for error in errors:
        yield from _repairs(cut, error, parts.get(error.path))


def _repairs(cut: Cut, error: CompilerError, part: int | None) -> Iterator[str]:
    graph, message = cut.graph, error.message
    names = [*dict.fromkeys(re.split(r"[.(<]", each)[0] for each in _QUOTED.findall(message))]
    declaring = [graph.nodes[node] for name in names for node in graph.named.get(name, ())]
    if _AMBIGUOUS.search(message):
        if part is not None and declaring and names[0] not in cut.aliases[part]:
            cut.aliases[part][names[0]] = declaring[0]
            yield f"alias {names[0]} in {cut.parts.names[part]}"
        return
    pieces = range(len(graph.pieces))
    if _INITIALISER.search(message) and cut.access.need_named(names[0], pieces, is_made=True):
        yield f"write the initialiser of {names[0]}"
    there = {number for number in pieces if cut.parts.part_of[number] != part or "is inaccessible" not in message}
    for name in names:
        if cut.access.need_named(name, there):
            yield f"raise {name}"
    if _MISSING.search(message) and part is not None:
        yield from _found(cut, error.path, declaring, part)


def _found(cut: Cut, path: Path, declaring: Sequence[int], part: int) -> Iterator[str]:
    """Imports what a file does not see, or moves it into the part that uses it."""
    for piece in declaring:
        parts = cut.parts
        other = parts.part_of[piece]
        if part == parts.kept or other in reached([part], parts.needs.__getitem__):
            if other != part and parts.names[other] not in cut.more[path]:
                cut.more[path].add(parts.names[other])
                yield f"import {parts.names[other]} in {path.name}"
        elif _moved(cut, piece, part):
            yield f"move {cut.graph.pieces[piece].title} to {parts.names[part]}"
    sources = (cut.graph.sources[file] for file in cut.graph.files)
    imports = (each for one in sources for each in one.imports if not one.conditions_at(each.start))
    if not declaring and (missing := {each.module for each in imports} - cut.more[path]):
        cut.more[path] |= missing
        yield f"import {', '.join(sorted(missing))} in {path.name}"


def _moved(cut: Cut, piece: int, part: int) -> bool:
    """Moves a piece with all that it needs and that the part does not see; where that makes a cycle, or the part that
    keeps the name would be used, nothing is moved."""
    parts, graph = cut.parts, cut.graph
    seen, following = reached([part], parts.needs.__getitem__), graph.following
    moved = reached([piece], lambda one: (each for each in following[one] if parts.part_of[each] not in seen))
    labels = [part if number in moved else own for number, own in enumerate(parts.part_of)]
    moved_to = Parts(graph, labels, parts.kept, parts.names)
    if moved_to.is_cyclic or parts.kept not in moved_to.members.keys() - set().union(*moved_to.needs.values()):
        return False
    cut.recut(moved_to)
    return True
