"""The loop of a measurement: it takes steps in places, in rounds of random order, and keeps a sample of each."""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import asdict
from msgspec.structs import replace as changed

from swiftmodules.builds.folders import run_folder
from swiftmodules.builds.machine import this_machine
from swiftmodules.builds.settings import settings_of
from swiftmodules.command_line import program
from swiftmodules.errors import InterruptedRunError, ToolError, UsageError
from swiftmodules.files import nearest_there
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure.place import Places, Step, states_of
from swiftmodules.measure.plan import NO_INTERFACES, NO_TIME, QUICK_SECONDS, Plan, fitting
from swiftmodules.measure.record import (
    CLEAN,
    FORMAT,
    LeftOut,
    Record,
    Sample,
    SampleLog,
    Value,
    Verification,
    read_samples,
)
from swiftmodules.measure.states import States
from swiftmodules.measure.subject import Origin
from swiftmodules.measure.verify import Verifier, dependency_gaps, verdicts
from swiftmodules.observed import Revision, amount
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.steps.edit import EDITS, wanted_edit
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import revision
from swiftmodules.swiftpm.toolchain import Toolchain

# The commits of a history that are verified besides the last one.
_VERIFIED = 2

Round = tuple[int, list[Step]]


@dataclass(frozen=True)
class Task:
    """The inputs of a run besides its choices.

    `output` takes the results, and meanwhile the samples; the work is done in `scratch` (`folders.scratch_folder`).
    `command` returns the command line that repeats a run of so many rounds with a seed, and with other choices.
    """

    package: Path
    output: Path
    scratch: Path
    toolchain: Toolchain
    view: ProgressView
    command: Callable[..., str]
    config: Config = field(default_factory=Config)


def measure(choices: MeasureChoices, task: Task) -> Record:
    """Measures a package, writes the record, and returns it."""
    return Run(choices, task).run()


