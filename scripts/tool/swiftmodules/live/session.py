"""The loop of a session: saves, answers and ends of the program in, replacements and restarts out."""

from __future__ import annotations

import queue
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import IO

from swiftmodules.errors import ToolError, UsageError
from swiftmodules.live.application import Answer, Application, Ended, Terminal
from swiftmodules.live.build import Flags, ProblemError, ProgramBuild
from swiftmodules.live.command import Commands
from swiftmodules.live.compile import LiveTarget, module_entry
from swiftmodules.live.plan import Replacement, Restart, plan
from swiftmodules.live.watch import Change, Sources, Watch
from swiftmodules.swiftpm.cache import cache_folder
from swiftmodules.swiftpm.config import Config, Live
from swiftmodules.swiftpm.modules import Naming, Role, application_of, roles
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.syntax import read_files
from swiftmodules.swiftpm.toolchain import Toolchain

_CRASHES_IN_A_ROW = 3
# A program that ran for longer did not crash in a row.
_SETTLED_SECONDS = 10.0
_ANSWER_SECONDS = 10.0
# In the folder of the package.
FOLDER = Path(".build/live")
LOG = "session.log"
_ERRORS = "errors.log"


@dataclass(frozen=True)
class Saved:
    """Files were saved, absolute; none where it is time to look."""

    files: frozenset[Path]


@dataclass(frozen=True)
class _Compiled:
    """A library that waits to be loaded."""

    target: LiveTarget
    library: Path
    files: frozenset[Path]
    compile_seconds: float
    link_seconds: float


