"""Builds the benchmark program and runs it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.failures import BuildFailedError, MeasurementError
from buildspeed.toolchain import Toolchain
from routerbench.record import Batches


@dataclass(frozen=True)
class Program:
    """The built program. Each call is a process of its own, so that no operation finds the heap of another."""

    path: Path
    environment: Mapping[str, str]

    def operations(self) -> list[str]:
        """The names of the operations that it times warm."""
        return self._ask("list").split()

    def measure(self, operation: str, batches: int, milliseconds: int) -> Batches:
        """Times an operation, warm, in batches of about so many milliseconds."""
        return batches_from(self._ask("measure", operation, str(batches), str(milliseconds)))

    def measure_cold(self) -> Batches:
        """Times, once, what only a fresh process can show."""
        return batches_from(self._ask("cold"))

    def _ask(self, *arguments: str) -> str:
        return processes.read([self.path, *arguments], self.environment, self.path.parent).decode()


def batches_from(text: str) -> Batches:
    """Reads what the program printed."""
    try:
        fields = json.loads(text)
        nanoseconds = tuple(float(value) for value in fields["nanosecondsPerOperation"])
        batches = Batches(str(fields["operation"]), int(fields["repetitions"]), nanoseconds)
    except (ValueError, KeyError, TypeError) as error:
        raise MeasurementError(f"the benchmark program printed what cannot be read ({error!r}): {text!r}") from error
    if not nanoseconds or min(nanoseconds) <= 0:
        raise MeasurementError(f"the benchmark program printed no times, or times that cannot be: {text!r}")
    return batches


def build(repository: Path, toolchain: Toolchain) -> Program:
    """Builds the program in release into `.build/benchmarks`, and nothing beside the sources."""
    scratch = repository / ".build" / "benchmarks"
    scratch.mkdir(parents=True, exist_ok=True)
    log = scratch / "build.log"
    arguments: list[str | Path] = [toolchain.swift, "build", "--configuration", "release", "--scratch-path", scratch]
    arguments += ["--package-path", repository / "scripts" / "repo" / "benchmarks"]
    finished = processes.run(arguments, toolchain.environment, repository, log)
    if finished.exit_code != 0:
        raise BuildFailedError(f"the benchmark program does not build:\n{log.read_text(errors='replace').strip()}")
    return Program(scratch / "release" / "RouterBenchmark", toolchain.environment)
