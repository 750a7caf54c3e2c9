"""The states of a package's sources in each variant: before a step, and after it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from swiftmodules.builds.settings import settings_of
from swiftmodules.errors import ToolError
from swiftmodules.layouts.generate import FUSED, INTERFACE, LAYOUTS
from swiftmodules.layouts.layout import Layout
from swiftmodules.layouts.refusals import impossible, without_layout
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, LeftOut, Rebuilt, Variant
from swiftmodules.measure.subject import Origin, Subject
from swiftmodules.steps.edit import Key

# A commit of a history before the first split may have none: nothing is merged there.
_NO_PAIRS = (
    "the package has no pairs of targets that are named as an interface and its implementation; swiftmodules.toml can "
    "say how they are named"
)


class States(ABC):
    """The states of a package's sources in each variant."""

    subject: Subject
    rows: Sequence[Key]
    left_out: Sequence[LeftOut] = ()
    # The tests are built too, as an edit is made in them, or as they are run.
    with_tests: bool
    # The state from which the package is known.
    last: str

    def __init__(self, plan: Plan, origin: Origin) -> None:
        self.plan = plan
        self.origin = origin
        self._layouts: dict[tuple[str, str, int, bool], Layout] = {}
        self._rebuilt: dict[Cell, Rebuilt] = {}

    @abstractmethod
    def sized(self, state: str, copies: int) -> Subject:
        """The package in a state, with so many copies of a module."""

    def meaning(self, layout: str) -> str:
        """What a layout is."""
        if self.plan.against is None:
            return LAYOUTS[layout]
        return "the package as it is now" if layout == NOW else f"the package at {layout}"

    def possible(self) -> tuple[dict[str, Layout], list[LeftOut]]:
        """The layouts of the plan that are possible, as they are with the fewest copies, and why others are not.

        All are generated in the same way, so that only what they are about differs. Where nothing is compared with it,
        `interface` is the package as it is. Raises `ToolError` where no layout is left.
        """
        if self.plan.against:
            return {name: self._layout(name, Variant(layout=name), False) for name in self.plan.layouts}, []
        subject = self._prepared(self.last, self.plan.copies[0], False)
        found: dict[str, Layout] = {}
        left_out = []
        # Last, as it depends on the others.
        for name in sorted(self.plan.layouts, key=lambda name: name == INTERFACE):
            try:
                if name == FUSED and not subject.package.modules:
                    raise impossible(FUSED, _NO_PAIRS)
                found[name] = subject.layout(name, is_copy=not found and not subject.removed)
            except ToolError as error:
                reason = without_layout(str(error), name)
                self.origin.view.note(f"The layout '{name}' is left out: {reason}")
                left_out.append(LeftOut(layout=name, reason=reason))
        if not found:
            raise ToolError("\n".join(each.reason for each in left_out))
        return {name: found[name] for name in self.plan.layouts if name in found}, left_out

    def with_all_tests(self, layout: str) -> Layout:
        """A layout with the fewest copies, and with the tests where it can have them."""
        state, variant = layout if self.plan.against else self.last, Variant(layout=layout, copies=self.plan.copies[0])
        try:
            return self._layout(state, variant, True)
        except ToolError:
            return self._layout(state, variant, False)

    def _layout(self, state: str, variant: Variant, with_tests: bool) -> Layout:
        """A state in a variant. Raises `ToolError` where the layout is not possible."""
        key = (state, variant.layout, variant.copies, with_tests)
        if key not in self._layouts:
            subject = self._prepared(state, variant.copies, with_tests)
            made = subject.layout(INTERFACE if self.plan.against else variant.layout, self.plan.is_copy)
            self._layouts[key] = replace(made, name=variant.layout)
        return self._layouts[key]

    def _prepared(self, state: str, copies: int, with_tests: bool) -> Subject:
        subject = self.sized(state, copies)
        if len(self.plan.settings) > 1:
            known = settings_of(self.origin.config)
            subject = subject.without_choices_of([flag for name in self.plan.settings for flag in known[name].compiler])
        return subject if with_tests or self.with_tests else subject.without_tests()

    @abstractmethod
    def before(self, cell: Cell, with_tests: bool) -> Layout:
        """The state before a step. Raises `ToolError` where the layout is not possible."""

    @abstractmethod
    def after(self, cell: Cell, with_tests: bool) -> Layout:
        """The state after it, which no earlier build of a made-up edit had."""

    @abstractmethod
    def changed(self, cell: Cell) -> Iterable[str]:
        """The targets of the package that a step changes."""

    def rebuilt(self, cell: Cell) -> Rebuilt:
        """What a cache by source rebuilds for a step."""
        if cell not in self._rebuilt:
            changed = [*self.changed(cell)]
            try:
                layout = self.after(cell, with_tests=True)
            except ToolError:
                layout = self.after(cell, with_tests=False)
            found = layout.rebuilt(changed)
            built = [each for each in found if not each.is_test]
            files = sum(len(each.sources) for each in built) + len(layout.added)
            of_tests = len(layout.package.tests) or None
            tests = len(found) - len(built) if of_tests else None
            self._rebuilt[cell] = Rebuilt(targets=len(built), files=files, tests=tests, of_tests=of_tests)
        return self._rebuilt[cell]

    @abstractmethod
    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        """The steps after a clean build that are not recorded: the first builds compile more, and are slower."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The fields of a record that describe the steps."""