class Run:
    """One run, in a folder of its own."""

    def __init__(self, choices: MeasureChoices, task: Task) -> None:
        self.plan = Plan.of(choices)
        self.task = task
        self.view = task.view
        self.seed = choices.seed or 0
        self._start = time.monotonic()
        self._log = SampleLog(task.output)
        self._record: Record | None = None
        self._revision = Revision()
        _require_writable(task.output)

    @property
    def record(self) -> Record:
        assert self._record is not None
        return self._record

    def run(self) -> Record:
        """Measures, writes the record, and returns it."""
        task = self.task
        # The record is written last, when a disk that was full is cleared.
        with self._kept(), run_folder(task.scratch, self.plan.is_timed) as folders:
            toolchain = task.toolchain.keeping(TMPDIR=str(folders.temporary))
            origin = Origin(task.package, folders.work, toolchain, task.config, self.view)
            # Read before the copy is made: a later commit is not in the copy.
            self._revision = revision(task.package)
            states = states_of(self.plan, origin)
            for each in states.left_out:
                self.view.note(f"Left out: {' '.join(filter(None, [each.edit, each.module]))}: {each.reason}")
            self._measure(states)
        return self.record

    def _measure(self, states: States) -> None:
        plan = states.plan
        if plan.until == "tests" and not states.subject.package.tests:
            raise UsageError(f"{states.subject.package.name} has no tests to run. Leave out --until tests.")
        if plan.quick and not states.subject.package.modules:
            self.view.note(NO_INTERFACES.format(states.subject.package.name, program("measure advise")))
        layouts, refused = states.possible()
        is_copy = any(layout.manifest is None for layout in layouts.values())
        plan = self.plan = states.plan = replace(plan, layouts=tuple(layouts), is_copy=is_copy)
        self._begin(states, layouts, refused)
        steps = [
            Step(**asdict(variant), edit=edit, module=module)
            for variant in plan.variants
            for edit, module in states.rows
        ]
        again = [changed(step, control=True) for step in steps if step.variant in self.record.control]
        rounds = self.rounds(steps, again)
        builds = len(rounds) * (len(plan.variants) + len(self.record.control))
        self.view.planned(sum(len(own) for _, own in rounds), builds, earlier=len(self.record.samples))
        for each in self._taken(states, rounds):
            self._add(each)
        if not self.record.samples:
            reasons = dict.fromkeys(each.reason for each in self.record.left_out)
            raise ToolError(f"Nothing could be measured: {' '.join(reasons)}")
        self._verify(states, steps)

    def _begin(self, states: States, layouts: dict[str, Layout], refused: Sequence[LeftOut]) -> None:
        """Begins the record, or resumes that of an interrupted history."""
        task, plan, is_timed = self.task, self.plan, self.plan.is_timed
        settings = settings_of(task.config)
        edits = dict.fromkeys(edit for edit, _ in states.rows)
        modules = dict.fromkeys(module for _, module in states.rows if module)
        clean = [CLEAN] if is_timed and not plan.history else []
        axes: dict[str, tuple[Value, ...]] = {"layout": plan.layouts, "copies": plan.copies, "setting": plan.settings}
        axes |= {"edit": (*clean, *edits), "module": tuple(modules)}
        self._record = Record(
            format=FORMAT,
            package=states.subject.package.name,
            command=task.command(plan.rounds, self.seed),
            toolchain=task.toolchain.version,
            revision=self._revision,
            axes=axes,
            rounds=plan.rounds,
            seed=self.seed if is_timed else 0,
            control=tuple(plan.variants[:1]) if is_timed else (),
            until=plan.until,
            against=plan.against,
            jobs=plan.jobs,
            started=datetime.now(UTC).isoformat(timespec="seconds") if is_timed else None,
            machine=this_machine() if is_timed else None,
            is_copy=plan.is_copy,
            with_tests=states.with_tests,
            meanings={
                "layout": {name: states.meaning(name) for name in plan.layouts},
                "edit": {name: EDITS[name].changes for name in edits if name in EDITS},
            },
            settings={name: settings[name] for name in plan.settings},
            copied=task.config.measure.scale_module if any(plan.copies) else None,
            gaps={
                name: gaps for name in layouts if (gaps := dependency_gaps(states.with_all_tests(name).dependencies))
            },
            left_out=(*states.left_out, *refused),
            verification=Verification(left_out=self._unverified) if is_timed or self._verifies else None,
            **states.facts(),
        )
        if self._log.path.exists() and plan.history:
            earlier = read_samples(self._log.path)
            if _identity(earlier) != _identity(self._record):
                raise UsageError(
                    f"{self._log.path} holds the samples of another run, which cannot be continued. Remove the file, "
                    "or choose another --output."
                )
            self.seed = earlier.seed
            self._start -= earlier.seconds or 0
            earlier.incomplete = None
            self._record = earlier
            self.view.note(f"Resuming the interrupted run, which has {amount(len(earlier.samples), 'sample')}.")
        self._log.begin(self._record)

    def rounds(self, steps: list[Step], again: list[Step]) -> list[Round]:
        """The rounds that are to be taken, each in folders of its own: the samples of a cell are independent only where
        no two of them share the luck of a folder."""
        taken = {(each.round, each.cell, each.control) for each in self.record.samples}
        return [
            (
                number,
                [
                    step
                    for step in self._ordered([*steps, *again], number)
                    if (number, step.cell, step.control) not in taken and not self._is_left_out(step)
                ],
            )
            for number in range(1, self.plan.rounds + 1) or (0,)
        ]

    def _taken(self, states: States, rounds: Sequence[Round]) -> Iterator[Sample | LeftOut]:
        begun = self._elapsed
        for number, steps in rounds:
            now = self._elapsed
            # Each round takes as long as the one before.
            if self.plan.quick and number > 1 and now + (now - begun) > QUICK_SECONDS:
                return
            begun = now
            chosen = self._quick_round(states, steps) if self.plan.quick and number == 1 else steps
            yield from Places(states, number).take(step for step in chosen if not self._is_left_out(step))
            if self.plan.quick:
                self.record.rounds, self.record.command = number, self._repeated(states, number)
                self._log.keep(self.record)

    def _quick_round(self, states: States, steps: Sequence[Step]) -> Iterator[Step]:
        """The first round of a quick run: the first kind of edit, whose times show which others fit, and these. The
        others are left out, so that each that is taken has as many samples."""
        kinds = [edit for edit, _ in states.rows]
        first = [step for step in steps if step.edit == kinds[0]]
        begun, places = self._elapsed, len({(step.variant, step.control) for step in steps})
        self.view.planned(len(first), places)
        yield from first
        fit = fitting(
            left=QUICK_SECONDS - begun,
            first=self._elapsed - begun,
            row=sum(each.seconds or 0 for each in self.record.samples if each.edit != CLEAN) / kinds.count(kinds[0]),
            kinds=[kinds.count(each) for each in dict.fromkeys(kinds)],
            rounds=self.plan.rounds,
        )
        for edit, module in states.rows:
            if edit not in list(dict.fromkeys(kinds))[: fit.kinds]:
                self._add(LeftOut(edit=edit, module=module, reason=NO_TIME.format(self.plan.rounds)))
        self.view.planned(
            fit.rounds * len([each for each in steps if not self._is_left_out(each)]), fit.rounds * places
        )
        yield from (step for step in steps if step.edit != kinds[0])

    def _repeated(self, states: States, rounds: int) -> str:
        """The command that repeats so many rounds of a quick run, with the edits and modules that were measured."""
        taken = {(each.edit, each.module) for each in self.record.samples}
        files = {file for word in self.plan.edits for _, file in [wanted_edit(word)] if file}
        edits = tuple(word for word in self.plan.edits if any(edit == wanted_edit(word)[0] for edit, _ in taken))
        modules = tuple(dict.fromkeys(name for _, name in states.rows if name and name not in files))
        return self.task.command(rounds, self.seed, edits=edits, modules=modules)

    def _is_left_out(self, step: Step) -> bool:
        return any(each.covers(step.cell) for each in self.record.left_out)

    def _ordered(self, steps: list[Step], number: int) -> list[Step]:
        """The steps in random order, but for a round that only counts. The commits of a history keep their order."""
        if not self.plan.history:
            return self._shuffled(steps, number) if number else steps
        found: list[Step] = []
        for commit in dict.fromkeys(step.edit for step in steps):
            own = [step for step in steps if step.edit == commit]
            found += self._shuffled(own, f"{number} {commit}") if number else own
        return found

    def _shuffled(self, steps: list[Step], part: object) -> list[Step]:
        """The steps in an order of their own, so that a machine that grows slower or faster favours none of them. The
        same seed gives the same order."""
        return random.Random(f"{self.seed} {part}").sample(steps, len(steps))

    def _add(self, found: Sample | LeftOut) -> None:
        record = self.record
        record.seconds = self._elapsed if self.plan.rounds else None
        if isinstance(found, LeftOut):
            if found not in record.left_out:
                record.left_out = (*record.left_out, found)
                self.view.note(f"Left out: {found.name}: {found.reason}")
                self._log.keep(record)
            return
        record.samples.append(found)
        self._log.append(found)
        if found.edit == CLEAN:
            return
        seconds = f", {found.seconds:.2f} s" if found.seconds else ""
        shown = [f"round {found.round}"] if found.round else []
        title = f"{found.cell.name}{' (control)' * found.control}"
        self.view.finished(": ".join([*shown, title, f"{amount(found.files or 0, 'file')}{seconds}"]))

    @property
    def _verifies(self) -> bool:
        if self.plan.verify is not None:
            return self.plan.verify
        return self.plan.rounds > 0 and not self.plan.quick

    @property
    def _unverified(self) -> str | None:
        """Why nothing is verified, where that is so."""
        if self._verifies:
            return None
        return f"{'--quick' if self.plan.quick else '--no-verify'} leaves it out."

    def _verify(self, states: States, steps: list[Step]) -> None:
        """Verifies some of the steps that were taken."""
        record, plan, places = self.record, states.plan, Places(states)
        if record.verification is None or record.verification.left_out is not None:
            return
        # Tests take their time, so they are run where that was asked for.
        has_tests = bool(states.subject.package.tests) and not any(plan.copies)
        with_tests = has_tests and bool(self.plan.verify)
        layout = states.before(steps[0], with_tests=False)
        session = self.task.config.measure.session
        found = record.verification = Verification(
            program=layout.program, session=session if layout.program else (), tests=with_tests if has_tests else None
        )
        verifier = Verifier(places.folder / "run", session, with_tests)
        try:
            for each in verdicts(
                states, places, self.verified(steps), verifier, self.view, undoes=not self.plan.history
            ):
                found.verdicts.append(each)
                self._log.keep(record)
        finally:
            places.close()

    def verified(self, steps: Sequence[Step]) -> list[Step]:
        """The measured steps with the smallest number of copies; of a history, the last commit and two others."""
        names = list(dict.fromkeys(step.edit for step in steps))
        if self.plan.history:
            *others, last = names
            names = [last, *random.Random(self.seed).sample(others, min(_VERIFIED, len(others)))]
        measured, copies = {sample.cell for sample in self.record.samples}, self.plan.copies[0]
        return [step for step in steps if step.edit in names and step.copies == copies and step.cell in measured]

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Writes the complete record, or keeps the samples of a run that is interrupted."""
        try:
            yield
            self._log.finish(self.record)
        except (InterruptedRunError, ToolError, OSError) as reason:
            record = self._record
            if record is not None and record.samples and self._log.path.exists():
                first_line = str(reason).partition("\n")[0]
                record.incomplete = f"the run ended after sample {len(record.samples)} ({first_line})."
                self._log.keep(record)
                print(f"The samples so far are in {self._log.path}. {self._advice}", file=sys.stderr)
            raise

    @property
    def _advice(self) -> str:
        shown = f"`{program('measure report')} {self._log.path}` shows them."
        return f"Repeat the command to resume it; {shown}" if self.plan.history else shown


def _identity(record: Record) -> tuple[object, ...]:
    """The values that a run must share with an interrupted run to resume it."""
    machine = record.machine.summary if record.machine else None
    rounds = (record.rounds, record.control, record.jobs, record.is_copy, record.until, record.against)
    return record.package, record.revision.commit, record.toolchain, record.axes, rounds, machine


def _require_writable(output: Path) -> None:
    """Raises `UsageError` where the folder of the results cannot be written, before hours are spent."""
    nearest = nearest_there(output)
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"the results cannot be written to {output}: {nearest} is not a writable folder.")
