"""Programs that a session runs to their end: the compiler, the linker, `swift build`, and how far that is, by the tasks
that it counts on its output (`[12/340] Compiling …`)."""

from __future__ import annotations

import re
import subprocess
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from swiftmodules.process import started
from swiftmodules.progress import Show
from swiftmodules.swiftpm.toolchain import Toolchain

# Called with the number of the tasks that have begun, and of all.
Progress = Callable[[int, int], object]

_TASK = re.compile(r"^\[(\d+)/(\d+)\] ", re.MULTILINE)
# The compiler's error where a file was saved meanwhile.
_SAVED_MEANWHILE = "was modified during the build"


def pass_on(text: str, progress: Progress) -> None:
    """Passes on the last task that a text names, if there is one."""
    if found := _TASK.findall(text):
        progress(*map(int, found[-1]))


def tenths(show: Show, title: str) -> Progress:
    """Shows a line whenever another tenth of the tasks is done: all of them would fill a log."""
    shown: set[int] = set()

    def progress(done: int, total: int) -> None:
        if (tenth := done * 10 // max(total, 1)) not in shown:
            shown.add(tenth)
            show(f"{title} [{done}/{total}]")

    return progress


@dataclass(frozen=True)
class Output:
    """The exit code of a program, and what it printed."""

    exit_code: int
    text: str


@dataclass
class Commands:
    """Runs one program at a time, in the folder of the package, until it is stopped from another thread.

    In a session of their own, so that an interrupt from the terminal is the tool's to handle.
    """

    folder: Path
    toolchain: Toolchain
    _running: subprocess.Popen[str] | None = None
    _is_stopped: bool = False
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def compile(self, arguments: Sequence[str | Path], progress: Progress | None = None) -> Output:
        """Runs a compiler, and again where a file was saved meanwhile."""
        while True:
            done = self.run(arguments, progress)
            if done.exit_code == 0 or _SAVED_MEANWHILE not in done.text:
                return done

    def run(self, arguments: Sequence[str | Path], progress: Progress | None = None) -> Output:
        """Runs a program to its end; the tasks of a build are passed on."""
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
                if progress is not None:
                    pass_on(line, progress)
            return Output(process.wait(), "".join(lines))

    def stop(self) -> None:
        """Ends the running program, and starts no other."""
        with self._lock:
            self._is_stopped = True
            if self._running and self._running.poll() is None:
                # SwiftPM ends its compilers.
                self._running.terminate()
