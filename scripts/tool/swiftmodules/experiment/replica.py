"""The builds of a run on another machine: a program that reads requests, one a line, and writes what it finds.

It ends where its input does, however the program that started it ended, and ends its build with it.
"""

from __future__ import annotations

import os
import queue
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from swiftmodules.builds.lock import only_one_that_takes_times, run_folder
from swiftmodules.edits.catalogue import Key
from swiftmodules.errors import BusyError, InterruptedRunError, ToolError
from swiftmodules.experiment.built import BuiltLayouts
from swiftmodules.experiment.matrix import MatrixBuilds
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.requests import Group, Request
from swiftmodules.experiment.run import USUAL_MODULES
from swiftmodules.experiment.runner import Task
from swiftmodules.experiment.scale import replica_subjects, sized
from swiftmodules.experiment.subject import Subject, read_subject
from swiftmodules.interrupts import interruptible
from swiftmodules.layouts.generate import make_layout
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.model import Sample
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.toolchain import Toolchain


class Line(Struct, omit_defaults=True):
    """A line of the output: something to show, or how a request ended, with the error's class where it failed."""

    shown: str | None = None
    value: Any = None
    error: tuple[str, str] | None = None


class _Shown(ProgressView):
    """Sends what the others show."""

    def __init__(self) -> None:
        pass

    def note(self, text: str) -> None:
        send(Line(shown=text))


def send(line: Line) -> None:
    """Writes a line at once."""
    sys.stdout.buffer.write(msgspec.json.encode(line) + b"\n")
    sys.stdout.buffer.flush()


class Replica:
    """What was built on this machine."""

    def __init__(self, task: Task, folder: Path) -> None:
        self._task = task
        self._folder = folder
        # By the size, and whether it is the part with the tests.
        self._subjects: dict[tuple[int, bool], Subject] = {}
        self._read: Callable[[Group], Subject] | None = None
        self._built: dict[str, BuiltLayouts] = {}
        self._matrix: dict[bool, MatrixBuilds] = {}
        self._layouts: dict[str, dict[str, Layout]] = {}
        self._is_warm: set[str] = set()

    def answer(self, request: Request) -> Any:  # noqa: ANN401  what becomes JSON
        """Does a piece of work."""
        group = request.groups[0]
        match request.does:
            case "build":
                return self._group(group).clean_builds
            case "try":
                return list(self._group(group).try_edits(group.layouts[0][0]).items())
            case "warm up":
                self._is_warm.add(group.name)
                return self._group(group).warm_up()
            case "round":
                parts = zip(request.groups, request.cells, strict=True)
                return {each.name: self._round(each, cells, request.number) for each, cells in parts}
            case "rebuild":
                return self._group(group).rebuilds(cell.layout for cell in request.cells[0])
            case "verify":
                return self._group(group).verify(request.cells[0][0], request.session)
            case "cell":
                cell, subject = request.cells[0][0], self._subject(group)
                if group.tested not in self._matrix:
                    self._matrix[group.tested] = MatrixBuilds(subject, self._task, self._folder)
                return self._matrix[group.tested].cell(cell, self._layout(group, subject, cell.layout))

    def _round(self, group: Group, cells: Any, number: int) -> list[Sample]:  # noqa: ANN401
        built = self._group(group)
        if group.name not in self._is_warm:
            self._is_warm.add(group.name)
            built.warm_up()
        more = sized(group.size) if group.kind == "scale" else None
        steps = [built.step(cell, more) for cell in cells]
        found = []
        for position, step in enumerate(steps, start=1):
            send(Line(shown=f"round {number}: {step.name}"))
            found.append(step.take(number, position))
        return found

    def _group(self, group: Group) -> BuiltLayouts:
        """The layouts of a group, which are built where they are not yet."""
        if group.name not in self._built:
            subject = self._subject(group)
            self._built[group.name] = BuiltLayouts(subject, self._task, self._folder / group.name, group.jobs)
        built = self._built[group.name]
        missing: dict[Key, str] = dict(group.missing)
        built.without({key: reason for key, reason in missing.items() if key not in built.subject.missing})
        for name, layout in group.layouts:
            if name not in built.layouts:
                built.build(name, self._layout(group, built.subject, layout))
        return built

    def _subject(self, group: Group) -> Subject:
        self._read = self._read or self._reading(group)
        key = (group.size, group.tested)
        if key not in self._subjects:
            self._subjects[key] = self._read(group)
        return self._subjects[key]

    def _reading(self, group: Group) -> Callable[[Group], Subject]:
        """Reads the package once, and returns how to come to the subject of each group."""
        if group.kind == "scale":
            subject_of = replica_subjects(self._task, self._folder, group.edits)
            return lambda each: subject_of(each.size)
        usual = USUAL_MODULES if group.kind == "run" else None
        whole = read_subject(self._task, self._folder, group.edits, group.modules, usual)
        return lambda each: whole if each.kind == "run" else whole.part(each.tested)

    def _layout(self, group: Group, subject: Subject, name: str) -> Layout:
        if group.kind == "scale":
            return make_layout(name, subject.package, subject.sources, subject.pairs)
        if group.name not in self._layouts:
            self._layouts[group.name] = subject.layouts(group.asked, self._task.view, group.as_it_is)
        return self._layouts[group.name][name]


@contextmanager
def _alone() -> Iterator[None]:
    """Waits until no other run takes times on this machine."""
    with ExitStack() as held:
        while True:
            try:
                held.enter_context(only_one_that_takes_times())
                break
            except BusyError:
                time.sleep(0.02)
        yield


def _read(requests: queue.Queue[bytes]) -> None:
    for line in sys.stdin.buffer:
        requests.put(line)
    # To the main thread, which may be waiting for a build.
    signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGTERM)


def main(package: str, scratch: str, *variables: str) -> int:
    """Answers requests on the package of a folder, in another; its manifest sees some variables of the environment."""
    toolchain = Toolchain.find(variables=variables)
    config = read_config(config_file(Path(package)))
    nowhere = Path(os.devnull)
    task = Task(Path(package), nowhere, Path(scratch), toolchain, _Shown(), command=str, config=config)
    requests: queue.Queue[bytes] = queue.Queue()
    try:
        with interruptible(), run_folder(task.scratch, takes_times=False) as folder:
            threading.Thread(target=_read, args=[requests], daemon=True).start()
            replica = Replica(task, folder)
            while True:
                request = msgspec.json.decode(requests.get(), type=Request)
                try:
                    with _alone() if request.takes_times else nullcontext():
                        send(Line(value=replica.answer(request)))
                except (ToolError, OSError) as error:
                    kind = type(error) if isinstance(error, ToolError) else ToolError
                    send(Line(error=(kind.__name__, str(error))))
    except InterruptedRunError as interruption:
        return interruption.exit_code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
