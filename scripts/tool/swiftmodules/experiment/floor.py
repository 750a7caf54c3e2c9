"""`measure floor`: how close `swift build` comes to the work that it cannot avoid after an edit in one file: the jobs
that the build itself recorded, done by hand. Compares settings that may bring it closer."""

from __future__ import annotations

import shlex
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

import msgspec

from swiftmodules.analysis.floor import phases
from swiftmodules.build import process
from swiftmodules.build.noise import usable_cores
from swiftmodules.build.recorder import Command, times_recorder
from swiftmodules.build.workspace import Workspace
from swiftmodules.edits.placement import Placement
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.experiment.runner import Runner, Step, Task, sample_of, shuffled
from swiftmodules.experiment.subject import read_subject
from swiftmodules.layouts.layout import Layout
from swiftmodules.observed import COMPILE, EMIT_MODULE, LINK
from swiftmodules.records.kinds import FloorOptions, FloorRecord
from swiftmodules.records.model import Cell, Sample
from swiftmodules.swiftpm.package import Package, Target
from swiftmodules.swiftpm.toolchain import Toolchain

# A job with more files than this gets their names through a file that is deleted when it ends.
NAMES_ON_COMMAND_LINE = ("-Xswiftc", "-driver-filelist-threshold=100000")
# Stands for a folder that outlives the builds of a setting.
_FOLDER = "{folder}"


@dataclass(frozen=True)
class Setting:
    """Options of `swift build` that may make it faster. `only_clean` marks those that show nothing about an edit, and
    `platforms` where it exists, as Python calls them; everywhere when empty."""

    name: str
    meaning: str
    options: tuple[str, ...]
    only_clean: bool = False
    platforms: tuple[str, ...] = ()

    def words(self, folder: Path) -> tuple[str, ...]:
        """The options, with a folder for what outlives a build."""
        return tuple(word.replace(_FOLDER, str(folder)) for word in self.options)

    @property
    def keeps_results(self) -> bool:
        """Whether a later clean build finds the results of an earlier one."""
        return any(_FOLDER in word for word in self.options)

    @property
    def is_usable(self) -> bool:
        return not self.platforms or sys.platform in self.platforms


def _to_compiler(*words: str) -> tuple[str, ...]:
    return tuple(each for word in words for each in ("-Xswiftc", word))


_LLD = _to_compiler("-use-ld=lld")
_LINUX = ("linux",)

SETTINGS: Mapping[str, Setting] = {
    setting.name: setting
    for setting in (
        Setting("default", "what SwiftPM does by default (on Linux the linker gold)", ()),
        Setting("lld", "the toolchain's linker lld", _LLD, platforms=_LINUX),
        Setting("no-index", "no index of the sources, which editors read", ("--disable-index-store",)),
        Setting(
            "line-tables",
            "debug information for backtraces only; a debugger shows no variables",
            _to_compiler("-gline-tables-only"),
        ),
        Setting("no-debug-info", "no debug information", ("-debug-info-format", "none")),
        Setting("lld-no-index", "`lld` and `no-index` together", (*_LLD, "--disable-index-store"), platforms=_LINUX),
        Setting(
            "cache",
            "the compile cache: results are kept, and a later clean build takes them",
            _to_compiler("-explicit-module-build", "-cache-compile-job", "-cas-path", f"{_FOLDER}/cache"),
            only_clean=True,
        ),
    )
}


def usable_settings() -> tuple[str, ...]:
    """The names of the settings that exist on this platform."""
    return tuple(name for name, setting in SETTINGS.items() if setting.is_usable)


def require_usable(names: Sequence[str]) -> None:
    """Raises `UsageError` for settings that do not exist, or not on this platform."""
    for name in names:
        if name not in SETTINGS:
            raise UsageError(f"There is no setting '{name}'. Choose from: {', '.join(SETTINGS)}.")
        if not SETTINGS[name].is_usable:
            platforms = ", ".join(SETTINGS[name].platforms)
            raise UsageError(f"The setting '{name}' exists on {platforms} only, and this is {sys.platform}.")


