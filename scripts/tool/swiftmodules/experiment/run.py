"""`measure run`: times `swift build` after edits, in several layouts of the same code."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from swiftmodules.builds.conditions import usable_cores
from swiftmodules.edits.catalogue import DEFAULT_EDITS, Key
from swiftmodules.errors import BuildFailedError, UsageError
from swiftmodules.experiment.built import BuiltLayouts, SharedLayouts, first_error, share_rounds
from swiftmodules.experiment.requests import Group
from swiftmodules.experiment.runner import INSTRUMENTS, Runner, Task, shuffled
from swiftmodules.experiment.subject import read_subject
from swiftmodules.layouts.layout import Layout
from swiftmodules.records.kinds import RunOptions, RunRecord
from swiftmodules.records.model import (
    CONTROL,
    Verification,
    place_name,
)

# Where neither the user nor the configuration names modules, and the rounds of a quick run.
USUAL_MODULES = 3
LEAST_ROUNDS, MOST_ROUNDS = 2, 10
# About 5 minutes: the estimate rests on a few samples, and errs on the high side.
_QUICK_SECONDS = 350


def measure(options: RunOptions, task: Task) -> RunRecord:
    """Measures a package, writes the record, and returns it."""
    return _Run(task, RunRecord, options).run()


class _Run(Runner[RunRecord, RunOptions]):
    def measure(self) -> None:
        earlier = self.earlier
        missing = earlier.missing if earlier else {}
        options = self.options = replace(self.options, jobs=self.options.jobs or usable_cores())
        edits = options.edits or DEFAULT_EDITS
        subject = read_subject(self.task, self.folder, edits, options.modules, USUAL_MODULES, earlier)
        # Without the edits that did not compile in an earlier session.
        left_out = {key: missing[name] for key in subject.made if (name := place_name(*key)) in missing}
        subject = subject.without(left_out)
        as_it_is = earlier.is_copy if earlier else None
        layouts = subject.layouts(options.layouts, self.view, as_it_is)
        built = BuiltLayouts(subject, self.task, self.folder, options.jobs)
        if self.task.cluster is not None:
            group = Group(
                name="run",
                kind="run",
                edits=edits,
                modules=options.modules,
                asked=options.layouts,
                missing=tuple(left_out.items()),
                jobs=options.jobs,
                as_it_is=as_it_is,
            )
            built = SharedLayouts(subject, self, self.offered(), group)
        self._build(built, layouts)
        keys, rounds = self._extent(built, seconds_per_sample=built.warm_up())
        names = tuple(name for name in built.layouts if name != CONTROL)
        self._begin(built, names, keys, rounds)
        cells = built.subject.cells(names, keys)
        orders = shuffled(cells, rounds, options.seed, built.subject.cells([CONTROL], keys))
        steps = [[built.step(cell) for cell in order] for order in orders]
        self.planned(steps)
        share_rounds((number, [(built, order)]) for number, order in enumerate(orders, start=1))
        for number, own in enumerate(steps, start=1):
            self.take(own, number)
            if number == 1 and options.quick and self.task.first_words is not None and rounds > 1:
                for line in self.task.first_words(self.record):
                    self.view.note(line)
        self.record.verification = self.record.verification or Verification()
        for _ in built.verdicts(cells, self.record.verification):
            self.keep()
        if not options.quick:
            self.record.rebuilds = built.rebuilds(names)

    def _build(self, built: BuiltLayouts, layouts: Mapping[str, Layout]) -> None:
        """Builds the first layout, tries the edits in it, and keeps those of the others that can be built too."""
        first, *others = layouts
        try:
            built.build(first, layouts[first])
        except BuildFailedError as error:
            if layouts[first].manifest is not None:
                raise
            _, _, message = str(error).partition("\n")
            raise BuildFailedError(
                f"{self.task.package} does not build, so it cannot be measured. (It was copied without the files "
                "that git ignores, and the manifest saw no environment variables but those of --variable.) "
                f"'swift build' said:\n{message}"
            ) from error
        if self.earlier is None and not self.options.edits and not self.task.config.measure.modules:
            self._try_edits(built, first)
        for name in others:
            try:
                built.build(name, layouts[name])
            except BuildFailedError as error:
                reason = f"it was generated, and does not build: {first_error(str(error))}"
                built.subject.refuse(name, reason, self.view)
        built.build(CONTROL, layouts[first])

    def _try_edits(self, built: BuiltLayouts, layout: str) -> None:
        """Leaves out the edits that the tool chose and that do not compile."""
        missing = built.try_edits(layout)
        for key, reason in missing.items():
            self.view.note(f"Left out: {place_name(*key)}: {reason}")
        built.without(missing)
        if not built.subject.placements:
            raise UsageError("none of the edits compiles in this package. Name one with --edits.")

    def _extent(self, built: BuiltLayouts, seconds_per_sample: float) -> tuple[list[Key], int]:
        """Decides what is measured, and in how many rounds, before the first sample: everything, or in a quick run what
        fits."""
        keys, options = built.subject.made, self.options
        if not options.quick or self.earlier is not None:
            return keys, options.rounds
        left = _QUICK_SECONDS - self.elapsed
        modules = [] if options.modules else list(built.subject.modules)
        for chosen in quick_choices(keys, not options.edits, modules):
            per_round = len(chosen) * len(built.layouts) * seconds_per_sample
            rounds = int(left / max(per_round, 0.001))
            if rounds >= LEAST_ROUNDS:
                break
        dropped = [place_name(*key) for key in keys if key not in chosen]
        if dropped:
            self.view.note(f"Left out to end in about 5 minutes: {', '.join(dropped)}")
        return chosen, min(max(rounds, LEAST_ROUNDS), MOST_ROUNDS)

    def _begin(self, built: BuiltLayouts, names: tuple[str, ...], keys: Sequence[Key], rounds: int) -> None:
        chosen = [key for key in built.subject.keys if key in keys or key in built.subject.missing]
        subject = replace(built.subject, keys=chosen)
        modules = tuple(name for name in subject.modules if any(name == module for _, module in keys))
        self.options = replace(
            self.options, layouts=names, edits=subject.edits, modules=modules, rounds=rounds, control=names[0]
        )
        places = {place_name(*key) for key in keys}
        layouts = [built.layouts[name] for name in names]
        self.begin(
            RunRecord(
                **self.header(subject.package.name, layouts),
                placements={name: text for name, text in subject.described.items() if name in places},
                missing=subject.reasons,
                modules={name: subject.facts(name) for name in modules},
                clean_builds=built.clean_builds,
                instruments=INSTRUMENTS,
                is_copy=layouts[0].manifest is None,
                with_tests=layouts[0].has_tests,
                refused_layouts=subject.refused,
                verification=Verification(self.task.unverified),
            )
        )


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
