"""One layout on disk: the generated package, its build folder, and the edits that are in force."""

from __future__ import annotations

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.conditions import ConditionsWatch, require_space, usable_cores
from swiftmodules.builds.recorder import Command, CompilerWork, Job, Records, compiled_recorder
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.layouts.layout import Layout, MadeEdit
from swiftmodules.observed import Conditions
from swiftmodules.process import Finished
from swiftmodules.swiftpm.copy import files_below
from swiftmodules.swiftpm.toolchain import Toolchain

# SwiftPM may plan a second time; more often than this means that something changes on its own.
_SETTLING_BUILDS = 5
# The variable by which SwiftPM starts the recorder in place of the compiler.
_RECORDER = "SWIFT_EXEC"
_FETCHING = re.compile(r"^Fetching (\S+)$", re.MULTILINE)
_PROGRESS_LINE = re.compile(r"\[\d+/\d+\] |Building for |Build complete|remark: Incremental compilation: ")


@dataclass
class Build:
    """A finished build, its conditions, and what the compiler did in it. `settling` is the build after an edit was
    undone, which is None before that and where nothing is edited."""

    finished: Finished
    work: CompilerWork
    conditions: Conditions
    commands: Sequence[Command] = ()
    settling: Build | None = None

    @property
    def seconds(self) -> float:
        return self.finished.seconds

    @property
    def jobs(self) -> tuple[Job, ...]:
        return tuple(command.job for command in self.commands)


