"""A folder in which a package is built again and again, with its build folder: it becomes one layout after another."""

from __future__ import annotations

import hashlib
import os
import re
import shutil
import time
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.machine import require_space, usable_cores
from swiftmodules.builds.printed import failed_tests
from swiftmodules.builds.recorder import Recorder, linked
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.layouts.layout import Layout
from swiftmodules.swiftpm.toolchain import Toolchain, native_engine, read

# SwiftPM may plan a second time; more often than this means that something changes on its own.
_SETTLING_BUILDS = 5
# The files that SwiftPM writes before it compiles a target; the last one is of a target in C.
_INPUTS = {"output-file-map.json", "sources", "DerivedSources", "module.modulemap"}
_PROGRESS_LINE = re.compile(r"\[\d+/\d+\] |Building for |Build complete|remark: Incremental compilation: ")


# The compiler's driver reports why it compiles a file, and finds the same reasons each time.
_OPTIONS = ("-Xswiftc", "-driver-show-incremental")
_ENVIRONMENT = {"SWIFT_DETERMINISTIC_HASHING": "1"}


@dataclass(frozen=True)
class Build:
    """A finished build: the compiled files by their original paths, so that counts compare between layouts; the names
    of the linked products; and what was printed."""

    seconds: float
    compiled: Sequence[str]
    linked: Sequence[str]
    output: bytes


