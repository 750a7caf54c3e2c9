"""The implementations of a program, as libraries that can be loaded into it."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from pathlib import Path

from swiftmodules.live.build import ProblemError, ProgramBuild
from swiftmodules.live.command import Commands
from swiftmodules.live.compile import module_entry
from swiftmodules.live.plan import Restart
from swiftmodules.live.target import LiveTarget
from swiftmodules.swiftpm.config import Live
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, path, read_files


@dataclass(frozen=True)
class Compiled:
    """A library that waits to be loaded, and what it was made of."""

    target: str
    library: Path
    files: frozenset[Path]


@dataclass
class Implementations:
    """Compiles and links implementations of a package, with libraries in the folder of the program's build. What it
    knows holds until the next build of the program."""

    package: Package
    live: Live
    build: ProgramBuild
    commands: Commands
    _targets: dict[str, LiveTarget] = field(default_factory=dict)

    def read_ahead(self) -> None:
        """Reads the sources of all replaceable implementations, so that the first edit of a target waits for no other
        file than its own. Raises `ProblemError` where a file is gone."""
        targets = [target for target in self.package.targets if self.package.kind(target.name) == "implementation"]
        replaceable = [each for each in targets if self.package.module(each.name) not in self.live.restart]
        self._sources(source for target in replaceable for source in target.sources)

    def forget(self) -> None:
        """The program was built: commands and sources may be others."""
        self._targets.clear()

    def compiled(self, name: str, files: Collection[Path]) -> Compiled | Restart:
        """The library of an implementation after files of it changed, or why only a restart can show that.

        Raises `ProblemError`.
        """
        target = self.target(name)
        if target is None:
            return Restart(f"{name} has no command to compile it, or not one module entry")
        target.compile([self.commands.folder / file for file in files])
        foreign = target.foreign_conformances()
        if foreign:
            return Restart(f"{name} declares a conformance for a type of another module ({foreign[0]})")
        return Compiled(name, target.link(), frozenset(files))

    def variables(self, name: str) -> list[str]:
        """The stored variables of a target that belong to no value or object, with their files: a new library has its
        own, with their first values."""
        target = self.package.target(name)
        try:
            sources = self._sources(target.sources if target else ())
        except ProblemError:
            # A file that is gone is reported as a change of its own.
            return []
        return [
            f"{path(each, owners)} ({file.path.name})"
            for file in sources.values()
            for each, owners in file.walk()
            if each.is_stored_variable and (each.is_static or not owners)
        ]

    def target(self, name: str) -> LiveTarget | None:
        """The implementation of that name; None where there is no command to compile it, or not one module entry.

        Raises `ProblemError` where a file of it is gone, which will be reported as a change of its own.
        """
        target = self._targets.get(name) or self._new_target(name)
        if target:
            self._targets[name] = target
        return target

    def _new_target(self, name: str) -> LiveTarget | None:
        recorded = self.build.commands().get(name)
        target = self.package.target(name)
        if recorded is None or target is None:
            return None
        entry = module_entry(self._sources(target.sources).values(), self.live.protocol)
        if entry is None:
            return None
        return LiveTarget(name, recorded, self.build.folder, self.live, entry, self.commands)

    def _sources(self, paths: Iterable[Path]) -> dict[Path, SourceFile]:
        try:
            return read_files(self.commands.folder, paths, self.commands.toolchain)
        except FileNotFoundError as error:
            raise ProblemError(f"{Path(error.filename).name} is gone") from error
