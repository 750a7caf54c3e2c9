"""The steps of a run, in each variant: from one state of a package's sources to the next."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from swiftmodules.errors import ToolError
from swiftmodules.layouts.generate import LAYOUTS
from swiftmodules.layouts.layout import Layout
from swiftmodules.measure.record import Cell, End, LeftOut, Rebuilt, Variant
from swiftmodules.measure.subject import Origin, Subject, possible
from swiftmodules.steps.edit import (
    Key,
)

# Where neither the user nor the configuration names modules, and times are taken.
USUAL_MODULES = 3


@dataclass(frozen=True)
class Plan:
    """The choices that decide what is built. `edits` and `modules` are as the user typed them; without them, `usual` is
    the number of modules."""

    layouts: tuple[str, ...]
    copies: tuple[int, ...] = (0,)
    settings: tuple[str, ...] = ("default",)
    edits: tuple[str, ...] = ()
    modules: tuple[str, ...] = ()
    usual: int | None = None
    # So many commits are the steps, in place of edits.
    history: int = 0
    # In steps over so many.
    together: int = 1
    until: End = "built"
    # The revision with which the package is compared: the layouts are the states of its sources.
    against: str | None = None
    jobs: int | None = None
    # Whether the layout `interface` is the package with its own manifest.
    is_copy: bool = False
    # Whether samples have times, and what else depends on the machine.
    is_timed: bool = True

    @property
    def variants(self) -> list[Variant]:
        """Everything that is built again and again, the baseline first."""
        return [
            Variant(layout=layout, copies=copies, setting=setting)
            for copies in self.copies
            for setting in self.settings
            for layout in self.layouts
        ]


class Sources(ABC):
    """The states of a package's sources in each variant."""

    plan: Plan
    _origin: Origin
    subject: Subject
    rows: Sequence[Key]
    left_out: Sequence[LeftOut]
    # The tests are built too, as an edit is made in them, or as they are run.
    with_tests: bool

    @abstractmethod
    def sized(self, copies: int) -> Subject:
        """The package with so many copies, of a history at its last commit."""

    def meaning(self, layout: str) -> str:
        """What a layout is."""
        return LAYOUTS[layout]

    def possible(self) -> tuple[dict[str, Layout], list[LeftOut]]:
        """The layouts of the plan that are possible, as they are with the fewest copies, and why others are not."""
        subject = self.sized(self.plan.copies[0])
        return possible(subject if self.with_tests else subject.without_tests(), self.plan.layouts, self._origin.view)

    def with_all_tests(self, layout: str) -> Layout:
        """A layout with the fewest copies, and with the tests where it can have them."""
        subject = self.sized(self.plan.copies[0])
        try:
            return subject.layout(layout, self.plan.is_copy)
        except ToolError:
            return subject.without_tests().layout(layout, self.plan.is_copy)

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
        """What a cache of targets rebuilds for a step."""
        if cell not in self._rebuilt:
            changed = [*self.changed(cell)]
            try:
                layout = self.after(cell, with_tests=True)
            except ToolError:
                layout = self.after(cell, with_tests=False)
            found = layout.rebuilt(changed)
            built = [each for each in found if not each.is_test]
            files = sum(len(each.sources) for each in built) + len(layout.added)
            tests = (len(found) - len(built), len(layout.package.tests)) if layout.package.tests else ()
            self._rebuilt[cell] = Rebuilt(len(built), files, *tests)
        return self._rebuilt[cell]

    @cached_property
    def _rebuilt(self) -> dict[Cell, Rebuilt]:
        return {}

    @abstractmethod
    def warm_up(self, variant: Variant) -> Sequence[Cell]:
        """The steps after a clean build that are not recorded: the first builds compile more, and are slower."""

    @abstractmethod
    def facts(self) -> dict[str, Any]:
        """The fields of a record that describe the steps."""
