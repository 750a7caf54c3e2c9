"""The screen of a program: edits that change a text on it, the way to it, and live sessions that replace modules."""

from __future__ import annotations

import shutil
import sys
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import msgspec
import psutil

from swiftmodules.builds.conditions import ConditionsWatch
from swiftmodules.builds.recorder import messages
from swiftmodules.builds.terminal import ProgramInTerminal
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import Key, file_module, place
from swiftmodules.edits.placement import Insertion, NoPlaceError, Placement, numbered
from swiftmodules.edits.site import Site
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.layouts.layout import GeneratedFile
from swiftmodules.live.build import Flags, ProgramBuild
from swiftmodules.live.command import Commands
from swiftmodules.live.compile import LiveTarget
from swiftmodules.live.implementations import Implementations
from swiftmodules.live.session import FOLDER, REPLACEMENTS
from swiftmodules.measure.plan import Step
from swiftmodules.measure.record import BY_HAND, SCREEN, Sample
from swiftmodules.measure.samples import sample_of
from swiftmodules.measure.subject import Subject
from swiftmodules.process import Finished
from swiftmodules.swiftpm.config import NAMES, Config, Shown, config_file
from swiftmodules.swiftpm.modules import Module, roles
from swiftmodules.swiftpm.package import read_package

_COLUMNS, _ROWS = 120, 40
# On the screen after an edit of this number, and after no other.
_MARKER = "<{n}>"
_TOOL = str(Path(__file__).parents[2])
# The first build of 160 copies, and anything else.
_BUILD_SECONDS, _PATIENCE_SECONDS = 3600.0, 120.0
# A session that was suspended looks at its files first.
_WAKING_SECONDS = 0.3


@dataclass(frozen=True)
class Screens:
    """The texts on the screens of the program that edits change, and how to come to them."""

    config: Config
    package: Path

    def __post_init__(self) -> None:
        """Raises `UsageError` where the configuration has none."""
        if self.config.measure.screens is None:
            raise UsageError(
                "--until screen needs the section [measure.screens] of swiftmodules.toml, which says what is looked at "
                "on the screen of the program."
            )

    @property
    def first(self) -> str:
        """A text on the first screen."""
        assert self.config.measure.screens is not None
        return self.config.measure.screens.first

    @property
    def _texts(self) -> tuple[Shown, ...]:
        return self.config.measure.screens.shown if self.config.measure.screens else ()

    def shown(self, placement: Placement) -> Shown:
        """The text that an edit changes besides."""
        assert placement.file is not None
        own = (each for each in self._texts if each.module == placement.module)
        return next(each for each in own if each.file == placement.file.name)

    def place(
        self, edits: Iterable[str], site: Site, modules: Mapping[str, Module]
    ) -> tuple[Mapping[Key, Placement], Mapping[Key, str]]:
        """Places edits in files whose text is on a screen, where each changes the text too."""
        placements: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        for edit, module in ((edit, module) for edit in edits for module in modules.values()):
            texts = [each for each in self._texts if each.module == module.name]
            if not texts:
                missing[edit, module.name] = "[measure.screens] has no text of this module."
            for shown in texts:
                if (edit, module.name) not in placements:
                    try:
                        placements[edit, module.name] = _place(edit, module, shown, site)
                    except NoPlaceError as reason:
                        missing[edit, module.name] = str(reason)
        return placements, {key: reason for key, reason in missing.items() if key not in placements}

    def started(self, words: list[str], environment: Mapping[str, str], folder: Path) -> ProgramInTerminal:
        """Starts a program with the arguments of the configuration."""
        assert self.config.measure.screens is not None
        variables = dict(environment) | {"TERM": "xterm-256color", "PYTHONPATH": _TOOL}
        return ProgramInTerminal([*words, *self.config.measure.screens.arguments], variables, _COLUMNS, _ROWS, folder)

    def go_back(self, program: ProgramInTerminal, shown: Shown, before: str) -> None:
        """Leaves what the keys of a text led to; the first screen may have been visible behind it."""
        if shown.back:
            program.type(shown.back)
            led_to = [text for text, _ in shown.keys if text not in before]
            program.wait_until(lambda: not any(each in program.text for each in led_to), f"go back by {shown.back!r}")
        program.wait_for(self.first)

    def seconds_of_start(self, workspace: Workspace, placement: Placement, number: int) -> float:
        """Starts the program that was built, and returns the seconds until the text of the edit is on its screen."""
        shown, start = self.shown(placement), time.perf_counter()
        program = self.started([str(workspace.program)], workspace.toolchain.environment, workspace.package)
        try:
            program.follow(shown.keys)
            program.wait_for(numbered(_MARKER, number).decode())
            return time.perf_counter() - start
        finally:
            program.stop()


