"""The loop of a session: it takes saves, and answers and ends of the program, and replaces modules or restarts it."""

from __future__ import annotations

import queue
import signal
import sys
import time
from collections.abc import Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from swiftmodules.builds.lock import locked
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.interrupts import deferred
from swiftmodules.live.application import Answer, Application, Ended, Event, RestartRequested, StartedFresh, Terminal
from swiftmodules.live.build import ProgramBuild
from swiftmodules.live.command import Commands, ProblemError
from swiftmodules.live.implementations import FAILURES, Implementations
from swiftmodules.live.plan import Replaced, Restart, plan
from swiftmodules.live.watch import Change, Watched, watching
from swiftmodules.swiftpm.config import Config, Live
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.toolchain import Toolchain

_CRASHES_IN_A_ROW = 3
# A crash of a program that ran for longer begins a new row.
_SETTLED_SECONDS = 10.0
_ANSWER_SECONDS = 10.0
# A program that does not respond for so much longer is restarted.
_SILENT_SECONDS = 20.0
# Relative to the folder of the package.
FOLDER = Path(".build/live")
LOG = "session.log"
_ERRORS = "errors.log"
# The name of a problem of the run, which is shown until the next change.
_RUN = "."
_LOCK = "lock"


@dataclass(frozen=True)
class Saved:
    """Files may have been saved: it is time to look."""


