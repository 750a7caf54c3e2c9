"""Rewrites how a file refers to targets that are merged with others: its imports, and names such as `Module.Type`."""

from __future__ import annotations

from collections.abc import Mapping

from swiftmodules.steps.placement import Replacement
from swiftmodules.swiftpm.reader import Import, SourceFile, pairs

_ACCESS_LEVELS = ("private", "fileprivate", "internal", "package", "public")


def import_replacements(
    file: SourceFile, own_module: str, renamed: Mapping[str, str], default_access: str
) -> list[Replacement]:
    """The changes that make a file's imports fit a layout.

    `renamed` names the target of the layout that holds the code of each original target. An import of the file's
    own target goes; of imports that come to mean the same, the one with the widest access stays, except that those
    in `#if` are left beside others. Line breaks stay, so the compiler's messages name the original lines.
    """
    kept: dict[tuple[object, ...], Import] = {}
    removed: list[Import] = []
    for declaration in file.imports:
        module = renamed.get(declaration.module, declaration.module)
        if module == own_module:
            removed.append(declaration)
            continue
        key = (declaration.start,) if file.conditions_at(declaration.start) else (module, *declaration.scope)
        rival = kept.get(key)
        if rival is None or declaration.module not in renamed:
            kept.setdefault(key, declaration)
        elif _width(rival, default_access) < _width(declaration, default_access):
            kept[key] = declaration
            removed.append(rival)
        else:
            removed.append(declaration)
    changed = [
        Replacement(each.name_start, each.name_end, renamed[each.module].encode())
        for each in kept.values()
        if renamed.get(each.module, each.module) != each.module
    ]
    return changed + [Replacement(each.start, _end_with_semicolon(each, file.text), b"") for each in removed]


def qualification_replacements(file: SourceFile, renamed: Mapping[str, str]) -> list[Replacement]:
    """The changes to names that are qualified with a merged module, such as `LoginInterface.Session`."""
    places = [(file.text[start:end].decode(), start, end) for start, end in pairs(file.qualifiers)]
    return [
        Replacement(start, end, renamed[name].encode())
        for name, start, end in places
        if renamed.get(name, name) != name
    ]


def _width(declaration: Import, default_access: str) -> int:
    # An exported or testable import is wider than any level.
    special = {"_exported", "testable"}.intersection(declaration.attributes)
    return _ACCESS_LEVELS.index(declaration.access or default_access) + len(_ACCESS_LEVELS) * len(special)


def _end_with_semicolon(declaration: Import, text: bytes) -> int:
    rest = text[declaration.end :]
    following = rest.lstrip(b" \t")
    return declaration.end + (len(rest) - len(following) + 1 if following.startswith(b";") else 0)
