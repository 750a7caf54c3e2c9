"""What a change in a target reaches: the targets above it, and those of their files that the compiler may compile."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import PUBLIC, Import, SourceFile
from swiftmodules.swiftpm.target import Target


class Reach:
    """What changes reach in a package, whose files are read."""

    def __init__(self, package: Package, sources: Mapping[Path, SourceFile]) -> None:
        self._package = package
        self._sources = sources

    def compiling(self, target: Target) -> dict[str, tuple[Path, ...]]:
        """The targets above one in which files may be compiled after an edit in it, with their files.

        These are the targets that import it, or another one that passes it on by a public import: whole, as one file
        may use it through a declaration of another. The members of an extension belong to the type that it extends, so
        that all may use them where it is another module's.
        """
        package = self._package
        carriers = reached(
            [target.name], lambda name: (user for user in package.users.get(name, ()) if self._passes_on(user, name))
        )
        imported = {package.by_name[name].imported_as for name in carriers}
        is_everywhere = not target.is_importable or self._extends_others(target)
        above = package.above([target.name])[1:]
        return {each.name: each.sources for each in above if is_everywhere or self._imports(each, imported)}

    def _imports(self, target: Target, modules: Collection[str]) -> bool:
        """Whether a target imports one of some modules. What is not read is said to do it."""
        read = [self._sources.get(path) for path in target.sources]
        return any(file is None or any(each.module in modules for each in file.imports) for file in read)

    def _passes_on(self, user: str, name: str) -> bool:
        """Whether those that import a target get another one with it."""
        target, imported = self._package.by_name[user], self._package.by_name[name].imported_as
        is_internal = target.has_upcoming_feature("InternalImportsByDefault")
        files = [self._sources[path] for path in target.sources if path in self._sources]
        imports = [each for file in files for each in file.imports if each.module == imported]
        return any(_is_public(each, is_internal) for each in imports) or len(files) < len(target.sources)

    def _extends_others(self, target: Target) -> bool:
        files = [self._sources[path] for path in target.sources if path in self._sources]
        own = {each.name for file in files for each in file.declarations if each.kind != "extension"}
        extended = {each.name for file in files for each in file.declarations if each.kind == "extension"}
        return any(name.split(".")[0].split("<")[0] not in own for name in extended)


def _is_public(declaration: Import, is_internal: bool) -> bool:
    return "_exported" in declaration.attributes or declaration.access in (*PUBLIC, *(() if is_internal else (None,)))
