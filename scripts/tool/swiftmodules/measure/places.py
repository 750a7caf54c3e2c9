"""One variant in a folder of its own, where it is built after each edit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Protocol

from swiftmodules.builds.recorder import phases
from swiftmodules.builds.workspace import Build, Workspace
from swiftmodules.errors import ToolError
from swiftmodules.measure.by_hand import work_by_hand
from swiftmodules.measure.plan import Plan, Step
from swiftmodules.measure.record import BUILT, BY_HAND, CLEAN, SCREEN, Sample
from swiftmodules.measure.samples import facts_of, first_error, sample_of
from swiftmodules.measure.screen import Screens
from swiftmodules.measure.subject import Subject


class Place(Protocol):
    """One variant as it is built again and again."""

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        """Makes an edit, and everything that is timed after it."""

    def close(self) -> None:
        """Ends what runs."""


class Built:
    """A variant that `swift build` builds. Times end there, on the screen of the program, or with the work by hand."""

    def __init__(
        self, workspace: Workspace, subject: Subject, plan: Plan, numbers: Iterator[int], screens: Screens | None
    ) -> None:
        self.workspace = workspace
        workspace.build_clean()
        self._subject = subject
        self._plan = plan
        self._numbers = numbers
        self._screens = screens

    def take(self, step: Step, number: int, position: int) -> list[Sample]:
        if step.edit == CLEAN:
            return [self._clean(step, number, position)]
        workspace, until = self.workspace, self._plan.until
        placement, edit = self._subject.placements.get(step.key), next(self._numbers)
        by_hand: dict[str, Any] = {}
        shown = 0.0
        with workspace.edited(placement, edit) as build:
            if placement is not None and self._screens is not None:
                shown = self._screens.seconds_of_start(workspace, placement, edit)
            if placement is not None and self._plan.repeats_builds:
                by_hand = self._by_hand(build)
        if by_hand:
            # The next build may look at its files again.
            workspace.settle()
        facts = facts_of(build) | {"round": number, "position": position}
        found = []
        if BUILT in until:
            found.append(sample_of(step, **facts, phases=phases(build.jobs, build.seconds) if build.jobs else {}))
        if SCREEN in until:
            facts["seconds"] += shown
            found.append(sample_of(step, SCREEN, **facts, phases={"build": build.seconds, "start": shown}))
        if by_hand:
            found.append(sample_of(step, BY_HAND, round=number, position=position, **by_hand))
        return found

    def close(self) -> None:
        self.workspace.remove_scratch()

    def _by_hand(self, build: Build) -> dict[str, Any]:
        """The fields of the sample of the unavoidable work, done again while the edit is in force."""
        try:
            steps, seconds = work_by_hand(build.commands, self.workspace, self._plan.jobs or 1)
        except ToolError as error:
            return {"failure": first_error(str(error))}
        return {"seconds": seconds, "phases": steps} if steps else {}

    def _clean(self, step: Step, number: int, position: int) -> Sample:
        build, product_bytes = self.workspace.build_apart()
        facts = facts_of(build) | {"product_bytes": product_bytes}
        # All files are.
        del facts["compiled"]
        return sample_of(step, round=number, position=position, **facts)
