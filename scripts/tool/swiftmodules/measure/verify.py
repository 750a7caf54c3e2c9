"""Compares the program after an incremental build with that of a clean build of the same sources: a fast build that is
wrong is not fast."""

from __future__ import annotations

import shlex
import shutil
import signal
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from swiftmodules import process
from swiftmodules.builds.workspace import Workspace
from swiftmodules.closure import reached
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import BuildFailedError, UsageError
from swiftmodules.measure.record import NOT_VERIFIED, SOUND, UNSOUND, Cell, ProgramRun, Verdict
from swiftmodules.measure.samples import first_error

_PROMPT = "$ "
# A program that was built wrongly may never end, print without end, or take all memory.
_SECONDS = 60
_OUTPUT_BYTES = 16 * 2**20
_MEMORY_BYTES = 8 * 2**30
# `-f` counts blocks of 512 bytes, `-v` those of 1024, which not every system limits.
_LIMITS = f"ulimit -c 0; ulimit -f {_OUTPUT_BYTES // 512}; (ulimit -v {_MEMORY_BYTES // 1024}) 2>/dev/null && \
ulimit -v {_MEMORY_BYTES // 1024}"
_LIMITED = f'{_LIMITS}; exec "$0" "$@"'
_AFTER_EDIT, _AFTER_UNDOING = "after the edit", "after the edit was undone"
# The state of the sources that are not edited; others have the number of an edit, or the name of a commit.
_UNEDITED = 0


@dataclass(frozen=True)
class Outcome:
    """The outcome of one run of a program. The exit code is the negative number of a signal that ended the program,
    and None where it did not end."""

    exit_code: int | None
    output: str
    errors: str

    @property
    def ending(self) -> str:
        """The end of the program, as a phrase."""
        if self.exit_code is None:
            return f"no end within {_SECONDS} s"
        if self.exit_code < 0:
            return f"{signal.Signals(-self.exit_code).name} (exit code {128 - self.exit_code} in a shell)"
        return f"exit code {self.exit_code}"


def read_session(file: Path | None, program: str | None) -> tuple[ProgramRun, ...]:
    """The runs that a file describes, or else one run without arguments and input.

    A line `$ App --check` begins a run, and the lines after it are its input.
    """
    if file is None:
        return (ProgramRun(),)
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
        code = process.run_with_files(command, variables, home, (given, output, errors), seconds=_SECONDS)
        texts = (file.read_text(encoding="utf-8", errors="replace") for file in (output, errors))
        outcomes.append(Outcome(code, *texts))
    return tuple(outcomes)


def differences(
    found: Sequence[Outcome], expected: Sequence[Outcome], session: Sequence[ProgramRun], program: str
) -> list[str]:
    """Describes how the program behaves otherwise than expected: a line for each run that differs."""
    return [
        f"`{shlex.join([program, *run.arguments])}`: {_difference(one, other)}"
        for run, one, other in zip(session, found, expected, strict=True)
        if one != other
    ]


def _difference(found: Outcome, expected: Outcome) -> str:
    if found.ending != expected.ending:
        return f"{found.ending} instead of {expected.ending}"
    for name, one, other in (("output", found.output, expected.output), ("errors", found.errors, expected.errors)):
        for number, pair in enumerate(zip_longest(one.splitlines(), other.splitlines()), start=1):
            if pair[0] != pair[1]:
                line, wanted = ("missing" if each is None else f"'{each}'" for each in pair)
                return f"line {number} of the standard {name} is {line} instead of {wanted}"
    return "the ends of lines differ"


