"""Makes a package of any size from a package with modules: copies of one module in the place of the original."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

import msgspec

from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.modules import Module
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, read_sources
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain


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
        """The path of a file of the copy: in a folder that is named after the copy."""
        return Path(*(f"{part}{self._number}" if part == self._module else part for part in path.parts))

    def target(self, name: str) -> str:
        """The name in the copy: `Profile7Module` for `ProfileModule` of the module Profile, `OverviewModel7` for
        `OverviewModel`."""
        if name.startswith(self._module):
            return f"{self._module}{self._number}{name.removeprefix(self._module)}"
        return f"{name}{self._number}"

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


def replicate(
    package: Package,
    sources: Mapping[Path, SourceFile],
    module: str,
    size: int,
    folder: Path,
    toolchain: Toolchain,
) -> tuple[Package, Mapping[Path, SourceFile]]:
    """Makes a package with so many copies of a module in a folder, and reads its files.

    The copies, `Profile1` and so on, use what the original used, and none of one another. Raises `ToolError` where that
    is not possible.
    """
    if module not in package.modules:
        raise ToolError(
            f"There is no module {module!r} to make a larger package from. Name one as 'scale_module' in the "
            f"section [measure] of swiftmodules.toml: {', '.join(package.modules) or 'the package has none'}."
        )
    if package.application is None:
        raise ToolError("Copies need a program that lists them: a package with exactly one executable.")
    copied = package.modules[module]
    names = names_of(copied, sources)
    renamings = [Renaming(module, names, number) for number in range(1, size + 1)]
    targets: list[Target] = []
    texts: dict[Path, bytes] = {}
    for target in package.code:
        if target.name not in copied.names:
            targets.append(_depending(target, copied, renamings))
            texts |= {path: _text_outside(sources[path], copied, names, renamings) for path in target.sources}
            continue
        for renaming in renamings:
            targets.append(_copy(target, copied, renaming))
            texts |= {renaming.path(path): renaming(sources[path].text) for path in target.sources}
    made = msgspec.structs.replace(package, targets=tuple(sorted(targets, key=lambda each: each.name)))
    for path, text in texts.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(text)
    return made, read_sources(folder, made, toolchain)


def _depending(target: Target, copied: Module, renamings: Sequence[Renaming]) -> Target:
    """A target that depends on the copies instead of the original."""
    dependencies = [
        name
        for each in target.dependencies
        for name in ([renaming.target(each) for renaming in renamings] if each in copied.names else [each])
    ]
    return msgspec.structs.replace(target, dependencies=tuple(dependencies))


def _copy(target: Target, copied: Module, renaming: Renaming) -> Target:
    """A target of the module as a target of a copy."""
    name = renaming.target(target.name)
    return msgspec.structs.replace(
        _depending(target, copied, [renaming]),
        name=name,
        import_name=name,
        folder=renaming.path(target.folder),
        sources=tuple(sorted(map(renaming.path, target.sources))),
    )


def _text_outside(file: SourceFile, copied: Module, names: Sequence[str], renamings: Sequence[Renaming]) -> bytes:
    """A file that is not copied. Its names of the module become those of the first copy, except where implementations
    are imported, as in the composition of the program, which lists all copies."""
    implementations = {each.imported_as for each in copied.implementations}
    if implementations.isdisjoint(each.module for each in file.imports):
        return renamings[0](file.text)
    return with_copies(file.text, file.path, names, renamings)
