"""The loop of a measurement: rounds of steps, in random order, of everything that is built."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from msgspec.structs import asdict
from msgspec.structs import replace as changed

from swiftmodules.builds.conditions import NOISY_ABOVE, this_machine, usable_cores
from swiftmodules.builds.lock import run_folder
from swiftmodules.edits.catalogue import DEFAULT_EDITS, EDITS, SCREEN_EDITS, Key
from swiftmodules.edits.history import FEWER, Choice, history_count
from swiftmodules.errors import BuildFailedError, ToolError, UsageError
from swiftmodules.interrupts import interruptible
from swiftmodules.layouts.generate import LAYOUTS
from swiftmodules.layouts.layout import Layout, digest
from swiftmodules.measure.bench import Bench
from swiftmodules.measure.journal import Journal, failures
from swiftmodules.measure.plan import LIVE, LIVE_MEANING, Plan, Step, step_of
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import (
    BUILT,
    BY_HAND,
    CLEAN,
    FORMAT,
    SCREEN,
    ProgramRun,
    Record,
    Refusal,
    Sample,
    Variant,
    Verification,
)
from swiftmodules.measure.samples import first_error, is_of_variant
from swiftmodules.measure.settings import facts_of
from swiftmodules.measure.store import Origin
from swiftmodules.measure.subject import possible
from swiftmodules.measure.verify import dependency_gaps, read_session
from swiftmodules.measure.words import amount
from swiftmodules.options import MeasureChoices
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import revision
from swiftmodules.swiftpm.modules import application_of
from swiftmodules.swiftpm.toolchain import Toolchain

if TYPE_CHECKING:
    from swiftmodules.measure.cluster import Cluster

_Item = TypeVar("_Item")
# Without a choice, and the rounds of a quick run.
ROUNDS = 10
LEAST_ROUNDS, MOST_ROUNDS = 2, 10
# About 5 minutes: the estimate rests on a few samples, and errs on the high side.
_QUICK_SECONDS = 350
_MEANINGS = {**LAYOUTS, LIVE: LIVE_MEANING, **{name: edit.changes for name, edit in EDITS.items()}}


@dataclass(frozen=True)
class Task:
    """The inputs of a run besides its choices.

    `output` takes the results, and meanwhile the samples; `scratch` is where the work is done (`lock.scratch_folder`).
    `command` returns the command line that repeats a run of so many rounds with a seed.
    """

    package: Path
    output: Path
    scratch: Path
    toolchain: Toolchain
    view: ProgressView
    command: Callable[[int, int], str]
    config: Config = field(default_factory=Config)
    # Whether to resume the run whose samples are in `output`.
    resume: bool = False
    # The machines that do the work, where that is not this one.
    cluster: Cluster | None = None
    # Summarises a record after the first round, for `--quick`.
    first_words: Callable[[Record], Iterable[str]] = lambda record: ()


def shuffled(steps: Sequence[_Item], rounds: int, seed: object, control: Sequence[_Item] = ()) -> list[list[_Item]]:
    """All steps once in each round, in an order of its own, with the steps of an A/A control at random places.

    So a machine that grows slower or faster favours none of them. The same seed gives the same orders, which a control
    does not change.
    """
    generator, places = random.Random(seed), random.Random(f"control {seed}")  # type: ignore[arg-type]
    orders = [generator.sample(steps, len(steps)) for _ in range(rounds)]
    for order in orders:
        for step in control:
            order.insert(places.randint(0, len(order)), step)
    return orders


def measure(choices: MeasureChoices, task: Task) -> Record:
    """Measures a package, writes the record, and returns it."""
    return Run(choices, task).run()


class Run:
    """One run, in a folder of its own."""

    def __init__(self, choices: MeasureChoices, task: Task) -> None:
        self.task = task
        self.view = task.view
        self.choices = choices
        self.journal = Journal(task.output, Origin(str(task.package), choices), task.resume)
        earlier = self.earlier = self.journal.earlier
        usual = ROUNDS if history_count(choices.edits) is None else 1
        self.rounds = earlier.rounds if earlier else usual if choices.rounds is None else choices.rounds
        self.seed = earlier.seed if earlier else choices.seed or 0
        if earlier and {sample.machine is None for sample in earlier.samples} == {task.cluster is not None}:
            raise UsageError(
                f"The run in {task.output} was {'not ' if task.cluster else ''}begun on a cluster. Resume it "
                f"{'without' if task.cluster else 'with'} --cluster: seconds of other machines are no part of it."
            )

    @property
    def _is_timed(self) -> bool:
        return self.rounds > 0

    def run(self) -> Record:
        """Measures, writes the record, and returns it."""
        task = self.task
        # On a cluster, the machines that take times hold their locks.
        takes_times = self._is_timed and task.cluster is None
        # The record is written last, when a disk that was full is cleared.
        with self.journal.kept(), interruptible(), run_folder(task.scratch, takes_times) as folders:
            toolchain = task.toolchain.keeping(TMPDIR=str(folders.temporary))
            make = task.cluster.bench if task.cluster else Bench
            with make(task.package, folders.work, toolchain, task.config, self.view, self._plan()) as bench:
                self._replay(bench) if bench.plan.history else self._measure(bench)
        return self.journal.record

    def _plan(self) -> Plan:
        choices, earlier, layouts = self.choices, self.earlier, self.choices.layouts or tuple(LAYOUTS)
        count = history_count(choices.edits)
        edits = SCREEN_EDITS if SCREEN in choices.until else DEFAULT_EDITS
        everything = tuple(name for name in EDITS if name != CLEAN)
        # Only generated packages are without the linker that their manifest chooses, and as a live session has them.
        is_generated = len(choices.settings) > 1 or LIVE in layouts
        return Plan(
            layouts=layouts,
            copies=choices.copies or (0,),
            settings=choices.settings or ("default",),
            edits=choices.edits or (edits if self._is_timed else everything),
            modules=choices.modules,
            # By hand is what a build did.
            until=choices.until if choices.until != (BY_HAND,) else (BUILT, BY_HAND),
            jobs=choices.jobs or usable_cores(),
            counts=not self._is_timed,
            as_it_is=earlier.is_copy if earlier else False if is_generated else None,
            missing=tuple(((each.edit, each.module), each.reason) for each in earlier.missing) if earlier else (),
            history=Choice(count, choices.since, choices.paths, choices.most_files) if count else None,
        )

    def _measure(self, bench: Bench) -> None:
        self._show_missing([((each.edit, each.module), each.reason) for each in bench.original.reasons])
        layouts, refused = self._layouts(bench)
        baseline, *others = bench.plan.variants
        failing = self._build(bench, baseline, others, layouts[baseline.layout])
        refused += failing.values()
        variants = [each for each in bench.plan.variants if each not in failing]
        control = [baseline] if self._is_timed else []
        if self._is_timed:
            if self.earlier is None and not self.choices.edits and not self.task.config.measure.modules:
                self._leave_out(bench, bench.try_edits(baseline))
            bench.build(baseline, True)
            seconds = [bench.warm_up(variant) for variant in variants] + [bench.warm_up(baseline, True)]
            self._choose_extent(bench, variants, sum(seconds) / len(seconds))
        steps = [step for variant in variants for step in bench.steps(variant)]
        if not steps:
            raise UsageError("none of the edits compiles in this package. Name one with --edits.")
        self.journal.begin(self._header(bench, layouts, control, refused, steps))
        again = [step for variant in control for step in bench.steps(variant, control=True)]
        orders = shuffled(steps, self.rounds, self.seed, again)
        self._take(bench, list(enumerate(orders, start=1)) if self._is_timed else [(0, steps)])
        self._verify(bench, steps, layouts)
        if not self._is_timed:
            # The same code gives the same record.
            self.journal.record.contents = None

    def _replay(self, bench: Bench) -> None:
        """Measures the commits of a history. Each is a round, so that an interrupted run is resumed at a commit."""
        history, variants, names = bench.history, bench.plan.variants, list(bench.history.commits)
        if LIVE in bench.plan.layouts or self.choices.quick:
            raise UsageError("A history is neither replayed live nor in five minutes. Leave out 'live' and --quick.")
        self._show_missing([((each.edit, each.module), each.reason) for each in history.left_out])
        if len(names) < (history_count(self.choices.edits) or 0):
            self.view.note(FEWER.format(len(names)))
        control = variants[:1] if self._is_timed else []
        self.journal.begin(self._replayed_header(bench, control))
        found, last = self.journal.record.verification, len(names) * (max(self.rounds, 1) - 1)
        verified = history.verified(self.seed) if found and found.left_out is None else set()

        def verify(number: int) -> None:
            name = names[(number - 1) % len(names)]
            if found is None or name not in verified or number <= last:
                return
            application = application_of(history.subject.package)
            found.program = application.name if application else None
            found.session = self._session(found.program)
            verdicts = (bench.verdict_of_commit(Step.of(each, name, None), found.session) for each in variants)
            found.verdicts += filter(None, verdicts)

        self._take(bench, history.orders(variants, control, self.rounds, self.seed), verify)

    def _layouts(self, bench: Bench) -> tuple[dict[str, Layout], list[Refusal]]:
        """The layouts that are possible with the smallest number of copies."""
        plan, copies = bench.plan, bench.plan.copies[0]
        generated = [name for name in plan.layouts if name != LIVE]
        found, refused = possible(bench.subject(copies), generated, plan.as_it_is, self.view) if generated else ({}, [])
        names = tuple(name for name in plan.layouts if name in found or name == LIVE)
        is_copy = any(layout.manifest is None for layout in found.values())
        bench.plan = changed(plan, layouts=names, as_it_is=is_copy)
        return {name: bench.layout(name, copies) for name in names}, refused

    def _build(
        self, bench: Bench, baseline: Variant, others: Iterable[Variant], layout: Layout
    ) -> dict[Variant, Refusal]:
        """Builds all variants, and returns why some are left out. The baseline must build."""
        try:
            bench.build(baseline)
        except BuildFailedError as error:
            _, _, message = str(error).partition("\n")
            if layout.manifest is not None or not message:
                raise
            raise BuildFailedError(
                f"{self.task.package} does not build, so it cannot be measured. (It was copied without the files "
                "that git ignores, and the manifest saw no environment variables but those of --variable.) "
                f"'swift build' said:\n{message}"
            ) from error
        failing = {}
        for variant in others:
            try:
                bench.build(variant)
            except ToolError as error:
                if not is_of_variant(error):
                    raise
                made = "it was generated, and" if variant.setting == baseline.setting else "it"
                reason = f"{made} does not build: {first_error(str(error))}"
                self.view.note(f"Left out: {variant.name}: {reason}")
                failing[variant] = Refusal(**asdict(variant), reason=reason)
        return failing

    def _show_missing(self, missing: Iterable[tuple[Key, str]]) -> None:
        for (edit, module), reason in missing:
            self.view.note(f"Left out: {' '.join(filter(None, [edit, module]))}: {reason}")

    def _leave_out(self, bench: Bench, missing: Sequence[tuple[Key, str]]) -> None:
        self._show_missing(missing)
        bench.plan = changed(bench.plan, missing=(*bench.plan.missing, *missing))

    def _choose_extent(self, bench: Bench, variants: Sequence[Variant], seconds_per_step: float) -> None:
        """Decides in a quick run, before the first sample, how many rounds of how many edits fit."""
        if not self.choices.quick or self.earlier is not None:
            return
        left = _QUICK_SECONDS - self.journal.elapsed
        keys = bench.subject(variants[0].copies).made
        modules = [] if self.choices.modules else list(bench.original.modules)
        for chosen in quick_choices(keys, not self.choices.edits, modules):
            per_round = len(chosen) * (len(variants) + 1) * seconds_per_step
            rounds = int(left / max(per_round, 0.001))
            if rounds >= LEAST_ROUNDS:
                break
        self._leave_out(bench, [(key, "to end in about 5 minutes.") for key in keys if key not in chosen])
        self.rounds = min(max(rounds, LEAST_ROUNDS), MOST_ROUNDS)

    def _header(
        self,
        bench: Bench,
        layouts: Mapping[str, Layout],
        control: Sequence[Variant],
        refused: Sequence[Refusal],
        steps: Sequence[Step],
    ) -> Record:
        """The record without its samples."""
        subject = bench.subject(bench.plan.copies[0])
        edits = tuple(dict.fromkeys(step.edit for step in steps))
        modules = tuple(dict.fromkeys(step.module for step in steps if step.module))
        return changed(
            self._plain_header(bench, subject.package.name, edits, modules, control),
            contents=digest(layouts.values()),
            is_copy=bool(bench.plan.as_it_is),
            with_tests=any(bench.original.is_tested(step.key) for step in steps),
            modules={name: subject.facts(name) for name in modules},
            targets={target.name: target.folder.as_posix() for target in subject.package.targets},
            gaps={
                name: gaps
                for name, each in layouts.items()
                if name != LIVE and (gaps := dependency_gaps(each.dependencies))
            },
            placements=subject.places,
            missing=subject.reasons,
            refused=tuple(refused),
        )

    def _replayed_header(self, bench: Bench, control: Sequence[Variant]) -> Record:
        """That of a history."""
        history, commits = bench.history, list(bench.history.commits.values())
        identifiers = " ".join(commit.identifier for commit in commits)
        return changed(
            self._plain_header(bench, history.subject.package.name, tuple(history.commits), (), control),
            contents=hashlib.sha256(identifiers.encode()).hexdigest(),
            is_copy=bench.plan.as_it_is is not False and not any(bench.plan.copies),
            commits=history.records,
            missing=history.left_out,
        )

    def _plain_header(
        self, bench: Bench, package: str, edits: tuple[str, ...], modules: tuple[str, ...], control: Sequence[Variant]
    ) -> Record:
        """What all records have."""
        task, plan, is_timed = self.task, bench.plan, self._is_timed
        settings = {name: bench.settings[name] for name in plan.settings}
        words = {**_MEANINGS, **{name: each.meaning for name, each in settings.items()}}
        values = (plan.layouts, plan.copies, plan.settings, edits, modules, plan.until)
        return Record(
            format=FORMAT,
            package=package,
            command=task.command(self.rounds, self.seed),
            toolchain=task.toolchain.version,
            revision=revision(task.package),
            axes=dict(zip(("layout", "copies", "setting", "edit", "module", "until"), values, strict=True)),
            rounds=self.rounds,
            seed=self.seed if is_timed else 0,
            control=tuple(control),
            jobs=plan.jobs if is_timed else None,
            quick=self.choices.quick,
            started=self.journal.started if is_timed else None,
            machine=this_machine() if is_timed else None,
            noisy_above=NOISY_ABOVE,
            meanings={name: words[name] for name in (*plan.layouts, *edits, *plan.settings) if name in words},
            settings={name: facts_of(each) for name, each in settings.items()},
            copied=task.config.measure.scale_module if any(plan.copies) else None,
            verification=Verification(left_out=self._unverified) if is_timed or self._verifies else None,
        )

    @property
    def _verifies(self) -> bool:
        if self.choices.verify is not None:
            return self.choices.verify
        return self._is_timed and not self.choices.quick and self.choices.until == (BUILT,)

    @property
    def _unverified(self) -> str | None:
        """Why a run that takes times verifies nothing, where it does not."""
        if self._verifies:
            return None
        if self.choices.quick or self.choices.verify is False:
            return f"{'--quick' if self.choices.quick else '--no-verify'} leaves it out."
        return "only a run until 'built' verifies its builds."

    def _take(
        self,
        bench: Bench,
        orders: Sequence[tuple[int, Sequence[Step]]],
        then: Callable[[int], object] = lambda number: None,
    ) -> None:
        """Takes the rounds, but for those that an earlier session has completed, and calls a function after each."""
        left, failed = self.journal.left(orders)
        self.view.planned(sum(len(order) for _, order in left))
        # Only when their turn comes, so that steps that have failed are not repeated.
        pieces = ((number, [step for step in order if step not in failed]) for number, order in left)
        for (number, _), taken in zip(left, bench.rounds(pieces), strict=True):
            for each in taken:
                step = step_of(each[0])
                if step not in failed:
                    self._add(step, each)
                failed |= failures(each)
            then(number)
            self.journal.keep()
            if number == 1 and self.choices.quick and self.rounds > 1:
                for line in self.task.first_words(self.journal.record):
                    self.view.note(line)

    def _add(self, step: Step, samples: Sequence[Sample]) -> None:
        if self.task.cluster is not None:
            self.journal.record.machines = dict(self.task.cluster.machines)
        for each in self.journal.add(samples):
            self.view.note(f"Left out: {each.cell.name}: {each.failure}")
        sample = samples[0]
        seconds = f", {sample.seconds:.2f} s" if sample.seconds else ""
        shown = [f"round {sample.round}"] if sample.round else []
        shown += [step.name, sample.failure or f"{amount(sample.files or 0, 'file')}{seconds}"]
        self.view.finished(": ".join(shown))

    def _session(self, program: str | None) -> tuple[ProgramRun, ...]:
        configured = self.task.config.measure.session
        return read_session(self.choices.session or (self.task.package / configured if configured else None), program)

    def _verify(self, bench: Bench, steps: Sequence[Step], layouts: Mapping[str, Layout]) -> None:
        """Verifies each cell with the smallest number of copies once, that has no verdict yet."""
        record, generated = self.journal.record, [name for name in layouts if name != LIVE]
        found = record.verification
        if found is None or found.left_out is not None or not generated:
            return
        found.program = layouts[generated[0]].program
        found.session = self._session(found.program)
        known = {each.cell for each in found.verdicts}
        left = [
            step
            for step in steps
            if step.layout in generated and step.copies == bench.plan.copies[0] and step.edit != CLEAN
            # The program shows nothing of what tests do.
            if not bench.original.is_tested(step.key) and record.refusal(step.cell()) is None
            if step.cell() not in known
        ]
        for position, verdict in enumerate(bench.verdicts(left, found.session), start=1):
            self.view.stage(f"Verified {verdict.cell.name} ({position} of {len(left)})")
            found.verdicts.append(verdict)
            self.journal.keep()


def quick_choices(keys: Sequence[Key], may_drop_edits: bool, modules: Sequence[str]) -> Iterator[list[Key]]:
    """Ever smaller choices: everything, then without `public-top`, which reaches the same files as `private-top`, then
    with fewer of the modules, from the end of the list."""
    chosen = list(keys)
    yield chosen
    if may_drop_edits and {"private-top", "public-top"} <= {edit for edit, _ in chosen}:
        chosen = [key for key in chosen if key[0] != "public-top"]
        yield chosen
    for name in list(reversed(modules))[: len(modules) - 1]:
        chosen = [key for key in chosen if key[1] != name]
        yield chosen
