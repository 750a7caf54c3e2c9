"""Counts instructions with callgrind: unlike times, the counts hardly differ from run to run on one machine."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import dataclass

from buildspeed import processes
from buildspeed.failures import MeasurementError
from routerbench.bars import COLD_REGISTRATION
from routerbench.program import Program

_WARM_REGISTRATION = "register-1000-resolve-last-warm"
_NOTHING = "nothing"
_TOTAL = re.compile(r"Collected\s*:\s*(\d+)")


@dataclass(frozen=True)
class InstructionCounter:
    """Runs operations of the program under callgrind."""

    program: Program
    valgrind: str
    version: str

    def count(self, operation: str) -> float:
        """The instructions of one repetition.

        Two runs of different length differ by repetitions only: starting the program, setting up, and what a first
        use costs are in both.
        """
        if operation == COLD_REGISTRATION:
            return self._total(_WARM_REGISTRATION, 1) - self._total(_NOTHING, 1)
        repetitions = 2 if operation == _WARM_REGISTRATION else 1000
        return (self._total(operation, 2 * repetitions) - self._total(operation, repetitions)) / repetitions

    def _total(self, operation: str, repetitions: int) -> int:
        arguments = [self.valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"]
        arguments += [str(self.program.path), "run", operation, str(repetitions)]
        # A dictionary's order of keys would differ from run to run, and with it the number of collisions.
        environment = {**self.program.environment, "SWIFT_DETERMINISTIC_HASHING": "1"}
        return total_from(processes.read(arguments, environment, self.program.path.parent).decode())


def instruction_counter(program: Program) -> InstructionCounter:
    """A counter, where valgrind is installed."""
    valgrind = shutil.which("valgrind")
    if valgrind is None:
        raise MeasurementError(
            "--counts needs valgrind, which is not in PATH. Install it (Debian and Ubuntu: apt install valgrind) "
            "or leave the option out."
        )
    version = subprocess.run([valgrind, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    return InstructionCounter(program, valgrind, version)


def total_from(output: str) -> int:
    """The number of instructions that callgrind tells."""
    found = _TOTAL.search(output)
    if found is None:
        raise MeasurementError(f"callgrind told no number of instructions:\n{output.strip()}")
    return int(found[1])
