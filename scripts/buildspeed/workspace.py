"""One layout on disk: the generated package, its build folder, and the edit that is in force."""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.compiler_records import RECORDER, CompilerWork, clear_records, read_records
from buildspeed.edits import Placement
from buildspeed.failures import BuildFailedError, MeasurementError
from buildspeed.layouts import Layout
from buildspeed.processes import Finished
from buildspeed.toolchain import Toolchain

# SwiftPM may plan a second time; more often than this means that something changes by itself.
_SETTLING_BUILDS = 5
_PROGRESS_LINE = re.compile(r"\[\d+/\d+\] |Building for |Build complete")


@dataclass(frozen=True)
class Build:
    """A finished build and what the compiler did in it."""

    finished: Finished
    work: CompilerWork


class Workspace:
    """A layout that is built again and again, always in the same folders and the same environment."""

    def __init__(self, layout: Layout, folder: Path, toolchain: Toolchain) -> None:
        self.layout = layout
        self.package = folder / "package"
        self.originals = layout.originals()
        self._records = folder / "records"
        self._scratch = folder / "scratch"
        self._log = folder / "build.log"
        self._command = [
            toolchain.swift,
            "build",
            "--package-path",
            self.package,
            "--scratch-path",
            self._scratch,
        ]
        self._environment = toolchain.environment | {
            "SWIFT_EXEC": str(RECORDER),
            "BUILDSPEED_SWIFTC": str(toolchain.swiftc),
            "BUILDSPEED_RECORDS": str(self._records),
        }
        layout.write(self.package)
        self._records.mkdir()

    def build(self) -> Build:
        """Builds the package as it stands."""
        clear_records(self._records)
        finished = processes.run(self._command, self._environment, self.package, self._log)
        if finished.exit_code != 0:
            raise BuildFailedError(f"the build of the layout '{self.layout.name}' failed:\n{self._message()}")
        return Build(finished, read_records(self._records, self.package, self.originals))

    def build_clean(self) -> Build:
        """Builds from nothing, and then until the package is settled."""
        shutil.rmtree(self._scratch, ignore_errors=True)
        clean = self.build()
        self.settle()
        return clean

    def settle(self) -> list[Build]:
        """Builds until a build has nothing to do, so that the next one does what the next edit asks for and no
        more. Without the last, idle build, edits were seen to compile other files now and then."""
        builds: list[Build] = []
        while len(builds) < _SETTLING_BUILDS:
            builds.append(self.build())
            if not builds[-1].work.compiled and not builds[-1].work.links:
                return builds
        raise MeasurementError(
            f"the layout '{self.layout.name}' does not settle: {_SETTLING_BUILDS} builds without an edit each "
            f"compiled or linked something, the last one {', '.join(builds[-1].work.compiled) or 'a link'}."
        )

    def apply(self, placement: Placement, number: int) -> None:
        """Makes an edit."""
        file = self.layout.files[placement.file]
        (self.package / file.path).write_bytes(file.content(placement.numbered(number)))

    def undo(self, placement: Placement) -> None:
        """Puts the file back as it was generated, to the byte."""
        file = self.layout.files[placement.file]
        (self.package / file.path).write_bytes(file.content())

    def _message(self) -> str:
        """What the compiler said, with the original paths (the lines are the original ones too)."""
        log = self._log.read_text(errors="replace")
        for generated, original in self.originals.items():
            log = log.replace(str(self.package / generated), original.as_posix())
        lines = dict.fromkeys(line for line in log.splitlines() if not _PROGRESS_LINE.match(line))
        return "\n".join(lines).strip()
