"""Takes the samples: clean builds, then edits, all settings in a random order within each round."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from pathlib import Path

from buildspeed.conditions import ConditionsWatch
from buildspeed.edited_build import edited
from buildspeed.edits import Placement, Site, mutator, place
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.floor.by_hand import HandWork
from buildspeed.floor.phases import phases
from buildspeed.floor.record import CleanSample, EditSample, FloorRecord, Options
from buildspeed.floor.settings import SETTINGS, without_linker
from buildspeed.job_times import Job, originals_of, read_commands, times_recorder
from buildspeed.layouts import Layout, make_layout
from buildspeed.machine import this_machine
from buildspeed.private_copy import revision
from buildspeed.subject import Subject, read_subject
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

# Of the layout with interfaces, as that is what the package is.
_LAYOUT = "interface"
# A job with more files than this gets their names through a file that is gone when it has ended.
_NAMES_ON_COMMAND_LINE = ("-Xswiftc", "-driver-filelist-threshold=100000")


@dataclass(frozen=True)
class Request:
    """What the person asked for. `module` is None for the only one or where the edit belongs to none."""

    package: Path
    options: Options


class FloorRun:
    """One run, in a folder of its own. `record` is there once sampling begins."""

    def __init__(self, request: Request, toolchain: Toolchain, folder: Path, say: Callable[[str], None]) -> None:
        self.record: FloorRecord | None = None
        self._request = request
        self._toolchain = toolchain
        self._folder = folder
        self._say = say
        self._edits_made = 0

    def run(self, command: str, keep: Callable[[FloorRecord], None]) -> FloorRecord:
        """Measures. `keep` saves what is there after each round."""
        start = time.monotonic()
        options = self._request.options
        started = datetime.now(timezone.utc).isoformat(timespec="seconds")
        commit = revision(self._request.package)
        self._say("Reading the package")
        subject = self._read()
        placement, file = self._place(subject)
        layout = make_layout(_LAYOUT, without_linker(subject.package), subject.sources)
        recorder = times_recorder(self._folder, self._toolchain)
        workspaces = {name: self._workspace(name, layout, recorder) for name in options.settings}
        self.record = FloorRecord(
            package=subject.package.name,
            command=command,
            started=started,
            machine=this_machine(),
            toolchain=self._toolchain.version,
            revision=commit,
            options=options,
            placement=placement.description,
            meanings={name: SETTINGS[name].meaning for name in options.settings},
            words={name: SETTINGS[name].options for name in options.settings},
        )
        record = self.record

        def save() -> None:
            record.seconds = time.monotonic() - start
            keep(record)

        try:
            self._take_clean_samples(record, workspaces, save)
            edited_settings = {name: each for name, each in workspaces.items() if not SETTINGS[name].only_clean}
            for name, workspace in edited_settings.items():
                self._say(f"{name}: until a build has nothing to do, and a first edit")
                workspace.settle()
                self._edit_sample(0, 0, name, workspace, placement, file)
            self._take_samples(record, edited_settings, placement, file, save)
        finally:
            record.seconds = time.monotonic() - start
        return record

    def _read(self) -> Subject:
        module = self._request.options.module
        modules = (module,) if module is not None else ()
        return read_subject(self._request.package, self._folder, self._toolchain, modules)

    def _place(self, subject: Subject) -> tuple[Placement, str]:
        """Where the edit goes, and the file that it changes."""
        options = self._request.options
        site = Site(subject.package, subject.sources)
        if mutator(options.edit).is_per_module:
            if options.module is None:
                raise UsageError(f"the edit '{options.edit}' needs a module.")
            site = replace(site, module=subject.modules[options.module])
        placement = place(options.edit, site)
        file = placement.change.compiled(after_undoing=False)
        if file is None:
            raise UsageError(f"the edit '{options.edit}' compiles no file of its own, so there is no work to compare.")
        return placement, file.as_posix()

    def _workspace(self, name: str, layout: Layout, recorder: Path) -> Workspace:
        folder = self._folder / name
        words = (*_NAMES_ON_COMMAND_LINE, *SETTINGS[name].words(folder))
        return Workspace(
            layout, folder, self._toolchain, self._request.options.jobs, words, {"SWIFT_EXEC": str(recorder)}
        )

    def _take_clean_samples(
        self, record: FloorRecord, workspaces: dict[str, Workspace], save: Callable[[], None]
    ) -> None:
        options = record.options
        generator = random.Random(f"clean {options.seed}")
        for number in range(1, options.clean_rounds + 1):
            for position, name in enumerate(generator.sample(list(workspaces), len(workspaces)), start=1):
                workspaces[name].remove_scratch()
                watch = ConditionsWatch()
                build = workspaces[name].build()
                sample = CleanSample(
                    round=number,
                    position=position,
                    setting=name,
                    seconds=build.finished.seconds,
                    cpu_seconds=build.finished.cpu_seconds,
                    kept_results=SETTINGS[name].keeps_results and number > 1,
                    product_bytes=_product_bytes(workspaces[name].scratch, build.work.linked),
                    conditions=watch.conditions(build.finished),
                )
                record.clean_samples.append(sample)
                self._say(f"clean builds, round {number} of {options.clean_rounds}: {name}: {sample.seconds:.2f} s")
            save()

    def _take_samples(
        self,
        record: FloorRecord,
        workspaces: dict[str, Workspace],
        placement: Placement,
        file: str,
        save: Callable[[], None],
    ) -> None:
        options = record.options
        generator = random.Random(options.seed)
        for number in range(1, options.rounds + 1):
            for position, name in enumerate(generator.sample(list(workspaces), len(workspaces)), start=1):
                sample, jobs = self._edit_sample(number, position, name, workspaces[name], placement, file)
                record.samples.append(sample)
                record.timelines[name] = jobs
                self._say(
                    f"round {number} of {options.rounds}: {name}: {sample.seconds:.2f} s, "
                    f"by hand {sample.by_hand_seconds:.2f} s"
                )
            save()

    def _edit_sample(
        self, number: int, position: int, setting: str, workspace: Workspace, placement: Placement, file: str
    ) -> tuple[EditSample, list[Job]]:
        # What was done by hand may make the next build look at it again.
        workspace.settle()
        null = workspace.build()
        if not null.work.is_nothing:
            raise MeasurementError(
                f"with the setting '{setting}', a build without an edit compiled or linked something."
            )
        self._edits_made += 1
        with edited(workspace, placement, self._edits_made) as edit:
            build = edit.build
            original = originals_of(workspace.package, workspace.originals)
            commands = read_commands(workspace.records, build.began, original)
            jobs = [each.job for each in commands]
            # While the edit is in force, so that it is the same work.
            hand = HandWork(commands, file, self._toolchain, workspace.package)
            by_hand = hand.run(workspace.scratch.parent, self._request.options.jobs)
        sample = EditSample(
            round=number,
            position=position,
            setting=setting,
            null_seconds=null.finished.seconds,
            seconds=build.finished.seconds,
            cpu_seconds=build.finished.cpu_seconds,
            phases=phases(jobs, build.finished.seconds),
            by_hand_seconds=by_hand.seconds,
            steps=by_hand.steps,
            compiled=build.work.compiled,
            conditions=edit.conditions,
        )
        return sample, jobs


def _product_bytes(scratch: Path, linked: tuple[str, ...]) -> int:
    """The size of the linked products."""
    return sum((scratch / "debug" / name).stat().st_size for name in linked)
