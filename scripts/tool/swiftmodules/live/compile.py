"""One implementation, compiled and linked into a library that a running program can load."""

from __future__ import annotations

import json
import re
import shlex
import sys
from collections.abc import Collection, Iterable, Sequence
from itertools import count
from pathlib import Path

from swiftmodules.live.build import problem
from swiftmodules.live.command import Commands
from swiftmodules.swiftpm.config import Live
from swiftmodules.swiftpm.reader import SourceFile, is_api

# Options of SwiftPM's command for output that is not read here, without and with a value.
_FLAGS = {"-emit-module", "-emit-dependencies", "-emit-objc-header", "-serialize-diagnostics", "-parseable-output"}
_VALUES = {"-emit-module-path", "-emit-objc-header-path", "-index-store-path", "-output-file-map"}
_ENTRY = """\
import {interface}

/// Stores the module where a running program asks for it. In a file of the module, so that it has the present layout.
@_cdecl("swiftmodules_live_module")
public func swiftmodulesLiveModule(_ place: UnsafeMutableRawPointer) {{
    place.assumingMemoryBound(to: (any {protocol})?.self).pointee = {module}()
}}
"""
_SUFFIX, _LINKING = "so", ("-use-ld=lld", "-Xlinker", "-Bsymbolic")
if sys.platform == "darwin":
    _SUFFIX, _LINKING = "dylib", ("-Xlinker", "-undefined", "-Xlinker", "dynamic_lookup")
_CONFORMANCE = re.compile(rb"\$s[\w$]+Mc(?=\0)")

_numbers = count(1)


def module_entry(sources: Iterable[SourceFile], protocol: str) -> str | None:
    """The name of the one public type of an implementation that conforms to the protocol of module entries."""
    types = [each for source in sources for each in source.declarations if each.is_type and is_api(each, ())]
    found = [each.name for each in types if each.inherits_any([protocol])]
    return found[0] if len(found) == 1 else None


def driver_arguments(recorded: Sequence[str], output_map: Path, entry: Path) -> list[str]:
    """The recorded command with outputs of its own, one more file, and without the module for others to import."""
    words = iter(recorded)
    kept: list[str] = []
    for word in words:
        if word in _VALUES:
            next(words, None)
        elif word not in _FLAGS:
            kept.append(word)
    return [*kept, "-output-file-map", str(output_map), str(entry)]


def conformances(objects: Collection[Path], module: str) -> set[str]:
    """The symbols of conformances in the objects of a module, without those of its own types."""
    own = f"$s{len(module)}{module}".encode()
    found = {name for file in objects for name in _CONFORMANCE.findall(file.read_bytes())}
    return {name.decode() for name in found if not name.startswith(own)}


def foreign_conformances(symbols: Collection[str], module: str, commands: Commands) -> list[str]:
    """The conformances that a module declares for types of another one: a cast may know the old one."""
    # Only the demangled name shows which module declares it: words of mangled names are written once.
    demangler = commands.toolchain.bin / "swift-demangle"
    names = commands.run([demangler, "--compact", *sorted(symbols)]).text if symbols else ""
    found = [line.partition(" for ")[2] for line in names.splitlines() if line.endswith(f" in {module}")]
    return sorted(each.removesuffix(f" in {module}") for each in found)


class LiveTarget:
    """An implementation with objects of its own, which the next build of the program does not see."""

    def __init__(
        self, name: str, recorded: Sequence[str], folder: Path, live: Live, entry: str, commands: Commands
    ) -> None:
        self.name = name
        self._commands = commands
        self._folder = folder / "replaced" / name
        self._folder.mkdir(parents=True, exist_ok=True)
        # No program has those of earlier runs loaded any more.
        for library in self._folder.glob(f"{name}-*"):
            library.unlink()
        original = json.loads(Path(recorded[recorded.index("-output-file-map") + 1]).read_text())
        source = self._folder / "LiveEntry.swift"
        _write(source, _ENTRY.format(interface=live.interface, protocol=live.protocol, module=entry))
        self._objects = {
            Path(file): self._folder / f"{Path(file).name}.o" for file in (*filter(None, original), str(source))
        }
        outputs: dict[str, dict[str, str]] = {"": {"swift-dependencies": str(self._folder / "module.swiftdeps")}}
        for file, made in self._objects.items():
            dependencies = made.with_suffix(".swiftdeps")
            outputs[str(file)] = {"object": str(made), "swift-dependencies": str(dependencies)}
        output_map = self._folder / "output-file-map.json"
        _write(output_map, json.dumps(outputs))
        self._arguments = driver_arguments(recorded, output_map, source)
        self._target = _value_of("-target", recorded)
        # The commands that link, as soon as they are known.
        self._jobs: list[list[str]] = []
        # Conformances that other modules declare.
        self._harmless: set[str] = set()
        # Compiled by a build that failed, or not at all.
        self._waiting: set[Path] = set()

    def compile(self, changed: Collection[Path]) -> None:
        """Compiles the files that changed, absolute, and what depends on them. Raises `ProblemError`."""
        self._waiting |= set(changed)
        for file in self._waiting:
            # The driver compares times by whole seconds: without its object, a file is compiled in any case.
            if file in self._objects:
                self._objects[file].unlink(missing_ok=True)
        done = self._commands.compile([self._commands.toolchain.swiftc, *self._arguments])
        if done.exit_code != 0:
            raise problem(done.text, f"Compiling {self.name}", self._commands.folder)
        self._waiting.clear()

    def link(self) -> Path:
        """Links the objects into a new library, because a program loads each file once. Raises `ProblemError`."""
        library = self._folder / f"{self.name}-{next(_numbers)}.{_SUFFIX}"
        library.unlink(missing_ok=True)
        made = self._folder / f"lib{self.name}.{_SUFFIX}"
        if not self._jobs:
            # The driver only names the commands: with it, linking takes half as long again.
            shown = self._run([*self._linking(made), "-###"])
            self._jobs = [shlex.split(line) for line in shown.splitlines()]
        for command in self._jobs:
            self._run(command)
        return made.rename(library)

    def _linking(self, library: Path) -> list[str | Path]:
        target = ["-target", self._target] if self._target else []
        options = ["-emit-library", "-module-name", self.name, *target, *_LINKING, "-o", str(library)]
        return [self._commands.toolchain.swiftc, *options, *self._objects.values()]

    def _run(self, command: Sequence[str | Path]) -> str:
        done = self._commands.run(command)
        if done.exit_code != 0:
            raise problem(done.text, f"Linking {self.name}", self._commands.folder)
        return done.text

    def foreign_conformances(self) -> list[str]:
        """See the function of this name."""
        unknown = conformances(self._objects.values(), self.name) - self._harmless
        foreign = foreign_conformances(unknown, self.name, self._commands)
        if not foreign:
            self._harmless |= unknown
        return foreign


def _value_of(option: str, arguments: Sequence[str]) -> str | None:
    return arguments[arguments.index(option) + 1] if option in arguments else None


def _write(file: Path, text: str) -> None:
    """Leaves a file alone that holds the text already, so that it is not compiled again."""
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        file.write_text(text, encoding="utf-8")
