"""Reads what the recorders kept of one build: which jobs the compiler ran, on which files, and when.

A recorder stands in for `swiftc` (through SWIFT_EXEC). `record-swiftc`, a shell script, keeps the compiler's messages;
`record-times`, compiled from Swift, keeps the moments as well. `swift build` starts the compiler's driver again and
again: to ask what it can do, once for every target, for every module that is wrapped for the debugger, and for every
product that is linked. The driver of a target starts the jobs.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from swiftmodules.build import process
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

RECORDER = Path(__file__).with_name("record-swiftc")
_TIMES_SOURCE = Path(__file__).with_name("record-times.swift")

# The kinds of jobs.
COMPILE, EMIT_MODULE, WRAP, LINK, QUESTION, TARGET = "compile", "emit-module", "wrap", "link", "question", "target"
_KINDS = {"compile": COMPILE, "emit-module": EMIT_MODULE, "module-wrap": WRAP}


def recorder_with_libraries(folder: Path, toolchain: Toolchain) -> Path:
    """A copy of the recorder beside which the toolchain's libraries are, because SwiftPM looks for the one that
    finds tests beside the compiler."""
    recorder = folder / "toolchain" / "bin" / "swiftc"
    recorder.parent.mkdir(parents=True)
    shutil.copy(RECORDER, recorder)
    (folder / "toolchain" / "lib").symlink_to(toolchain.bin.parent / "lib")
    return recorder


def times_recorder(folder: Path, toolchain: Toolchain) -> Path:
    """Compiles the recorder of times into a folder. A `Workspace` with it as SWIFT_EXEC takes job times."""
    recorder = folder / "record-times"
    # In the language mode of Swift 5, because it reads the global variables of C.
    options = ["-O", "-swift-version", "5", *(["-static-stdlib"] if sys.platform == "linux" else [])]
    process.read([toolchain.swiftc, *options, _TIMES_SOURCE, "-o", recorder], toolchain.environment, folder)
    return recorder


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, the number of `emit-module` jobs, and the names of the linked
    products."""

    compiled: tuple[str, ...]
    emitted_modules: int
    linked: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        """Whether the build compiled and linked nothing."""
        return not self.compiled and not self.linked


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
    """A job with its program and arguments, as they were started."""

    job: Job
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Records:
    """What was kept of the last build of the package in a folder."""

    folder: Path
    package: Path

    def clear(self) -> None:
        """Forgets earlier builds."""
        for file in self.folder.iterdir():
            file.unlink()

    def work(self, originals: Mapping[Path, Path]) -> CompilerWork:
        """The work of the build. `originals` gives the original path of each generated file, so that counts compare
        between layouts."""
        jobs: Counter[str] = Counter()
        compiled: set[str] = set()
        for output in self.outputs():
            for _, message in messages(output):
                if message.get("kind") != "began":
                    continue
                jobs[message["name"]] += 1
                if message["name"] == "compile":
                    compiled.update(self._original(each, originals) for each in message["inputs"])
        linked = sorted(_product(file) for file in self.folder.glob("*.link"))
        return CompilerWork(tuple(sorted(compiled)), jobs["emit-module"], tuple(linked))

    def outputs(self) -> Iterator[bytes]:
        """What each driver of a target reported."""
        for file in sorted(self.folder.glob("*.messages")):
            yield file.read_bytes()

    def commands(self, began: float, originals: Mapping[Path, Path]) -> list[Command]:
        """The jobs of the build that began at this moment, in the order in which they began. Only `record-times` keeps
        them."""
        found: list[Command] = []
        for file in sorted(self.folder.glob("*.times")):
            run = _read_run(file, began)
            found += [run.command, *self._jobs_of(run, originals)]
        return sorted(found, key=lambda command: (command.job.began, command.job.finished))

    def _jobs_of(self, run: _DriverRun, originals: Mapping[Path, Path]) -> list[Command]:
        """The jobs that a driver started. It reports each file of a batch separately, and the process that they
        share."""
        driver = run.command.job
        started: dict[int, tuple[dict[str, Any], float, list[str]]] = {}
        ended: dict[int, float] = {}
        for position, message in messages(run.output):
            number = message.get("process", {}).get("real_pid", message.get("pid"))
            if message["kind"] == "began":
                files = started.setdefault(number, (message, run.moment(position), []))[2]
                files += [self._original(each, originals) for each in message["inputs"]]
            else:
                ended[number] = run.moment(position)
        return [
            Command(
                Job(
                    kind=_KINDS.get(message["name"], message["name"]),
                    target=driver.target,
                    files=tuple(files),
                    began=moment,
                    finished=ended.get(number, driver.finished),
                    driver=driver.driver,
                ),
                (message["command_executable"], *message["command_arguments"]),
            )
            for number, (message, moment, files) in started.items()
        ]

    def _original(self, path: str, originals: Mapping[Path, Path]) -> str:
        # Files of other packages may stand beside it.
        relative = Path(os.path.relpath(path, self.package))
        return originals[relative].as_posix() if relative in originals else f"(generated) {Path(path).name}"


def messages(output: bytes) -> Iterator[tuple[int, dict[str, Any]]]:
    """The messages of the compiler's parseable output, each with the position of its end: a line with a length in
    bytes, then so much JSON. Other lines, which the compiler's own children may write, are skipped."""
    position = 0
    while position < len(output):
        end = output.find(b"\n", position)
        end = len(output) if end < 0 else end
        line = output[position:end].strip()
        position = end + 1
        if line.isdigit():
            length = int(line)
            try:
                yield position + length, json.loads(output[position : position + length])
            except ValueError:
                continue
            position += length


@dataclass(frozen=True)
class _DriverRun:
    """One run of the driver. The pieces of its messages are there with the moment when each had come, and its end."""

    command: Command
    output: bytes
    moments: Sequence[float]
    ends: Sequence[int]

    def moment(self, position: int) -> float:
        """When so much of the messages had come."""
        return self.moments[min(bisect_left(self.ends, position), len(self.moments) - 1)]


def _read_run(file: Path, began: float) -> _DriverRun:
    lines = [line.split() for line in file.read_text().splitlines()]
    if not lines or lines[0][0] != "run":
        raise ToolError(f"{file} does not hold when the compiler ran.")
    first, last, processor = (int(word) / 1e6 for word in lines[0][1:])
    arguments = tuple(file.with_suffix(".arguments").read_text(errors="replace").splitlines())
    output = file.with_suffix(".messages")
    kind, target = kind_of(arguments)
    return _DriverRun(
        Command(Job(kind, target, (), first - began, last - began, int(file.stem), processor), arguments),
        output.read_bytes() if output.exists() else b"",
        [int(line[1]) / 1e6 - began for line in lines[1:]],
        [int(line[2]) for line in lines[1:]],
    )


def kind_of(arguments: Sequence[str]) -> tuple[str, str]:
    """The kind of a run of the driver, and its target or product."""
    values = dict(pairwise(arguments))
    if "-parseable-output" in arguments:
        return TARGET, values.get("-module-name", "")
    if "-modulewrap" in values:
        return WRAP, Path(values["-modulewrap"]).stem
    if "-o" in values and ("-emit-executable" in arguments or "-emit-library" in arguments):
        return LINK, Path(values["-o"]).name
    return QUESTION, ""


def _product(link: Path) -> str:
    """The name of the file that a link job wrote."""
    arguments = link.read_text(errors="replace").splitlines()
    outputs = [value for option, value in pairwise(arguments) if option == "-o"]
    return Path(outputs[-1]).name if outputs else "(unknown)"
