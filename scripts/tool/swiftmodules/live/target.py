"""One implementation as a library that a running program can load."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import count
from pathlib import Path

from swiftmodules.live.command import Commands
from swiftmodules.live.compile import (
    SUFFIX,
    compiling,
    conformances,
    declared_in,
    frontend,
    imported_libraries,
    linking,
)
from swiftmodules.live.dependencies import Record, reached
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
    """An implementation of which the changed files are compiled, and the files that use what changed, as the compiler's
    records name them. The library takes the other objects from the program's build, which it leaves unchanged."""

    def __init__(
        self, name: str, recorded: Sequence[str], folder: Path, live: Live, entry: str, commands: Commands
    ) -> None:
        """`recorded` are the arguments of the driver in the build. Raises `ProblemError` where it refuses them."""
        self.name = name
        self._commands = commands
        self._folder = folder / "replaced" / name
        self._folder.mkdir(parents=True, exist_ok=True)
        # No program has the libraries of earlier sessions loaded any more.
        for library in self._folder.glob(f"{name}-*"):
            library.unlink()
        self._target = recorded[recorded.index("-target") + 1]
        outputs = json.loads(Path(recorded[recorded.index("-output-file-map") + 1]).read_text())
        # For each file, its object, and its record of dependencies.
        self._built = {
            Path(file): (Path(made["object"]), Path(made["swift-dependencies"]))
            for file, made in outputs.items()
            if file
        }
        # The objects that are linked together, by file. Records are read when they are first needed.
        self._objects = {file: made for file, (made, _) in self._built.items()}
        self._records: dict[Path, Record] = {}
        # The conformances of types of other modules, and among them the conformances that other modules declare.
        self._conformances: set[str] = set()
        self._harmless: set[str] = set()
        # The libraries that the present objects import, and the libraries that the program has.
        self._libraries: set[bytes] = set()
        self._examine(self._objects.values())
        self._loaded = frozenset(self._libraries)
        # The files that wait to be compiled: the changed files, and the files that depend on them.
        self._waiting: set[Path] = set()
        self._entry = self._folder / "LiveEntry.swift"
        self._entry.write_text(_ENTRY.format(interface=live.interface, protocol=live.protocol, module=entry), "utf-8")
        self._frontend = frontend([*recorded, str(self._entry)], commands)

    def compile(self, changed: Collection[Path]) -> None:
        """Compiles the files that changed, absolute, and what depends on them. Raises `ProblemError`."""
        self._waiting |= self._built.keys() & changed
        made: dict[Path, Path] = {}
        records: dict[Path, Record] = {}
        # The entry is compiled too, because its object has the layout of the module.
        while rest := {*self._waiting, self._entry} - made.keys():
            outputs = {file: self._outputs(file) for file in rest}
            self._commands.run(f"Compiling {self.name}", compiling(self._frontend, outputs))
            made |= {file: output for file, (output, _) in outputs.items()}
            try:
                records |= {file: Record.read(record) for file, (_, record) in outputs.items() if file != self._entry}
                self._waiting |= self._reached(records)
            except ValueError:
                # What is not known counts as everything.
                self._waiting |= self._built.keys()
        self._objects |= made
        self._records |= records
        self._examine(made.values())
        self._waiting.clear()

    def _outputs(self, file: Path) -> tuple[Path, Path]:
        """The paths of a new object and a new record, under the names that the build gives them."""
        made = self._built.get(file, (file.with_suffix(".o"), file.with_suffix(".swiftdeps")))
        return self._folder / made[0].name, self._folder / made[1].name

    def _reached(self, records: Mapping[Path, Record]) -> set[Path]:
        """The files that depend on what files with new records provide. Raises `ValueError`."""
        differing = {node for file, new in records.items() for node in new.differing(self._record(file))}
        if not differing:
            return set()
        return reached(differing, {file: records.get(file) or self._record(file) for file in self._built})

    def _record(self, file: Path) -> Record:
        """The record of the present object of a file. Raises `ValueError`."""
        if file not in self._records:
            self._records[file] = Record.read(self._built[file][1])
        return self._records[file]

    def link(self) -> Path:
        """Links the objects into a new library, because a program loads each file once. Raises `ProblemError`."""
        library = self._folder / f"{self.name}-{next(_numbers)}.{SUFFIX}"
        library.unlink(missing_ok=True)
        imports_more = not self._libraries <= self._loaded
        objects, toolchain = self._objects.values(), self._commands.toolchain
        command = linking(self.name, self._target, objects, library, toolchain, imports_more=imports_more)
        self._commands.run(f"Linking {self.name}", command)
        return library

    def foreign_conformances(self) -> list[str]:
        """The conformances that the target declares for types of other modules: a cast may know the old ones."""
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