def measure(options: FloorOptions, task: Task) -> FloorRecord:
    """Measures the package as it is, writes the record, and returns it."""
    require_usable(options.settings)
    return _Floor(task, FloorRecord, options).run()


class _Floor(Runner[FloorRecord, FloorOptions]):
    def measure(self) -> None:
        options, configured = self.options, self.task.config.measure
        module = options.module or configured.scale_module
        subject = read_subject(self.task, self.folder, (options.edit,), (module,) if module else (), usual=1)
        placement = next(iter(subject.placements.values()), None)
        file = placement.compiled(after_undoing=False) if placement else None
        if placement is None or file is None:
            raise UsageError(f"The edit '{options.edit}' compiles no file of its own, so there is no work to compare.")
        options = self.options = replace(
            options,
            settings=options.settings or usable_settings(),
            jobs=options.jobs or usable_cores(),
            module=placement.module,
        )
        # Generated without a choice of linker, so that every setting makes its own; or as it is, where no such package
        # can be generated.
        layout = replace(subject, package=without_linker(subject.package)).interface()
        recorder = times_recorder(self.folder, self.task.toolchain)
        workspaces = {name: self._workspace(name, layout, recorder) for name in options.settings}
        self.begin(
            FloorRecord(
                **self.header(subject.package.name, [layout])
                | {"meanings": {name: SETTINGS[name].meaning for name in options.settings}},
                placement=placement.description,
                words={name: SETTINGS[name].options for name in options.settings},
            )
        )
        clean = [self._clean_step(name, workspace) for name, workspace in workspaces.items()]
        edited = [
            self._edit_step(Cell(name, placement.edit, placement.module), workspace, placement, file.as_posix())
            for name, workspace in workspaces.items()
            if not SETTINGS[name].only_clean
        ]
        rounds = shuffled(clean, options.clean_rounds, f"clean {options.seed}")
        edit_rounds = shuffled(edited, options.rounds, options.seed)
        self.planned([*rounds, *edit_rounds])
        for orders in (rounds, edit_rounds):
            for number, steps in enumerate(orders, start=1):
                self.take(steps, number)
                self.keep()

    def _workspace(self, name: str, layout: Layout, recorder: Path) -> Workspace:
        folder = self.folder / name
        words = (*NAMES_ON_COMMAND_LINE, *SETTINGS[name].words(folder))
        return Workspace(layout, folder, self.task.toolchain, self.options.jobs, words, {"SWIFT_EXEC": str(recorder)})

    def _clean_step(self, name: str, workspace: Workspace) -> Step:
        def take(number: int, position: int) -> Sample:
            workspace.remove_scratch()
            build = workspace.build()
            products = [workspace.scratch / "debug" / linked for linked in build.work.linked]
            return Sample(
                round=number,
                position=position,
                layout=name,
                seconds=build.seconds,
                cpu_seconds=build.finished.cpu_seconds,
                conditions=build.conditions,
                kept_results=SETTINGS[name].keeps_results and number > 1,
                product_bytes=sum(product.stat().st_size for product in products),
            )

        return Step(f"clean build: {name}", take, lambda entry: entry.cell == Cell(name, None, None))

    def _edit_step(self, cell: Cell, workspace: Workspace, placement: Placement, file: str) -> Step:
        numbers = count(1)
        is_settled = False

        def take(number: int, position: int) -> Sample:
            nonlocal is_settled
            if not is_settled:
                self.view.stage(f"{cell.layout}: until a build has nothing to do, and a first edit")
                if not workspace.scratch.exists():
                    # An earlier session has taken the clean builds.
                    workspace.build()
                workspace.settle()
                workspace.edit(placement, next(numbers))
                is_settled = True
            # After the work by hand, the next build may look at its files again.
            workspace.settle()
            null = workspace.build()
            if not null.work.is_nothing:
                raise ToolError(
                    f"with the setting '{cell.layout}', a build without an edit compiled or linked something."
                )
            with workspace.edited(placement, next(numbers)) as edit:
                # While the edit is in force, so that it is the same work.
                folder, jobs = workspace.scratch.parent, self.options.jobs or 1
                steps, seconds = work_by_hand(edit.commands, file, self.task.toolchain, workspace.package, folder, jobs)
            self.record.timelines = {**self.record.timelines, cell.layout: edit.jobs}
            more = {
                "null_seconds": null.seconds,
                "by_hand_seconds": seconds,
                "steps": steps,
                "phases": phases(edit.jobs, edit.seconds),
            }
            return sample_of(edit, cell, number, position, more)

        return Step(cell.layout, take, lambda entry: entry.cell == cell)


