"""The list of module entries in `App/Composition.swift`."""

from __future__ import annotations

import re

from scaffolding.failures import RefusedError
from scaffolding.swift_list import SwiftList, place_among, read_list

PATH = "App/Composition.swift"

_OPENING = re.compile(r"-> \[any Module\] \{\s*\[")
_ENTRY = re.compile(r"\b(\w+)Module\(")
_IMPORT = re.compile(r"^import (\w+)\n", re.MULTILINE)


def adding(text: str, name: str) -> str:
    """The composition with a module's entry, and the import of the implementation that has it."""
    entries, keys = _listed(text)
    text = entries.inserting(f"{name}Module()", place_among(keys, name, f"The list of modules in {PATH}"))
    return _importing(text, f"{name}Implementation")


def removing(text: str, name: str, targets: tuple[str, ...]) -> str:
    """The composition without a module and the imports of its targets.

    Raises `RefusedError` where it says more of the module than `adding` writes.
    """
    entries, _ = _listed(text)
    plain = [entry for entry in entries.entries if entry.text == f"{name}Module()"]
    if len(plain) != 1:
        raise RefusedError(f"{PATH} has no entry that is just '{name}Module()'. Take the module out of it first.")
    text = entries.removing(plain[0])
    for target in targets:
        text = re.sub(rf"^import {target}\n", "", text, count=1, flags=re.MULTILINE)
    for line in text.splitlines():
        if re.search(rf"\b{name}(?:Module)?\b|\b(?:{'|'.join(targets)})\b", line.partition("//")[0]):
            raise RefusedError(f"{PATH} says more of {name} than its entry: '{line.strip()}'. Change that first.")
    return text


def _listed(text: str) -> tuple[SwiftList, list[str]]:
    """The entries, and the modules by whose names they are in order."""
    entries = read_list(text, _OPENING, PATH)
    keys = [_ENTRY.search(entry.text) for entry in entries.entries]
    for entry, key in zip(entries.entries, keys, strict=True):
        if key is None:
            line = text.count("\n", 0, entry.start) + 1
            raise RefusedError(f"{PATH}:{line}: this is not read as a module entry: {entry.text}")
    return entries, [key[1] for key in keys if key]


def _importing(text: str, target: str) -> str:
    imports = list(_IMPORT.finditer(text))
    if not imports:
        raise RefusedError(f"{PATH} has no line 'import …' beside which '{target}' could be imported.")
    before = [match for match in imports if match[1] < target]
    position = before[-1].end() if before else imports[0].start()
    return f"{text[:position]}import {target}\n{text[position:]}"
