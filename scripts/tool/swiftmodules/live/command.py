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

from swiftmodules.process import started
from swiftmodules.swiftpm.toolchain import Toolchain


@dataclass(frozen=True)
class Output:
    """The exit code of a program, and what it printed."""

    exit_code: int
    text: str


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

    def run(self, arguments: Sequence[str | Path], shows_output: bool = False) -> Output:
        """Runs a program to its end. `shows_output` also prints the output as it comes, for a user who waits."""
        with ExitStack() as resources:
            with self._lock:
                if self._is_stopped:
                    return Output(-1, "")
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
                    print(line, end="", file=sys.stderr, flush=True)
            code = process.wait()
            if code < 0:
                lines.append(f"error: it was ended by {signal.Signals(-code).name}. Save again to run it again.\n")
            return Output(code, "".join(lines))

    def stop(self) -> None:
        """Ends the running program, and starts no other."""
        with self._lock:
            self._is_stopped = True
            if self._running and self._running.poll() is None:
                # SwiftPM ends the compilers that it has started.
                self._running.terminate()
