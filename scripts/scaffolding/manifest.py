"""The list of modules in `Package.swift`."""

from __future__ import annotations

import re
from dataclasses import dataclass

from scaffolding.failures import RefusedError
from scaffolding.swift_list import Entry, SwiftList, place_among, read_list

PATH = "Package.swift"
# Every target may import its interface, so no module names it.
ROUTER = "RouterService"

_OPENING = re.compile(r"^let modules = \[", re.MULTILINE)
_NAMES = r'\[\s*(?:"\w+"\s*,?\s*)*\]'
_MODULE = re.compile(
    rf'Module\(\s*"(?P<name>\w+)"(?:,\s*uses:\s*(?P<uses>{_NAMES}))?'
    rf"(?:,\s*alternatives:\s*(?P<alternatives>{_NAMES}))?\s*\)"
)


@dataclass(frozen=True)
class ListedModule:
    """A module as the manifest lists it."""

    name: str
    uses: tuple[str, ...]
    alternatives: tuple[str, ...]
    entry: Entry

    @property
    def implementations(self) -> tuple[str, ...]:
        return tuple(self.name + each for each in ("Implementation", *self.alternatives))

    @property
    def targets(self) -> tuple[str, ...]:
        return (*(self.name + each for each in ("Interface", "Testing", "Tests")), *self.implementations)


@dataclass(frozen=True)
class Manifest:
    """The text of a manifest, and the modules that it lists."""

    listing: SwiftList
    modules: tuple[ListedModule, ...]

    def module(self, name: str) -> ListedModule | None:
        return next((module for module in self.modules if module.name == name), None)

    @property
    def names(self) -> list[str]:
        return [module.name for module in self.modules]

    def users(self, name: str) -> list[str]:
        """The modules that use a module."""
        return [module.name for module in self.modules if name in module.uses]

    def adding(self, name: str, uses: tuple[str, ...]) -> str:
        """The text with one more module, in its place."""
        names = ", ".join(f'"{each}"' for each in uses)
        entry = f'Module("{name}", uses: [{names}])' if uses else f'Module("{name}")'
        return self.listing.inserting(entry, place_among(self.names, name, f"The list of modules in {PATH}"))

    def removing(self, module: ListedModule) -> str:
        """The text without a module.

        Raises `RefusedError` where the manifest names one of its targets elsewhere.
        """
        text = self.listing.removing(module.entry)
        for target in module.targets:
            if f'"{target}"' in text:
                raise RefusedError(f"{PATH} names {target} besides the list. Change that first.")
        return text


def read_manifest(text: str) -> Manifest:
    """Reads the modules. Raises `RefusedError` for a list that has anything but plain entries."""
    listing = read_list(text, _OPENING, PATH)
    modules = []
    for entry in listing.entries:
        match = _MODULE.fullmatch(entry.text)
        if match is None:
            line = text.count("\n", 0, entry.start) + 1
            raise RefusedError(f"{PATH}:{line}: this is not read as a module: {entry.text}")
        names = {key: tuple(re.findall(r"\w+", match[key] or "")) for key in ("uses", "alternatives")}
        modules.append(ListedModule(match["name"], names["uses"], names["alternatives"], entry))
    if len({module.name for module in modules}) < len(modules):
        raise RefusedError(f"{PATH} lists a module twice. Remove one of the two entries.")
    return Manifest(listing, tuple(modules))
