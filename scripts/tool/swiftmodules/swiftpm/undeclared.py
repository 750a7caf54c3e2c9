"""The edges between targets that no manifest declares: modules that are imported, headers that are included, and
programs that tests may start."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path

import msgspec

from swiftmodules.closure import reached
from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.package import LEFT_OUT, Package
from swiftmodules.swiftpm.reader import Declaration, SourceFile, Sources, path
from swiftmodules.swiftpm.target import Target

# What code names that starts a program, loads a library, or finds what does by its name; those of a package are built
# beside its tests. `system` is a word of other libraries too.
_STARTS = re.compile(
    rb"\b(?:(?:Process|Subprocess|NSTask|NSClassFromString|posix_spawnp?|v?fork|exec[lv]\w*|popen|wordexp|dlopen|dlsym"
    rb"|principalClass|loadAndReturnError|_silgen_name|_extern)\b|exec\s*\(|Bundle(?:\s*\.\s*init)?\s*\(\s*(?:path|url)\b)"
    rb"|(?<![\w.])system\b|\bsystem\s*\("
)
# A text in a line of C, of a map of a module or of settings, which may be the name of a file.
_TEXT = re.compile(rb"(?=[<\"]([^<>\"\n]+)[>\"])")
_WORD = re.compile(rb"\w+")
_NAMED = ("struct", "enum", "class", "actor", "protocol", "func", "var", "typealias", "macro")
# Code may be called by another name than its own.
_RENAMING = {"_cdecl", "_dynamicReplacement", "_silgen_name", "objc"}

# The targets of all packages by their names, each with its package.
Targets = Mapping[str, tuple[Package, Target]]


def undeclared(
    targets: Targets,
    dependencies_of: Callable[[str], Iterable[str]],
    parsed: Mapping[Path, Sources],
    copy_of: Callable[[Path], Path],
) -> dict[str, tuple[str, ...]]:
    """The targets that each target imports, whose headers it includes, or that a test may start. The sources
    are `parsed` by the folders of their packages, and what is in C is read from copies of these folders."""
    files = {name: _files(copy_of(package.folder) / target.folder) for name, (package, target) in targets.items()}
    c = {
        name: [each.read_bytes() for each in files[name]]
        for name, (_, target) in targets.items()
        if target.kind in ("clang", "system")
    }
    swift = {
        name: [parsed[package.folder][path] for path in target.sources if path in parsed[package.folder]]
        for name, (package, target) in targets.items()
    }
    modules = {target.imported_as: name for name, (_, target) in targets.items()}
    with_file: dict[str, set[str]] = defaultdict(set)
    for name, each in files.items():
        for file in each:
            with_file[file.name].add(name)
    found = {}
    for name in targets:
        used = {modules.get(each.module) for file in swift[name] for each in file.imports}
        code = (*c.get(name, ()), msgspec.json.encode(targets[name][1].settings))
        # Within a literal, quotation marks are escaped.
        for text in {text for each in code for text in _TEXT.findall(each.replace(b"\\", b""))}:
            used |= {*_included(os.fsdecode(text), files[name], with_file)}
        found[name] = {each for each in used if each} - {name, *dependencies_of(name)}

    def needed(name: str) -> Iterator[str]:
        yield from (each for each in (*dependencies_of(name), *found[name]) if each in targets)

    starters = Starters(targets, swift, c)
    for name, (package, target) in targets.items():
        # SwiftPM builds the programs of the package that is tested.
        programs = {each.name for each in package.by_name.values() if target.is_test and _is_started(package, each)}
        within = reached([name], needed) if programs else {}
        if programs - within.keys() and starters.may_start(name, within):
            found[name] |= programs - within.keys()
    return {name: tuple(sorted(each)) for name, each in found.items() if each}


def _is_started(package: Package, target: Target) -> bool:
    """Whether a test can start a target, or load it, without depending on it."""
    products = (each for each in package.facts.products.values() if target.name in each["targets"])
    is_loaded = any(each["type"] == {"library": ["dynamic"]} for each in products)
    return target.kind in ("executable", "command", "snippet") or is_loaded


@dataclass(frozen=True, eq=False)
class _Unit:
    """A part of a target's code, and the names by which other code uses it; none where it may run without."""

    target: str
    names: frozenset[bytes]
    words: frozenset[bytes]
    starts: bool


