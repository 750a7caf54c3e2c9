"""Programs that a session runs to their end: the compiler, the linker, and `swift build`."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swiftmodules.builds.printed import compiler_errors, first_error
from swiftmodules.process import started
from swiftmodules.swiftpm.toolchain import Toolchain


class ProblemError(Exception):
    """A problem that keeps the present sources from running, in a line; `details` is all that the compiler printed."""

    def __init__(self, summary: str, details: str = "") -> None:
        super().__init__(summary)
        self.details = details


@dataclass
class Commands:
    """Runs one program at a time, in the folder of the package, until another thread stops it.

    Each program gets a session of its own, so that only the tool handles an interrupt from the terminal.
    """

    folder: Path
    toolchain: Toolchain
    _running: subprocess.Popen[str] | None = None
    _is_stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def run(self, what: str, arguments: Sequence[str | Path], shows_output: bool = False) -> str:
        """Runs a program to its end, and returns its output. `shows_output` also prints the output as it comes, for a
        user who waits. Raises `ProblemError` where the program fails: `what` names the failed work."""
        with ExitStack() as resources:
            with self._lock:
                if self._is_stopped:
                    raise self._stopped(what)
                streams: dict[str, Any] = {
                    "stdin": subprocess.DEVNULL,
                    "stdout": subprocess.PIPE,
                    "stderr": subprocess.STDOUT,
                }
                environment = self.toolchain.environment
                begun = started(arguments, environment, self.folder, **streams, text=True, errors="replace")
                process = self._running = resources.enter_context(begun)
            lines = []
            for line in process.stdout or ():
                lines.append(line)
                if shows_output:
                    print(line, end="", file=sys.stderr)
            code, output = process.wait(), "".join(lines)
            if code != 0 and self._is_stopped:
                raise self._stopped(what)
            if code < 0:
                ended = f"{what} was ended by {signal.Signals(-code).name}. Save again to repeat it."
                raise ProblemError(ended, output)
            if code != 0:
                raise self.problem(what, output)
            return output

    def problem(self, what: str, output: str) -> ProblemError:
        """The first error in the output of a compiler, with its file and line."""
        errors = compiler_errors(output, self.folder)
        if not errors:
            return ProblemError(f"{what} failed: {first_error(output).rpartition('error: ')[2]}", output)
        # A screen is narrow, so it shows the name alone; the log has the whole path.
        path, line, message = errors[0]
        return ProblemError(f"{path.name}:{line}: {message}", output.replace(f"{self.folder}/", ""))

    def stop(self) -> None:
        """Ends the running program, and starts no other."""
        with self._lock:
            self._is_stopped = True
            if self._running and self._running.poll() is None:
                # SwiftPM ends the compilers that it has started.
                self._running.terminate()

    def _stopped(self, what: str) -> ProblemError:
        return ProblemError(f"{what} was stopped, because the session ends.")
