"""Does by hand what a build cannot avoid after an edit in one file: the jobs that the build itself recorded, with the
very same arguments, and nothing around them."""

from __future__ import annotations

import shlex
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from buildspeed import processes
from buildspeed.failures import MeasurementError
from buildspeed.job_times import COMPILE, EMIT_MODULE, LINK, Command
from buildspeed.toolchain import Toolchain

STEPS = (COMPILE, EMIT_MODULE, LINK)


@dataclass(frozen=True)
class ByHand:
    """Wall seconds: of each step alone, and of everything, with compiling and emitting the module side by side where
    the build may start two processes at once."""

    steps: dict[str, float]
    seconds: float


class HandWork:
    """The unavoidable commands of one build: compiling the file, emitting its module, linking."""

    def __init__(self, commands: Sequence[Command], file: str, toolchain: Toolchain, package: Path) -> None:
        """Finds them among the commands of a build after an edit in that file (by its original path)."""
        self._toolchain = toolchain
        self._package = package
        compile_job = _only(commands, COMPILE, lambda each: file in each.job.files, f"compiled {file}")
        target = compile_job.job.target
        emit = _only(commands, EMIT_MODULE, lambda each: each.job.target == target, f"emitted the module {target}")
        link = [each for each in commands if each.job.kind == LINK]
        if not link:
            raise MeasurementError(f"the build after an edit in {file} linked nothing, so there is nothing to compare.")
        self._steps = {
            COMPILE: [compile_job.arguments],
            EMIT_MODULE: [emit.arguments],
            LINK: [job for each in link for job in self._jobs_of_link(each.arguments)],
        }

    def run(self, folder: Path, jobs: int) -> ByHand:
        """Does it all, each step alone and then everything. `folder` takes the scripts and their output."""
        return ByHand(
            {step: self._seconds(folder, step, _one_after_another(self._steps[step])) for step in STEPS},
            self._seconds(folder, "everything", self._everything(jobs)),
        )

    def _everything(self, jobs: int) -> str:
        compiling, emitting, linking = (_one_after_another(self._steps[step]) for step in STEPS)
        if jobs == 1:
            return f"{compiling}\n{emitting}\n{linking}"
        return f"{compiling} &\ncompiling=$!\n{emitting}\nwait $compiling\n{linking}"

    def _seconds(self, folder: Path, name: str, commands: str) -> float:
        script = folder / f"by-hand-{name}.sh"
        script.write_text(f"set -e\n{commands}\n")
        log = script.with_suffix(".log")
        finished = processes.run(["/bin/sh", script], self._toolchain.environment, self._package, log)
        if finished.exit_code != 0:
            raise MeasurementError(
                f"the step '{name}' by hand failed, though `swift build` did it: {log.read_text(errors='replace')}"
            )
        return finished.seconds

    def _jobs_of_link(self, arguments: Sequence[str]) -> list[tuple[str, ...]]:
        """What the driver starts to link, the linker for one."""
        asked = [self._toolchain.swiftc, *arguments, "-driver-print-jobs"]
        output = processes.read(asked, self._toolchain.environment, self._package)
        return [tuple(shlex.split(line)) for line in output.decode().splitlines() if line.strip()]


def _one_after_another(commands: Sequence[Sequence[str]]) -> str:
    return "\n".join(shlex.join(command) for command in commands)


def _only(commands: Sequence[Command], kind: str, is_meant: Callable[[Command], bool], what: str) -> Command:
    found = [each for each in commands if each.job.kind == kind and is_meant(each)]
    if len(found) != 1:
        raise MeasurementError(f"the build {what} {len(found)} times and not once, so it cannot be done by hand.")
    return found[0]
