"""The program beside a worker: it reads calls of a bench until its input ends, and writes what they return."""

from __future__ import annotations

import pickle
import queue
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from rich.console import Console

from swiftmodules.builds.lock import only_one_that_takes_times, run_folder
from swiftmodules.errors import InterruptedRunError, ToolError
from swiftmodules.interrupts import interruptible
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.plan import Plan
from swiftmodules.measure.progress import ProgressView
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.toolchain import Toolchain


class Call(NamedTuple):
    """A method of a bench with its arguments."""

    plan: Plan
    method: str
    arguments: tuple[Any, ...]


def main(package: str, scratch: str, *variables: str) -> NoReturn:
    """Answers calls on the package of a folder, in another; its manifest sees some variables of the environment."""
    toolchain, config = Toolchain.find(variables=variables), read_config(config_file(Path(package)))
    calls: queue.Queue[Call] = queue.Queue()
    with interruptible(), run_folder(Path(scratch), takes_times=False) as folders:
        threading.Thread(target=_read, args=[calls], daemon=True).start()
        view, call = ProgressView(Console(quiet=True)), calls.get()
        toolchain = toolchain.keeping(TMPDIR=str(folders.temporary))
        with Bench(Path(package), folders.work, toolchain, config, view, call.plan) as bench:
            while True:
                pickle.dump(_answer(bench, call), sys.stdout.buffer)
                sys.stdout.buffer.flush()
                call = calls.get()


def _read(calls: queue.Queue[Call]) -> None:
    try:
        while True:
            calls.put(pickle.load(sys.stdin.buffer))
    except EOFError:
        # To the main thread, which may be waiting for a build.
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def _answer(bench: Bench, call: Call) -> object:
    """What a call returns, or the error that it raises."""
    bench.plan = call.plan
    takes_times = call.method != "verdict" and not bench.plan.counts
    try:
        with only_one_that_takes_times(waits=True) if takes_times else nullcontext():
            found = getattr(bench, call.method)(*call.arguments)
            return list(found) if isinstance(found, Iterator) else found
    except (ToolError, OSError) as error:
        return error if isinstance(error, ToolError) else ToolError(str(error))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except InterruptedRunError as interruption:
        sys.exit(interruption.exit_code)
