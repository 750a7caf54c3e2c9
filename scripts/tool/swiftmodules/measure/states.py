"""The states of a package's sources in each variant: before a step, and after it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.layouts.generate import FUSED, INTERFACE, LAYOUTS
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure.plan import NOW, Plan
from swiftmodules.measure.record import Cell, LeftOut, Rebuilt, Variant
from swiftmodules.measure.subject import Origin, Subject
from swiftmodules.steps.edit import Key

# A commit of a history before the first split may have none: nothing is merged there.
_NO_PAIRS = (
    "the package has no pairs of targets that are named as an interface and its implementation; swiftmodules.toml can "
    "say how they are named."
)


class States(ABC):
    """The states of a package's sources in each variant."""

    subject: Subject
    rows: Sequence[Key]
    left_out: Sequence[LeftOut] = ()
    # The state from which the package is known.
    last: str

    def __init__(self, plan: Plan, origin: Origin) -> None:
        self.plan = plan
        self.origin = origin
        self._layouts: dict[tuple[str, str, bool], Layout] = {}

    @abstractmethod
    def at(self, state: str) -> Subject:
        """The package in a state, with the copies of a module."""

    def meaning(self, layout: str) -> str:
        """A description of a layout."""
        if self.plan.against is None:
            return LAYOUTS[layout]
        return "the package as it is now" if layout == NOW else f"the package at {layout}"

    def possible(self) -> tuple[dict[str, Layout], list[LeftOut]]:
        """The layouts of the plan that are possible, and why others are not.

        All are generated in the same way, so that only what they are about differs. Where nothing is compared with it,
        `interface` is the package as it is. Raises `ToolError` where no layout is left.
        """
        if self.plan.against:
            return {name: self._layout(name, name, False) for name in self.plan.layouts}, []
        subject = self._prepared(self.last, False)
        found: dict[str, Layout] = {}
        left_out = []
        # The layout `interface` comes last, as it depends on the others.
        for name in sorted(self.plan.layouts, key=lambda name: name == INTERFACE):
            try:
                if name == FUSED and not subject.package.modules:
                    raise ToolError(_NO_PAIRS)
                found[name] = subject.layout(name, is_copy=not found and not subject.removed)
            except ToolError as error:
                self.origin.view.note(f"The layout '{name}' is left out: {error}")
                left_out.append(LeftOut(layout=name, reason=str(error)))
        if not found:
            raise ToolError("\n".join(each.reason for each in left_out))
        return {name: found[name] for name in self.plan.layouts if name in found}, left_out

    def with_all_tests(self, layout: str) -> Layout:
        """A layout with the tests."""
        return self._layout(layout if self.plan.against else self.last, layout, True)

    def _layout(self, state: str, layout: str, with_tests: bool) -> Layout:
        """A state in a layout, with the tests where the layout can have them. Raises `ToolError` where the layout is
        not possible."""
        key = (state, layout, with_tests)
        if key not in self._layouts:
            subject = self._prepared(state, with_tests)
            try:
                made = subject.layout(INTERFACE if self.plan.against else layout, self.plan.is_copy)
            except ToolError:
                if not with_tests:
                    raise
                return self._layout(state, layout, False)
            self._layouts[key] = replace(made, name=layout)
        return self._layouts[key]

    def _prepared(self, state: str, with_tests: bool) -> Subject:
        subject = self.at(state)
        if len(self.plan.settings) > 1:
            subject = subject.without_choices_of([flag for way in self.plan.ways.values() for flag in way.compiler])
        return subject if with_tests or self.plan.with_tests else subject.without_tests()

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
        """The targets that a cache by source rebuilds for a step."""
        layout = self.after(cell, with_tests=True)
        found = layout.rebuilt(self.changed(cell))
        built = [each for each in found if not each.is_test]
        of_tests = len(layout.package.tests) or None
        return Rebuilt(
            targets=len(built),
            files=sum(len(each.sources) for each in built),
            tests=len(found) - len(built) if of_tests else None,
            of_tests=of_tests,
        )

    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        """The steps after a clean build that are not recorded: the first builds compile more, and are slower."""
        return ()

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The fields of a record that describe the steps."""