class Verifier:
    """Verifies cells of one package, whose variants have been built.

    Each state of the sources is built clean once in a layout, and in another layout only where the program does not do
    the same there: so its undoing and further layouts and settings cost no clean build.
    """

    def __init__(self, folder: Path, session: Sequence[ProgramRun]) -> None:
        self._session = session
        self._folder = folder
        # By the layout and the state of the sources.
        self._expected: dict[tuple[str, int | str], tuple[Outcome, ...] | BuildFailedError] = {}
        # Why nothing can be compared, as far as the first workspace shows.
        self._obstacle: str | None = None
        self._is_begun = False
        self._stale: set[Path] = set()

    def verify(self, workspace: Workspace, cell: Cell, placement: Placement | None, number: int) -> Verdict:
        """Makes an edit, builds, compares, undoes the edit, builds, and compares again.

        No two edits of a workspace may have the same number. Raises `ToolError` where the sources do not compile at
        all.
        """
        if verdict := self._first_verdict(workspace, cell, _UNEDITED, "before the edit"):
            return verdict
        place = workspace.package
        if place in self._stale:
            # Stale code would be found again in this cell, where it does not belong.
            workspace.build_clean()
            self._stale.remove(place)
        reasons = self._compare(workspace, placement, number)
        self._stale |= {place} if reasons else set()
        return _verdict(cell, reasons)

    def compare(self, workspace: Workspace, cell: Cell) -> Verdict:
        """Compares the program after the last build with that of a clean build of the same sources."""
        state, moment = cell.edit, "after the commit"
        first = self._first_verdict(workspace, cell, state, moment)
        return first or _verdict(cell, self._problems(workspace, state, moment))

    def _first_verdict(self, workspace: Workspace, cell: Cell, state: int | str, moment: str) -> Verdict | None:
        """The verdict on every cell where nothing can be compared, and on the first where the last build is wrong."""
        reasons: list[str] = []
        if not self._is_begun:
            self._obstacle, self._is_begun = self._found_obstacle(workspace, state), True
            reasons = [] if self._obstacle else self._problems(workspace, state, moment)
            if reasons:
                # Only what a clean build cures is wrong with the build, and not with the program.
                workspace.build_clean()
                if found := self._unexpected(workspace, state):
                    self._obstacle = f"the program does not behave the same each time: {found[0]}."
        if self._obstacle:
            return Verdict(cell=cell, result=NOT_VERIFIED, reasons=(self._obstacle,))
        return _verdict(cell, reasons) if reasons else None

    def _compare(self, workspace: Workspace, placement: Placement | None, number: int) -> list[str]:
        found: list[str] = []
        state = number if placement else _UNEDITED
        try:
            with workspace.edited(placement, number):
                found += self._problems(workspace, state, _AFTER_EDIT if placement else "in a build without an edit")
        except BuildFailedError as error:
            moment = _AFTER_EDIT if workspace.is_edited else _AFTER_UNDOING
            if workspace.is_edited:
                if isinstance(self._clean(workspace, state), BuildFailedError):
                    raise
                workspace.undo(placement)
            return [*found, f"{moment}, the build fails, but no clean build does: {first_error(str(error))}"]
        return found + self._problems(workspace, _UNEDITED, _AFTER_UNDOING) if placement else found

    def _found_obstacle(self, workspace: Workspace, state: int | str) -> str | None:
        """The reason why nothing can be compared. Keeps what is expected of the package as it is."""
        if workspace.program is None:
            return "the package has not exactly one executable, so there is no program to run."
        expected = self._clean(workspace, state)
        if isinstance(expected, BuildFailedError):
            raise expected
        if any(outcome.exit_code is None for outcome in expected):
            return (
                f"the program does not end within {_SECONDS} s; a session file can give arguments and input "
                "with which it does."
            )
        return None

    def _problems(self, workspace: Workspace, state: int | str, moment: str) -> list[str]:
        return [f"{moment}, {each}" for each in self._unexpected(workspace, state)]

    def _unexpected(self, workspace: Workspace, state: int | str) -> list[str]:
        """How the program after the last build behaves otherwise than that of a clean build."""
        assert workspace.program is not None
        found = self._run(workspace, workspace.program)
        if any(found == each for (_, known), each in self._expected.items() if known == state):
            return []
        expected = self._clean(workspace, state)
        if isinstance(expected, BuildFailedError):
            return [f"the build succeeds, but no clean build does: {first_error(str(expected))}"]
        return differences(found, expected, self._session, workspace.program.name)

    def _clean(self, workspace: Workspace, state: int | str) -> tuple[Outcome, ...] | BuildFailedError:
        """The behaviour of the program after a clean build of the present sources."""
        key = (workspace.layout.name, state)
        if key not in self._expected:
            try:
                workspace.build_apart()
                program = workspace.apart / "debug" / (workspace.layout.program or "")
                self._expected[key] = self._run(workspace, program)
            except BuildFailedError as error:
                self._expected[key] = error
        return self._expected[key]

    def _run(self, workspace: Workspace, program: Path) -> tuple[Outcome, ...]:
        return behaviour(program, self._session, self._folder, workspace.environment)


def _verdict(cell: Cell, reasons: Sequence[str]) -> Verdict:
    return Verdict(cell=cell, result=UNSOUND if reasons else SOUND, reasons=tuple(reasons))


def dependency_gaps(dependencies: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Finds for each target the targets that it reaches but does not name, where there are any.

    SwiftPM starts the compiler for a target when a module that the target names in its manifest has changed. A module
    that it reaches only through others may change the layout of a type that it uses, unnoticed
    (https://github.com/swiftlang/swift-package-manager/issues/10502).
    """
    gaps = {}
    for target, named in sorted(dependencies.items()):
        others = set(reached(named, lambda name: dependencies.get(name, ()))) - set(named)
        if others:
            gaps[target] = tuple(sorted(others))
    return gaps
