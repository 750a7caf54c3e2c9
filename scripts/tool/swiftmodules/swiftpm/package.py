"""A package with its targets of every kind, and the modules that their names make."""

from __future__ import annotations

import sys
from collections.abc import Container, Iterable, Iterator
from functools import cached_property
from pathlib import Path

import msgspec

from swiftmodules.closure import reached
from swiftmodules.swiftpm.config import USUAL_NAMES, TargetRule
from swiftmodules.swiftpm.facts import Facts
from swiftmodules.swiftpm.modules import Module, Naming, find_modules, namings
from swiftmodules.swiftpm.target import Target

MANIFEST, RESOLVED = "Package.swift", "Package.resolved"
# Folders that hold no sources.
BUILDS = ".build"
LEFT_OUT = {".git", BUILDS, ".swiftpm"}


class Package(msgspec.Struct, frozen=True, dict=True):
    """A package. `targets` are those in Swift, tests too; `others` are plugins, macros, and what is not in Swift."""

    name: str
    tools_version: str
    targets: tuple[Target, ...] = ()
    others: tuple[Target, ...] = ()
    # The manifest that this toolchain reads: `Package.swift`, or `Package@swift-6.2.swift`.
    manifest: Path = Path(MANIFEST)
    # Where the package is, or was written from.
    folder: Path = Path()
    # All that SwiftPM prints of it.
    facts: Facts = Facts()
    # The modules that the sources of each target import although the manifest does not name them.
    undeclared: dict[str, tuple[str, ...]] = {}
    # The entries of a configuration that name its targets.
    names: tuple[TargetRule, ...] = USUAL_NAMES

    @cached_property
    def namings(self) -> dict[str, Naming]:
        """What the name of each target says that an entry matches."""
        return namings([target.name for target in self.targets], self.names)

    def naming(self, target: str) -> Naming:
        return self.namings.get(target, Naming())

    @cached_property
    def modules(self) -> dict[str, Module]:
        """The modules that have an interface and the implementation that is named after it, by their names."""
        return find_modules(self.targets, self.namings, self.names)

    @cached_property
    def edited_modules(self) -> dict[str, Module]:
        """The modules in which edits can be made: in a package that has none by the names of its targets, each library
        target is one, with its API and the code behind it. What plain `swift build` leaves out is none."""
        libraries = [target for target in self.targets if target.kind == "library"]
        found = self.modules or {each.name: Module.of(each) for each in libraries}
        return {name: each for name, each in found.items() if self.left_out.keys().isdisjoint(each.names)}

    @property
    def application(self) -> Target | None:
        """The only executable, or None where there are none or several."""
        executables = [target for target in self.targets if target.is_executable]
        return executables[0] if len(executables) == 1 else None

    @cached_property
    def by_name(self) -> dict[str, Target]:
        return {target.name: target for target in (*self.targets, *self.others)}

    @property
    def code(self) -> tuple[Target, ...]:
        """The targets in Swift that plain `swift build` compiles."""
        return tuple(target for target in self.targets if not target.is_test and target.name not in self.left_out)

    @cached_property
    def left_out(self) -> dict[str, str]:
        """The targets that plain `swift build` leaves out, each with the reason: others depend on it on other platforms
        only, and none does on this one."""
        here = "macos" if sys.platform == "darwin" else sys.platform
        built = [target for target in (*self.targets, *self.others) if not target.is_test]
        elsewhere = {
            name: f"on this platform, plain 'swift build' leaves it out: {each.name} depends on it on "
            f"{', '.join(platforms)} only."
            for each in built
            for name, platforms in each.platforms.items()
            if here not in platforms and self.target(name)
        }

        def needed(name: str) -> Iterator[str]:
            target = self.target(name)
            for each in target.dependencies if target else ():
                if target and here in target.platforms.get(each, (here,)):
                    yield each

        kept = reached((each.name for each in built if each.name not in elsewhere), needed)
        return {name: reason for name, reason in elsewhere.items() if name not in kept}

    @property
    def tests(self) -> tuple[Target, ...]:
        return tuple(target for target in self.targets if target.is_test)

    def target(self, name: str) -> Target | None:
        return self.by_name.get(name)

    def program(self, name: str) -> Package:
        """The package with the targets of one program only: an executable, and everything that it depends on."""
        return self._with(reached([name], self.dependencies_of))

    @cached_property
    def built(self) -> Package:
        """The package without the targets that plain `swift build` leaves out."""
        return self._with(self.by_name.keys() - self.left_out.keys())

    def _with(self, names: Container[str]) -> Package:
        targets, others = ([each for each in some if each.name in names] for some in (self.targets, self.others))
        return msgspec.structs.replace(self, targets=tuple(targets), others=tuple(others))

    def dependencies_of(self, name: str) -> tuple[str, ...]:
        """The targets that a target depends on, also undeclared ones; none for a name of no target."""
        target = self.target(name)
        return (*target.dependencies, *self.undeclared.get(name, ())) if target else ()

    def uses_plugin(self, name: str) -> bool:
        """Whether a plugin generates files of a target."""
        return bool(self.facts.target(name).get("pluginUsages"))

    @cached_property
    def users(self) -> dict[str, list[str]]:
        """The targets that depend on each target themselves."""
        found: dict[str, list[str]] = {}
        for user in (*self.targets, *self.others):
            for name in self.dependencies_of(user.name):
                found.setdefault(name, []).append(user.name)
        return found

    def above(self, names: Iterable[str]) -> list[Target]:
        """Targets with all that depend on them, the nearest first: what a cache by source rebuilds after an edit."""
        return [self.by_name[name] for name in reached(names, lambda name: self.users.get(name, ()))]

    def target_of(self, file: Path) -> Target | None:
        """The target whose folder holds a file: the innermost, where one is inside another."""
        holding = [each for each in (*self.targets, *self.others) if file.is_relative_to(each.folder)]
        return max(holding, key=lambda each: (file in each.sources, len(each.folder.parts)), default=None)