class _Log:
    """The lines of a session: on standard error, or in a file while the program has the whole screen."""

    def __init__(self, file: IO[str] | None) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Writes a line with the time of day, and lines below it without."""
        print(f"{datetime.now():%H:%M:%S} {text}", file=self._file or sys.stderr, flush=True)


class Session:
    """One program that runs until the user quits it."""

    def __init__(self, package: Path, arguments: Sequence[str], toolchain: Toolchain, config: Config) -> None:
        if config.live is None:
            raise UsageError("swiftmodules.toml has no section [live], which says what a module entry is.")
        self._live: Live = config.live
        self._config = config
        self._folder = package
        self._arguments = arguments
        self._toolchain = toolchain
        self._package = read_package(package, toolchain)
        self._flags = Flags.of(sys.platform)
        self._commands = Commands(package, toolchain.environment)
        self._scratch = package / FOLDER
        self._scratch.mkdir(parents=True, exist_ok=True)
        self._build = self._program_build(self._package)
        self._sources = Sources.of(package, self._package)
        self._events: queue.SimpleQueue[Saved | Answer | Ended] = queue.SimpleQueue()
        self._targets: dict[str, LiveTarget] = {}
        # By target, and under the empty name that of the whole build.
        self._problems: dict[str, str] = {}
        # What a build has to take in, after one that failed, or where targets were replaced.
        self._unbuilt: set[Path] = set()
        self._crashes = 0
        self._started = 0.0
        self._terminal = Terminal()
        self._is_restarting = False
        self._resources = ExitStack()

    def run(self) -> int:
        """Runs the program to its end, and returns its exit code."""
        with self._resources:
            self._log = self._opened_log()
            try:
                return self._run()
            finally:
                self._commands.stop()
                if self._terminal.is_full_screen:
                    print(f"The log of this session is in {self._scratch / LOG}.", file=sys.stderr)

    def _run(self) -> int:
        print(f"Building {self._build.program.name} for live edits ...", file=sys.stderr)
        with Watch(self._sources, lambda files: self._events.put(Saved(files))):
            try:
                self._build.build()
            except ProblemError as error:
                raise ToolError(f"{error.details.strip() or error}") from error
            if self._terminal.is_full_screen:
                print(f"While the program runs, the log goes to {self._scratch / LOG}.", file=sys.stderr)
            self._start(None, None)
            self._log.write(f"{self._build.program.name} started")
            try:
                while True:
                    ended = self._step(self._events.get())
                    if ended is not None:
                        return ended
            finally:
                self._app.stop()
                self._terminal.restore()

    def _step(self, event: Saved | Answer | Ended) -> int | None:
        """Does what an event asks for. Returns the exit code where the session has ended."""
        match event:
            case Saved(files):
                self._take(self._sources.settled(files))
            case Ended(process) if process == self._app.process:
                return self._after(event)
            case _:
                pass  # the end of an earlier run, or an answer that came too late
        return None

    # Saves.

    def _take(self, change: Change) -> None:
        if not change:
            return
        began = time.perf_counter()
        self._unbuilt |= {self._folder / file for file in change.files}
        package = self._package
        if change.added or change.removed or any(len(file.parts) == 1 for file in change.files):
            package = self._package = self._read_package() or package
            self._build = self._program_build(package)
        chosen = plan(change, package, self._roles(package), self._live.restart)
        if "" in self._problems and chosen is not None:
            chosen = Restart("the last build failed")
        match chosen:
            case Replacement(files):
                self._replace(files, began)
            case Restart(reason):
                self._rebuild(reason)

    def _read_package(self) -> Package | None:
        """The package as it is now; None while its manifest has a mistake, which the build reports."""
        try:
            return read_package(self._folder, self._toolchain)
        except ToolError:
            return None

    def _replace(self, changed: Mapping[str, frozenset[Path]], began: float) -> None:
        compiled: list[_Compiled] = []
        for name, files in changed.items():
            try:
                found = self._compiled(name, files)
            except ProblemError as error:
                self._report_problem(name, error)
                continue
            if isinstance(found, Restart):
                return self._rebuild(found.reason)
            compiled.append(found)
        if len(compiled) < len(changed):
            return None
        for each in compiled:
            self._hand_over(each, began)
        return None

    def _compiled(self, name: str, files: frozenset[Path]) -> _Compiled | Restart:
        target = self._targets.get(name) or self._new_target(name)
        if target is None:
            return Restart(f"{name} has no command to compile it, or not one module entry")
        self._targets[name] = target
        start = time.perf_counter()
        target.compile([self._folder / file for file in files], self._commands, self._folder)
        compiled = time.perf_counter()
        foreign = target.foreign_conformances()
        if foreign:
            return Restart(f"{name} declares a conformance for a type of another module ({foreign[0]})")
        library = target.link(self._flags, self._commands, self._folder)
        return _Compiled(target, library, files, compiled - start, time.perf_counter() - compiled)

    def _new_target(self, name: str) -> LiveTarget | None:
        recorded = self._build.commands().get(name)
        role, target = self._roles(self._package).get(name), self._package.target(name)
        if recorded is None or role is None or target is None:
            return None
        options = dict.fromkeys(target.sources, self._package.parser_options(target))
        sources = read_files(self._folder, options, self._toolchain, cache=cache_folder(), name=name)
        entry = module_entry(sources.values(), role.rule.entry)
        if entry is None:
            return None
        return LiveTarget(name, recorded, self._scratch, self._live, entry, self._toolchain)

    def _hand_over(self, compiled: _Compiled, began: float) -> None:
        self._app.replace(compiled.library)
        answer = self._answer()
        if answer is None:
            return
        name = compiled.target.name
        if answer.error is not None or answer.seconds is None:
            self._report_problem(name, ProblemError(f"{self._shown(name)} was not replaced: {answer.error}"))
            return
        self._crashes = 0
        seconds = time.perf_counter() - began
        phases = f"compile {compiled.compile_seconds:.2f}, link {compiled.link_seconds:.2f}, load {answer.seconds:.2f}"
        files = ", ".join(sorted(file.name for file in compiled.files))
        text = f"{self._shown(name)} replaced in {seconds:.2f} s ({phases}): {files}"
        self._clear_problems(name)
        self._log.write(text)
        self._app.notify(text)

    def _answer(self) -> Answer | None:
        """The answer to a replacement; None where the program ended instead, or does not answer. What else comes
        meanwhile waits."""
        waiting: list[Saved | Ended] = []
        deadline = time.monotonic() + _ANSWER_SECONDS
        try:
            while True:
                event = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
                if isinstance(event, Answer):
                    return event
                waiting.append(event)
                if isinstance(event, Ended) and event.process == self._app.process:
                    return None
        except queue.Empty:
            return Answer(error="The program does not answer.")
        finally:
            for each in waiting:
                self._events.put(each)

    def _shown(self, target: str) -> str:
        role = self._roles(self._package).get(target)
        return role.module if role and role.module else target

    # Builds, restarts, and the end.

    def _rebuild(self, reason: str) -> None:
        """Builds while the program goes on, and restarts it."""
        self._app.notify(f"Building: {reason}")
        self._log.write(f"Building: {reason}")
        start = time.perf_counter()
        # Where the user has quit meanwhile, or the program crashed, that comes next.
        if not self._is_built() or self._app.has_ended:
            return
        self._is_restarting = True
        self._app.stop()
        self._is_restarting = False
        snapshot = self._app.snapshot
        text = f"Restarted after {time.perf_counter() - start:.1f} s: {reason}"
        self._start(snapshot, text)
        self._log.write(text)

    def _is_built(self) -> bool:
        """Whether the program was built with everything that was saved."""
        try:
            self._build.build(sorted(self._unbuilt))
        except ProblemError as error:
            self._report_problem("", error)
            return False
        self._unbuilt.clear()
        self._targets.clear()
        self._problems.clear()
        return True

    def _start(self, snapshot: str | None, notice: str | None) -> None:
        with (self._scratch / _ERRORS).open("wb") as file:
            errors = file if self._terminal.is_full_screen else None
            self._app = Application(self._build.program, self._arguments, errors, self._hear)
        self._started = time.monotonic()
        self._app.resume(snapshot, notice)
        for problem in self._problems.values():
            self._app.show_problem(problem)

    def _hear(self, event: Answer | Ended) -> None:
        """Takes what a thread of the program reports."""
        if isinstance(event, Ended) and not event.is_crash and not self._is_restarting:
            # The user has quit, and waits for no build.
            self._commands.stop()
        self._events.put(event)

    def _after(self, ended: Ended) -> int | None:
        if not ended.is_crash:
            self._print_errors(ended)
            return ended.exit_code
        self._terminal.restore()
        if time.monotonic() - self._started > _SETTLED_SECONDS:
            self._crashes = 0
        self._crashes += 1
        number = -ended.status
        if self._crashes >= _CRASHES_IN_A_ROW:
            self._print_errors(ended)
            text = f"{self._build.program.name} crashed {self._crashes} times in a row (signal {number})."
            self._log.write(text)
            if self._terminal.is_full_screen:
                print(text, file=sys.stderr)
            return ended.exit_code
        self._log.write(f"{self._build.program.name} crashed (signal {number})")
        # What was replaced is not in the program on disk.
        if self._unbuilt:
            self._is_built()
        text = f"Restarted after a crash (signal {number})"
        self._start(self._app.snapshot, text)
        self._log.write(text)
        return None

    def _print_errors(self, ended: Ended) -> None:
        """Prints what a program with the whole screen wrote to standard error, where it did not end well."""
        if self._terminal.is_full_screen and ended.status != 0:
            self._terminal.restore()
            sys.stderr.write((self._scratch / _ERRORS).read_text(errors="replace"))

    # Problems.

    def _report_problem(self, target: str, error: ProblemError) -> None:
        self._problems[target] = str(error)
        self._log.write(f"{error}\n{error.details.rstrip()}" if error.details else f"{error}")
        self._app.show_problem(str(error))

    def _clear_problems(self, target: str) -> None:
        if self._problems.pop(target, None) is not None:
            self._app.show_problem(next(iter(self._problems.values()), None))

    def _roles(self, package: Package) -> Mapping[str, Role]:
        naming = [*self._config.targets] or [*Naming().rules]
        return roles([each.name for each in package.targets], naming)

    def _program_build(self, package: Package) -> ProgramBuild:
        program = application_of(package)
        if program is None:
            raise UsageError("A live session needs a package with one executable target.")
        return ProgramBuild(self._folder, program.name, self._scratch, self._toolchain, self._flags, self._commands)

    def _opened_log(self) -> _Log:
        if not self._terminal.is_full_screen:
            return _Log(None)
        return _Log(self._resources.enter_context((self._scratch / LOG).open("w", encoding="utf-8")))
