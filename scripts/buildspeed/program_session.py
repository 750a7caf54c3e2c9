"""What is done with a program to see how it behaves: runs with their arguments and input, and what each one shows."""

from __future__ import annotations

import shlex
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from buildspeed import processes
from buildspeed.failures import UsageError

# Where a package says how its program is run.
SESSION = Path("scripts") / "verify-session.txt"

_PROMPT = "$ "
# A program that was built wrongly may never end, print without end, or take all memory.
_SECONDS = 60
_OUTPUT_BYTES = 16 * 2**20
_MEMORY_BYTES = 8 * 2**30
# `-f` counts blocks of 512 bytes, `-v` those of 1024, which not every system limits.
_LIMITS = f"ulimit -c 0; ulimit -f {_OUTPUT_BYTES // 512}; (ulimit -v {_MEMORY_BYTES // 1024}) 2>/dev/null && \
ulimit -v {_MEMORY_BYTES // 1024}"
_LIMITED = f'{_LIMITS}; exec "$0" "$@"'


@dataclass(frozen=True)
class ProgramRun:
    """One run of a program: its arguments, and what is typed into it."""

    arguments: tuple[str, ...] = ()
    input: str = ""

    def command(self, program: str) -> str:
        """As a person would type it."""
        return shlex.join([program, *self.arguments])


@dataclass(frozen=True)
class Outcome:
    """What one run shows. The exit code is the negative number of a signal that ended the program, and None where
    it did not end."""

    exit_code: int | None
    output: str
    errors: str

    @property
    def ending(self) -> str:
        """How the program ended, as a phrase."""
        if self.exit_code is None:
            return f"no end within {_SECONDS} s"
        if self.exit_code < 0:
            return f"{signal.Signals(-self.exit_code).name} (exit code {128 - self.exit_code} in a shell)"
        return f"exit code {self.exit_code}"


def read_session(file: Path | None, package: Path, program: str | None) -> tuple[ProgramRun, ...]:
    """The runs that a file describes: that of the package where none is named, or else one run without arguments
    and input.

    A line `$ App --check` begins a run, and the lines after it are its input.
    """
    if file is None and not (package / SESSION).is_file():
        return (ProgramRun(),)
    file = file or package / SESSION
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        raise UsageError(f"cannot read the session {file}: {error}.") from error
    runs: list[ProgramRun] = []
    for number, line in enumerate(text.splitlines(), start=1):
        if line.startswith(_PROMPT):
            try:
                name, *arguments = shlex.split(line.removeprefix(_PROMPT)) or [""]
            except ValueError as error:
                raise UsageError(f"{file}:{number}: {error}.") from error
            if program is not None and name != program:
                raise UsageError(f"{file}:{number}: the program is called '{program}', not '{name}'.")
            runs.append(ProgramRun(tuple(arguments)))
        elif runs:
            runs[-1] = ProgramRun(runs[-1].arguments, f"{runs[-1].input}{line}\n")
    if not runs:
        raise UsageError(f"{file} has no line such as '{_PROMPT}{program or 'App'}', which begins a run.")
    return tuple(runs)


def behaviour(
    program: Path, session: Sequence[ProgramRun], folder: Path, environment: Mapping[str, str]
) -> tuple[Outcome, ...]:
    """Runs a program as a session says, one run after the other, in a folder that is emptied first.

    The program is started by the same path each time, because it may print the path.
    """
    shutil.rmtree(folder, ignore_errors=True)
    home = folder / "home"
    home.mkdir(parents=True)
    link = folder / program.name
    link.symlink_to(program)
    # A crash would be told with addresses, which differ each time.
    variables = dict(environment) | {"HOME": str(home), "SWIFT_BACKTRACE": "enable=no"}
    streams = (folder / "input", folder / "output", folder / "errors")
    outcomes = []
    for run in session:
        streams[0].write_text(run.input, encoding="utf-8")
        command = ["/bin/sh", "-c", _LIMITED, link, *run.arguments]
        code = processes.run_with_files(command, variables, home, *streams, seconds=_SECONDS)
        outcomes.append(Outcome(code, *(file.read_text(encoding="utf-8", errors="replace") for file in streams[1:])))
    return tuple(outcomes)


def differences(
    found: Sequence[Outcome], expected: Sequence[Outcome], session: Sequence[ProgramRun], program: str
) -> list[str]:
    """How the program behaves otherwise than expected: a line for each run that differs."""
    lines = []
    for run, one, other in zip(session, found, expected, strict=True):
        if one != other:
            lines.append(f"`{run.command(program)}`: {_difference(one, other)}")
    return lines


def _difference(found: Outcome, expected: Outcome) -> str:
    if found.ending != expected.ending:
        return f"{found.ending} instead of {expected.ending}"
    for name, one, other in (
        ("output", found.output, expected.output),
        ("errors", found.errors, expected.errors),
    ):
        pairs = zip_longest(one.splitlines(), other.splitlines())
        for number, (line, wanted) in enumerate(pairs, start=1):
            if line != wanted:
                return f"line {number} of the standard {name} is {_quoted(line)} instead of {_quoted(wanted)}"
    return "the ends of lines differ"


def _quoted(line: str | None) -> str:
    return "missing" if line is None else f"'{line}'"
