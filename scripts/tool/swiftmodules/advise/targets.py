"""The targets that are built, and what depends on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile


class Targets:
    """The targets that are built, with their files and those that depend on them, tests too."""

    def __init__(self, package: Package, sources: Mapping[Path, SourceFile]) -> None:
        self._package = package
        # The modules that each target passes on to its own users.
        self._exported = {
            target.name: {
                each.module
                for path in target.sources
                for each in sources[path].imports
                if "_exported" in each.attributes
            }
            for target in package.targets
        }
        known = [each for each in (*package.targets, *package.others) if each.name not in package.left_out]
        self.files = {each.name: set(each.sources) for each in known}
        self.tests = {each.name for each in known if each.is_test}
        self.programs = {each.name for each in known if each.is_executable}

    def owner(self, file: Path) -> str | None:
        """The target of a file; one that has moved or gone since belongs to the target around it."""
        target = self._package.target_of(file)
        is_inside = target is not None and (file in target.sources or target.folder != Path())
        return target.name if target and is_inside and target.name in self.files else None

    def above(self, names: Iterable[str]) -> set[str]:
        """Targets with all that depend on them."""
        return self.files.keys() & {each.name for each in self._package.above(names)}

    def composers(self, name: str) -> set[str]:
        """The programs that a target is part of: they name its implementation."""
        return self.programs & self.above([name]) - {name}

    def behind(self, name: str, users: Iterable[str] = ()) -> set[str]:
        """An implementation with what would depend on it: its programs, tests that name it, targets that pass it on,
        and some users of it."""
        module = self._package.by_name[name].imported_as
        known = self.files.keys() & self._package.users.get(name, ())
        naming = {each for each in known if each in self.tests or module in self._exported.get(each, ())}
        return {name, *self.above({*self.composers(name), *naming, *users})}

    def size(self, names: Iterable[str]) -> int:
        return sum(len(self.files[name]) for name in names)
