"""When each job of the compiler began and finished in one build: what `record-times.swift` kept.

`swift build` starts the compiler's driver again and again: to ask what it can do, once for every target, for every
module that is wrapped for the debugger, and for every product that is linked. The driver of a target starts the jobs.
"""

from __future__ import annotations

import sys
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from buildspeed import processes
from buildspeed.compiler_records import placed_messages
from buildspeed.failures import MeasurementError
from buildspeed.toolchain import Toolchain

SOURCE = Path(__file__).with_name("record-times.swift")

# The kinds of jobs.
COMPILE, EMIT_MODULE, WRAP, LINK, QUESTION, TARGET = "compile", "emit-module", "wrap", "link", "question", "target"
_NAMES = {"compile": COMPILE, "emit-module": EMIT_MODULE, "module-wrap": WRAP}


@dataclass(frozen=True)
class Job:
    """One process of a build. Moments are seconds since the build began.

    Kinds: `compile` with its files by their original paths, `emit-module` and `wrap` are started by the driver of the
    target; `target` is the driver itself, from its beginning to its end. `link` and the `wrap` of a debugger's copy
    of a module are started by SwiftPM, as are the `question`s that it asks the compiler. `target` names the target, or
    the product of a link, and is empty for a question. `driver` is the same number for a driver and its jobs.
    Processor seconds are known for what SwiftPM starts, and include all that it started in turn.
    """

    kind: str
    target: str
    files: tuple[str, ...]
    began: float
    finished: float
    driver: int
    cpu_seconds: float | None = None

    @property
    def seconds(self) -> float:
        return self.finished - self.began


@dataclass(frozen=True)
class Command:
    """The program and the arguments of a job, as they were started."""

    job: Job
    arguments: tuple[str, ...]


def times_recorder(folder: Path, toolchain: Toolchain) -> Path:
    """Compiles the recorder of times into a folder. A `Workspace` with it as SWIFT_EXEC takes job times."""
    recorder = folder / "record-times"
    options = ["-static-stdlib"] if sys.platform == "linux" else []
    processes.read(
        [toolchain.swiftc, "-O", "-swift-version", "5", *options, SOURCE, "-o", recorder], toolchain.environment, folder
    )
    return recorder


def read_job_times(records: Path, began: float, original: Callable[[Path], str] = str) -> list[Job]:
    """The jobs of the build that began at this moment, in the order in which they began.

    `original` gives the path by which a source file is told.
    """
    return [command.job for command in read_commands(records, began, original)]


def read_commands(records: Path, began: float, original: Callable[[Path], str] = str) -> list[Command]:
    """The jobs with their arguments."""
    found: list[Command] = []
    for file in sorted(records.glob("*.times")):
        run = _read_run(file, began)
        found.append(run.command)
        found += _jobs_of(run, began, original)
    return sorted(found, key=lambda command: (command.job.began, command.job.finished))


def originals_of(package: Path, files: Mapping[Path, Path]) -> Callable[[Path], str]:
    """How sources of a generated package are told: by their paths in the original."""

    def original(path: Path) -> str:
        relative = path.relative_to(package) if path.is_relative_to(package) else path
        return files.get(relative, Path(path.name)).as_posix()

    return original


@dataclass(frozen=True)
class _Run:
    """One run of the driver. The pieces of its messages are there with the moment when each had come, and its end."""

    command: Command
    messages: bytes
    moments: Sequence[float]
    ends: Sequence[int]

    def moment(self, position: int) -> float:
        """When so much of the messages had come."""
        return self.moments[min(bisect_left(self.ends, position), len(self.moments) - 1)]


def _read_run(file: Path, began: float) -> _Run:
    lines = [line.split() for line in file.read_text().splitlines()]
    if not lines or lines[0][0] != "run":
        raise MeasurementError(f"{file} does not tell when the compiler ran.")
    first, last, processor = (int(word) / 1e6 for word in lines[0][1:])
    arguments = tuple(file.with_suffix(".arguments").read_text(errors="replace").splitlines())
    messages = file.with_suffix(".messages")
    kind, target = what_it_does(arguments)
    job = Job(kind, target, (), first - began, last - began, int(file.stem), processor)
    return _Run(
        Command(job, arguments),
        messages.read_bytes() if messages.exists() else b"",
        [int(line[1]) / 1e6 - began for line in lines[1:]],
        [int(line[2]) for line in lines[1:]],
    )


def what_it_does(arguments: Sequence[str]) -> tuple[str, str]:
    """The kind of a run, and its target or product."""
    values = dict(pairwise(arguments))
    if "-parseable-output" in arguments:
        return TARGET, values.get("-module-name", "")
    if "-modulewrap" in values:
        return WRAP, Path(values["-modulewrap"]).stem
    if "-o" in values and ("-emit-executable" in arguments or "-emit-library" in arguments):
        return LINK, Path(values["-o"]).name
    return QUESTION, ""


def _jobs_of(run: _Run, began: float, original: Callable[[Path], str]) -> list[Command]:
    """The jobs that a driver started. It reports each file of a batch by itself, and the process that they share."""
    driver = run.command.job
    started: dict[int, tuple[dict[str, Any], float, list[str]]] = {}
    ended: dict[int, float] = {}
    for position, message in placed_messages(run.messages):
        process = message.get("process", {}).get("real_pid", message.get("pid"))
        if message["kind"] == "began":
            files = started.setdefault(process, (message, run.moment(position), []))[2]
            files += [original(Path(each)) for each in message["inputs"]]
        else:
            ended[process] = run.moment(position)
    return [
        Command(
            Job(
                kind=_NAMES.get(message["name"], message["name"]),
                target=driver.target,
                files=tuple(files),
                began=moment,
                finished=ended.get(process, driver.finished),
                driver=driver.driver,
            ),
            (message["command_executable"], *message["command_arguments"]),
        )
        for process, (message, moment, files) in started.items()
    ]
