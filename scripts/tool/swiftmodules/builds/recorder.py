"""Records what the compiler does in a build: which files its processes compile.

The recorder, compiled from `record-frontend.swift`, stands in for `swift-frontend`, which the compiler's driver starts
for each job. `swift build` starts a driver for each target; the new build engine (`--build-system swiftbuild`) is one
itself, and starts linkers in its own way, so that links are known by the products that they write.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from swiftmodules.swiftpm.toolchain import Toolchain, compiled

SOURCE = Path(__file__).with_name("record-frontend.swift")
# The prefix of compiled files that are no files of the package.
GENERATED = "(generated) "


@dataclass(frozen=True)
class Recorder:
    """A folder of tools for the builds of a package, which keeps the records of the last one."""

    folder: Path
    package: Path

    @classmethod
    def made(cls, folder: Path, package: Path, toolchain: Toolchain) -> Recorder:
        # The recorder reads global variables of C, which the language mode of Swift 6 refuses.
        options = ["-O", "-swift-version", "5", *(["-static-stdlib"] if sys.platform == "linux" else [])]
        program = compiled(SOURCE, toolchain, *options)
        for name in ("bin", "records"):
            (folder / name).mkdir(parents=True)
        (folder / "bin" / "swift-frontend").symlink_to(program)
        # The driver looks for libraries beside its tools.
        (folder / "lib").symlink_to(toolchain.bin.parent / "lib")
        return cls(folder, package)

    @property
    def options(self) -> tuple[str, ...]:
        """The options of a `swift build` that is recorded."""
        return ("-Xswiftc", "-tools-directory", "-Xswiftc", str(self.folder / "bin"))

    def clear(self) -> None:
        for file in self._records:
            file.unlink()

    def compiled(self, originals: Mapping[Path, Path]) -> list[str]:
        """The files that the last build compiled; `originals` gives the original path of each generated file."""
        found = {self._original(path, originals) for record in self._records for path in _compiled(record)}
        return sorted(found)

    @property
    def _records(self) -> Iterator[Path]:
        return (self.folder / "records").iterdir()

    def _original(self, path: str, originals: Mapping[Path, Path]) -> str:
        # Files of other packages may stand beside it.
        relative = Path(os.path.relpath(path, self.package))
        return originals[relative].as_posix() if relative in originals else f"{GENERATED}{Path(path).name}"


def _compiled(record: Path) -> list[str]:
    """The files that one process compiles; none where the driver asked for facts or for a module."""
    words = record.read_text(errors="replace").split("\n")
    if words[0] != "-frontend" or "-c" not in words:
        return []
    primary = [value for word, value in pairwise(words) if word == "-primary-file"]
    # A process without primary files compiles the whole module.
    return primary or [word for word in words if word.endswith(".swift")]


def linked(products: Path, since: float) -> list[str]:
    """The names of the programs and libraries in a folder that were written since a moment."""
    found = (*products.glob("*"), *products.glob("*.xctest/Contents/MacOS/*"))
    return sorted(
        path.name for path in found if path.stat().st_mtime >= since and path.is_file() and os.access(path, os.X_OK)
    )
