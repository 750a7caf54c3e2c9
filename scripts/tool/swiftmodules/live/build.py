"""The whole program in a folder of its own, and the commands that SwiftPM has planned for it."""

from __future__ import annotations

import json
import os
import re
import sys
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property
from graphlib import TopologicalSorter
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.live.command import Commands, ProblemError
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.toolchain import native_engine

# A command in the plan of SwiftPM's native build system.
_PLANNED = re.compile(
    r"^    tool: shell\n    inputs: (\[.*\])\n    outputs: (\[.*\])\n(?:    .*\n)*?    args: (\[.*\])$", re.MULTILINE
)
# An option that SwiftPM gives to the compiler's driver only.
_DRIVER = "-parseable-output"
# The program exports its symbols to the libraries that are loaded into it.
_EXPORTING = ("-Xlinker", "-export_dynamic" if sys.platform == "darwin" else "--export-dynamic")
# In nanoseconds.
_SECOND = 1_000_000_000
# The compiler's error where a file was saved meanwhile.
_SAVED_MEANWHILE = "was modified during the build"


# The time and the size of each file that a command reads; None where it is missing.
_State = list[tuple[int, int] | None]


@dataclass(frozen=True)
class _Step:
    """A command of the plan, with the files that it reads and writes."""

    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def state(self) -> _State:
        found = [Path(each) for each in self.inputs]
        return [(each.stat().st_mtime_ns, each.stat().st_size) if each.exists() else None for each in found]

    @property
    def modules(self) -> list[Path]:
        """The compiled modules that the command has written."""
        return [file for each in self.outputs if (file := Path(each)).suffix == ".swiftmodule" and file.exists()]


class ProgramBuild:
    """Builds the program of a package, as long as it has the same manifest and the same files."""

    def __init__(self, program: str, package: Package, folder: Path, commands: Commands) -> None:
        self.folder = folder
        self._name = program
        self._commands = commands
        options: list[str | Path] = ["--package-path", commands.folder, "--scratch-path", folder, "--product", program]
        engine = native_engine(commands.toolchain)
        options += ["--traits", "Live", "--disable-index-store", *_EXPORTING]
        self._command = [commands.toolchain.swift, "build", *engine, *options]
        # SwiftPM builds a package with other inputs each time, because it reads these inputs before it plans.
        self._may_repeat = not package.others and not any(
            target.resources or package.uses_plugin(target.name) for target in package.targets
        )
        # The arguments of the compiler's driver for each target of the program, as SwiftPM has planned them.
        self.commands: dict[str, list[str]] = {}
        # The planned commands that lead to the program, in order, with the state of their inputs when each last ran.
        # There are none until SwiftPM has built.
        self._steps: dict[_Step, _State] = {}

    @cached_property
    def _products(self) -> Path:
        """The folder of the products. Raises `ProblemError`."""
        shown = self._finished([*self._command, "--show-bin-path"])
        return Path(shown.splitlines()[-1])

    @property
    def program(self) -> Path:
        return self._products / self._name

    def build(self, changed: Collection[Path] = (), shows_output: bool = False) -> None:
        """Builds the program. The changed files are compiled even where their times are the same to the second.

        Raises `ProblemError` with the first error.
        """
        if self._steps:
            steps, self._steps = self._steps, {}
            self._repeat(steps, {str(file) for file in changed})
            # After a failed command, SwiftPM decides what has to be done.
            self._steps = steps
            return
        for file in changed:
            for made in self._products.glob(f"*.build/**/{file.name}.o"):
                made.unlink()
        self._finished(self._command, shows_output)
        planned = self._leading_to(str(self.program))
        compilations = [list(step.words[1:]) for step in planned if _DRIVER in step.words]
        self.commands = {words[words.index("-module-name") + 1]: words for words in compilations}
        self._steps = {step: step.state for step in planned} if self._may_repeat else {}

    def _repeat(self, steps: dict[_Step, _State], changed: set[str]) -> None:
        """Runs the planned commands that read a file that changed. SwiftPM would plan again, which takes longer."""
        for step, state in steps.items():
            present, again = step.state, changed.intersection(step.inputs)
            if present == state and not again:
                continue
            objects = {f"{Path(file).name}.o" for file in again}
            for output in step.outputs:
                if Path(output).name in objects:
                    Path(output).unlink(missing_ok=True)
            former = {each: each.stat().st_mtime_ns for each in step.modules}
            self._finished([word for word in step.words if word != _DRIVER])
            for module in step.modules:
                written = module.stat()
                if written.st_mtime_ns != former.get(module):
                    # The driver compares times to the second: a user may have been compiled in this one.
                    os.utime(module, ns=(written.st_atime_ns, written.st_mtime_ns + _SECOND))
            steps[step] = present

    def _leading_to(self, output: str) -> Collection[_Step]:
        """The planned commands that lead to a file, each after those that it needs."""
        plan = self.folder / "debug.yaml"
        found = _PLANNED.findall(plan.read_text(encoding="utf-8")) if plan.exists() else []
        planned = [_Step(*(tuple(json.loads(text)) for text in each)) for each in found]
        makers = {made: step for step in planned for made in step.outputs}
        needs = {file: step.inputs for file, step in makers.items()}
        needed = reached([output], lambda file: needs.get(file, ()))
        order = TopologicalSorter({file: needs.get(file, ()) for file in needed}).static_order()
        return dict.fromkeys(makers[file] for file in order if file in makers)

    def _finished(self, command: Sequence[str | Path], shows_output: bool = False) -> str:
        """Runs a command, and returns its output. Raises `ProblemError` where it fails."""
        while True:
            try:
                return self._commands.run("The build", command, shows_output)
            except ProblemError as error:
                if _SAVED_MEANWHILE not in error.details:
                    raise
