"""The implementations of a program, as libraries that can be loaded into it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from contextlib import suppress
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.live.build import ProgramBuild
from swiftmodules.live.command import Commands, ProblemError
from swiftmodules.live.plan import Restart
from swiftmodules.live.target import LiveTarget
from swiftmodules.swiftpm.config import Live
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import SourceFile, is_api, path, read_files


def module_entry(sources: Iterable[SourceFile], protocol: str) -> str | None:
    """The name of the one public type of an implementation that conforms to the protocol of module entries."""
    types = [each for source in sources for each in source.declarations if each.is_type and is_api(each, ())]
    found = [each.name for each in types if each.inherits_any([protocol])]
    return found[0] if len(found) == 1 else None


# What keeps an edit from being shown; the next one may mend it.
FAILURES = (ProblemError, ToolError, OSError)


class Implementations:
    """Compiles and links implementations of a package, with libraries in the folder of the program's build. What it
    knows holds until the next build of the program."""

    def __init__(self, package: Package, live: Live, build: ProgramBuild, commands: Commands) -> None:
        self._live = live
        self._build = build
        self._commands = commands
        # The sources of the targets that can be replaced.
        self._replaceable = {
            target.name: target.sources
            for target in package.targets
            if (naming := package.naming(target.name)).kind == "implementation" and naming.module not in live.restart
        }
        # None for a target without a command to compile it, or without a module entry.
        self._targets: dict[str, LiveTarget | None] = {}
        self.forget()

    def forget(self) -> None:
        """The program was built: commands and sources may be others."""
        self._targets.clear()
        self._unprepared = [*self._replaceable]

    def prepare(self, is_interrupted: Callable[[], bool]) -> None:
        """Prepares targets for their first edits, one after another until it is interrupted."""
        while self._unprepared and not is_interrupted():
            # The first edit reports a problem.
            with suppress(*FAILURES):
                self._target(self._unprepared.pop())

    def library(self, name: str, files: Collection[Path]) -> Path | Restart:
        """The library of a target after files of it changed, or why only a restart can show that.

        Raises `ProblemError`.
        """
        target = self._target(name)
        if target is None:
            return Restart(f"{name} has no command to compile it, or not one module entry")
        target.compile([self._commands.folder / file for file in files])
        foreign = target.foreign_conformances()
        if foreign:
            return Restart(f"{name} declares a conformance for a type of another module ({foreign[0]})")
        return target.link()

    def variables(self, name: str) -> list[str]:
        """The stored variables of a target that belong to no value or object, with their files: a new library has its
        own, with their first values."""
        try:
            sources = self._read(name)
        except FAILURES:
            # A file that cannot be read is reported as a change of its own.
            return []
        return [
            f"{path(each, owners)} ({file.path.name})"
            for file in sources
            for each, owners in file.walk()
            if each.is_stored_variable and (each.is_static or not owners)
        ]

    def _target(self, name: str) -> LiveTarget | None:
        """Raises `ProblemError` where a file of the target is gone, which will be reported as a change of its own."""
        if name not in self._targets:
            recorded = self._build.commands.get(name)
            entry = module_entry(self._read(name), self._live.protocol)
            target = None
            if recorded and entry:
                target = LiveTarget(name, recorded, self._build.folder, self._live, entry, self._commands)
            self._targets[name] = target
        return self._targets[name]

    def _read(self, name: str) -> Collection[SourceFile]:
        try:
            return read_files(self._commands.folder, self._replaceable[name], self._commands.toolchain).values()
        except FileNotFoundError as error:
            raise ProblemError(f"{Path(error.filename).name} is gone") from error
