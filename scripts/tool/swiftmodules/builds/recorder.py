"""Reads what the recorder kept of one build: which jobs the compiler ran, on which files, and when.

The recorder, compiled from `record-swiftc.swift`, stands in for `swiftc` (through SWIFT_EXEC). `swift build` starts the
compiler's driver again and again: to ask what it can do, once for every target, for every module that is wrapped for
the debugger, and for every product that is linked. The driver of a target starts the jobs.
"""

from __future__ import annotations

import json
import os
import sys
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

from swiftmodules import process
from swiftmodules.builds.conditions import require_space
from swiftmodules.errors import ToolError
from swiftmodules.swiftpm.toolchain import Toolchain

SOURCE = Path(__file__).with_name("record-swiftc.swift")
# The kinds of jobs: a run of the driver for a target, and what it starts; what SwiftPM starts; and a question to the
# compiler about its abilities.
TARGET, COMPILE, EMIT_MODULE, WRAP, LINK, QUESTION = "target", "compile", "emit-module", "wrap", "link", "question"
# As it is linked.
_RECORDER_BYTES = 2**24
# Seconds by phase; of several things that run side by side, the time belongs to the first.
_PRECEDENCE = {COMPILE: COMPILE, EMIT_MODULE: EMIT_MODULE, WRAP: WRAP, LINK: LINK, TARGET: "planning"}
PHASES = ("start", "planning", COMPILE, EMIT_MODULE, WRAP, LINK, "rest")

# Jobs of the driver whose kind is not their name.
_KINDS = {"module-wrap": WRAP}
# Before the names of compiled files that are none of the package.
GENERATED = "(generated) "


def compiled_recorder(folder: Path, toolchain: Toolchain) -> Path:
    """The recorder in a folder, where it is compiled once. The toolchain's libraries are beside it, because SwiftPM
    looks beside the compiler for the one that finds tests."""
    recorder = folder / "toolchain" / "bin" / "swiftc"
    if not recorder.exists() or recorder.stat().st_mtime < SOURCE.stat().st_mtime:
        recorder.parent.mkdir(parents=True, exist_ok=True)
        libraries = folder / "toolchain" / "lib"
        libraries.unlink(missing_ok=True)
        libraries.symlink_to(toolchain.bin.parent / "lib")
        # In the language mode of Swift 5, because it reads the global variables of C.
        options = ["-O", "-swift-version", "5", *(["-static-stdlib"] if sys.platform == "linux" else [])]
        require_space(folder, "a build there", _RECORDER_BYTES)
        process.read([toolchain.swiftc, *options, SOURCE, "-o", recorder], toolchain.environment, folder)
    return recorder


@dataclass(frozen=True)
class Job:
    """One process of a build, with its target or product. Times are seconds since the build began."""

    kind: str
    target: str
    began: float
    finished: float
    # Of a `compile` job: the files by their paths or names, and the objects that it makes of them.
    files: tuple[str, ...] = ()
    objects: tuple[str, ...] = ()

    @property
    def seconds(self) -> float:
        return self.finished - self.began


@dataclass(frozen=True)
class CompilerWork:
    """The compiled files, by their original paths, so that counts compare between layouts, and the names of the linked
    products."""

    compiled: tuple[str, ...]
    linked: tuple[str, ...]

    @classmethod
    def of(cls, jobs: Sequence[Job]) -> CompilerWork:
        """The work that was done by jobs."""
        compiled = {file for job in jobs if job.kind == COMPILE for file in job.files}
        return cls(tuple(sorted(compiled)), tuple(sorted(job.target for job in jobs if job.kind == LINK)))

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

    def outputs(self) -> Iterator[bytes]:
        """Yields the messages of each driver of a target."""
        for file in sorted(self.folder.glob("*.messages")):
            yield file.read_bytes()

    def commands(self, began: float, originals: Mapping[Path, Path]) -> list[Command]:
        """The jobs of the build that began at this moment, in the order in which they began, with files by their
        original paths; `originals` gives that of each generated file."""
        files = sorted(self.folder.glob("*.times"))
        found = [command for file in files for command in self._commands_of(file, began, originals)]
        return sorted(found, key=lambda command: (command.job.began, command.job.finished))

    def _commands_of(self, file: Path, began: float, originals: Mapping[Path, Path]) -> list[Command]:
        """One run of the driver, and the jobs that it started. The file has the times of the run, and of each piece of
        its messages the moment when it had come, and its end."""
        lines = [line.split() for line in file.read_text().splitlines()]
        if not lines or lines[0][0] != "run":
            raise ToolError(f"{file} has no times of the compiler's jobs.")
        first, last = (int(word) / 1e6 - began for word in lines[0][1:])
        moments = [int(line[1]) / 1e6 - began for line in lines[1:]]
        ends = [int(line[2]) for line in lines[1:]]
        arguments = tuple(file.with_suffix(".arguments").read_text(errors="replace").splitlines())
        kind, target = kind_of(arguments)
        # The driver reports each file of a batch separately, and the process that they share.
        started: dict[int, tuple[dict[str, Any], float, list[str], list[str]]] = {}
        ended: dict[int, float] = {}
        output = file.with_suffix(".messages")
        for position, message in messages(output.read_bytes() if output.exists() else b""):
            process_id = message.get("process", {}).get("real_pid", message.get("pid"))
            moment = moments[min(bisect_left(ends, position), len(moments) - 1)]
            if message["kind"] == "began":
                *_, files, objects = started.setdefault(process_id, (message, moment, [], []))
                files += [self._original(each, originals) for each in message["inputs"]]
                objects += [each["path"] for each in message["outputs"] if each["type"] == "object"]
            else:
                ended[process_id] = moment
        jobs = [
            Command(
                Job(
                    _KINDS.get(message["name"], message["name"]),
                    target,
                    moment,
                    ended.get(process_id, last),
                    tuple(files),
                    tuple(objects),
                ),
                (message["command_executable"], *message["command_arguments"]),
            )
            for process_id, (message, moment, files, objects) in started.items()
        ]
        return [Command(Job(kind, target, first, last), arguments), *jobs]

    def _original(self, path: str, originals: Mapping[Path, Path]) -> str:
        # Files of other packages may stand beside it.
        relative = Path(os.path.relpath(path, self.package))
        return originals[relative].as_posix() if relative in originals else f"{GENERATED}{Path(path).name}"


def phases(jobs: Sequence[Job], seconds: float) -> dict[str, float]:
    """The seconds of each phase in a build that took so long; together they are all of it."""
    work = [job for job in jobs if job.kind != QUESTION]
    first = min((job.began for job in work), default=seconds)
    # By another clock, the last job may seem to begin or end later than the build.
    ends = (min(moment, seconds) for job in work for moment in (job.began, job.finished))
    moments = sorted({0.0, seconds, *ends})
    found = dict.fromkeys(PHASES, 0.0)
    for begin, end in pairwise(moments):
        running = {_PRECEDENCE.get(job.kind, COMPILE) for job in work if job.began <= begin and job.finished >= end}
        idle = "start" if begin < first else "rest"
        found[next((phase for phase in _PRECEDENCE.values() if phase in running), idle)] += end - begin
    return found


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
