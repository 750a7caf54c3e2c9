"""One layout on disk: the generated package, its build folder, and the edits that are in force."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.compiler_records import RECORDER, CompilerWork, clear_records, read_records
from buildspeed.disk import require_space
from buildspeed.edits import Made, Placement
from buildspeed.failures import BuildFailedError, MeasurementError
from buildspeed.layouts import Layout
from buildspeed.machine import usable_cores
from buildspeed.processes import Finished
from buildspeed.reasons import read_reasons
from buildspeed.toolchain import Toolchain

# SwiftPM may plan a second time; more often than this means that something changes by itself.
_SETTLING_BUILDS = 5
_PROGRESS_LINE = re.compile(r"\[\d+/\d+\] |Building for |Build complete|remark: Incremental compilation: ")


@dataclass(frozen=True)
class Build:
    """A finished build and what the compiler did in it. `began` is the moment, as `time.time()` tells it."""

    began: float
    finished: Finished
    work: CompilerWork
    # Why each file was compiled, by its original path, where the driver was asked to tell.
    reasons: Mapping[str, str]


class Workspace:
    """A layout that is built again and again, always in the same folders and the same environment."""

    def __init__(
        self,
        layout: Layout,
        folder: Path,
        toolchain: Toolchain,
        jobs: int | None = None,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        layout.write(folder / "package")
        self.layout = layout
        self.package = folder / "package" / layout.place
        self.originals = layout.originals()
        self._records = folder / "records"
        self._scratch = folder / "scratch"
        self._toolchain = toolchain
        self._build_ended = 0.0
        self._made: dict[Placement, Made] = {}
        self._log = folder / "build.log"
        self._command = [
            toolchain.swift,
            "build",
            "--package-path",
            self.package,
            "--jobs",
            str(jobs or usable_cores()),
            *(["--build-tests"] if layout.has_tests else []),
            *options,
            "--scratch-path",
        ]
        self.environment = toolchain.environment | {
            "SWIFT_EXEC": str(_recorder_with_libraries(folder, toolchain) if layout.has_tests else RECORDER),
            "BUILDSPEED_SWIFTC": str(toolchain.swiftc),
            "BUILDSPEED_RECORDS": str(self._records),
            **(environment or {}),
        }
        self._records.mkdir()

    @property
    def records(self) -> Path:
        """The folder of what the recorder kept of the last build."""
        return self._records

    @property
    def scratch(self) -> Path:
        """The folder of the build."""
        return self._scratch

    @property
    def index(self) -> Path:
        """The folder of the compiler's index, which debug builds write."""
        return self._scratch / "debug" / "index" / "store"

    def build(self) -> Build:
        """Builds the package as it stands."""
        clear_records(self._records)
        began = time.time()
        try:
            finished = self._run(self._scratch, "the build")
        finally:
            self._build_ended = time.time()
        added = {path: original for made in self._made.values() for path, original in made.originals.items()}
        files = self.originals | added
        work = read_records(self._records, self.package, files)
        return Build(began, finished, work, read_reasons(self._records, files))

    def build_clean(self) -> Build:
        """Builds from nothing, and then until a build has nothing to do. Returns the first build."""
        self.remove_scratch()
        clean = self.build()
        self.settle()
        return clean

    def remove_scratch(self) -> None:
        """Forgets every build."""
        shutil.rmtree(self._scratch, ignore_errors=True)

    def settle(self) -> None:
        """Builds until a build has nothing to do."""
        for _ in range(_SETTLING_BUILDS):
            again = self.build().work
            if again.is_nothing:
                return
        raise MeasurementError(
            f"the layout '{self.layout.name}' does not settle: {_SETTLING_BUILDS} builds without an edit each "
            f"compiled or linked something, the last one {', '.join(again.compiled) or 'a link'}."
        )

    def build_apart(self, scratch: Path) -> None:
        """Builds the package as it stands from nothing in another folder, and leaves its own build as it is."""
        shutil.rmtree(scratch, ignore_errors=True)
        self._run(scratch, "a clean build")

    @property
    def program(self) -> Path | None:
        """The program that was built, where the package has exactly one."""
        return self._scratch / "debug" / self.layout.program if self.layout.program else None

    @property
    def is_edited(self) -> bool:
        """Whether an edit is in force."""
        return bool(self._made)

    def apply(self, placement: Placement, number: int) -> None:
        """Makes an edit."""
        self._await_later_second()
        self._made[placement] = placement.change.make(self.package, self.layout, number)

    def undo(self, placement: Placement) -> None:
        """Takes an edit back: files are as they were generated, to the byte."""
        self._await_later_second()
        self._made.pop(placement).undo()

    def _await_later_second(self) -> None:
        """Waits for a later second than that in which the last build ended.

        The compiler's driver compares modification times by whole seconds (seen with Swift 6.3.1 on Linux) and
        does not compile a file that was changed twice in one.
        """
        # A little more, because the file system's clock may lag behind.
        while time.time() < int(self._build_ended) + 1.02:
            time.sleep(0.01)

    def _run(self, scratch: Path, what: str) -> Finished:
        what = f"{what} of the layout '{self.layout.name}'"
        try:
            finished = processes.run([*self._command, scratch], self.environment, self.package, self._log)
        except OSError:
            self._toolchain.require()
            raise
        require_space(self._scratch.parent, what)
        if finished.exit_code != 0:
            # It may have gone while it ran, and what it says of that helps nobody.
            self._toolchain.require()
            raise BuildFailedError(f"{what} failed:\n{self._message()}")
        return finished

    def _message(self) -> str:
        """What the compiler said, with the original paths (the lines are the original ones too)."""
        log = self._log.read_text(errors="replace")
        for generated, original in self.originals.items():
            log = log.replace(os.path.normpath(self.package / generated), original.as_posix())
        lines = dict.fromkeys(line for line in log.splitlines() if not _PROGRESS_LINE.match(line))
        return "\n".join(lines).strip()


def _recorder_with_libraries(folder: Path, toolchain: Toolchain) -> Path:
    """A copy of the recorder beside which the toolchain's libraries are, because SwiftPM looks for the one that
    finds tests beside the compiler."""
    recorder = folder / "toolchain" / "bin" / "swiftc"
    recorder.parent.mkdir(parents=True)
    shutil.copy(RECORDER, recorder)
    (folder / "toolchain" / "lib").symlink_to(toolchain.bin.parent / "lib")
    return recorder
