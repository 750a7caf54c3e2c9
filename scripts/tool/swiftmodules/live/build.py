"""The whole program in a folder of its own, and the commands with which its targets were compiled."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.builds.recorder import Records, compiled_recorder
from swiftmodules.live.command import Commands
from swiftmodules.swiftpm.toolchain import Toolchain
from swiftmodules.tasks import Progress

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


@dataclass(frozen=True)
class Flags:
    """The compiler's options for a program into which libraries can be loaded, and for these libraries."""

    program: Sequence[str]
    library: Sequence[str]
    suffix: str = "so"

    @classmethod
    def of(cls, platform: str) -> Flags:
        if platform == "darwin":
            found_later = ["-Xlinker", "-undefined", "-Xlinker", "dynamic_lookup"]
            return cls(["-Xlinker", "-export_dynamic"], found_later, "dylib")
        # Symbols of the library come before those of the same name that the program exports.
        return cls(["-Xlinker", "--export-dynamic"], ["-use-ld=lld", "-Xlinker", "-Bsymbolic"])


class ProgramBuild:
    """Builds the program, and keeps the last command of each target beside it."""

    def __init__(
        self, package: Path, program: str, folder: Path, toolchain: Toolchain, flags: Flags, commands: Commands
    ) -> None:
        self.folder = folder
        self.program = folder / "debug" / program
        self._package = package
        self._toolchain = toolchain
        self._runner = commands
        self._kept = folder / "commands.json"
        self._records = Records(folder / "records", package)
        self._records.folder.mkdir(parents=True, exist_ok=True)
        options: list[str | Path] = ["--package-path", package, "--scratch-path", folder, "--product", program]
        self._command = [toolchain.swift, "build", *options, "-Xswiftc", "-DLIVE", *flags.program]

    def build(self, changed: Sequence[Path] = (), progress: Progress | None = None) -> None:
        """Builds; the files that changed are compiled even where the second of their time has not changed.

        Raises `ProblemError` with the first error.
        """
        recorder = compiled_recorder(self.folder, self._toolchain)
        for file in changed:
            for made in self.folder.glob(f"debug/*.build/**/{file.name}.o"):
                made.unlink()
        began = time.time()
        done = self._runner.compile(
            self._command,
            progress,
            SWIFT_EXEC=str(recorder),
            SWIFTMODULES_SWIFTC=str(self._toolchain.swiftc),
            SWIFTMODULES_RECORDS=str(self._records.folder),
        )
        self._keep(began)
        if done.exit_code != 0:
            raise problem(done.text, "The build", self._package)

    def commands(self) -> dict[str, list[str]]:
        """The last arguments of the compiler's driver for each target."""
        kept: dict[str, list[str]] = json.loads(self._kept.read_text()) if self._kept.exists() else {}
        return kept

    def _keep(self, began: float) -> None:
        found = self.commands()
        for each in self._records.commands(began, {}):
            if "-parseable-output" in each.arguments:
                found[each.job.target] = list(each.arguments)
        # As a whole or not at all.
        new = self._kept.with_suffix(".new")
        new.write_text(json.dumps(found))
        new.replace(self._kept)
        self._records.clear()
