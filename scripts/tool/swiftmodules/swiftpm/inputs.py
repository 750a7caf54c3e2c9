"""What the targets of a package are made of, and what is reached from the paths that differ between two states of it.

A changed path is an input of targets (each file below a target's folder is), or of a manifest, which is compared field
by field; or a pattern declares what it reaches; or else it reaches everything.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from itertools import chain
from pathlib import Path
from typing import Any

import msgspec

from swiftmodules.closure import reached
from swiftmodules.swiftpm.config import Changes
from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.package import LEFT_OUT, MANIFEST, RESOLVED, Package, read_package
from swiftmodules.swiftpm.reader import Known, SourceFile, read_sources
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

# Documents in the folder of a package, which have no effect unless a target reads them.
_DOCUMENTS = ("*.md", "LICENSE", "LICENSE.*", ".gitignore", "docs/", ".github/")
_MANIFEST = re.compile(r"Package(@swift-[\d.]+)?\.swift")
# What code names that starts a program; the programs of a package are built beside its tests.
_STARTS_PROGRAMS = re.compile(rb"\b(?:(?:Process|Subprocess)\b|(?:posix_spawnp?|exec[lv]\w*|popen|system)\s*\()")
_INCLUDE = re.compile(rb"^[ \t]*#[ \t]*(?:include|import)[ \t]*[<\"]([^>\"\n]+)", re.M)

Sources = Mapping[Path, SourceFile]


class _Reading(IntEnum):
    """How a target reads a path."""

    NOT = 0
    # The target has the folder of the package, with its documents.
    AROUND = 1
    BELOW = 2
    # A source, or a declared resource.
    DECLARED = 3


@dataclass(frozen=True)
class State:
    """A package, the first, and the local packages that it reaches, as SwiftPM describes them and as sources import."""

    packages: tuple[Package, ...]
    # Of the package alone.
    sources: Sources
    # The versions of the packages that are fetched.
    pins: Any

    @classmethod
    def read(
        cls, package: Package, sources: Sources, toolchain: Toolchain, root: Path = Path("/"), known: Known = None
    ) -> State:
        """Reads what a package reaches. It is the copy of the one at the same path below `root`, as are the others, if
        they are there; those outside are read where they are."""
        packages = {package.folder: package}
        parsed = {package.folder: sources}

        def others(folder: Path) -> Iterator[Path]:
            for path in _local_packages(packages[folder]):
                place = _copy(root, path)
                if path not in packages and (place / MANIFEST).is_file():
                    packages[path] = read_package(place, toolchain, root=Path("/") if place == path else root)
                    parsed[path] = read_sources(place, packages[path], toolchain, known)
                if path in packages:
                    yield path

        order = [*reached([package.folder], others)]
        found = cls(tuple(packages[each] for each in order), sources, _pins(_copy(root, package.folder) / RESOLVED))
        undeclared = found._undeclared(parsed, root)
        complete = (
            msgspec.structs.replace(
                each, undeclared={name: undeclared[name] for name in each.by_name if name in undeclared}
            )
            for each in found.packages
        )
        return cls(tuple(complete), sources, found.pins)

    @property
    def package(self) -> Package:
        return self.packages[0]

    @cached_property
    def folders(self) -> dict[Path, Package]:
        return {each.folder: each for each in self.packages}

    @cached_property
    def targets(self) -> dict[str, tuple[Package, Target]]:
        """The targets of all packages, each with its own."""
        return {each.name: (one, each) for one in reversed(self.packages) for each in one.by_name.values()}

    @cached_property
    def target_folders(self) -> list[Path]:
        return [package.folder / target.folder for package, target in self.targets.values()]

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
        yield from package.dependencies_of(name)
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

    def readers(self, path: Path) -> tuple[_Reading, list[str]]:
        """The targets that a path is an input of: the innermost, where one is inside another."""
        found: dict[tuple[_Reading, int], list[str]] = defaultdict(list, {(_Reading.NOT, 0): []})
        for name, (package, target) in self.targets.items():
            folder = package.folder / target.folder
            if path.is_relative_to(folder):
                inner = path.relative_to(package.folder)
                named = (*target.sources, *(target.folder / each.path for each in target.resources))
                kind = _Reading.AROUND if folder in self.folders else _Reading.BELOW
                kind = _Reading.DECLARED if any(inner.is_relative_to(each) for each in named) else kind
                found[kind, len(folder.parts)].append(name)
        (kind, _), names = max(found.items(), key=lambda each: each[0])
        return kind, names

    def _undeclared(self, parsed: Mapping[Path, Sources], root: Path) -> dict[str, tuple[str, ...]]:
        """The targets that each target imports, whose headers it includes or whose programs it may run, although no
        manifest says so."""
        modules = {target.imported_as: name for name, (_, target) in self.targets.items()}
        headers = {
            name: files
            for name, (package, target) in self.targets.items()
            if target.kind == "clang"
            for files in [_files(_copy(root, package.folder) / target.folder)]
        }
        found = {}
        for name, (package, target) in self.targets.items():
            sources = parsed[package.folder]
            used = {
                modules.get(each.module) for path in target.sources if path in sources for each in sources[path].imports
            }
            for place in headers.get(name, ()):
                for include in _INCLUDE.findall(place.read_bytes()):
                    used |= {*_included(os.fsdecode(include), name, headers)}
            if target.is_test:
                used |= self._programs(name, parsed, headers)
            missing = used - {None, name, *self.dependencies_of(name)}
            if missing:
                found[name] = tuple(sorted(each for each in missing if each))
        return found

    def _programs(self, test: str, parsed: Mapping[Path, Sources], headers: Mapping[str, Iterable[Path]]) -> set[str]:
        """The programs that a test may run without depending on them: all of its package, if it can start any."""
        within = reached([test], lambda name: (each for each in self.dependencies_of(name) if each in self.targets))
        swift = (
            parsed[package.folder][path].mask
            for package, target in map(self.targets.__getitem__, within)
            for path in target.sources
            if path in parsed[package.folder]
        )
        c = (path.read_bytes() for name in within for path in headers.get(name, ()))
        if not any(_STARTS_PROGRAMS.search(text) for text in chain(swift, c)):
            return set()
        return {each.name for each in self.targets[test][0].targets if each.is_executable} - within.keys()


@dataclass
class Difference:
    """What is other in a target: its files, relative to the package, and fields of manifests."""

    files: list[Path] = field(default_factory=list)
    fields: list[str] = field(default_factory=list)

    @property
    def reason(self) -> str:
        return self.files[0].as_posix() if self.files else self.fields[0]


class Differences:
    """What differs between two states of a package, and what that reaches."""

    def __init__(
        self,
        old: State | None,
        new: State,
        changed: Iterable[Path],
        patterns: Changes = Changes(),
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
            self._attribute(path, (path, *aliases(path)))
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
    def reached(self) -> list[Target]:
        """The targets of the package that are built from what differs."""
        return [target for name, target in self.new.package.by_name.items() if name in self.ways]

    def _attribute(self, path: Path, names: Iterable[Path]) -> None:
        """Finds out what a path, which links give other names, is an input of."""
        read: dict[_Reading, list[tuple[str, Path]]] = defaultdict(list)
        for state in self._states:
            for name in names:
                if name.parent in state.folders and (is_manifest(name) or name.name == RESOLVED):
                    self._compare_pins(name)
                    return
                kind, targets = state.readers(name)
                read[kind] += [(target, self._relative(name)) for target in targets]
        kind = max(read)
        shown = self._relative(path).as_posix()
        tests = [test for pattern, tests in self._patterns.tests.items() if _matches(shown, pattern) for test in tests]
        self._tests |= {test: shown for test in tests if test not in self._tests}
        is_without_effect = any(_matches(shown, pattern) for pattern in self._patterns.no_effect)
        is_document = kind <= _Reading.AROUND and (bool(tests) or self._is_document(path))
        if kind < _Reading.DECLARED and (is_without_effect or is_document):
            self.unbuilt.add(path)
        elif kind == _Reading.NOT:
            self.everything.append(f"{shown}, which is an input of no target")
        else:
            # What read it otherwise in the other state counts too.
            others = (each for other in read if other > _Reading.AROUND for each in read[other])
            for target, name in dict.fromkeys((*read[kind], *others)):
                if name not in self.own[target].files:
                    self.own[target].files.append(name)

    def _compare_pins(self, path: Path) -> None:
        """Compares the versions of the packages that are fetched; manifests are compared as SwiftPM evaluates them."""
        if path == self.new.package.folder / RESOLVED and self._states[0].pins != self._states[-1].pins:
            for target in self.new.users_of_fetched:
                self.own[target].fields.append(RESOLVED)

    def _compare(self, package: Package, was: Package | None, old: State) -> None:
        """Compares a manifest with what it was, field by field."""
        manifest = self._relative(package.folder / package.manifest).as_posix()

        def changed(title: str, targets: Iterable[str]) -> None:
            for target in targets:
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
            changed(f"product {name}", sorted({*targets, *users}))
        for identity in _differing(then.dependencies, now.dependencies):
            local = [
                self.new.folders[each].by_name
                for facts in (then, now)
                for each in _local_paths(facts.dependencies.get(identity, {}))
                if each in self.new.folders
            ]
            fetched = [*old.users_of_fetched, *self.new.users_of_fetched]
            changed(f"dependency {identity}", sorted({*fetched} if not local else {*local[0], *local[-1]}))

    def _relative(self, path: Path) -> Path:
        return Path(os.path.relpath(path, self.new.package.folder))

    def _is_document(self, path: Path) -> bool:
        """Whether a path is a document of a package, or of the folder of a checkout."""
        around = [each for each in path.parents if (each / MANIFEST).is_file() or (each / ".git").exists()]
        return any(_matches(path.relative_to(each).as_posix(), name) for each in around for name in _DOCUMENTS)


def is_manifest(path: Path) -> bool:
    """Whether SwiftPM may read a file as the manifest of the folder around it."""
    return _MANIFEST.fullmatch(path.name) is not None


def _differing(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    return sorted(name for name in then.keys() | now.keys() if then.get(name) != now.get(name))


def _local_packages(package: Package) -> Iterator[Path]:
    for dependency in package.facts.dependencies.values():
        yield from _local_paths(dependency)


def _local_paths(dependency: Mapping[str, Any]) -> Iterator[Path]:
    yield from (Path(each["path"]) for each in dependency.get("fileSystem", ()))


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


def _files(folder: Path) -> list[Path]:
    return [path for each in files_below(folder, folder, LEFT_OUT) if (path := folder / each).is_file()]


def _included(text: str, own: str, headers: Mapping[str, Iterable[Path]]) -> Iterator[str]:
    """The targets that have a header; the own one first, unless the text leads out of it."""
    ending = "/" + text.replace("../", "").removeprefix("./")
    found = [name for name, files in headers.items() if any(each.as_posix().endswith(ending) for each in files)]
    if ".." in text or own not in found:
        yield from found


def _matches(path: str, pattern: str) -> bool:
    """Whether a path is one of a pattern's."""
    text = re.escape(f"{pattern}**" if pattern.endswith("/") else pattern)
    for escaped, meaning in ((r"\*\*/", "(.*/)?"), (r"\*\*", ".*"), (r"\*", "[^/]*")):
        text = text.replace(escaped, meaning)
    return re.fullmatch(text, path) is not None
