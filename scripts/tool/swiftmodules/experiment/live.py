"""`measure live`: times the way from a save to the changed text on the screen, live, and by a build and a restart."""

from __future__ import annotations

import re
import shutil
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from pathlib import Path

import msgspec
import psutil

from swiftmodules.builds.conditions import ConditionsWatch
from swiftmodules.process import Finished
from swiftmodules.builds.recorder import messages
from swiftmodules.builds.terminal import ProgramInTerminal
from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import Key, file_module, place
from swiftmodules.edits.placement import Insertion, NoPlaceError, Placement, numbered
from swiftmodules.edits.site import Site
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.experiment.runner import Step, Task, sample_of
from swiftmodules.experiment.scale import ScaleRunner, Size, replica_subjects
from swiftmodules.experiment.subject import Subject
from swiftmodules.layouts.generate import INTERFACE, make_layout
from swiftmodules.layouts.layout import GeneratedFile, Layout
from swiftmodules.live.build import Flags, ProgramBuild
from swiftmodules.live.command import Commands
from swiftmodules.live.compile import LiveTarget
from swiftmodules.live.implementations import Implementations
from swiftmodules.live.session import FOLDER, LOG
from swiftmodules.records.kinds import LIVE, LiveOptions, LiveRecord, MeasuredSize
from swiftmodules.records.model import Cell, CleanBuild, Sample
from swiftmodules.swiftpm.config import NAMES, Shown, config_file
from swiftmodules.swiftpm.modules import Module, roles
from swiftmodules.swiftpm.package import read_package

_COLUMNS, _ROWS = 120, 40
# On the screen after an edit of this number, and after no other.
_MARKER = "<{n}>"
# Where this tool is, for a session.
_TOOL = str(Path(__file__).parents[2])
# The first build of 160 copies, and anything else.
_BUILD_SECONDS, _PATIENCE_SECONDS = 3600.0, 120.0
# A session that was suspended looks at its files first.
_WAKING_SECONDS = 0.3
_SECONDS = r"(?P<{}>\d+\.\d+)"
_PHASES = ", ".join(f"{name} {_SECONDS.format(name)}" for name in ("compile", "link", "load"))
_REPLACED = re.compile(rf"replaced in \d+\.\d+ s \({_PHASES}\)")


def measure(options: LiveOptions, task: Task) -> LiveRecord:
    """Measures the sizes that fit into the budget, writes the record, and returns it."""
    return _LiveRunner(task, LiveRecord, options).run()


class _LiveRunner(ScaleRunner[LiveRecord, LiveOptions]):
    def measure(self) -> None:
        if self.task.config.live is None or self.task.config.measure.screens is None:
            raise UsageError(
                "'measure live' needs the sections [live] and [measure.screens] of swiftmodules.toml, which say how a "
                "module reaches the running program, and what is looked at on its screen."
            )
        self.screens = self.task.config.measure.screens
        with ExitStack() as self.sessions:
            super().measure()

    def fits(self, size: int) -> bool:
        # Replacements take little time at any size.
        return self.layouts_of(size) == (LIVE,) or super().fits(size)

    def layouts_of(self, size: int) -> tuple[str, ...]:
        return self.options.layouts_at(size)

    def subjects(self) -> Callable[[int], Subject]:
        return replica_subjects(self.task, self.folder, self.options.edits, self._places)

    def size(self, subject: Subject, measured: MeasuredSize, is_first: bool) -> Size:
        return _LiveSize(self, subject, measured, is_first)

    def shown(self, placement: Placement) -> Shown:
        """The text that an edit changes besides."""
        assert placement.file is not None
        found = (each for each in self.screens.shown if _is_of(each, placement.module or ""))
        return next(each for each in found if each.file == placement.file.name)

    def _places(
        self, edits: Iterable[str], site: Site, modules: Mapping[str, Module]
    ) -> tuple[Mapping[Key, Placement], Mapping[Key, str]]:
        """Places edits in files whose text is on a screen, where each changes the text too."""
        placements: dict[Key, Placement] = {}
        missing: dict[Key, str] = {}
        for edit in edits:
            for module in modules.values():
                for shown in self.screens.shown:
                    if (edit, module.name) not in placements and _is_of(shown, module.name):
                        try:
                            placements[edit, module.name] = _place(edit, module, shown, site)
                        except NoPlaceError as reason:
                            missing[edit, module.name] = str(reason)
        return placements, {key: reason for key, reason in missing.items() if key not in placements}


