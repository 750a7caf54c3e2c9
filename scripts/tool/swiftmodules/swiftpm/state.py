"""A package and the local packages that it reaches, as SwiftPM describes them and as their sources use one another."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from enum import IntEnum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from swiftmodules.closure import reached
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.facts import local_paths
from swiftmodules.swiftpm.git import Checkout
from swiftmodules.swiftpm.package import MANIFEST, RESOLVED, Package
from swiftmodules.swiftpm.reader import Sources, read_sources
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain, temporary_folder
from swiftmodules.swiftpm.undeclared import undeclared


class Reading(IntEnum):
    """How a target reads a path."""

    NOT = 0
    BELOW = 1
    # A source, or a declared resource.
    DECLARED = 2


@dataclass(frozen=True)
class State:
    """A package, the first, and the local packages that it reaches, as SwiftPM describes them and as sources import."""

    packages: tuple[Package, ...]
    # Of the package alone.
    sources: Sources
    # The versions of the packages that are fetched.
    pins: Any
    # The folders of packages outside of a copy, which are as they are now.
    in_place: frozenset[Path] = frozenset()

    @classmethod
    def read(cls, package: Package, sources: Sources, toolchain: Toolchain, root: Path = Path("/")) -> State:
        """Reads what a package reaches. It is the copy of the one at the same path below `root`, as are the others, if
        they are there; those outside are read where they are."""
        packages = {package.folder: package}
        parsed = {package.folder: sources}
        in_place: set[Path] = set()

        def others(folder: Path) -> Iterator[Path]:
            for path in chain.from_iterable(map(local_paths, packages[folder].facts.dependencies.values())):
                # It may be behind a link.
                place = _copy(root, path).resolve()
                is_copy = place.is_relative_to(root)
                own = Path("/") / place.relative_to(root) if is_copy else place
                if own not in packages and (place / MANIFEST).is_file():
                    packages[own] = read_package(place, toolchain, root=root if is_copy else Path("/"))
                    parsed[own] = read_sources(place, packages[own], toolchain)
                    in_place.update(() if is_copy else (own,))
                if own in packages:
                    yield own

        order = [*reached([package.folder], others)]
        pins = _pins(_copy(root, package.folder) / RESOLVED)
        found = cls(tuple(packages[each] for each in order), sources, pins, frozenset(in_place))
        edges = undeclared(found.targets, found.dependencies_of, parsed, lambda folder: _copy(root, folder))
        complete = (
            msgspec.structs.replace(each, undeclared={name: edges[name] for name in each.by_name if name in edges})
            for each in found.packages
        )
        return replace(found, packages=tuple(complete))

    @classmethod
    def at(
        cls,
        commit: str,
        checkout: Checkout,
        package: Package,
        toolchain: Toolchain,
        traits: tuple[str, ...] = (),
    ) -> tuple[State | None, tuple[str, ...]]:
        """The state of a package at a commit, or why it is not known."""
        with temporary_folder(os.environ) as name:
            root = Path(name).resolve()
            written = checkout.write(commit, root)
            if not (written / MANIFEST).is_file():
                return None, (f"{MANIFEST}, which is new",)
            try:
                found = read_package(written, toolchain, package.names, root=root, traits=traits)
                return cls.read(found, read_sources(written, found, toolchain), toolchain, root), ()
            except ToolError as error:
                return None, (f"an earlier state that cannot be read: {str(error).replace(name, '')}",)

    @property
    def package(self) -> Package:
        return self.packages[0]

    @cached_property
    def folders(self) -> dict[Path, Package]:
        return {each.folder: each for each in self.packages}

    @cached_property
    def targets(self) -> dict[str, tuple[Package, Target]]:
        """The targets of all packages, each with its own. Tests of local packages may have the names of others."""
        return {
            f"{one.name}/{each.name}" if each.is_test and one is not self.package else each.name: (one, each)
            for one in reversed(self.packages)
            for each in one.by_name.values()
        }

    @cached_property
    def _products(self) -> dict[str, list[str]]:
        """The targets of the products of local packages."""
        found: dict[str, list[str]] = defaultdict(list)
        for package in self.packages[1:]:
            for name, product in package.facts.products.items():
                found[name] += product["targets"]
        return found

    def dependencies_of(self, name: str) -> Iterator[str]:
        """The targets that a target depends on, in its own package and in others."""
        package, target = self.targets[name]
        yield from package.dependencies_of(target.name)
        for product, _ in target.products:
            yield from self._products.get(product, ())

    def users_of(self, product: str) -> list[str]:
        return [name for name, (_, target) in self.targets.items() if product in dict(target.products)]

    @cached_property
    def users_of_fetched(self) -> list[str]:
        """The targets that use packages which are fetched: each of these may depend on each other."""
        return [
            name
            for name, (_, target) in self.targets.items()
            if any(product not in self._products for product, _ in target.products)
        ]

    def readers(self, path: Path) -> tuple[Reading, list[str]]:
        """The targets that a path is an input of: those that declare it, and the innermost around it. The folder of a
        package has files for all of its targets, also where one target has that folder."""
        above = (path, *path.parents)
        declared = [name for each in above for name in self._declared.get(each, ())]
        folder = next((each for each in above if each in self._around), None)
        around = [] if folder is None or folder in self.folders else self._around[folder]
        kind = Reading.DECLARED if declared else Reading.BELOW if around else Reading.NOT
        return kind, [*dict.fromkeys((*declared, *around))]

    @cached_property
    def _around(self) -> dict[Path, list[str]]:
        """The targets by their folders."""
        found: dict[Path, list[str]] = {}
        for name, (package, target) in self.targets.items():
            found.setdefault(package.folder / target.folder, []).append(name)
        return found

    @cached_property
    def _declared(self) -> dict[Path, list[str]]:
        """The targets by their sources and resources, which may be outside of their folders."""
        found: dict[Path, list[str]] = {}
        for name, (package, target) in self.targets.items():
            for each in (*target.sources, *(target.folder / each.path for each in target.resources)):
                found.setdefault(Path(os.path.normpath(package.folder / each)), []).append(name)
        return found


def _copy(root: Path, path: Path) -> Path:
    """The copy of a folder, or the folder where it has none."""
    copy = root / path.relative_to("/")
    return copy if copy.exists() else path


def _pins(file: Path) -> Any:  # noqa: ANN401
    """What a `Package.resolved` says, but for the hash of the manifest."""
    if not file.is_file():
        return None
    content = file.read_bytes()
    with suppress(ValueError, AttributeError):
        return {name: value for name, value in json.loads(content).items() if name != "originHash"}
    return content
