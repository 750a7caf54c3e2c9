"""The commands of the compiler and the linker for one implementation, and what its objects declare."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path

from swiftmodules.live.command import Commands
from swiftmodules.swiftpm.toolchain import Toolchain

# Options of the recorded command for output that a library does not need: without a value, and with a value.
_FLAGS = {"-emit-module", "-emit-dependencies", "-emit-objc-header", "-serialize-diagnostics", "-incremental"}
_VALUES = {"-emit-module-path", "-emit-objc-header-path", "-output-file-map"}
# The driver prints one command, which names all files.
_SHOWN = ("-driver-batch-count", "1", "-driver-filelist-threshold=1000000", "-###")
SUFFIX, _LINKING = "so", ("-use-ld=lld", "-Xlinker", "-Bsymbolic")
if sys.platform == "darwin":
    SUFFIX, _LINKING = "dylib", ("-Xlinker", "-undefined", "-Xlinker", "dynamic_lookup")
_CONFORMANCE = re.compile(rb"\$s[\w$]+Mc(?=\0)")
_IMPORTED = re.compile(rb"-l[\w.+-]+(?=\0)")


def frontend(recorded: Sequence[str], commands: Commands) -> Sequence[str]:
    """The command of the compiler's frontend for all files of a recorded command, as the driver would give it.

    Raises `ProblemError` where the driver refuses the recorded command.
    """
    shown = commands.run("Planning", [commands.toolchain.swiftc, *_without(recorded, _FLAGS, _VALUES), *_SHOWN])
    jobs = [line for line in shown.splitlines() if " -frontend " in line]
    if not jobs:
        raise commands.problem("Planning", shown)
    return _without(shlex.split(jobs[0]), {"-primary-file"}, {"-o", "-supplementary-output-file-map"})


def compiling(command: Sequence[str], outputs: Mapping[Path, tuple[Path, Path]]) -> list[str | Path]:
    """The frontend's command for some of the files, each with its object and its record of dependencies."""
    words: list[str | Path] = []
    options: list[str | Path] = []
    for word in command:
        if made := outputs.get(Path(word)):
            words.append("-primary-file")
            # In the order of the files.
            options += ["-o", made[0], "-emit-reference-dependencies-path", made[1]]
        words.append(word)
    return [*words, *options]


def linking(
    module: str, target: str, objects: Iterable[Path], library: Path, toolchain: Toolchain, *, imports_more: bool
) -> list[str | Path]:
    """The command that links objects into a library for a program. `imports_more` is false where the program has all
    libraries that the objects import."""
    architecture = target.partition("-")[0]
    linker, start = toolchain.bin / "ld.lld", toolchain.bin.parent / f"lib/swift/linux/{architecture}/swiftrt.o"
    if sys.platform == "linux" and not imports_more and linker.exists() and start.exists():
        return [linker, "-shared", "-Bsymbolic", "-o", library, start, *objects]
    options = ["-emit-library", "-module-name", module, "-target", target, *_LINKING]
    return [toolchain.swiftc, *options, "-o", library, *objects]


def imported_libraries(content: bytes) -> set[bytes]:
    """The options for the libraries that an object imports."""
    return set(_IMPORTED.findall(content))


def conformances(content: bytes, module: str) -> set[str]:
    """The symbols of conformances in an object of a module, without those of its own types."""
    own = f"$s{len(module)}{module}".encode()
    return {name.decode() for name in _CONFORMANCE.findall(content) if not name.startswith(own)}


def declared_in(module: str, symbols: Collection[str], commands: Commands) -> list[str]:
    """The conformances, in words, that a module declares for types of other modules."""
    # Only the demangled name shows which module declares it: words of mangled names are written once.
    demangler = commands.toolchain.bin / "swift-demangle"
    names = commands.run("Demangling", [demangler, "--compact", *sorted(symbols)]) if symbols else ""
    found = [line.partition(" for ")[2] for line in names.splitlines() if line.endswith(f" in {module}")]
    # A type in an extension of another module's type is the module's own.
    return sorted(
        each.removesuffix(f" in {module}") for each in found if not each.startswith(f"(extension in {module})")
    )


def _without(words: Iterable[str], flags: Collection[str], options: Collection[str]) -> list[str]:
    """The words without some flags, and without some options with their values."""
    rest = iter(words)
    kept: list[str] = []
    for word in rest:
        if word in options:
            next(rest, None)
        elif word not in flags:
            kept.append(word)
    return kept