def _place(edit: str, module: Module, shown: Shown, site: Site) -> Placement:
    """Places an edit in the file of a text, with its number before the text."""
    path = next((each for each in module.implementation.sources if each.name == shown.file), None)
    if path is None:
        raise UsageError(f"[measure.screens]: the implementation of {shown.module} has no file {shown.file}.")
    before, found, rest = site.sources[path].text.partition(shown.behind.encode())
    if not found or shown.behind.encode() in rest:
        raise UsageError(f"[measure.screens]: {shown.behind!r} must be in {path} exactly once.")
    text = Insertion(len(before) + len(found), _MARKER)
    if edit == "body":
        # The text stands in a body.
        return Placement(edit, module.name, f"the text behind `{shown.behind}` in {path}", path, (text,))
    placement = place(edit, replace(site, module=file_module(path, site.package)))
    return replace(placement, module=module.name, insertions=(*placement.insertions, text))


class LiveSession:
    """A live session with the package that it watches, and its compiler's commands to run by hand."""

    def __init__(
        self, workspace: Workspace, subject: Subject, screens: Screens, numbers: Iterator[int], is_by_hand: bool
    ) -> None:
        task, layout = screens.config, workspace.layout
        if task.live is None or layout.program is None:
            raise UsageError("the layout 'live' needs the section [live] of swiftmodules.toml, and one executable.")
        self._workspace = workspace
        self._subject = subject
        self._screens = screens
        self._numbers = numbers
        self._is_by_hand = is_by_hand
        self._names = {file.path.name for file in layout.files.values()}
        package, toolchain, flags = workspace.package, workspace.toolchain, Flags.of(sys.platform)
        self._replacements = package / FOLDER / REPLACEMENTS
        if (configuration := config_file(screens.package)) is not None:
            shutil.copy(configuration, package / NAMES[0])
        command = [sys.executable, "-m", "swiftmodules", "live", "--package", str(package), "--"]
        self._terminal = screens.started(command, toolchain.environment, package)
        self._terminal.wait_for(screens.first, _BUILD_SECONDS)
        self._commands = Commands(package, toolchain.environment)
        known = read_package(package, toolchain)
        self._implementations = Implementations(
            package,
            known,
            roles([each.name for each in known.targets], task.targets),
            task.live,
            ProgramBuild(package, layout.program, package / FOLDER, toolchain, flags, self._commands),
            workspace.scratch.with_name("by-hand"),
            flags,
            self._commands,
            toolchain,
        )

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        """Makes an edit in the session, and does its work by hand right after it where that is asked for."""
        placement, edit = self._subject.placements[step.key], next(self._numbers)
        shown = self._screens.shown(placement)
        place = {"round": number, "position": position}
        with self._awake():
            before = self._terminal.text
            self._terminal.follow(shown.keys)
            watch, cpu_seconds = ConditionsWatch(), self._cpu_seconds
            known, start = len(self._replaced), time.perf_counter()
            self._workspace.apply(placement, edit)
            phases: Mapping[str, float] | None = None
            if shown.again:
                phases = self._phases(known)
                self._terminal.type(shown.again)
            self._terminal.wait_for(numbered(_MARKER, edit).decode(), _PATIENCE_SECONDS)
            seconds = time.perf_counter() - start
            phases = phases or self._phases(known)
            cpu_seconds = self._cpu_seconds - cpu_seconds
            conditions = watch.conditions(Finished(0, seconds, cpu_seconds))
            by_hand = self._by_hand(placement) if self._is_by_hand else None
            known = len(self._replaced)
            self._workspace.undo(placement)
            self._phases(known)
            self._screens.go_back(self._terminal, shown, before)
            # To take an edit back compiles what the edit did.
            compiled = self._compiled_by_hand(placement)
        facts: dict[str, Any] = {"seconds": seconds, "cpu_seconds": cpu_seconds, "conditions": conditions, **place}
        phases = {**phases, "rest": max(0.0, seconds - sum(phases.values()))}
        found = [sample_of(step, SCREEN, **facts, compiled=compiled, phases=phases)]
        return found + ([sample_of(step, BY_HAND, seconds=by_hand, **place)] if by_hand else [])

    def close(self) -> None:
        if not self._terminal.is_closed:
            if not self._terminal.has_ended:
                self._resume()
            self._terminal.stop()

    @contextmanager
    def _awake(self) -> Iterator[None]:
        """Lets the session run meanwhile. At other times it is suspended, because it looks at its files every two
        seconds, which would disturb the samples of others."""
        self._resume()
        time.sleep(_WAKING_SECONDS)
        yield
        # The session first: one that sees the program stopped, and continues later, would stop both once more.
        self._terminal.suspend()
        for each in self._processes[1:]:
            each.suspend()

    def _resume(self) -> None:
        # The program first: a session that finds it stopped stops too, as a shell has it.
        for each in reversed(self._processes):
            each.resume()

    @property
    def _cpu_seconds(self) -> float:
        """The processor time of the session with its program, and of all that they have waited for."""
        # User and system, own and of children.
        return float(sum(sum(each.cpu_times()[:4]) for each in self._processes))

    @property
    def _processes(self) -> list[psutil.Process]:
        session = psutil.Process(self._terminal.process)
        return [session, *session.children(recursive=True)]

    @property
    def _replaced(self) -> list[bytes]:
        """The lines that the session has written, one for each replacement."""
        text = self._replacements.read_bytes() if self._replacements.exists() else b""
        return text.splitlines()[: text.count(b"\n")]

    def _phases(self, known: int) -> dict[str, float]:
        """Waits for the replacement after so many, and returns the seconds of its parts."""
        self._terminal.wait_until(lambda: len(self._replaced) > known, "replace the module", _PATIENCE_SECONDS)
        return msgspec.json.decode(self._replaced[known], type=dict[str, float])

    def _by_hand(self, placement: Placement) -> float:
        """Compiles and links the module as it stands, with the commands of the session, and returns the seconds."""
        target, package = self._target(placement), self._workspace.package
        start = time.perf_counter()
        target.compile([package / self._file(placement).path], self._commands, package)
        target.link(Flags.of(sys.platform), self._commands, package)
        return time.perf_counter() - start

    def _compiled_by_hand(self, placement: Placement) -> int:
        """Compiles the module as it stands, and returns how many files that took, without the one of the session."""
        target, package = self._target(placement), self._workspace.package
        text = target.compile([package / self._file(placement).path], self._commands, package, ["-parseable-output"])
        jobs = [job for _, job in messages(text.encode()) if (job["kind"], job["name"]) == ("began", "compile")]
        return sum(Path(job["inputs"][0]).name in self._names for job in jobs)

    def _file(self, placement: Placement) -> GeneratedFile:
        assert placement.file is not None
        return self._workspace.layout.files[placement.file]

    def _target(self, placement: Placement) -> LiveTarget:
        """The module of an edit, compiled as it stands, apart from the session."""
        name = self._file(placement).target
        target = self._implementations.target(name)
        if target is None:
            raise ToolError(f"{name} has no command to compile it, or not one module entry.")
        return target
