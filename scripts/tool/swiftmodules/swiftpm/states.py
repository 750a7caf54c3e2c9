"""What the targets of a package are compiled from, and in which of them two states of the package differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import msgspec

from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.package import LEFT_OUT, RESOLVED, Package
from swiftmodules.swiftpm.target import Target


class Difference(NamedTuple):
    """What is other in a target: its files, sorted, and whether anything in the manifests is that concerns it."""

    files: tuple[Path, ...]
    is_of_manifest: bool


@dataclass(frozen=True)
class State:
    """A package with the bytes of the files of each target, and of the packages beside it."""

    package: Package
    files: Mapping[str, Mapping[Path, bytes]]
    beside: Mapping[Path, bytes]

    @classmethod
    def read(cls, folder: Path, package: Package) -> State:
        """Reads the files of a package in a folder."""
        files = {
            target.name: {path: (folder / path).read_bytes() for path in _files(target, folder)}
            for target in (*package.targets, *package.others)
        }
        return cls(package, files, dict(_beside(folder, package)))

    def differences(self, old: State) -> dict[str, Difference]:
        """The targets that are not what they were, sorted; a new one has no files that were others before."""
        found = {}
        for target in sorted((*self.package.targets, *self.package.others), key=lambda each: each.name):
            was, now = old.files.get(target.name, {}), self.files[target.name]
            files = tuple(sorted(path for path in was.keys() | now.keys() if was.get(path) != now.get(path)))
            is_of_manifest = self._manifest_of(target) != old._manifest_of(old.package.target(target.name))
            if files or is_of_manifest:
                found[target.name] = Difference(files, is_of_manifest)
        return found

    def _manifest_of(self, target: Target | None) -> object:
        """What is the same for all targets, what a target has besides its files, and what it uses of other packages."""
        if target is None:
            return None
        package, own = self.package, msgspec.structs.replace(target, sources=(), folder=Path())
        shared = package.tools_version, package.platforms, package.language_modes, package.traits
        return shared, own, self.beside if target.products else None


def _files(target: Target, folder: Path) -> Iterator[Path]:
    """The sources and resources of a target, and the headers of one in C."""
    yield from target.sources
    places = [target.folder / each.path for each in target.resources]
    places += [] if target.sources and target.sources[0].suffix == ".swift" else [target.folder]
    for place in places:
        yield from files_below(folder / place, folder, LEFT_OUT) if (folder / place).is_dir() else [place]


def _beside(folder: Path, package: Package) -> Iterator[tuple[Path, bytes]]:
    """The versions of other packages, and the files of those that are in folders."""
    if (folder / RESOLVED).is_file():
        yield Path(RESOLVED), (folder / RESOLVED).read_bytes()
    places = [Path(each["path"]) for dependency in package.dependencies for each in dependency.get("fileSystem", ())]
    for place in places:
        for path in files_below(place, place, LEFT_OUT):
            yield Path(place.name, path), (place / path).read_bytes()
