"""The whole program in a folder of its own, and the commands with which its targets were compiled."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Sequence
from pathlib import Path

from swiftmodules.live.command import Commands
from swiftmodules.progress import Progress

_COMMAND = re.compile(r"^ *args: (\[.*\"-parseable-output\".*\])$", re.MULTILINE)
# The program exports what the libraries need that are loaded into it.
_EXPORTING = ("-Xlinker", "-export_dynamic" if sys.platform == "darwin" else "--export-dynamic")
_ERROR = re.compile(r"^(?P<path>/[^:\n]+):(?P<line>\d+):\d+: error: (?P<message>.+)$", re.MULTILINE)


class ProblemError(Exception):
    """A problem that keeps the present sources from running, in a line; `details` is all that the compiler printed."""

    def __init__(self, summary: str, details: str = "") -> None:
        super().__init__(summary)
        self.details = details


def problem(output: str, what: str, package: Path) -> ProblemError:
    """The first error in the output of a compiler, with its file and line."""
    found = _ERROR.search(output)
    if found is None:
        lines = [line for line in output.strip().splitlines() if "error:" in line] or output.strip().splitlines()
        return ProblemError(f"{what} failed: {lines[0].strip() if lines else 'unknown reason'}", output)
    path = Path(found["path"])
    # The name alone: a screen is narrow, and the log has the rest.
    return ProblemError(f"{path.name}:{found['line']}: {found['message']}", output.replace(f"{package}/", ""))


class ProgramBuild:
    """Builds the program, and knows the command of each target."""

    def __init__(self, program: str, folder: Path, commands: Commands) -> None:
        self.folder = folder
        self.program = folder / "debug" / program
        self._commands = commands
        options: list[str | Path] = ["--package-path", commands.folder, "--scratch-path", folder, "--product", program]
        self._command = [commands.toolchain.swift, "build", *options, "--traits", "Live", *_EXPORTING]

    def build(self, changed: Sequence[Path] = (), progress: Progress | None = None) -> None:
        """Builds; the files that changed are compiled even where the second of their time has not changed.

        Raises `ProblemError` with the first error.
        """
        for file in changed:
            for made in self.folder.glob(f"debug/*.build/**/{file.name}.o"):
                made.unlink()
        done = self._commands.compile(self._command, progress)
        if done.exit_code != 0:
            raise problem(done.text, "The build", self._commands.folder)

    def commands(self) -> dict[str, list[str]]:
        """The arguments of the compiler's driver for each target that was built, as SwiftPM has planned them."""
        plan = self.folder / "debug.yaml"
        planned = [json.loads(words) for words in _COMMAND.findall(plan.read_text())] if plan.exists() else []
        return {
            words[words.index("-module-name") + 1]: words[1:]
            for words in planned
            if Path(words[words.index("-emit-module-path") + 1]).exists()
        }
