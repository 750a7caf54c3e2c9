"""Makes a package of any size from a package with modules: copies of one module in the place of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.modules import Module, application_of
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.syntax import SourceFile, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain


def numbered(name: str, module: str, number: int) -> str:
    """`Profile7Module` for `ProfileModule` of the module Profile, and `OverviewModel7` for `OverviewModel`."""
    return f"{module}{number}{name.removeprefix(module)}" if name.startswith(module) else f"{name}{number}"


def names_of(module: Module, sources: Mapping[Path, SourceFile]) -> list[str]:
    """Every name of a module that no two modules of a program can have: those of its targets, and of the types at
    the top level of its files. Types may share a target in a layout."""
    files = [sources[path] for target in module.targets for path in target.sources]
    types = {each.name for file in files for each in file.declarations if each.is_type}
    return sorted({module.name, *(target.name for target in module.targets), *types})


class Renaming:
    """Puts the names of one copy in the place of the original ones."""

    def __init__(self, module: str, names: Iterable[str], number: int) -> None:
        self._module = module
        self._number = number
        words = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        spoken = re.escape(module.lower())
        # The parser reports no positions of uses, so words are compared. A route's identifier begins with the module
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
            return self.target(match["name"].decode()).encode()
        return match["spoken"] + str(self._number).encode()


def with_copies(text: bytes, path: Path, names: Sequence[str], renamings: Sequence[Renaming]) -> bytes:
    """A file that imports the implementation of the module: each line that names the module, once for every copy.

    Raises `ToolError` where such a line is neither an import nor an element of a list.
    """
    mention = re.compile(rb"\b(?:%b)\b" % b"|".join(re.escape(name.encode()) for name in names))
    lines = []
    for number, line in enumerate(text.splitlines(keepends=True), start=1):
        if not mention.search(line):
            lines.append(line)
        elif re.fullmatch(rb"\s*(?:(?:@\w+|public|internal|private)\s+)*import\s.*|[^/]*,\s*(?://.*)?", line.rstrip()):
            lines += [renaming(line) for renaming in renamings]
        else:
            raise ToolError(
                f"{path}:{number} names the module that is copied, and is neither an import nor an element of a list "
                "that ends with a comma, so it cannot be repeated for each copy. Name the module in such lines only, "
                "where its implementation is imported."
            )
    return b"".join(lines)


@dataclass(frozen=True)
class Replicas:
    """A package with copies of a module: its targets, its files, and the names of the copies."""

    package: Package
    sources: Mapping[Path, SourceFile]
    copies: tuple[str, ...]


class Replicator:
    """Makes the packages of one run from a package that was read. What was parsed once is not parsed again at the next
    size."""

    def __init__(
        self,
        package: Package,
        sources: Mapping[Path, SourceFile],
        modules: Mapping[str, Module],
        module: str,
        folder: Path,
        toolchain: Toolchain,
    ) -> None:
        if module not in modules:
            raise ToolError(
                f"There is no module {module!r} to make a larger package from. Name one as 'scale_module' in the "
                f"section [measure] of swiftmodules.toml: {', '.join(modules) or 'the package has none'}."
            )
        if application_of(package) is None:
            raise ToolError("Copies need a program that lists them: a package with exactly one executable.")
        self._package = package
        self._sources = sources
        self._module = modules[module]
        self._names = names_of(self._module, sources)
        self._folder = folder
        self._toolchain = toolchain

    def make(self, size: int) -> Replicas:
        """A package with so many copies, which use what the original used, and none of one another."""
        renamings = [Renaming(self._module.name, self._names, number) for number in range(1, size + 1)]
        targets: list[Target] = []
        texts: dict[Path, bytes] = {}
        for target in self._package.code:
            if target.name in self._module.names:
                for renaming in renamings:
                    targets.append(self._copy(target, renaming))
                    texts |= {renaming.path(path): renaming(self._sources[path].text) for path in target.sources}
            else:
                targets.append(self._outside(target, renamings))
                texts |= {path: self._text_outside(path, renamings) for path in target.sources}
        package = msgspec.structs.replace(self._package, targets=tuple(sorted(targets, key=lambda each: each.name)))
        copies = tuple(renaming.target(self._module.name) for renaming in renamings)
        return Replicas(package, self._parse(package, texts), copies)

    def _copy(self, target: Target, renaming: Renaming) -> Target:
        """A target of the module as a target of a copy."""
        name = renaming.target(target.name)
        return msgspec.structs.replace(
            target,
            name=name,
            import_name=name,
            folder=renaming.path(target.folder),
            sources=tuple(sorted(map(renaming.path, target.sources))),
            dependencies=tuple(name for each in target.dependencies for name in self._dependencies(each, [renaming])),
        )

    def _outside(self, target: Target, renamings: Sequence[Renaming]) -> Target:
        dependencies = [name for each in target.dependencies for name in self._dependencies(each, renamings)]
        return msgspec.structs.replace(target, dependencies=tuple(dependencies))

    def _text_outside(self, path: Path, renamings: Sequence[Renaming]) -> bytes:
        """A file that is not copied. What names the module means the first copy then, but where the implementations
        are imported, as by the composition of the program, which lists all."""
        file = self._sources[path]
        implementations = {each.imported_as for each in self._module.implementations}
        if implementations.isdisjoint(each.module for each in file.imports):
            return renamings[0](file.text)
        return with_copies(file.text, path, self._names, renamings)

    def _dependencies(self, name: str, copies: Iterable[Renaming]) -> list[str]:
        return [renaming.target(name) for renaming in copies] if name in self._module.names else [name]

    def _parse(self, package: Package, texts: Mapping[Path, bytes]) -> dict[Path, SourceFile]:
        for path, text in texts.items():
            (self._folder / path).parent.mkdir(parents=True, exist_ok=True)
            (self._folder / path).write_bytes(text)
        return read_sources(self._folder, package, self._toolchain, cache=self._folder / ".cache")
