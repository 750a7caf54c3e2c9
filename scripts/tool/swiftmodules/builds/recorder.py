"""Records what the compiler does in a build: which files its processes compile, and when.

The recorder, compiled from `record-frontend.swift`, stands in for `swift-frontend`, which the compiler's driver starts
for each job. `swift build` starts a driver for each target; the new build engine (`--build-system swiftbuild`) is one
itself, and starts linkers in its own way, so that links are known by the products that they write.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.conditions import require_space
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

SOURCE = Path(__file__).with_name("record-frontend.swift")
# The kinds of jobs.
COMPILE, EMIT_MODULE, WRAP, LINK = "compile", "emit-module", "wrap", "link"
# As it is linked.
_RECORDER_BYTES = 2**24
# Of several things that run side by side, the time belongs to the first.
_PRECEDENCE = (COMPILE, EMIT_MODULE, WRAP, LINK)
PHASES = ("start", *_PRECEDENCE, "rest")
# Before the names of compiled files that are none of the package.
GENERATED = "(generated) "


@dataclass(frozen=True)
class Job:
    """One process of a build, with its module or product. Times are seconds since the build began."""

    kind: str
    target: str
    began: float
    finished: float
    # Of a `compile` job: the files by their paths or names, and the objects that it makes of them.
    files: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        return self.finished - self.began


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, so that counts compare between layouts, and the names of the linked
    products."""

    compiled: tuple[str, ...]
    linked: tuple[str, ...]

    @classmethod
    def of(cls, jobs: Sequence[Job]) -> CompilerWork:
        """The work that was done by jobs."""
        compiled = {file for job in jobs if job.kind == COMPILE for file in job.files}
        return cls(tuple(sorted(compiled)), tuple(sorted(job.target for job in jobs if job.kind == LINK)))

    @property
    def is_nothing(self) -> bool:
        return not self.compiled and not self.linked


@dataclass(frozen=True)
class Recorder:
    """A folder of tools for the builds of a package, which keeps the records of the last one."""

    folder: Path
    package: Path

    @classmethod
    def made(cls, folder: Path, package: Path, home: Path, toolchain: Toolchain) -> Recorder:
        """Makes the folder; `home` has the program, which all folders share, and where it is compiled once."""
        program = home / "record-frontend"
        if not program.exists() or program.stat().st_mtime < SOURCE.stat().st_mtime:
            # In the language mode of Swift 5, because it reads the global variables of C.
            options = ["-O", "-swift-version", "5", *(["-static-stdlib"] if sys.platform == "linux" else [])]
            require_space(home, "a build there", _RECORDER_BYTES)
            process.read([toolchain.swiftc, *options, SOURCE, "-o", program], toolchain.environment, home)
        for name in ("bin", "records"):
            (folder / name).mkdir(parents=True)
        (folder / "bin" / "swift-frontend").symlink_to(program)
        # The driver looks for libraries beside its tools.
        (folder / "lib").symlink_to(toolchain.bin.parent / "lib")
        return cls(folder, package)

    @property
    def options(self) -> tuple[str, ...]:
        """Those of `swift build`, to be recorded."""
        return ("-Xswiftc", "-tools-directory", "-Xswiftc", str(self.folder / "bin"))

    def clear(self) -> None:
        for file in self._records:
            file.unlink()

    def jobs(self, began: float, originals: Mapping[Path, Path], products: Path) -> list[Job]:
        """The jobs of the build that began at this moment, in the order in which they began, with files by their
        original paths; `originals` gives that of each generated file. `products` is the folder of what is linked."""
        found = [job for file in self._records if (job := self._job(file, began, originals))]
        return sorted([*found, *_links(products, began, found)], key=lambda job: (job.began, job.finished))

    @property
    def _records(self) -> Iterator[Path]:
        return (self.folder / "records").iterdir()

    def _job(self, file: Path, began: float, originals: Mapping[Path, Path]) -> Job | None:
        """The job of one process; None where the driver only asked for facts."""
        words = file.read_text(errors="replace").split("\n")
        if len(words) < 3:
            raise ToolError(f"{file} has no times of the compiler's jobs.")
        first, last, mode, *words = words
        times = (int(first) / 1e6 - began, int(last) / 1e6 - began)
        if mode == "-modulewrap":
            return Job(WRAP, Path(words[0]).stem, *times)
        if mode != "-frontend":
            return None
        target = next(_values("-module-name", words), "")
        if "-c" not in words:
            # Without files of the package, it compiles modules that come with the system.
            return Job(EMIT_MODULE if "-emit-module" in words else COMPILE, target, *times)
        # Without primary files, it compiles the whole module.
        files = [*_values("-primary-file", words)] or [word for word in words if word.endswith(".swift")]
        return Job(
            *(COMPILE, target, *times),
            tuple(self._original(each, originals) for each in files),
            tuple(_values("-o", words)),
        )

    def _original(self, path: str, originals: Mapping[Path, Path]) -> str:
        # Files of other packages may stand beside it.
        relative = Path(os.path.relpath(path, self.package))
        return originals[relative].as_posix() if relative in originals else f"{GENERATED}{Path(path).name}"


def _values(option: str, words: Sequence[str]) -> Iterator[str]:
    return (value for word, value in pairwise(words) if word == option)


def _links(products: Path, began: float, jobs: Sequence[Job]) -> Iterator[Job]:
    """The programs and libraries that were written since, each from the end of the compiler's last process before."""
    for path in (*products.glob("*"), *products.glob("*.xctest/Contents/MacOS/*")):
        written = path.stat().st_mtime - began
        if written >= 0 and path.is_file() and os.access(path, os.X_OK):
            first = max((job.finished for job in jobs if job.finished <= written), default=written)
            yield Job(LINK, path.name, first, written)


def phases(jobs: Sequence[Job], seconds: float) -> dict[str, float]:
    """The seconds of each phase in a build that took so long; together they are all of it."""
    first = min((job.began for job in jobs), default=seconds)
    # By another clock, the last job may seem to begin or end later than the build.
    ends = (min(moment, seconds) for job in jobs for moment in (job.began, job.finished))
    moments = sorted({0.0, seconds, *ends})
    found = dict.fromkeys(PHASES, 0.0)
    for begin, end in pairwise(moments):
        running = {job.kind for job in jobs if job.began <= begin and job.finished >= end}
        idle = "start" if begin < first else "rest"
        found[next((phase for phase in _PRECEDENCE if phase in running), idle)] += end - begin
    return found
