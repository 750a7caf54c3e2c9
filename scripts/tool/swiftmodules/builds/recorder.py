"""Reads what the recorders kept of one build: which jobs the compiler ran, on which files, and when.

A recorder stands in for `swiftc` (through SWIFT_EXEC). `record-swiftc`, a shell script, keeps the compiler's messages;
`record-times`, compiled from Swift, also keeps the moments. `swift build` starts the compiler's driver again and
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

from swiftmodules import process
from swiftmodules.errors import ToolError
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK, QUESTION, TARGET, WRAP, Job
from swiftmodules.swiftpm.toolchain import Toolchain

RECORDER = Path(__file__).with_name("record-swiftc")
TIMES_SOURCE = Path(__file__).with_name("record-times.swift")

# Jobs of the driver whose kind is not their name.
_KINDS = {"module-wrap": WRAP}


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
    process.read([toolchain.swiftc, *options, TIMES_SOURCE, "-o", recorder], toolchain.environment, folder)
    return recorder


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, the number of `emit-module` jobs (None where they were not
    recorded), and the names of the linked products."""

    compiled: tuple[str, ...]
    emitted_modules: int | None
    linked: tuple[str, ...]

    @property
    def is_nothing(self) -> bool:
        return not self.compiled and not self.linked


@dataclass(frozen=True)
class Command:
    """A job with its program and arguments, as they were started."""

    job: Job
    arguments: tuple[str, ...]


@dataclass(frozen=True)
class Records:
    """The recordings of the last build of the package in a folder."""

    folder: Path
    package: Path

    def clear(self) -> None:
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
                if message["name"] == COMPILE:
                    compiled.update(self._original(each, originals) for each in message["inputs"])
        links = [kind_of(file.read_text(errors="replace").splitlines()) for file in self.folder.glob("*.link")]
        linked = sorted(product or "(unknown)" for _, product in links)
        return CompilerWork(tuple(sorted(compiled)), jobs[EMIT_MODULE], tuple(linked))

    def outputs(self) -> Iterator[bytes]:
        """Yields the messages of each driver of a target."""
        for file in sorted(self.folder.glob("*.messages")):
            yield file.read_bytes()

    def commands(self, began: float, originals: Mapping[Path, Path]) -> list[Command]:
        """The jobs of the build that began at this moment, in the order in which they began. Only `record-times` keeps
        them."""
        files = sorted(self.folder.glob("*.times"))
        found = [command for file in files for command in self._commands_of(file, began, originals)]
        return sorted(found, key=lambda command: (command.job.began, command.job.finished))

    def _commands_of(self, file: Path, began: float, originals: Mapping[Path, Path]) -> list[Command]:
        """One run of the driver, and the jobs that it started. The file has the times of the run, and of each piece of
        its messages the moment when it had come, and its end."""
        lines = [line.split() for line in file.read_text().splitlines()]
        if not lines or lines[0][0] != "run":
            raise ToolError(f"{file} has no times of the compiler's jobs.")
        first, last, processor = (int(word) / 1e6 for word in lines[0][1:])
        moments = [int(line[1]) / 1e6 - began for line in lines[1:]]
        ends = [int(line[2]) for line in lines[1:]]
        arguments = tuple(file.with_suffix(".arguments").read_text(errors="replace").splitlines())
        kind, target = kind_of(arguments)
        number = int(file.stem)
        driver = Job(
            kind=kind,
            target=target,
            began=first - began,
            finished=last - began,
            driver=number,
            cpu_seconds=processor,
        )
        # The driver reports each file of a batch separately, and the process that they share.
        started: dict[int, tuple[dict[str, Any], float, list[str]]] = {}
        ended: dict[int, float] = {}
        output = file.with_suffix(".messages")
        for position, message in messages(output.read_bytes() if output.exists() else b""):
            process_id = message.get("process", {}).get("real_pid", message.get("pid"))
            moment = moments[min(bisect_left(ends, position), len(moments) - 1)]
            if message["kind"] == "began":
                files = started.setdefault(process_id, (message, moment, []))[2]
                files += [self._original(each, originals) for each in message["inputs"]]
            else:
                ended[process_id] = moment
        jobs = [
            Command(
                Job(
                    kind=_KINDS.get(message["name"], message["name"]),
                    target=target,
                    files=tuple(files),
                    began=moment,
                    finished=ended.get(process_id, driver.finished),
                    driver=number,
                ),
                (message["command_executable"], *message["command_arguments"]),
            )
            for process_id, (message, moment, files) in started.items()
        ]
        return [Command(driver, arguments), *jobs]

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
