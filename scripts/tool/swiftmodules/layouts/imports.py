"""Rewrites how a file refers to targets that are merged with others: its imports, and names such as `Module.Type`."""

from __future__ import annotations

from collections.abc import Mapping

from swiftmodules.steps.placement import Replacement
from swiftmodules.swiftpm.reader import Import, SourceFile, pairs


def import_replacements(file: SourceFile, own_module: str, renamed: Mapping[str, str]) -> list[Replacement]:
    """The changes that make a file's imports fit a layout.

    `renamed` names the target of the layout that holds the code of each original target. An import of the file's own
    target goes. Line breaks stay, so the compiler's messages name the original lines.
    """
    changes = []
    for each in file.imports:
        module = renamed.get(each.module, each.module)
        if module == own_module:
            changes.append(Replacement(each.start, _end_with_semicolon(each, file.text), b""))
        elif module != each.module:
            changes.append(Replacement(each.name_start, each.name_end, module.encode()))
    return changes


def qualification_replacements(file: SourceFile, renamed: Mapping[str, str]) -> list[Replacement]:
    """The changes to names that are qualified with a merged module, such as `LoginInterface.Session`."""
    places = [(file.text[start:end].decode(), start, end) for start, end in pairs(file.qualifiers)]
    return [
        Replacement(start, end, renamed[name].encode())
        for name, start, end in places
        if renamed.get(name, name) != name
    ]


def _end_with_semicolon(declaration: Import, text: bytes) -> int:
    rest = text[declaration.end :]
    following = rest.lstrip(b" \t")
    return declaration.end + (len(rest) - len(following) + 1 if following.startswith(b";") else 0)
