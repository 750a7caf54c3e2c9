"""What differs between two states of a package, and what that reaches.

A changed path is an input of targets (each file below a target's folder is), or of a manifest, which is compared field
by field; or a pattern declares what it reaches; or else it reaches everything.
"""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from swiftmodules.closure import reached
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.facts import local_paths
from swiftmodules.swiftpm.package import MANIFEST, RESOLVED, Package
from swiftmodules.swiftpm.state import Reading, State
from swiftmodules.swiftpm.target import Target

# Documents in the folder of a package, which have no effect unless a target reads them.
_DOCUMENTS = ("*.md", "LICENSE", "LICENSE.*", ".gitignore", "docs/", ".github/")
_MANIFEST = re.compile(r"Package(@swift-[\d.]+)?\.swift")


@dataclass
class Difference:
    """What is other in a target: its files, relative to the package, and fields of manifests."""

    files: list[Path] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)

    @property
    def reason(self) -> str:
        return self.files[0].as_posix() if self.files else self.fields[0]


class Differences:
    def __init__(
        self,
        old: State | None,
        new: State,
        changed: Iterable[Path],
        patterns: Patterns = Patterns(),
        aliases: Callable[[Path], Iterable[Path]] = lambda path: (),
        unknown: Iterable[str] = (),
    ) -> None:
        """Without an older state, paths alone are compared; `aliases` are the paths that links give to a path, and
        `unknown` is what is not known at all."""
        self.new = new
        self._states = [new] if old is None else [old, new]
        self._patterns = patterns
        # What differs in targets of all packages, also of those that are gone.
        self.own: dict[str, Difference] = defaultdict(Difference)
        # Why everything is reached.
        self.everything = [*unknown]
        # The paths that nothing is built from.
        self.unbuilt: set[Path] = set()
        # The tests that are declared to read a path.
        self._tests: dict[str, str] = {}
        for path in sorted(changed):
            self._attribute(path, [path, *aliases(path)])
        if old is not None:
            for package in new.packages:
                self._compare(package, old.folders.get(package.folder), old)

    @cached_property
    def ways(self) -> dict[str, tuple[str, ...]]:
        """What is reached: from a changed path, or a field of a manifest, to each target of the newer state."""
        if self.everything:
            return {name: (self.everything[0], name) for name in self.new.targets}
        users: dict[str, dict[str, None]] = defaultdict(dict)
        for state in self._states:
            for name in state.targets:
                for each in state.dependencies_of(name):
                    users[each][name] = None
        ways: dict[str, tuple[str, ...]] = {}
        for name, before in reached(sorted(self.own), lambda name: users.get(name, ())).items():
            ways[name] = (*(ways[before] if before else (self.own[name].reason,)), name)
        return {name: way for name, way in ways.items() if name in self.new.targets}

    @cached_property
    def declared(self) -> dict[str, tuple[str, ...]]:
        """The tests that nothing but a declaration makes run, each with the way from the path that it reads."""
        known = {each.name for each in self.new.package.tests} - self.ways.keys()
        return {name: (path, name) for name, path in self._tests.items() if name in known}

    @property
    def targets(self) -> list[str]:
        """The targets of the package that differ themselves, or read or use what differs outside of it, sorted."""
        own = self.new.package.by_name
        direct = {name for name, way in self.ways.items() if name in own and (name in self.own or way[-2] not in own)}
        return sorted(direct | self.declared.keys())

    @property
    def split(self) -> tuple[str, ...]:
        """The targets of the package whose files went into targets that are new."""
        before, after = (each.package for each in (self._states[0], self.new))
        there = {path for each in after.targets for path in each.sources}
        gone = {path.name: each.name for each in before.targets for path in each.sources if path not in there}
        new = [each for each in after.targets if before.target(each.name) is None]
        return tuple(sorted({gone[path.name] for each in new for path in each.sources if path.name in gone}))

    @property
    def reached(self) -> dict[str, Target]:
        """The targets that are built from what differs; tests of local packages are not built."""
        found = {name: self.new.targets[name] for name in self.ways}
        return {
            name: target
            for name, (package, target) in found.items()
            if package is self.new.package or not target.is_test
        }

    def _attribute(self, path: Path, names: Collection[Path]) -> None:
        """Finds out what a path, which links give other names, is an input of."""
        read: dict[Reading, list[tuple[str, Path]]] = defaultdict(list, {Reading.NOT: []})
        folders = {folder for state in self._states for folder in state.folders}
        manifests = [each for each in names if each.parent in folders and is_manifest(each)]
        for each in manifests:
            self._compare_unevaluated(each)
        for state in self._states:
            for name in names:
                if name not in manifests:
                    kind, targets = state.readers(name)
                    read[kind] += [(target, self._relative(name)) for target in targets]
        if manifests and max(read) == Reading.NOT:
            return
        kind = max(read)
        shown = self._relative(path).as_posix()
        tests = [test for pattern, tests in self._patterns.tests.items() if _matches(shown, pattern) for test in tests]
        self._tests |= {test: shown for test in tests if test not in self._tests}
        is_without_effect = any(_matches(shown, pattern) for pattern in self._patterns.no_effect)
        is_document = kind == Reading.NOT and (bool(tests) or self._is_document(path))
        if kind < Reading.DECLARED and (is_without_effect or is_document):
            self.unbuilt.add(path)
        elif kind == Reading.NOT:
            self.everything.append(f"{shown}, which is an input of no target")
        else:
            # What read it otherwise in the other state counts too.
            others = (each for other in read if other > Reading.NOT for each in read[other])
            for target, name in dict.fromkeys((*read[kind], *others)):
                if name not in self.own[target].files:
                    self.own[target].files.append(name)

    def _compare_unevaluated(self, path: Path) -> None:
        """Compares what is not compared field by field: the versions of the packages that are fetched, and manifests
        that are known as they are now only."""
        if path == self.new.package.folder / RESOLVED:
            if self._states[0].pins != self._states[-1].pins:
                for target in self.new.users_of_fetched:
                    self.own[target].fields.append(RESOLVED)
        elif path.name != RESOLVED and path.parent in self._states[0].in_place:
            for target in self.new.folders[path.parent].by_name:
                self.own[target].fields.append(self._relative(path).as_posix())

    def _compare(self, package: Package, was: Package | None, old: State) -> None:
        """Compares a manifest with what it was, field by field."""
        manifest = self._relative(package.folder / package.manifest).as_posix()

        def changed(title: str, targets: Iterable[str]) -> None:
            for target in sorted(targets):
                self.own[target].fields.append(f"{manifest}: {title}")

        if was is None:
            changed("a new package", package.by_name)
            return
        now, then = package.facts, was.facts
        for name in _differing(then.fields, now.fields):
            if package is self.new.package:
                self.everything.append(f"{manifest}: {name}")
            changed(name, package.by_name)
        for name in _differing(then.targets, now.targets):
            fields = _differing(then.targets.get(name, {}), now.targets.get(name, {}))
            title = "new" if name not in then.targets else "removed" if name not in now.targets else ", ".join(fields)
            changed(title, [name])
        for name in _differing(then.products, now.products):
            targets = {each for facts in (then, now) for each in facts.products.get(name, {}).get("targets", ())}
            users = () if package is self.new.package else self.new.users_of(name)
            changed(f"product {name}", {*targets, *users})
        for identity in _differing(then.dependencies, now.dependencies):
            paths = [
                Path(os.path.realpath(path))
                for facts in (then, now)
                for path in local_paths(facts.dependencies.get(identity, {}))
            ]
            local = [name for path in paths if path in self.new.folders for name in self.new.folders[path].by_name]
            changed(f"dependency {identity}", local or {*old.users_of_fetched, *self.new.users_of_fetched})

    def _relative(self, path: Path) -> Path:
        return Path(os.path.relpath(path, self.new.package.folder))

    def _is_document(self, path: Path) -> bool:
        """Whether a path is a document of a package, or of the folder of a checkout."""
        around = [each for each in path.parents if (each / MANIFEST).is_file() or (each / ".git").exists()]
        return any(_matches(path.relative_to(each).as_posix(), name) for each in around for name in _DOCUMENTS)


def is_manifest(path: Path) -> bool:
    """Whether SwiftPM may read a file as the manifest of the folder around it, or as what it resolves to."""
    return path.name == RESOLVED or _MANIFEST.fullmatch(path.name) is not None


def _differing(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))


def _matches(path: str, pattern: str) -> bool:
    """Whether a path is one of a pattern's."""
    text = re.escape(f"{pattern}**" if pattern.endswith("/") else pattern)
    for escaped, meaning in ((r"\*\*/", "(.*/)?"), (r"\*\*", ".*"), (r"\*", "[^/]*")):
        text = text.replace(escaped, meaning)
    return re.fullmatch(text, path) is not None
