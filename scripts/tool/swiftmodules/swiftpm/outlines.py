"""The declarations of files by their names, and those that differ between two versions."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping

from swiftmodules.swiftpm.reader import VISIBLE, Declaration, Owners, SourceFile, is_api, path


def declarations(file: SourceFile) -> Iterator[tuple[str, Declaration, Owners]]:
    """The declarations of a file by their full names with labels; a block that extends a type is `extension Login`."""
    for each, owners in file.walk():
        kind = "extension " if each.kind == "extension" else ""
        yield f"{path(each, owners).removesuffix(each.name)}{kind}{each.title}", each, owners


def public_declarations(file: SourceFile) -> Iterator[tuple[str, Declaration, Owners]]:
    """The declarations that other targets may use, and the blocks that make a type conform to protocols."""
    for name, each, owners in declarations(file):
        if each.inherits if each.kind == "extension" else is_api(each, owners, VISIBLE):
            yield name, each, owners


def changed_names(before: Iterable[SourceFile], after: Iterable[SourceFile], *, only_public: bool) -> set[str]:
    """The names of the declarations that were added to the files of a target, removed, or changed: of all with the
    bodies of functions, or of the public ones apart from bodies and members. A move to another file changes none."""
    old, new = (_named(files, only_public) for files in (before, after))
    return {name for name in old.keys() | new.keys() if old.get(name) != new.get(name)}


def renamed(before: Iterable[SourceFile], after: Iterable[SourceFile]) -> dict[str, str]:
    """The new names of the declarations of a target's files of which nothing else has changed."""
    old, new = (_by_text(files) for files in (before, after))
    pairs = [(old[text], new[text]) for text in old.keys() & new.keys()]
    return {was[0]: now[0] for was, now in pairs if len(was) == len(now) == 1 and was != now}


def _by_text(files: Iterable[SourceFile]) -> Mapping[object, list[str]]:
    """The names of declarations by what is around them, and their text without their own name."""
    found: dict[object, list[str]] = defaultdict(list)
    for file in files:
        for name, each, owners in declarations(file):
            text = re.sub(rb"\b%b\b" % re.escape(each.name.encode()), b"", file.code[each.start : each.end])
            found[each.kind, tuple(owner.name for owner in owners), tuple(text.split())].append(name)
    return found


def _named(files: Iterable[SourceFile], only_public: bool) -> Mapping[str, set[bytes]]:
    """Several declarations may have the same name."""
    read = public_declarations if only_public else declarations
    found: dict[str, set[bytes]] = defaultdict(set)
    for file in files:
        for name, each, _ in read(file):
            is_whole = each.has_body and not only_public
            end = each.end if is_whole else each.body_start or each.end
            found[name].add(b" ".join(file.code[each.start : end].split()))
    return found
