"""Gives the files of a module the names of a copy of it: modules, types, identifiers of routes, URLs."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from buildspeed.conventions import ModuleTargets
from buildspeed.swift_source import SourceFile


def numbered(name: str, module: str, number: int) -> str:
    """`Profile7Module` for `ProfileModule` of the module Profile, and `OverviewModel7` for `OverviewModel`."""
    return f"{module}{number}{name.removeprefix(module)}" if name.startswith(module) else f"{name}{number}"


def names_of(module: ModuleTargets, sources: Mapping[Path, SourceFile]) -> list[str]:
    """Every name of a module that no two modules of a program can have: those of its targets, and of the types at
    the top level of its files, as the parser tells them. Types may share a target in a layout."""
    targets = [module.interface, module.implementation, *module.others]
    types = [
        type.name
        for target in targets
        for source in target.sources
        for type in sources[source].types
        if not type.owners
    ]
    return sorted({module.name, *(target.name for target in targets), *types})


class Renaming:
    """Puts the names of one copy in the place of the original ones."""

    def __init__(self, module: str, names: Iterable[str], number: int) -> None:
        self._module = module
        self._number = number
        words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        spoken = re.escape(module.lower())
        # The parser tells no positions of uses, so words are compared. A route's identifier begins with the module
        # (`"profile.overview"`), and so do the paths of its URLs (`app://profile/:user`).
        self._pattern = re.compile(
            rf"(?P<name>\b(?:{words})\b)|(?P<spoken>(?<=[\"`]){spoken}(?=\.)|(?<=://){spoken}\b)".encode()
        )

    def __call__(self, text: bytes) -> bytes:
        return self._pattern.sub(self._renamed, text)

    def path(self, path: Path) -> Path:
        """Where a file of the copy goes: in a folder that is named after the copy."""
        return Path(*(f"{part}{self._number}" if part == self._module else part for part in path.parts))

    def target(self, name: str) -> str:
        """The name of a target of the copy."""
        return numbered(name, self._module, self._number)

    def _renamed(self, match: re.Match[bytes]) -> bytes:
        if match["name"] is not None:
            return numbered(match["name"].decode(), self._module, self._number).encode()
        return match["spoken"] + str(self._number).encode()