def work_by_hand(
    commands: Sequence[Command], file: str, toolchain: Toolchain, package: Path, folder: Path, jobs: int
) -> tuple[dict[str, float], float]:
    """Repeats the unavoidable work of a build after an edit in a file (by its original path): compiling the file,
    emitting its module, linking.

    Each step alone and then everything, with compiling and emitting the module side by side where the build may start
    two processes at once. Returns the wall seconds. `folder` takes the scripts and their output.
    """
    compiling = _only(commands, COMPILE, lambda each: file in each.job.files, f"compiled {file}")
    target = compiling.job.target
    emitting = _only(commands, EMIT_MODULE, lambda each: each.job.target == target, f"emitted the module {target}")
    links = [each for each in commands if each.job.kind == LINK]
    if not links:
        raise ToolError(f"the build after an edit in {file} linked nothing, so there is nothing to compare.")
    scripts = {COMPILE: shlex.join(compiling.arguments), EMIT_MODULE: shlex.join(emitting.arguments)}
    # The commands that the driver starts to link, such as the linker. The driver quotes in another way than a shell.
    asked = [[str(toolchain.swiftc), *each.arguments, "-driver-print-jobs"] for each in links]
    printed = [process.read(words, toolchain.environment, package).decode() for words in asked]
    jobs_of_link = [shlex.split(line) for text in printed for line in text.splitlines()]
    scripts[LINK] = "\n".join(shlex.join(words) for words in jobs_of_link if words)
    at_once = "{} &\ncompiling=$!\n{}\nwait $compiling\n{}" if jobs > 1 else "{}\n{}\n{}"
    scripts["everything"] = at_once.format(*scripts.values())
    seconds = {}
    for name, script in scripts.items():
        what = f"the step '{name}' by hand failed, though it succeeded in `swift build`"
        path = folder / f"by-hand-{name}.sh"
        seconds[name] = seconds_of_script(f"set -e\n{script}\n", path, what, toolchain, package)
    everything = seconds.pop("everything")
    return seconds, everything


def seconds_of_script(commands: str, script: Path, what: str, toolchain: Toolchain, package: Path) -> float:
    """Runs commands in the folder of a package, and returns the wall seconds. `what` names what failed."""
    script.write_text(commands)
    log = script.with_suffix(".log")
    finished = process.run(["/bin/sh", script], toolchain.environment, package, log)
    if finished.exit_code != 0:
        raise ToolError(f"{what}: {log.read_text(errors='replace')}")
    return finished.seconds


def _only(commands: Sequence[Command], kind: str, is_meant: Callable[[Command], bool], what: str) -> Command:
    found = [each for each in commands if each.job.kind == kind and is_meant(each)]
    if len(found) != 1:
        raise ToolError(f"the build {what} {len(found)} times instead of once, so it cannot be repeated by hand.")
    return found[0]


def without_linker(package: Package) -> Package:
    """The package without a choice of linker in its manifest, so that every setting makes its own."""

    def chooses_linker(setting: Mapping[str, object]) -> bool:
        match setting:
            case {"tool": "linker", "kind": {"unsafeFlags": {"_0": list(flags)}}}:
                return any(str(flag).startswith("-use-ld=") for flag in flags)
        return False

    def stripped(target: Target) -> Target:
        settings = tuple(each for each in target.settings if not chooses_linker(each))
        return msgspec.structs.replace(target, settings=settings)

    return msgspec.structs.replace(package, targets=tuple(map(stripped, package.targets)))