class Workspace:
    """A folder that becomes one layout after another, always built in the same place and the same environment."""

    def __init__(
        self,
        layout: Layout,
        folder: Path,
        toolchain: Toolchain,
        options: Sequence[str] = (),
    ) -> None:
        self._whole = folder / "package"
        self.layout = layout
        self.package = self._whole / layout.place
        self.scratch = folder / "scratch"
        self._recorder = Recorder.made(folder / "tools", self.package, toolchain)
        self.toolchain = toolchain
        self._products: dict[Path, Path] = {}
        self._build_ended = 0.0
        self._log = folder / "build.log"
        self.package.mkdir(parents=True)
        for path in layout.contents:
            self._write(path)
        arguments = ["build", "--package-path", str(self.package), "--jobs", str(usable_cores())]
        tests = ["--build-tests"] if layout.package.tests else []
        # The native engine is used unless a setting asks for another one.
        self._engine = () if "--build-system" in options else native_engine(toolchain)
        self._command = [str(toolchain.swift), *arguments, *self._engine, *tests, *_OPTIONS]
        self._command += [*self._recorder.options, *options]
        self._command += ["--scratch-path"]
        self.environment = {**toolchain.environment, **_ENVIRONMENT}

    def become(self, layout: Layout) -> bool:
        """Turns the package into another layout by writing the files whose content differs. Returns whether any
        differed."""
        former, self.layout = self.layout, layout
        differing = [path for path, new in layout.contents.items() if not self._holds(path, former.contents, new)]
        gone = former.contents.keys() - layout.contents.keys()
        if differing or gone:
            self._await_later_second()
        for path in gone:
            (self._whole / path).unlink()
            # Git removes empty folders too, and a file or a link may take the place of one.
            with suppress(OSError):
                os.removedirs((self._whole / path).parent)
        for path in differing:
            self._write(path)
            # A copy has the time of its original, and a user's checkout would write the file now.
            os.utime(self._whole / path, follow_symlinks=False)
        return bool(differing or gone)

    def _holds(self, path: Path, former: Mapping[Path, bytes | Path], new: bytes | Path) -> bool:
        old = former.get(path)
        if old is None or old is new or old == new:
            return old is not None
        here = self._whole / path
        if here.is_symlink() or (isinstance(new, Path) and new.is_symlink()):
            # What an edit has changed is what the link leads to.
            return isinstance(old, Path) and _is_same_link(here, new)
        return here.read_bytes() == (new.read_bytes() if isinstance(new, Path) else new)

    def _write(self, path: Path) -> None:
        target, content = self._whole / path, self.layout.contents[path]
        target.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes) or _is_same_link(target, content):
            target.write_bytes(content if isinstance(content, bytes) else content.read_bytes())
        else:
            # What is overwritten may be a link.
            target.unlink(missing_ok=True)
            shutil.copy2(content, target, follow_symlinks=False)

    @property
    def apart(self) -> Path:
        """The folder of clean builds that are made beside the others."""
        return self.scratch.with_name("apart")

    def products(self, scratch: Path) -> Path:
        if scratch not in self._products:
            asked = read([*self._command, scratch, "--show-bin-path"], self.environment, self.package)
            self._products[scratch] = Path(asked.decode().strip())
        return self._products[scratch]

    def modules(self) -> dict[str, str]:
        """A hash of each module that was built, by its name."""
        found = (self.products(self.scratch) / "Modules").glob("*.swiftmodule")
        return {each.stem: hashlib.sha256(each.read_bytes()).hexdigest() for each in found}

    def remove_outputs(self, modules: Iterable[str]) -> None:
        products = self.products(self.scratch)
        for name in modules:
            for path in (*(products / f"{name}.build").rglob("*"), *(products / "Modules").glob(f"{name}.*")):
                if path.is_file() and _INPUTS.isdisjoint(path.relative_to(products).parts):
                    path.unlink()

    def run_tests(self, targets: Iterable[str]) -> float:
        """Runs the tests of some targets, as they were built, and returns the seconds. Raises `ToolError` where one
        fails."""
        finished, failed = self.test(self.scratch, "--filter", rf"^({'|'.join(sorted(targets))})\.")
        if finished.exit_code != 0:
            reason = ", ".join(failed) or f"exit code {finished.exit_code}"
            raise ToolError(f"tests of {', '.join(sorted(targets))} fail: {reason}.")
        return finished.seconds

    def test(self, scratch: Path, *options: str, limit: float | None = None) -> tuple[process.Finished, list[str]]:
        """Runs the tests of a build, for at most so many seconds, and returns the names of failing tests."""
        words = ["test", "--skip-build", "--package-path", str(self.package), "--scratch-path", str(scratch)]
        command = [str(self.toolchain.swift), *words, *self._engine, *options]
        finished = process.run(command, self.environment, self.package, self._log, limit=limit)
        return finished, failed_tests(self._log.read_text(errors="replace"))

    def build(self) -> Build:
        return self._built(self.scratch, "the build")

    def _built(self, scratch: Path, what: str) -> Build:
        self._recorder.clear()
        began = time.time()
        what = f"{what} of the layout '{self.layout.name}'"
        try:
            finished = process.run([*self._command, scratch], self.environment, self.package, self._log)
        finally:
            self._build_ended = time.time()
        require_space(self.scratch.parent, what)
        if finished.exit_code != 0:
            raise BuildFailedError(f"{what} failed:\n{self._message()}")
        compiled = self._recorder.compiled(self.layout.originals)
        return Build(finished.seconds, compiled, linked(self.products(scratch), began), self._log.read_bytes())

    def build_clean(self) -> Build:
        """Makes a clean build, and then builds until a build has nothing to do. Returns the first build."""
        shutil.rmtree(self.scratch, ignore_errors=True)
        clean = self.build()
        for _ in range(_SETTLING_BUILDS):
            again = self.build()
            if not again.compiled and not again.linked:
                return clean
        raise ToolError(
            f"the layout '{self.layout.name}' does not settle: {_SETTLING_BUILDS} builds without an edit each "
            f"compiled or linked something, the last one {', '.join(again.compiled) or 'a link'}."
        )

    def build_apart(self) -> Build:
        """Makes a clean build of the package as it stands in the folder `apart`, and leaves its own build as it is."""
        shutil.rmtree(self.apart, ignore_errors=True)
        return self._built(self.apart, "a clean build")

    def _await_later_second(self) -> None:
        """Waits for a later second than that in which the last build ended.

        The compiler's driver compares modification times by whole seconds (seen with Swift 6.3.1 on Linux) and
        does not compile a file that was changed twice in one.
        """
        # A little more, because the file system's clock may lag behind.
        while time.time() < int(self._build_ended) + 1.02:
            time.sleep(0.01)

    def _message(self) -> str:
        """Returns the messages of the compiler, with the original paths (the lines are the original ones too)."""
        log = self._log.read_text(errors="replace")
        for generated, original in self.layout.originals.items():
            log = log.replace(os.path.normpath(self.package / generated), original.as_posix())
        lines = dict.fromkeys(line for line in log.splitlines() if not _PROGRESS_LINE.match(line))
        return "\n".join(lines).strip()


def _is_same_link(here: Path, other: bytes | Path) -> bool:
    if not isinstance(other, Path) or not here.is_symlink() or not other.is_symlink():
        return False
    return here.readlink() == other.readlink()
