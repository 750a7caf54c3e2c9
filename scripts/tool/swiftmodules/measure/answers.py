"""The program beside a worker: it reads requests, one a line, and writes what it finds. It ends with its input."""

from __future__ import annotations

import queue
import signal
import sys
import threading
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, NoReturn

import msgspec
from msgspec import Struct
from rich.console import Console

from swiftmodules.builds.lock import only_one_that_takes_times, run_folder
from swiftmodules.errors import InterruptedRunError, ToolError
from swiftmodules.interrupts import interruptible
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.plan import Plan, Step
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import ProgramRun, Variant
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.toolchain import Toolchain


class Request(Struct, frozen=True, omit_defaults=True):
    """One piece of work: what is done, with what."""

    plan: Plan
    does: str
    variant: Variant | None = None
    control: bool = False
    steps: tuple[Step, ...] = ()
    number: int = 0
    session: tuple[ProgramRun, ...] = ()

    @property
    def takes_times(self) -> bool:
        """Whether nothing else may use the machine meanwhile."""
        return self.does != "verdict" and not self.plan.counts


class Line(Struct, omit_defaults=True):
    """How a request ended, with the error's class where it failed."""

    value: Any = None
    error: tuple[str, str] | None = None


class Answers:
    """Does what is asked for with what was built on this machine."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench
        self._is_warm: set[tuple[Variant, bool]] = set()

    def answer(self, request: Request) -> Any:  # noqa: ANN401  what becomes JSON
        bench = self._bench
        bench.plan = request.plan
        variant = request.variant or Variant()
        match request.does:
            case "build":
                return bench.build(variant, request.control)
            case "try_edits":
                return bench.try_edits(variant)
            case "warm_up":
                return self._warm_up(variant, request.control)
            case "round":
                for each in request.steps:
                    if request.number and (each.variant, each.control) not in self._is_warm:
                        self._warm_up(each.variant, each.control)
                return list(bench.round(request.number, request.steps))
            case _:
                return bench.verdict(request.steps[0], request.session)

    def _warm_up(self, variant: Variant, control: bool) -> float:
        self._is_warm.add((variant, control))
        return self._bench.warm_up(variant, control)


def main(package: str, scratch: str, *variables: str) -> NoReturn:
    """Answers requests on the package of a folder, in another; its manifest sees some variables of the environment."""
    toolchain, config = Toolchain.find(variables=variables), read_config(config_file(Path(package)))
    lines: queue.Queue[bytes] = queue.Queue()
    with interruptible(), run_folder(Path(scratch), takes_times=False) as folders:
        threading.Thread(target=_read, args=[lines], daemon=True).start()
        view = ProgressView(Console(quiet=True))
        toolchain = toolchain.keeping(TMPDIR=str(folders.temporary))
        request = msgspec.json.decode(lines.get(), type=Request)
        with Bench(Path(package), folders.work, toolchain, config, view, request.plan) as bench:
            answers = Answers(bench)
            while True:
                _write(_answered(answers.answer, request))
                request = msgspec.json.decode(lines.get(), type=Request)


def _read(lines: queue.Queue[bytes]) -> None:
    for line in sys.stdin.buffer:
        lines.put(line)
    # To the main thread, which may be waiting for a build.
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def _answered(answer: Callable[[Request], Any], request: Request) -> Line:
    try:
        with only_one_that_takes_times(waits=True) if request.takes_times else nullcontext():
            return Line(value=answer(request))
    except (ToolError, OSError) as error:
        kind = type(error) if isinstance(error, ToolError) else ToolError
        return Line(error=(kind.__name__, str(error)))


def _write(line: Line) -> None:
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except InterruptedRunError as interruption:
        sys.exit(interruption.exit_code)