class Starters:
    """The code that may start programs: it names what does, or it names code that may."""

    def __init__(
        self, targets: Targets, swift: Mapping[str, Iterable[SourceFile]], c: Mapping[str, Iterable[bytes]]
    ) -> None:
        # Targets with code that is not read: what plugins and macros generate, and C, of which names are not known.
        self._unread = {
            name
            for name, (package, target) in targets.items()
            if target.kind == "macro" or package.uses_plugin(name) or any(map(_STARTS.search, c.get(name, ())))
        }
        local = {product for package, _ in targets.values() for product in package.facts.products}
        declared = [
            (each, path(each, owners)) for files in swift.values() for file in files for each, owners in file.walk()
        ]
        types = {name for each, name in declared if each.is_type}
        conforming = {_extended(each) for each, _ in declared if each.kind == "extension" and each.inherits}
        # By the words in them.
        self._units: dict[bytes, list[_Unit]] = defaultdict(list)
        self._starting: dict[str, list[_Unit]] = defaultdict(list)
        for name, files in swift.items():
            # Fetched packages are not read either.
            is_unknown = any(product not in local for product, _ in targets[name][1].products)
            for unit in chain.from_iterable(_units(name, file, types, conforming) for file in files):
                for word in unit.words:
                    self._units[word].append(unit)
                if unit.starts or is_unknown:
                    self._starting[name].append(unit)

    def may_start(self, test: str, within: Iterable[str]) -> bool:
        """Whether a test, which reaches some targets, may start programs."""
        known = {*within}
        if known & self._unread:
            return True

        def users(unit: _Unit) -> Iterator[_Unit]:
            yield from (each for name in unit.names for each in self._units[name] if each.target in known)

        starting = chain.from_iterable(self._starting[name] for name in known)
        return any(unit.target == test or not unit.names for unit in reached(starting, users))


def _units(target: str, file: SourceFile, types: set[str], conforming: set[str]) -> Iterator[_Unit]:
    """The parts of a file: its outermost declarations, the members of extensions, and the code around them, such as
    that of `main.swift`."""
    imports = b" ".join(file.text[each.start : each.end] for each in file.imports)
    around = bytearray(file.mask)
    for start, end in ((each.start, each.end) for some in (file.imports, file.declarations) for each in some):
        around[start:end] = b" " * (end - start)

    def unit(text: bytes, *names: str) -> _Unit:
        code = b"%b %b" % (imports, text)
        words = frozenset(_WORD.findall(code))
        return _Unit(target, frozenset(map(str.encode, names)), words, bool(_STARTS.search(code)))

    if around.strip():
        yield unit(bytes(around))
    for each in file.declarations:
        text, extended = file.mask[each.start : each.end], _extended(each)
        if each.kind != "extension":
            yield unit(text, *_names(each))
        elif extended in types:
            # The caller of a member that it does not name, such as a witness, has a value of the type.
            yield unit(text, extended.rpartition(".")[2], *(name for member in each.members for name in _names(member)))
        elif extended in conforming:
            yield unit(text)
        else:
            for member in each.members:
                yield unit(file.mask[member.start : member.end], *_names(member))


def _names(declaration: Declaration) -> tuple[str, ...]:
    """The name that code must use to run a declaration; none where it may do without, as with an operator."""
    has_name = declaration.kind in _NAMED and re.fullmatch(r"\w+", declaration.name, re.ASCII)
    return (declaration.name,) if has_name and _RENAMING.isdisjoint(declaration.attributes) else ()


def _extended(declaration: Declaration) -> str:
    """The type that a block extends, without its arguments."""
    return re.sub(r"\s|<.*", "", declaration.name)


def _files(folder: Path) -> list[Path]:
    return [path for each in files_below(folder, folder, LEFT_OUT) if (path := folder / each).is_file()]


def _included(text: str, own: Iterable[Path], with_file: Mapping[str, set[str]]) -> Iterable[str]:
    """The targets that have a file which a text may name; none where the target itself has it, unless the text leads
    out of it."""
    ending = "/" + text.removeprefix("./")
    if ".." not in text and any(each.as_posix().endswith(ending) for each in own):
        return ()
    return with_file.get(Path(text).name, ())