class Session:
    """One program that runs until the user quits it."""

    def __init__(
        self, package: Path, arguments: Sequence[str], toolchain: Toolchain, config: Config, program: str | None = None
    ) -> None:
        """`program` names the executable target where the package may have several."""
        if config.live is None:
            raise UsageError("swiftmodules.toml has no section [live], which names the protocol of module entries.")
        self._live: Live = config.live
        self._config = config
        self._folder = package
        self._arguments = arguments
        self._commands = Commands(package, toolchain)
        self._wanted = program
        self._read_package()
        self._scratch = package / FOLDER
        self._log = self._scratch / LOG
        self._prepare_builds()
        self._sources = Watched.of(package, self._package)
        self._events: queue.SimpleQueue[Saved | Event] = queue.SimpleQueue()
        # The changes that do not run yet, each with the files that were saved together.
        self._unfinished: list[Replaced] = []
        # The problems by target; a problem of the whole build has the empty name.
        self._problems: dict[str, str] = {}
        # The saved files that are not in the program on disk, after a failed build or a replacement.
        self._unbuilt: set[Path] = set()
        self._crashes = 0
        # When the program started; zero before.
        self._started = 0.0
        # When a program that does not respond is restarted.
        self._limit: float | None = None
        self._terminal = Terminal()
        self._is_restarting = False

    def run(self) -> int:
        """Runs the program to its end, and returns its exit code."""
        with (
            locked(self._scratch / _LOCK, "showing edits of this package live"),
            (self._scratch / _ERRORS).open("wb") as self._errors,
        ):
            self._log.write_bytes(b"")
            try:
                return self._run()
            finally:
                self._commands.stop()
                print(f"The log of this session is in {self._log}.", file=sys.stderr)

    def _run(self) -> int:
        print(f"Building {self._program} for live edits ...", file=sys.stderr)
        with watching(self._sources, lambda: self._events.put(Saved())):
            try:
                self._build.build(shows_output=True)
            except ProblemError as error:
                raise ToolError(f"{error}") from error
            try:
                self._start(None, None)
                self._write(f"{self._program} started")
                while True:
                    self._implementations.prepare(is_interrupted=lambda: not self._events.empty())
                    ended = self._step(self._next())
                    if ended is not None:
                        return ended
            finally:
                if self._started:
                    self._app.stop()
                self._terminal.restore()

    def _next(self) -> Saved | Event:
        """The next event, which is a restart where the program does not respond for too long."""
        try:
            return self._events.get(timeout=self._limit and max(0.0, self._limit - time.monotonic()))
        except queue.Empty:
            return RestartRequested(f"{self._program} did not respond")

    def _step(self, event: Saved | Event) -> int | None:
        """Handles an event. Returns the exit code when the session has ended."""
        match event:
            case Saved():
                self._take(self._sources.settled())
            case Ended(process) if process == self._app.process:
                return self._after(event)
            case StartedFresh(what, reason):
                text = f"{what} starts fresh: its state cannot be read"
                self._report_problem(_RUN, ProblemError(text, reason))
            case RestartRequested(reason):
                self._limit = None
                self._rebuild(reason)
            case Answer():
                self._limit = None  # it came too late
            case _:
                pass  # the end of an earlier run
        return None

    # Saves.

    def _take(self, change: Change) -> None:
        if not change:
            return
        began = time.perf_counter()
        self._clear_problems([_RUN])
        self._unbuilt |= {self._folder / file for file in change.files}
        if change.added or change.removed or any(len(file.parts) == 1 for file in change.files):
            # A mistake in the manifest is reported by the build.
            with suppress(ToolError, OSError):
                self._read_package()
                self._sources.follow(self._package)
            self._prepare_builds()
        chosen = plan(change, self._package, self._live.restart)
        if "" in self._problems and chosen:
            chosen = Restart("the last build failed")
        if isinstance(chosen, Restart):
            self._rebuild(chosen.reason)
        elif chosen:
            self._replace(self._with_unfinished(chosen), began)
        self._sources.forget_written()

    def _read_package(self) -> None:
        """Reads the present package, with the targets of the program only. Raises `ToolError`."""
        package = read_package(self._folder, self._commands.toolchain, self._config.names)
        program = package.target(self._wanted) if self._wanted else package.application
        if program is None:
            raise UsageError("A live session needs a package with one executable target.")
        self._package, self._program = package.program(program.name), program.name

    def _with_unfinished(self, changed: Replaced) -> Replaced:
        """The changed files, with the files that were saved together with the same targets and do not run yet."""
        tied = [each for each in self._unfinished if each.keys() & changed.keys()]
        self._unfinished = [each for each in self._unfinished if each not in tied]
        names = {name for each in (*tied, changed) for name in each}
        return {name: frozenset().union(*(each.get(name, ()) for each in (*tied, changed))) for name in sorted(names)}

    def _replace(self, changed: Replaced, began: float) -> None:
        """Replaces the modules of targets together, or none of them."""
        if not self._build.program.exists():
            self._prepare_builds()
            return self._rebuild("what was built is gone")
        libraries: dict[str, Path] = {}
        problems: dict[str, Exception] = {}
        for name, files in changed.items():
            try:
                found = self._implementations.library(name, files)
            except FAILURES as error:
                problems[name] = error
                continue
            if isinstance(found, Restart):
                return self._rebuild(found.reason)
            libraries[name] = found
        if not problems:
            answer = self._answer(self._app.replace([*libraries.values()]))
            if answer is None:
                return None
            if answer.error is None:
                self._clear_problems(changed)
                unused = [name for name, library in libraries.items() if str(library) in answer.unused]
                return self._report_replaced(changed, unused, time.perf_counter() - began)
            shown = ", ".join(map(self._shown, changed))
            problems[next(iter(changed))] = ProblemError(f"{shown} not replaced: {answer.error}")
        self._unfinished.append(changed)
        self._clear_problems(changed.keys() - problems)
        for name, problem in problems.items():
            self._report_problem(name, problem)
        return None

    def _report_replaced(self, changed: Replaced, unused: Collection[str], seconds: float) -> None:
        self._crashes = 0
        for name in unused:
            self._notify(f"{name} is not used by this run, and is kept for the next build: {_names(changed[name])}")
        used = [name for name in changed if name not in unused]
        if used:
            shown = ", ".join(map(self._shown, used))
            files = _names(file for name in used for file in changed[name])
            self._notify(f"{shown} replaced in {seconds:.2f} s: {files}", "positive")
            if variables := [each for name in used for each in self._implementations.variables(name)]:
                self._notify(f"Warning: reset to their initial values: {', '.join(variables)}")

    def _write(self, text: str) -> None:
        """Logs a line with the time of day, and lines below it without."""
        # The disk may be full.
        with suppress(OSError), self._log.open("a", encoding="utf-8") as log:
            print(f"{datetime.now():%H:%M:%S} {text}", file=log)

    def _notify(self, text: str, role: str = "warning") -> None:
        """Shows a notice in the program, and logs it."""
        self._write(text)
        self._app.notify(text, role)

    def _answer(self, number: int) -> Answer | None:
        """The answer to a replacement; None where the program ended instead. Other events wait meanwhile."""
        waiting: list[Saved | Event] = []
        deadline = time.monotonic() + _ANSWER_SECONDS
        try:
            while True:
                event = self._events.get(timeout=max(0.0, deadline - time.monotonic()))
                if isinstance(event, Answer):
                    self._limit = None
                    if event.number == number:
                        return event
                    continue  # it came too late
                waiting.append(event)
                if isinstance(event, Ended) and event.process == self._app.process:
                    return None
        except queue.Empty:
            self._limit = self._limit or time.monotonic() + _SILENT_SECONDS
            return Answer(number, error=f"The program does not respond. In {_SILENT_SECONDS:.0f} s it is restarted.")
        finally:
            for each in waiting:
                self._events.put(each)

    def _shown(self, target: str) -> str:
        return self._package.naming(target).module or target

    # Builds, restarts, and the end.

    def _rebuild(self, reason: str) -> None:
        """Builds while the program continues to run, and restarts it."""
        self._notify(f"Building: {reason}", "accent")
        start = time.perf_counter()
        # When the user has quit or the program has crashed meanwhile, that event comes next.
        if not self._is_built() or self._app.has_ended:
            return
        self._is_restarting = True
        # A program that restores the terminal would show what the user types meanwhile.
        self._app.stop(at_once=True)
        self._terminal.restore(hides_input=True)
        self._is_restarting = False
        snapshot = self._app.snapshot
        text = f"Restarted after {time.perf_counter() - start:.1f} s: {reason}"
        self._start(snapshot, text)
        self._write(text)

    def _is_built(self) -> bool:
        """Whether the program was built with everything that was saved."""
        try:
            self._build.build(sorted(self._unbuilt))
        except FAILURES as error:
            self._report_problem("", error)
            return False
        self._unbuilt.clear()
        self._unfinished.clear()
        self._implementations.forget()
        self._problems.clear()
        return True

    def _start(self, snapshot: str | None, notice: str | None) -> None:
        program, self._limit = self._build.program, None
        with deferred():
            self._app = Application(program, self._arguments, self._errors, self._hear)
            self._started = time.monotonic()
        self._app.resume(snapshot, notice)
        for problem in self._problems.values():
            self._app.show_problem(problem)

    def _hear(self, event: Event) -> None:
        """Takes what a thread of the program reports."""
        if isinstance(event, Ended) and not event.is_crash and not self._is_restarting:
            # The user has quit, and waits for no build.
            self._commands.stop()
        self._events.put(event)

    def _after(self, ended: Ended) -> int | None:
        if not ended.is_crash:
            self._print_errors(ended)
            if ended.status < 0:
                print(f"{self._program} was ended by {signal.Signals(-ended.status).name}.", file=sys.stderr)
            return ended.exit_code
        self._terminal.restore(hides_input=True)
        if time.monotonic() - self._started > _SETTLED_SECONDS:
            self._crashes = 0
        self._crashes += 1
        number = -ended.status
        if self._crashes >= _CRASHES_IN_A_ROW:
            self._print_errors(ended)
            text = f"{self._program} crashed {self._crashes} times in a row (signal {number})."
            self._write(text)
            print(text, file=sys.stderr)
            return ended.exit_code
        self._write(f"{self._program} crashed (signal {number})")
        # The replaced modules are not in the program on disk.
        if self._unbuilt:
            self._is_built()
        self._start(self._app.snapshot, None)
        text = f"Restarted after a crash (signal {number}); see {FOLDER / _ERRORS}"
        self._report_problem(_RUN, ProblemError(text))
        return None

    def _print_errors(self, ended: Ended) -> None:
        """Prints what the program wrote to standard error, where it did not end well."""
        if ended.status != 0:
            self._terminal.restore()
            sys.stderr.write((self._scratch / _ERRORS).read_text(errors="replace"))

    # Problems.

    def _report_problem(self, target: str, error: Exception) -> None:
        found = error if isinstance(error, ProblemError) else ProblemError(*str(error).split("\n", 1))
        self._problems[target] = str(found)
        self._write(f"{found}\n{found.details.rstrip()}" if found.details else f"{found}")
        self._app.show_problem(str(found))

    def _clear_problems(self, targets: Collection[str]) -> None:
        known = self._problems.keys() & targets
        for target in known:
            del self._problems[target]
        if known:
            self._app.show_problem(next(iter(self._problems.values()), None))

    def _prepare_builds(self) -> None:
        """Prepares builds of the present package."""
        self._build = ProgramBuild(self._program, self._package, self._scratch, self._commands)
        self._implementations = Implementations(self._package, self._live, self._build, self._commands)


def _names(files: Iterable[Path]) -> str:
    return ", ".join(sorted(file.name for file in files))