class Workspace:
    """A layout that is built again and again, always in the same folders and the same environment; `home` has the
    recorder, which all workspaces share."""

    def __init__(
        self,
        layout: Layout,
        folder: Path,
        home: Path,
        toolchain: Toolchain,
        jobs: int | None = None,
        options: Sequence[str] = (),
        environment: Mapping[str, str] | None = None,
    ) -> None:
        self._whole = folder / "package"
        layout.write(self._whole)
        self.layout = layout
        self.package = self._whole / layout.place
        self.scratch = folder / "scratch"
        self.records = Records(folder / "records", self.package)
        self.records.folder.mkdir()
        self._originals = layout.originals()
        self.toolchain = toolchain
        self._build_ended = 0.0
        self._made: dict[Placement, MadeEdit] = {}
        self._log = folder / "build.log"
        arguments = ["build", "--package-path", str(self.package), "--jobs", str(jobs or usable_cores())]
        tests = ["--build-tests"] if layout.has_tests else []
        self._command = [str(toolchain.swift), *arguments, *tests, *options, "--scratch-path"]
        self.environment = dict(toolchain.environment) | {
            _RECORDER: str(compiled_recorder(home, toolchain)),
            "SWIFTMODULES_SWIFTC": str(toolchain.swiftc),
            "SWIFTMODULES_RECORDS": str(self.records.folder),
            **(environment or {}),
        }
        # A variable without a value is unset.
        self.environment = {name: value for name, value in self.environment.items() if value}

    def become(self, layout: Layout) -> None:
        """Makes the package that of another layout, in which only the files whose content differs are written."""
        self._await_later_second()
        whole, next_one = self._whole, self._whole.with_name("next")
        layout.write(next_one)
        names, former = (files_below(folder, folder) for folder in (next_one, whole))
        for name in former:
            if name not in names and ".build" not in name.parts:
                (whole / name).unlink()
        for name in names:
            old, new = whole / name, next_one / name
            is_same = old.exists() and not old.is_symlink() and old.read_bytes() == new.read_bytes()
            if not is_same:
                old.parent.mkdir(parents=True, exist_ok=True)
                new.replace(old)
                # As a user's checkout would: copies have the times of their originals.
                os.utime(old, follow_symlinks=False)
        shutil.rmtree(next_one)
        self.layout, self._originals = layout, layout.originals()

    @property
    def index(self) -> Path:
        """The folder of the compiler's index, which debug builds write."""
        return self.scratch / "debug" / "index" / "store"

    @property
    def products(self) -> Path:
        """The folder of what was built; another build engine has one of its own."""
        usual = self.scratch / "debug"
        return usual if usual.exists() else self._other_products

    @cached_property
    def _other_products(self) -> Path:
        asked = process.read([*self._command, self.scratch, "--show-bin-path"], self.environment, self.package)
        return Path(asked.decode().strip())

    @property
    def program(self) -> Path | None:
        """The program that was built, where the package has exactly one."""
        return self.products / self.layout.program if self.layout.program else None

    @property
    def originals(self) -> Mapping[Path, Path]:
        """The original path of each Swift file, also of those that edits added, relative to the package as built."""
        return self._originals | {path: file for made in self._made.values() for path, file in made.originals.items()}

    @property
    def is_edited(self) -> bool:
        return bool(self._made)

    def build(self) -> Build:
        """Builds the package as it stands."""
        return self._built(self.scratch, "the build")

    def _built(self, scratch: Path, what: str) -> Build:
        self.records.clear()
        before = None if _RECORDER in self.environment else self._written()
        began, watch = time.time(), ConditionsWatch()
        try:
            finished = self._run(scratch, what)
        finally:
            self._build_ended = time.time()
        conditions, originals = watch.conditions(finished), self.originals
        commands = self.records.commands(began, originals)
        work = CompilerWork.of([each.job for each in commands]) if before is None else self._unrecorded(before)
        return Build(finished, work, conditions, commands)

    def build_clean(self) -> Build:
        """Makes a clean build, and then builds until a build has nothing to do. Returns the first build."""
        self.remove_scratch()
        clean = self.build()
        self.settle()
        return clean

    def remove_scratch(self) -> None:
        shutil.rmtree(self.scratch, ignore_errors=True)

    def settle(self) -> None:
        """Builds until a build has nothing to do."""
        for _ in range(_SETTLING_BUILDS):
            again = self.build().work
            if again.is_nothing:
                return
        raise ToolError(
            f"the layout '{self.layout.name}' does not settle: {_SETTLING_BUILDS} builds without an edit each "
            f"compiled or linked something, the last one {', '.join(again.compiled) or 'a link'}."
        )

    def build_apart(self) -> tuple[Build, int | None]:
        """Makes a clean build of the package as it stands in another folder, and leaves its own build as it is. Returns
        the size of what was linked too, where that is known."""
        shutil.rmtree(self.apart, ignore_errors=True)
        build = self._built(self.apart, "a clean build")
        products = [self.apart / "debug" / name for name in build.work.linked]
        sizes = [product.stat().st_size for product in products if product.exists()]
        return build, sum(sizes) if sizes else None

    @property
    def apart(self) -> Path:
        """The folder of clean builds that are made beside the others."""
        return self.scratch.with_name("apart")

    def apply(self, placement: Placement, number: int) -> None:
        """Makes an edit, with a number that no edit of this workspace had before: no earlier build can serve it."""
        self._await_later_second()
        self._made[placement] = self.layout.apply(self.package, placement, number)

    def undo(self, placement: Placement | None) -> None:
        """Undoes an edit that is in force: files are as they were generated, to the byte."""
        if placement in self._made:
            self._await_later_second()
            self._made.pop(placement).undo()

    def edit_and_build(self, placement: Placement | None, number: int) -> Build:
        """Makes an edit, which stays in force, and builds. Without a placement nothing is edited.

        Raises `ToolError` where the build did not compile the changed file, so that its records cannot be trusted.
        """
        if placement is None:
            return self.build()
        self.apply(placement, number)
        try:
            build = self.build()
        except BuildFailedError as error:
            raise BuildFailedError(f"after the edit '{placement.edit}' ({placement.description}), {error}") from error
        self._require_compiled(placement, build, is_undone=False)
        return build

    @contextmanager
    def edited(self, placement: Placement | None, number: int) -> Iterator[Build]:
        """The same, but yields the build while the edit is in force, then undoes the edit and builds again."""
        build = self.edit_and_build(placement, number)
        yield build
        if placement is not None:
            self.undo(placement)
            build.settling = self.build()
            self._require_compiled(placement, build.settling, is_undone=True)

    def _written(self) -> dict[str, int]:
        """The layout's own files and its programs, with the moments when they were compiled or linked: a file's
        diagnostics are written each time, its object only where that has changed."""
        targets = {file.path.parent: file.target for file in self.layout.files.values()}
        owners = {
            (f"{targets[path.parent]}.build", path.stem): original.as_posix()
            for path, original in self.originals.items()
            if path.parent in targets
        }
        found: dict[str, int] = {}
        for path in self.scratch.rglob("*.dia"):
            for folder in path.relative_to(self.scratch).parts:
                if original := owners.get((folder, path.stem)):
                    found[original] = path.stat().st_mtime_ns
        if self.scratch.exists() and (program := self.program) is not None and program.exists():
            found[program.name] = program.stat().st_mtime_ns
        return found

    def _unrecorded(self, before: Mapping[str, int]) -> CompilerWork:
        """The work of a build whose compiler was not recorded, by the files that it wrote."""
        written = sorted(name for name, moment in self._written().items() if before.get(name) != moment)
        linked = tuple(name for name in written if name == self.layout.program)
        return CompilerWork(tuple(name for name in written if name not in linked), None, linked)

    def _require_compiled(self, placement: Placement, build: Build, is_undone: bool) -> None:
        file = placement.compiled(after_undoing=is_undone)
        if file is not None and file.as_posix() not in build.work.compiled:
            moment = "after undoing the edit" if is_undone else "after the edit"
            raise ToolError(
                f"the build of '{self.layout.name}' {moment} '{placement.edit}' did not compile {file}, so its "
                "records cannot be trusted. Is SWIFT_EXEC honoured by this toolchain?"
            )

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
            finished = process.run([*self._command, scratch], self.environment, self.package, self._log)
        except OSError:
            self.toolchain.require()
            raise
        require_space(self.scratch.parent, what)
        if finished.exit_code != 0:
            # It may have been removed meanwhile, which its own message does not explain.
            self.toolchain.require()
            message = self._message()
            # The clone fails, or the folder of one that has failed is asked for.
            failures = [(url, f"clone repository {url}", f"/{Path(url).stem}-") for url in _FETCHING.findall(message)]
            if missing := [url for url, *words in failures if any(word in message for word in words)]:
                raise BuildFailedError(
                    f"{what} failed: {', '.join(missing)} cannot be fetched. Run 'swift build' in the package once, "
                    "where they can be: SwiftPM keeps them for the copies that are measured."
                )
            raise BuildFailedError(f"{what} failed:\n{message}")
        return finished

    def _message(self) -> str:
        """Returns the messages of the compiler, with the original paths (the lines are the original ones too)."""
        log = self._log.read_text(errors="replace")
        for generated, original in self._originals.items():
            log = log.replace(os.path.normpath(self.package / generated), original.as_posix())
        lines = dict.fromkeys(line for line in log.splitlines() if not _PROGRESS_LINE.match(line))
        return "\n".join(lines).strip()
