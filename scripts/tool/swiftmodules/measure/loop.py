"""The loop of a measurement: it takes steps in places, in rounds of random order, and keeps a sample of each."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from random import Random

from msgspec.structs import asdict
from msgspec.structs import replace as changed

from swiftmodules.builds.folders import run_folder
from swiftmodules.builds.machine import this_machine, usable_cores
from swiftmodules.command_line import program, repeating
from swiftmodules.errors import InterruptedRunError, ToolError, UsageError
from swiftmodules.measure.place import Places
from swiftmodules.measure.plan import Plan
from swiftmodules.measure.record import (
    CLEAN,
    FORMAT,
    UNFINISHED,
    Cell,
    LeftOut,
    Record,
    Sample,
    Step,
    Verification,
    finish,
    keep,
    read_record,
)
from swiftmodules.measure.report import write_report
from swiftmodules.measure.results import Results
from swiftmodules.measure.states import States, states_of
from swiftmodules.measure.subject import Origin
from swiftmodules.measure.verify import NotVerifiedError, Verifier
from swiftmodules.observed import Revision, amount
from swiftmodules.options import MeasureChoices
from swiftmodules.progress import ProgressView
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import revision
from swiftmodules.swiftpm.toolchain import Toolchain

# The number of the commits of a history that are verified.
_VERIFIED = 3
# The seconds of a quick run, and what it leaves out.
QUICK_SECONDS = 300
NO_TIME = "this edit does not fit into the five minutes of --quick."
NO_INTERFACES = (
    "{} has no interfaces yet, so there is little to compare. Start with '{}', which ranks the targets by what an "
    "interface in front of each would have saved."
)


@dataclass
class Run:
    """A run of some choices.

    `output` takes the results, and meanwhile the samples; the work is done in `scratch` (`folders.scratch_folder`).
    `named` is the package as the user names it, where that is not the usual one; `random` draws the orders of steps.
    """

    choices: MeasureChoices
    package: Path
    output: Path
    scratch: Path
    toolchain: Toolchain
    view: ProgressView
    config: Config = field(default_factory=Config)
    named: Path | None = None
    random: Random = field(default_factory=Random)

    def __post_init__(self) -> None:
        self.plan = Plan.of(self.choices, self.config)
        self._start = time.monotonic()
        self._unfinished = self.output / UNFINISHED
        self._record: Record | None = None
        self._revision = Revision()

    @property
    def record(self) -> Record:
        assert self._record is not None
        return self._record

    def run(self) -> Record:
        # The record is written last, when a disk that was full is cleared.
        with self._kept(), run_folder(self.scratch, self.toolchain, self.plan.is_timed) as (work, toolchain):
            origin = Origin(self.package, work, toolchain, self.config, self.view)
            # Read before the copy is made: a later commit is not in the copy.
            self._revision = revision(self.package)
            self._measure(states_of(self.plan, origin))
        return self.record

    def _measure(self, states: States) -> None:
        plan = states.plan
        if plan.until == "tests" and not states.subject.package.tests:
            raise UsageError(f"{states.subject.package.name} has no tests to run. Leave out --until tests.")
        if plan.quick and not states.subject.package.modules:
            self.view.note(NO_INTERFACES.format(states.subject.package.name, program("measure advise")))
        layouts, refused = states.possible()
        plan = self.plan = states.plan = replace(plan, layouts=tuple(layouts))
        self._begin(states, refused)
        for missing in self.record.left_out:
            self._note(missing)
        cells = [
            Cell(**asdict(variant), edit=edit, module=module)
            for variant in plan.variants
            for edit, module in states.rows
        ]
        rounds = self.rounds(cells)
        self.view.planned(sum(map(len, rounds)), earlier=len(self.record.samples))
        for each in self._quick(states, rounds) if plan.quick else self._taken(states, rounds):
            self._add(each)
        if not self.record.samples:
            reasons = dict.fromkeys(each.reason for each in self.record.left_out)
            raise ToolError(f"Nothing could be measured: {' '.join(reasons)}")
        self._verify(states, cells)

    def _begin(self, states: States, refused: Sequence[LeftOut]) -> None:
        """Begins the record, or resumes that of an interrupted history."""
        plan, is_timed = self.plan, self.plan.is_timed
        unverified = f"{'--quick' if plan.quick else '--no-verify'} leaves it out."
        self._record = Record(
            format=FORMAT,
            package=states.subject.package.name,
            command=self._command(plan.rounds),
            toolchain=self.toolchain.version,
            revision=self._revision,
            layouts={name: states.meaning(name) for name in plan.layouts},
            settings=tuple(plan.ways.values()),
            copies=plan.copies,
            copied=self.config.measure.scale_module if plan.copies else None,
            rounds=plan.rounds,
            until=plan.until,
            jobs=usable_cores(),
            started=datetime.now(UTC).isoformat(timespec="seconds") if is_timed else None,
            machine=this_machine() if is_timed else None,
            left_out=(*states.left_out, *refused),
            verification=Verification(left_out=unverified) if is_timed and not plan.verifies else None,
            **states.facts(),
        )
        if self._unfinished.exists() and plan.history:
            earlier = read_record(self._unfinished)
            if _identity(earlier) != _identity(self._record):
                raise UsageError(
                    f"{self._unfinished} holds the samples of another run, which cannot be continued. Remove the file, "
                    "or choose another --output."
                )
            self._start -= earlier.seconds or 0
            earlier.incomplete = None
            self._record = earlier
            self.view.note(f"Resuming the interrupted run, which has {amount(len(earlier.samples), 'sample')}.")
        keep(self._record, self.output)

    def _command(self, rounds: int, **made: object) -> str:
        """The command line that repeats a run of so many rounds, with the choices that the run made itself."""
        made |= {"rounds": rounds, "quick": False} | ({"verify": False} if self.plan.quick else {})
        return repeating(self.named, self.choices, **made)

    def rounds(self, cells: Sequence[Cell]) -> list[list[Step]]:
        """The steps of each round that are to be taken, each round in folders of its own: the samples of a cell are
        independent only where no two of them share the luck of a folder."""
        taken = {(each.round, each.cell, each.control) for each in self.record.samples}
        found = []
        for number in range(1, self.plan.rounds + 1) or (0,):
            steps = [Step(**asdict(cell), round=number) for cell in cells]
            if number:
                steps += [changed(step, control=True) for step in steps if step.variant == self.plan.variants[0]]
            found.append(
                [
                    step
                    for step in self._ordered(steps)
                    if (number, step.cell, step.control) not in taken and not self._is_left_out(step)
                ]
            )
        return found

    def _taken(self, states: States, rounds: Iterable[Sequence[Step]]) -> Iterator[Sample | LeftOut]:
        for steps in rounds:
            yield from Places(states).take(step for step in steps if not self._is_left_out(step))

    def _quick(self, states: States, rounds: Sequence[Sequence[Step]]) -> Iterator[Sample | LeftOut]:
        """The first round, without edits for which the time is over, and as many others as fit."""
        steps, *others = rounds
        self.view.planned(len(steps))
        yield from Places(states).take(self._in_time(steps))
        fitting = others[: max(0, int((QUICK_SECONDS - self._elapsed) // max(self._elapsed, 0.001)))]
        record = self.record
        record.rounds = 1 + len(fitting)
        self.view.planned(record.rounds * sum(not self._is_left_out(each) for each in steps))
        edits = dict.fromkeys(edit for edit, _ in states.rows if any(edit == each.edit for each in record.samples))
        modules = dict.fromkeys(module for _, module in states.rows if module)
        record.command = self._command(record.rounds, edits=tuple(edits), modules=tuple(modules))
        yield from self._taken(states, fitting)

    def _in_time(self, steps: Sequence[Step]) -> Iterator[Step]:
        """The steps, without edits that would begin too late."""
        for (edit, module), own in groupby(steps, key=lambda step: step.row):
            if self._elapsed > QUICK_SECONDS and self.record.samples:
                self._add(LeftOut(edit=edit, module=module, reason=NO_TIME))
            else:
                yield from own

    def _is_left_out(self, step: Step) -> bool:
        return any(each.covers(step.cell) for each in self.record.left_out)

    def _ordered(self, steps: Sequence[Step]) -> list[Step]:
        """The steps of a round: in random order, so that a machine that grows slower or faster favours none, where they
        are timed. The commits of a history keep their order, and so do the edits of a quick run, which may end after
        each."""
        found = [*steps]
        if self.plan.is_timed:
            self.random.shuffle(found)
        if self.plan.history or self.plan.quick:
            rows = [*dict.fromkeys(step.row for step in steps)]
            found.sort(key=lambda step: rows.index(step.row))
        return found

    def _add(self, found: Sample | LeftOut) -> None:
        record = self.record
        record.seconds = self._elapsed if self.plan.rounds else None
        if isinstance(found, LeftOut):
            if found not in record.left_out:
                record.left_out = (*record.left_out, found)
                self._note(found)
        else:
            record.samples.append(found)
        keep(record, self.output)
        if isinstance(found, LeftOut) or found.edit == CLEAN:
            return
        seconds = f", {found.seconds:.2f} s" if found.seconds else ""
        shown = [f"round {found.round}"] if found.round else []
        self.view.finished(": ".join([*shown, found.name, f"{amount(found.files, 'file')}{seconds}"]))

    def _note(self, each: LeftOut) -> None:
        self.view.note(f"Left out: {each.name}: {each.reason}")

    def _verify(self, states: States, cells: Sequence[Cell]) -> None:
        """Takes some of the steps once more, and compares what they make with clean builds."""
        if not self.plan.verifies:
            return
        record, plan = self.record, self.plan
        # Tests take their time, so they are run where that was asked for.
        has_tests = bool(states.subject.package.tests) and not plan.copies
        with_tests = has_tests and bool(plan.verify)
        program, session = states.before(cells[0], with_tests=False).program, self.config.measure.session
        found = record.verification = Verification(
            program=program, session=session if program else (), tests=with_tests if has_tests else None
        )
        if program is None and not with_tests:
            found.left_out = "a verification requires exactly one executable, or tests, which --verify runs."
            return
        places = Places(states, with_tests=with_tests)
        verifier = Verifier(states.origin.folder / "run", session, with_tests)
        try:
            for each in verifier.verdicts(places, self.verified(cells), self.view):
                found.verdicts.append(each)
                keep(record, self.output)
        except NotVerifiedError as reason:
            found.left_out = str(reason)
        finally:
            places.close()

    def verified(self, cells: Sequence[Cell]) -> list[Cell]:
        """The measured cells; of a history, those of the last commits."""
        names = list(dict.fromkeys(cell.edit for cell in cells))
        if self.plan.history:
            names = names[-_VERIFIED:]
        measured = {sample.cell for sample in self.record.samples}
        return [cell for cell in cells if cell.edit in names and cell in measured]

    @property
    def _elapsed(self) -> float:
        return time.monotonic() - self._start

    @contextmanager
    def _kept(self) -> Iterator[None]:
        """Writes the complete record, or keeps the samples of a run that is interrupted."""
        try:
            yield
            finish(self.record, self.output)
        except (InterruptedRunError, ToolError, OSError) as reason:
            record = self._record
            if record is not None and record.samples and self._unfinished.exists():
                first_line = str(reason).partition("\n")[0]
                record.incomplete = f"the run ended after sample {len(record.samples)} ({first_line})."
                keep(record, self.output)
                write_report(Results(record), self.output)
                advice = " Repeat the command to resume it." if self.plan.history else ""
                print(f"The samples so far are in {self._unfinished}, beside their report.{advice}", file=sys.stderr)
            raise


def _identity(record: Record) -> tuple[object, ...]:
    """The values that a run must share with an interrupted run to resume it."""
    choices = (record.layouts, record.settings, record.commits, record.rounds, record.until, record.jobs)
    return record.package, record.revision.commit, record.toolchain, choices, record.machine
