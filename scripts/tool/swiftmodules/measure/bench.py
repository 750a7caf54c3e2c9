"""The packages of a run, as one machine builds them again and again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack
from functools import cached_property
from itertools import count
from pathlib import Path

from swiftmodules.builds.workspace import Workspace
from swiftmodules.edits.catalogue import Key, place_all
from swiftmodules.errors import BuildFailedError, ToolError
from swiftmodules.layouts.generate import INTERFACE
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure import counts
from swiftmodules.measure.by_hand import NAMES_ON_COMMAND_LINE
from swiftmodules.measure.places import Built, Place
from swiftmodules.measure.plan import LIVE, Plan, Step
from swiftmodules.measure.progress import ProgressView
from swiftmodules.measure.record import BY_HAND, CLEAN, SCREEN, ProgramRun, Sample, Variant, Verdict
from swiftmodules.measure.replay import Replay, ReplayedPlace
from swiftmodules.measure.samples import first_error, is_of_variant, sample_of
from swiftmodules.measure.screen import LiveSession, Screens
from swiftmodules.measure.settings import options_in, settings_of
from swiftmodules.measure.subject import USUAL_MODULES, Reader, Subject
from swiftmodules.measure.verify import Verifier
from swiftmodules.swiftpm.config import Config, Setting
from swiftmodules.swiftpm.toolchain import Toolchain


class Bench(AbstractContextManager["Bench"]):
    """What is built on this machine: everything that a plan names, when it is first needed. Errors of the baseline end
    the run; samples of other variants say why their build has failed."""

    def __init__(
        self, package: Path, folder: Path, toolchain: Toolchain, config: Config, view: ProgressView, plan: Plan
    ) -> None:
        self.plan = plan
        self._package = package
        self._folder = folder
        self._toolchain = toolchain
        self._config = config
        self._view = view
        # By the variant, whether it is the control, is built with tests, and is only verified.
        self._places: dict[tuple[Variant, bool, bool, bool], Place] = {}
        self._subjects: dict[tuple[int, bool], Subject] = {}
        self._layouts: dict[tuple[str, int, bool], Layout] = {}
        self._verifiers: dict[int, Verifier] = {}
        self._warm: set[tuple[Variant, bool]] = set()
        self._numbers, self._folders = count(1), count(1)
        self._ends = ExitStack()

    def __exit__(self, *error: object) -> None:
        self._ends.close()

    @cached_property
    def history(self) -> Replay:
        """The commits that are replayed."""
        return Replay(self._package, self._folder, self._toolchain, self._config, self._view, self.plan)

    @cached_property
    def settings(self) -> Mapping[str, Setting]:
        return settings_of(self._config)

    @cached_property
    def original(self) -> Subject:
        """The package as it is, with all edits."""
        plan, configured = self.plan, self._config.measure
        modules = plan.modules
        if any(plan.copies) and not modules and configured.scale_module:
            # The first of the others stands for what all copies use.
            others = [name for name in configured.modules if name != configured.scale_module][:1]
            modules = (*others, configured.scale_module)
        subject = self._reader.read(plan.edits, modules, None if plan.counts else USUAL_MODULES)
        if self._screens is not None:
            unseen = [key for key in subject.made if key not in subject.placements]
            subject = subject.without(dict.fromkeys(unseen, "it changes no text on a screen."))
        return subject if len(plan.settings) == 1 else subject.without_linker()

    @cached_property
    def _screens(self) -> Screens | None:
        return Screens(self._config, self._package) if SCREEN in self.plan.until else None

    @cached_property
    def _reader(self) -> Reader:
        place = self._screens.place if self._screens else place_all
        return Reader(self._package, self._folder, self._toolchain, self._config, self._view, place)

    @cached_property
    def _with_copies(self) -> Callable[[int], Subject]:
        return self._reader.with_copies(self.original)

    def subject(self, copies: int, tested: bool = False) -> Subject:
        """The package with so many copies, with its tests or without."""
        key = (copies, tested)
        if key not in self._subjects:
            self._subjects[key] = self._with_copies(copies) if copies else self.original.part(tested)
        return self._subjects[key].without(dict(self.plan.missing))

    def layout(self, name: str, copies: int, tested: bool = False) -> Layout:
        """One layout of the package with so many copies. Raises `ToolError` where it is not possible."""
        key = (name, copies, tested)
        if key not in self._layouts:
            own = INTERFACE if name == LIVE else name
            as_it_is = bool(self.plan.as_it_is) and name != LIVE
            self._layouts[key] = self.subject(copies, tested).layout(own, as_it_is)
        return self._layouts[key]

    def steps(self, variant: Variant, control: bool = False) -> list[Step]:
        """Every edit in a variant."""
        made = self._made(variant.copies)
        if self.settings[variant.setting].only_clean:
            made = [key for key in made if key[0] == CLEAN]
        return [Step.of(variant, edit, module, control) for edit, module in made]

    def _made(self, copies: int) -> list[Key]:
        parts = [self.subject(copies, tested) for tested in ((False,) if copies else (False, True))]
        made = {key for part in parts for key in part.made}
        return [key for key in self.original.keys if key in made]

    def build(self, variant: Variant, control: bool = False) -> None:
        """Makes a clean build of a variant."""
        self._place(variant, control)

    def try_edits(self, variant: Variant) -> list[tuple[Key, str]]:
        """Makes every edit once. Returns why some do not compile."""
        missing = []
        for step in self.steps(variant):
            self._view.stage(f"Trying {step.name}")
            try:
                self._place_of(step).take(step, 0, 1)
            except BuildFailedError as error:
                self._forget(step)
                missing.append((step.key, f"it does not compile: {first_error(str(error))}"))
        return missing

    def warm_up(self, variant: Variant, control: bool = False) -> float:
        """Makes a cheap and an expensive edit in a variant. Returns the mean seconds of an edit with its undoing."""
        self._view.stage(f"Warming up {variant.name}{' (control)' * control}")
        self._warm.add((variant, control))
        steps = [step for step in self.steps(variant, control) if step.edit != CLEAN]
        examples = {step.edit: step for step in reversed(steps)}
        chosen = [examples[edit] for edit in counts.FIRST_EDITS if edit in examples] or steps[:1]
        seconds = []
        for step in steps if variant.layout == LIVE else chosen:
            sample = self.take(step, 0, 1)[0]
            seconds.append((sample.seconds or 0) + (sample.settling_seconds or 0))
        # Half a second goes by on average until a file may be changed again.
        return sum(seconds) / max(len(seconds), 1) + 0.5

    def rounds(self, pieces: Iterable[tuple[int, Sequence[Step]]]) -> Iterator[Iterator[list[Sample]]]:
        """Takes the steps of rounds, one after another."""
        return (self.round(number, steps) for number, steps in pieces)

    def round(self, number: int, steps: Sequence[Step]) -> Iterator[list[Sample]]:
        """Takes the steps of a round."""
        needed = dict.fromkeys((step.variant, step.control) for step in steps)
        for variant, control in needed if number and not self.plan.history else ():
            if (variant, control) not in self._warm:
                self.warm_up(variant, control)
        for position, step in enumerate(steps, start=1):
            self._view.begins(f"round {number}: {step.name}" if number else step.name)
            yield self.take(step, number, position)

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        """Takes one step."""
        try:
            return self._place_of(step).take(step, number, position)
        except ToolError as error:
            if not is_of_variant(error) or step.variant == self.plan.variants[0]:
                raise
            self._forget(step)
            failure = first_error(str(error).replace(f"{self._folder}/", ""))
            return [sample_of(step, round=number, position=position, failure=failure)]

    def verdicts(self, cells: Sequence[Step], session: tuple[ProgramRun, ...]) -> Iterator[Verdict]:
        """Verifies cells, one after another."""
        return (self.verdict(cell, session) for cell in cells)

    def verdict(self, step: Step, session: tuple[ProgramRun, ...]) -> Verdict:
        """Verifies a cell."""
        place = self._place(step.variant, step.control, verified=self.plan.counts)
        assert isinstance(place, Built)
        placement = self.subject(step.copies).placements.get(step.key)
        # The same number for an edit in each layout and setting, so that its sources are built clean once.
        number = 1_000_000 + self.original.keys.index(step.key)
        return self._verifier(step, session).verify(place.workspace, step.cell(), placement, number)

    def verdict_of_commit(self, step: Step, session: tuple[ProgramRun, ...]) -> Verdict | None:
        """Verifies a commit that was built last; None where it did not build."""
        place = self._place(step.variant, step.control)
        assert isinstance(place, ReplayedPlace)
        return place.verify(step, self._verifier(step, session))

    def _verifier(self, variant: Variant, session: tuple[ProgramRun, ...]) -> Verifier:
        """That of all layouts and settings; the session is the same each time."""
        return self._verifiers.setdefault(variant.copies, Verifier(self._folder / f"run-{variant.copies}", session))

    def _place_of(self, step: Step) -> Place:
        tested = not self.plan.history and self.original.is_tested(step.key)
        return self._place(step.variant, step.control, tested)

    def _place(self, variant: Variant, control: bool, tested: bool = False, verified: bool = False) -> Place:
        key = (variant, control, tested, verified)
        if key not in self._places:
            words = f"{variant.name}{' (control)' * control}{' with tests' * tested}"
            self._view.stage(f"Building {words}")
            folder = self._folder / "places" / "-".join([str(next(self._folders)), *re.findall(r"\w+", words)])
            place = self._places[key] = self._made_place(variant, folder, tested, verified)
            self._ends.callback(place.close)
        return self._places[key]

    def _made_place(self, variant: Variant, folder: Path, tested: bool, verified: bool) -> Place:
        plan, setting = self.plan, self.settings[variant.setting]
        is_counted = plan.counts and not verified
        names = NAMES_ON_COMMAND_LINE if plan.repeats_builds else ()
        options = (*(counts.OPTIONS if is_counted else names), *options_in(folder, setting))
        jobs = setting.jobs or plan.jobs
        environment = {**(counts.ENVIRONMENT if is_counted else {}), **setting.environment}

        def built(layout: Layout) -> Workspace:
            return Workspace(layout, folder, self._folder, self._toolchain, jobs, options, environment)

        if plan.history:
            return ReplayedPlace(self.history, variant, is_counted, built)
        subject, workspace = (
            self.subject(variant.copies, tested),
            built(self.layout(variant.layout, variant.copies, tested)),
        )
        if variant.layout == LIVE:
            assert self._screens is not None
            return LiveSession(workspace, subject, self._screens, self._numbers, BY_HAND in plan.until)
        if is_counted:
            return counts.Counted(workspace, subject, self._numbers)
        return Built(workspace, subject, plan, self._numbers, self._screens)

    def _forget(self, step: Step) -> None:
        """Removes what a failed build has left, so that the next step builds all again."""
        for key in [key for key in self._places if key[:2] == (step.variant, step.control)]:
            self._places.pop(key).close()
