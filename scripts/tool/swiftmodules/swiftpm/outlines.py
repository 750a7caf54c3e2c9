"""What a file declares, as words: two versions of a file with the same outlines differ in bodies and comments
only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from swiftmodules.swiftpm.reader import SourceFile, blanked, is_api, path

# What stands at the top level of a file, and in none of its types and `extension` blocks.
TOP = ""


def outlines(file: SourceFile) -> Mapping[str, list[bytes]]:
    """The words of each type and `extension` block, and of the rest of a file, without those of others inside, without
    comments and the bodies of functions and computed properties."""
    found: dict[str, list[bytes]] = {}
    bodies: list[tuple[int, int]] = []
    blocks: list[tuple[str, int, int]] = []
    for declaration, owners in file.walk():
        if declaration.is_block:
            blocks.append((path(declaration, owners), declaration.body_start or 0, declaration.body_end or 0))
        else:
            bodies += [(declaration.body_start, declaration.body_end or 0)] if declaration.body_start else []
    mask = blanked(file.code, sorted(bodies))
    for name, start, end in blocks:
        inner = [(first, last) for _, first, last in blocks if start < first and last < end]
        found.setdefault(name, []).extend(_words(mask, start, end, inner))
    outermost = [(start, end) for _, start, end in blocks]
    return {TOP: _words(mask, 0, len(mask), outermost), **found}


def _words(mask: bytes, start: int, end: int, without: Sequence[tuple[int, int]]) -> list[bytes]:
    text = bytearray(mask[start:end])
    for first, last in without:
        text[first - start : last - start] = b" " * (last - first)
    return bytes(text).split()


def public_declarations(file: SourceFile) -> dict[str, list[bytes]]:
    """The words of each declaration that other modules may use, by its full name with labels, without its members and
    the bodies of functions; those of a block that extends a type are its conformances."""
    return {
        f"{path(each, owners).removesuffix(each.name)}{'extension ' if each.kind == 'extension' else ''}{each.title}": (
            file.code[each.start : each.body_start or each.end].split()
        )
        for each, owners in file.walk()
        if (each.inherits if each.kind == "extension" else is_api(each, owners))
    }
