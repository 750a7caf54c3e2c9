"""One implementation as a library that a running program can load."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from pathlib import Path

from swiftmodules.live.build import problem
from swiftmodules.live.command import Commands, Output
from swiftmodules.live.compile import SUFFIX, Frontend, conformances, declared_in, imported_libraries, linking
from swiftmodules.live.dependencies import provided
from swiftmodules.swiftpm.config import Live

_ENTRY = """\
import {interface}

/// Stores the module where a running program asks for it. In a file of the module, so that it has the present layout.
@_cdecl("swiftmodules_live_module")
public func swiftmodulesLiveModule(_ place: UnsafeMutableRawPointer) {{
    place.assumingMemoryBound(to: (any {protocol})?.self).pointee = {module}()
}}
"""
_numbers = count(1)


class LiveTarget:
    """An implementation that is compiled again where its files change.

    The frontend compiles files whose change no other file can see into objects of their own, which a library takes in
    place of the build's. Otherwise the driver runs as in the build, and finds what else has to be compiled.
    """

    def __init__(
        self, name: str, recorded: Sequence[str], folder: Path, live: Live, entry: str, commands: Commands
    ) -> None:
        """`recorded` are the arguments of the driver in the build. Raises `ProblemError` where it refuses them."""
        self.name = name
        self._commands = commands
        self._folder = folder / "replaced" / name
        self._folder.mkdir(parents=True, exist_ok=True)
        # No program has those of earlier runs loaded any more.
        for library in self._folder.glob(f"{name}-*"):
            library.unlink()
        # The driver's messages are to be read.
        self._recorded = [word for word in recorded if word != "-parseable-output"]
        self._target = recorded[recorded.index("-target") + 1]
        outputs = json.loads(Path(recorded[recorded.index("-output-file-map") + 1]).read_text())
        # For each file, its object and its record of dependencies: in the build, and compiled alone.
        self._built = {
            Path(file): (Path(each["object"]), Path(each["swift-dependencies"]))
            for file, each in outputs.items()
            if file
        }
        self._alone = {
            file: (self._folder / made.name, self._folder / record.name) for file, (made, record) in self._built.items()
        }
        self._objects = {file: made for file, (made, _) in self._built.items()}
        # Conformances for types of other modules: all, and those that other modules declare.
        self._conformances: set[str] = set()
        self._harmless: set[str] = set()
        # The libraries that the objects import, and those that the program has.
        self._libraries: set[bytes] = set()
        self._examine(self._objects.values())
        self._loaded = frozenset(self._libraries)
        # Files that changed after the last compilation that did not fail.
        self._waiting: set[Path] = set()
        # Whether the driver failed, so that objects of the build may not fit together.
        self._is_torn = False
        self._entry = self._folder / "LiveEntry.swift"
        self._entry.write_text(_ENTRY.format(interface=live.interface, protocol=live.protocol, module=entry), "utf-8")
        self._frontend = Frontend(self._recorded, self._entry, commands)

    def compile(self, changed: Collection[Path]) -> None:
        """Compiles the files that changed, absolute, and what depends on them. Raises `ProblemError`."""
        self._waiting |= self._built.keys() & changed
        entry = self._entry.with_suffix(".o"), self._entry.with_suffix(".swiftdeps")
        alone = {file: self._alone[file] for file in self._waiting}
        self._finish(self._commands.run(self._frontend.compiling(alone | {self._entry: entry})), "Compiling")
        if self._is_torn or any(self._is_seen_by_others(file) for file in self._waiting):
            self._is_torn = True
            self._drive()
            self._is_torn = False
        else:
            self._objects |= {file: made for file, (made, _) in alone.items()}
            self._examine(self._objects[file] for file in self._waiting)
        self._objects[self._entry] = entry[0]
        self._waiting.clear()

    def _is_seen_by_others(self, file: Path) -> bool:
        """Whether a file that was compiled alone provides something else to other files than in the build."""
        before, after = (provided(each[file][1]) for each in (self._built, self._alone))
        return not before or before != after

    def _drive(self) -> None:
        """Has the driver compile as in the build, from what the build left."""
        built = {file: made for file, (made, _) in self._built.items()}
        for file, made in built.items():
            # The driver compares times by whole seconds: without its object, a file is compiled in any case.
            if file in self._waiting or self._objects[file] != made:
                made.unlink(missing_ok=True)
        self._finish(self._commands.compile([self._commands.toolchain.swiftc, *self._recorded]), "Compiling")
        self._objects |= built
        self._examine(built.values())

    def link(self) -> Path:
        """Links the objects into a new library, because a program loads each file once. Raises `ProblemError`."""
        library = self._folder / f"{self.name}-{next(_numbers)}.{SUFFIX}"
        library.unlink(missing_ok=True)
        imports_more = not self._libraries <= self._loaded
        objects, toolchain = self._objects.values(), self._commands.toolchain
        command = linking(self.name, self._target, objects, library, toolchain, imports_more=imports_more)
        self._finish(self._commands.run(command), "Linking")
        return library

    def foreign_conformances(self) -> list[str]:
        """The conformances that it declares for types of other modules: a cast may know the old ones."""
        unknown = self._conformances - self._harmless
        foreign = declared_in(self.name, unknown, self._commands)
        if not foreign:
            self._harmless |= unknown
        return foreign

    def _examine(self, objects: Iterable[Path]) -> None:
        for each in objects:
            content = each.read_bytes()
            self._conformances |= conformances(content, self.name)
            self._libraries |= imported_libraries(content)

    def _finish(self, done: Output, what: str) -> None:
        if done.exit_code != 0:
            raise problem(done.text, f"{what} {self.name}", self._commands.folder)