def _is_of(shown: Shown, module: str) -> bool:
    """Whether a text is one of a module, or of the first copy of the module that is copied."""
    return module in (shown.module, f"{shown.module}1")


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


class _LiveSize(Size):
    """One size: a live session, and the layouts that are built again."""

    def __init__(self, run: _LiveRunner, subject: Subject, measured: MeasuredSize, is_first: bool) -> None:
        self._live_run = run
        self._folder = run.folder / f"size-{measured.size}"
        self._sessions: dict[str, _LiveProgram] = {}
        super().__init__(run, subject, measured, is_first)

    @property
    def layouts(self) -> list[Layout]:
        return [*super().layouts, *(session.workspace.layout for session in self._sessions.values())]

    def build(self, name: str, layout: str) -> None:
        if layout != LIVE:
            return super().build(name, layout)
        subject, task = self.subject, self._live_run.task
        task.view.stage(f"Starting the session '{name}'")
        made = make_layout(INTERFACE, subject.package, subject.sources, subject.pairs)
        start = time.perf_counter()
        session = self._sessions[name] = _LiveProgram(made, self._folder / name, self._live_run)
        seconds = time.perf_counter() - start
        self.built.clean_builds[name] = CleanBuild(made.target_count, len(made.files), seconds, session.cpu_seconds)
        return None

    def warm_up(self) -> None:
        if self.built.workspaces:
            super().warm_up()
        for name, session in self._sessions.items():
            for cell in self.subject.cells([name]):
                with session.awake():
                    self._replaced(session, cell, 0, 0)

    def step(self, cell: Cell) -> Step:
        def take(number: int, position: int) -> Sample:
            session = self._sessions.get(cell.layout)
            if session is not None:
                with session.awake():
                    return self._replaced(session, cell, number, position)
            return self._restarted(cell, number, position)

        return Step(f"{self.size}: {cell.name}", take, lambda entry: (entry.size, entry.cell) == (self.size, cell))

    def _replaced(self, session: _LiveProgram, cell: Cell, number: int, position: int) -> Sample:
        """An edit in a live session."""
        placement, edit = self.subject.placements[cell.edit or "", cell.module], next(self.built.numbers)
        shown = self._live_run.shown(placement)
        session.terminal.follow(shown.keys)
        watch, cpu_seconds = ConditionsWatch(), session.cpu_seconds
        start = time.perf_counter()
        session.workspace.apply(placement, edit)
        phases = None
        if shown.again:
            phases = session.phases()
            session.terminal.type(shown.again)
        session.terminal.wait_for(numbered(_MARKER, edit).decode(), _PATIENCE_SECONDS)
        seconds = time.perf_counter() - start
        phases = phases or session.phases()
        cpu_seconds = session.cpu_seconds - cpu_seconds
        conditions = watch.conditions(Finished(0, seconds, cpu_seconds, None, None))
        by_hand = session.by_hand(placement)
        session.workspace.undo(placement)
        session.phases()
        if shown.back:
            session.terminal.type(shown.back)
        session.terminal.wait_for(self._live_run.screens.first)
        return Sample(
            **cell._asdict(),
            round=number,
            position=position,
            size=self.size,
            seconds=seconds,
            cpu_seconds=cpu_seconds,
            # To take an edit back compiles what the edit did.
            compiled=session.compiled_by_hand(placement),
            conditions=conditions,
            by_hand_seconds=by_hand,
            phases=phases | {"rest": max(0.0, seconds - sum(phases.values()))},
        )

    def _restarted(self, cell: Cell, number: int, position: int) -> Sample:
        """A build after an edit, the start of the program, and the way to its screen."""
        placement, edit = self.subject.placements[cell.edit or "", cell.module], next(self.built.numbers)
        shown = self._live_run.shown(placement)
        with self.built.workspaces[cell.layout].edited(placement, edit) as build:
            start = time.perf_counter()
            program = _start([str(self.built.workspaces[cell.layout].program)], self._live_run)
            program.follow(shown.keys)
            program.wait_for(numbered(_MARKER, edit).decode())
            seconds = time.perf_counter() - start
            program.stop()
        more = {"size": self.size, "compiled": len(build.work.compiled)}
        sample = sample_of(build, cell, number, position, more)
        phases = {"build": build.seconds, "start": seconds}
        return msgspec.structs.replace(sample, seconds=build.seconds + seconds, phases=phases)


