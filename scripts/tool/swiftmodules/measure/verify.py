"""Compares the program of an incremental build with the program of a clean build of the same sources: a fast build that
is wrong is not fast."""

from __future__ import annotations

import shlex
import shutil
import signal
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from msgspec.structs import asdict

from swiftmodules import process
from swiftmodules.builds.printed import first_error
from swiftmodules.builds.workspace import Workspace
from swiftmodules.errors import BuildFailedError
from swiftmodules.measure.place import Places
from swiftmodules.measure.record import NOT_VERIFIED, SOUND, UNSOUND, Cell, Step, Verdict
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import ProgramRun

# A program that was built wrongly may never end, print without end, or take all memory.
_SECONDS = 60
_OUTPUT_BYTES = 16 * 2**20
_MEMORY_BYTES = 8 * 2**30
# `-f` counts blocks of 512 bytes, `-v` blocks of 1024; not every system limits memory.
_LIMITS = f"ulimit -c 0; ulimit -f {_OUTPUT_BYTES // 512}; (ulimit -v {_MEMORY_BYTES // 1024}) 2>/dev/null && \
ulimit -v {_MEMORY_BYTES // 1024}"
_LIMITED = f'{_LIMITS}; exec "$0" "$@" <../input >../output 2>../errors'
# Tests take longer, and may be given time by a limit of their own.
_TEST_SECONDS = 1800


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run of a program. The exit code is the negative number of a signal that ended the program,
    and None where it did not end."""

    exit_code: int | None
    output: str
    errors: str

    @property
    def ending(self) -> str:
        if self.exit_code is None:
            return f"no end within {_SECONDS} s"
        if self.exit_code < 0:
            return f"{signal.Signals(-self.exit_code).name} (exit code {128 - self.exit_code} in a shell)"
        return f"exit code {self.exit_code}"


def behaviour(
    program: Path, session: Sequence[ProgramRun], folder: Path, environment: Mapping[str, str]
) -> tuple[Outcome, ...]:
    """Runs a program as a session describes, one run after the other, in a folder that is emptied first.

    The program is started by the same path each time, because it may print the path.
    """
    shutil.rmtree(folder, ignore_errors=True)
    home = folder / "home"
    home.mkdir(parents=True)
    link = folder / program.name
    link.symlink_to(program)
    # Foundation for Linux does not read HOME. A crash would be reported with addresses, which differ each time.
    variables = {"HOME": str(home), "CFFIXED_USER_HOME": str(home), "SWIFT_BACKTRACE": "enable=no"}
    variables = dict(environment) | variables
    given, output, errors = folder / "input", folder / "output", folder / "errors"
    outcomes = []
    for run in session:
        given.write_text(run.input, encoding="utf-8")
        command = ["/bin/sh", "-c", _LIMITED, str(link), *run.arguments]
        done = process.run(command, variables, home, folder / "log", limit=_SECONDS)
        texts = (file.read_text(encoding="utf-8", errors="replace") for file in (output, errors))
        outcomes.append(Outcome(done.exit_code, *texts))
    return tuple(outcomes)


def _difference(found: Outcome, expected: Outcome) -> str:
    if found.ending != expected.ending:
        return f"{found.ending} instead of {expected.ending}"
    for name, one, other in (("output", found.output, expected.output), ("errors", found.errors, expected.errors)):
        for number, pair in enumerate(zip_longest(one.splitlines(), other.splitlines()), start=1):
            if pair[0] != pair[1]:
                line, wanted = ("missing" if each is None else f"'{each}'" for each in pair)
                return f"line {number} of the standard {name} is {line} instead of {wanted}"
    return "the ends of lines differ"


class NotVerifiedError(Exception):
    """The reason why nothing can be compared, whatever the step."""


class Verifier:
    """Compares what builds have made with what clean builds make of the same sources.

    The sources after each edit are built clean once in a layout, and in another layout only where the program does not
    do the same there, so that further layouts and settings cost no clean build.
    """

    def __init__(self, folder: Path, session: Sequence[ProgramRun], with_tests: bool) -> None:
        self._session = session
        self._folder = folder
        self._with_tests = with_tests
        # The outcomes after a clean build of each edit, in a layout.
        self._expected: dict[tuple[str, str], tuple[Outcome, ...] | BuildFailedError] = {}

    def verdicts(self, places: Places, cells: Sequence[Cell], view: ProgressView) -> Iterator[Verdict]:
        """Takes the step of each cell to its end once more, and compares what the build has made with a clean build.
        Raises `NotVerifiedError`."""
        for position, cell in enumerate(cells, start=1):
            view.note(f"Verifying {cell.name} ({position} of {len(cells)})")
            try:
                problems = self._problems(places, Step(**asdict(cell), round=0))
            except BuildFailedError as error:
                yield Verdict(cell=cell, result=NOT_VERIFIED, reasons=(first_error(str(error)),))
                continue
            if problems:
                # Stale code would be found again in the next cell, where it does not belong.
                places.close()
            yield Verdict(cell=cell, result=UNSOUND if problems else SOUND, reasons=tuple(problems))

    def _problems(self, places: Places, step: Step) -> list[str]:
        """The differences from a clean build after a step. Raises `BuildFailedError` where no clean build succeeds
        either."""
        place = places.place(step)
        workspace, edit = place.workspace, " ".join(filter(None, step.row))
        places.stand_before(step, place)
        try:
            places.built(step, place)
        except BuildFailedError as error:
            if isinstance(self._clean(workspace, edit), BuildFailedError):
                raise
            return [f"the build fails, but no clean build does: {first_error(str(error))}"]
        found = self._run(workspace, workspace.scratch)
        if found in [known for (other, _), known in self._expected.items() if other == edit]:
            return []
        expected = self._clean(workspace, edit)
        if isinstance(expected, BuildFailedError):
            return [f"the build succeeds, but no clean build does: {first_error(str(expected))}"]
        if found != expected and found != self._run(workspace, workspace.scratch):
            raise NotVerifiedError("the program does not behave the same in each run.")
        runs = self._session if workspace.layout.program else ()
        names = [shlex.join([workspace.layout.program or "", *run.arguments]) for run in runs]
        names += ["swift test"] if self._with_tests else []
        return [
            f"`{name}`: {_difference(one, other)}"
            for name, one, other in zip(names, found, expected, strict=True)
            if one != other
        ]

    def _clean(self, workspace: Workspace, edit: str) -> tuple[Outcome, ...] | BuildFailedError:
        """The outcomes of the program, and of the tests, after a clean build of the present sources; or the error where
        that fails."""
        key = (edit, workspace.layout.name)
        if key not in self._expected:
            try:
                workspace.build_apart()
                found = self._expected[key] = self._run(workspace, workspace.apart)
                if any(outcome.exit_code is None for outcome in found):
                    raise NotVerifiedError(
                        f"the program does not end within {_SECONDS} s. Give it arguments or input that end it, as "
                        "[[measure.session]] in swiftmodules.toml."
                    )
            except BuildFailedError as error:
                self._expected[key] = error
        return self._expected[key]

    def _run(self, workspace: Workspace, scratch: Path) -> tuple[Outcome, ...]:
        program = workspace.layout.program
        products = workspace.products(scratch)
        found = behaviour(products / program, self._session, self._folder, workspace.environment) if program else ()
        if not self._with_tests:
            return found
        done, failed = workspace.test(scratch, limit=_TEST_SECONDS)
        return (*found, Outcome(done.exit_code, "".join(f"failed: {name}\n" for name in failed), ""))