def _start(arguments: list[str], run: _LiveRunner) -> ProgramInTerminal:
    """Starts a program with the arguments of the configuration."""
    environment = dict(run.task.toolchain.environment) | {"TERM": "xterm-256color", "PYTHONPATH": _TOOL}
    return ProgramInTerminal([*arguments, *run.screens.arguments], environment, _COLUMNS, _ROWS)


class _LiveProgram:
    """A live session with the package that it watches, and its compiler's commands to run by hand."""

    def __init__(self, layout: Layout, folder: Path, run: _LiveRunner) -> None:
        task = run.task
        assert task.config.live is not None
        assert layout.program is not None
        self.workspace = Workspace(layout, folder, task.toolchain)
        self._names = {file.path.name for file in layout.files.values()}
        package, flags = self.workspace.package, Flags.of(sys.platform)
        self._folder = package / FOLDER
        self._read = 0
        configuration = config_file(task.package)
        if configuration is not None:
            shutil.copy(configuration, package / NAMES[0])
        self.terminal = _start([sys.executable, "-m", "swiftmodules", "live", "--package", str(package), "--"], run)
        run.sessions.callback(self._stop)
        self.terminal.wait_for(run.screens.first, _BUILD_SECONDS)
        self._commands = Commands(package, task.toolchain.environment)
        known = read_package(package, task.toolchain)
        self._implementations = Implementations(
            package,
            known,
            roles([each.name for each in known.targets], task.config.targets),
            task.config.live,
            ProgramBuild(package, layout.program, self._folder, task.toolchain, flags, self._commands),
            folder / "by-hand",
            flags,
            self._commands,
            task.toolchain,
        )

    @contextmanager
    def awake(self) -> Iterator[None]:
        """Lets the session run meanwhile. At other times it is suspended, because it looks at its files every two
        seconds, which would disturb the samples of other sessions."""
        for each in self._processes:
            each.resume()
        time.sleep(_WAKING_SECONDS)
        yield
        for each in self._processes:
            each.suspend()

    @property
    def cpu_seconds(self) -> float:
        """The processor time of the session with its program, and of all that they have waited for."""
        # User and system, own and of children.
        return float(sum(sum(each.cpu_times()[:4]) for each in self._processes))

    @property
    def _processes(self) -> list[psutil.Process]:
        session = psutil.Process(self.terminal.process)
        return [session, *session.children(recursive=True)]

    def _stop(self) -> None:
        for each in self._processes:
            each.resume()
        self.terminal.stop()

    def phases(self) -> dict[str, float]:
        """Waits for the next replacement in the log, and returns the seconds of its parts."""
        found: list[re.Match[str]] = []

        def is_replaced() -> bool:
            found.extend(_REPLACED.finditer((self._folder / LOG).read_text(encoding="utf-8"), self._read))
            return bool(found)

        self.terminal.wait_until(is_replaced, "replace the module", _PATIENCE_SECONDS)
        self._read = found[0].end()
        return {name: float(seconds) for name, seconds in found[0].groupdict().items()}

    def by_hand(self, placement: Placement) -> float:
        """Compiles and links the module as it stands, with the commands of the session, and returns the seconds."""
        target, package = self._target(placement), self.workspace.package
        start = time.perf_counter()
        target.compile([package / self._file(placement).path], self._commands, package)
        target.link(Flags.of(sys.platform), self._commands, package)
        return time.perf_counter() - start

    def compiled_by_hand(self, placement: Placement) -> int:
        """Compiles the module as it stands, and returns how many files that took, without the one of the session."""
        target, package = self._target(placement), self.workspace.package
        file = package / self._file(placement).path
        text = target.compile([file], self._commands, package, ["-parseable-output"])
        jobs = [job for _, job in messages(text.encode()) if (job["kind"], job["name"]) == ("began", "compile")]
        return sum(Path(job["inputs"][0]).name in self._names for job in jobs)

    def _file(self, placement: Placement) -> GeneratedFile:
        assert placement.file is not None
        return self.workspace.layout.files[placement.file]

    def _target(self, placement: Placement) -> LiveTarget:
        """The module of an edit, compiled as it stands, apart from the session."""
        name = self._file(placement).target
        target = self._implementations.target(name)
        if target is None:
            raise ToolError(f"{name} has no command to compile it, or not one module entry.")
        return target
