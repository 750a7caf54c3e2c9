"""The builds of a run: samples in their order, each cell verified once, and one rebuild of each layout job by job."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import count
from pathlib import Path

from buildspeed.edited_build import edited
from buildspeed.edits import Placement
from buildspeed.plan import Cell
from buildspeed.program_session import ProgramRun
from buildspeed.progress import ProgressView
from buildspeed.record import Record, Sample
from buildspeed.timed_rebuilds import timed_rebuilds
from buildspeed.toolchain import Toolchain
from buildspeed.verification import verify_cells
from buildspeed.workspace import Workspace

# Whose rebuild is shown job by job, where it is made: it tells the layouts apart.
_TIMELINE_EDIT = "private-top"


class Sampling:
    """The layouts of a run as they are built again and again.

    `elapsed` gives the seconds of the run so far; `edits_made` tells how many edits were made in them before.
    """

    def __init__(
        self,
        workspaces: Mapping[str, Workspace],
        placements: Mapping[tuple[str, str | None], Placement],
        view: ProgressView,
        elapsed: Callable[[], float],
        edits_made: int = 0,
    ) -> None:
        self._workspaces = workspaces
        self._placements = placements
        self._view = view
        self._elapsed = elapsed
        self._edits_made = edits_made

    def warm_up(self) -> float:
        """Makes a cheap and an expensive edit in each layout, as the first builds after a clean one are slower.

        Returns the mean seconds of an edit with its undoing.
        """
        examples = {key[0]: placement for key, placement in reversed(self._placements.items())}
        chosen = [examples[edit] for edit in ("body", "interface-extension-member") if edit in examples]
        chosen = chosen or list(examples.values())[:1]
        seconds = []
        for name, workspace in self._workspaces.items():
            self._view.stage(f"Warming up the layout '{name}'")
            for placement in chosen:
                cell = Cell(workspace.layout.name, placement.edit, placement.module)
                sample = self._sample(0, 0, cell, workspace, placement)
                seconds.append(sample.seconds + (sample.settling_seconds or 0))
            if not chosen:
                seconds.append(workspace.build().finished.seconds)
        # Half a second goes by on average until a file may be changed again.
        return sum(seconds) / len(seconds) + 0.5

    def take_round(self, record: Record, number: int, order: Sequence[Cell], keep: Callable[[Record], None]) -> None:
        """Takes the samples of a round in their order; `keep` saves the record after each."""
        try:
            for position, cell in enumerate(order, start=1):
                self._view.begins(f"round {number} of {record.options.rounds}: {cell.name}")
                placement = self._placements.get((cell.edit, cell.module))
                sample = self._sample(number, position, cell, self._workspaces[cell.layout], placement)
                record.samples.append(sample)
                record.seconds = self._elapsed()
                keep(record)
                self._view.finished(sample)
        finally:
            record.seconds = self._elapsed()

    def verify(
        self,
        record: Record,
        all_cells: Sequence[Cell],
        session: Sequence[ProgramRun],
        keep: Callable[[Record], None],
    ) -> None:
        """Verifies each cell once that has no verdict yet; `keep` saves the record after each."""
        found = record.verification
        if found is None or found.left_out is not None:
            return
        left = [cell for cell in all_cells if found.verdict(cell) is None]
        numbers = count(self._edits_made + 1)
        for verdict in verify_cells(left, self._workspaces, self._placements, session, numbers, self._view.stage):
            found.verdicts.append(verdict)
            record.seconds = self._elapsed()
            keep(record)

    def time_rebuilds(self, record: Record, folder: Path, toolchain: Toolchain, jobs: int) -> None:
        """Times the jobs of one rebuild of each layout, after the edit of `_TIMELINE_EDIT` where that is made."""
        made = sorted(self._placements, key=lambda key: (key[0] != _TIMELINE_EDIT, key))
        layouts = [self._workspaces[name].layout for name in record.options.layouts]
        # With tests, SwiftPM wants its libraries beside the recorder, and the one of times is alone.
        if not made or any(layout.has_tests for layout in layouts):
            return
        placement = self._placements[made[0]]
        record.rebuilds = timed_rebuilds(layouts, placement, folder, toolchain, jobs, self._view.stage)
        record.seconds = self._elapsed()

    def _sample(
        self, number: int, position: int, cell: Cell, workspace: Workspace, placement: Placement | None
    ) -> Sample:
        self._edits_made += 1
        with edited(workspace, placement, self._edits_made) as edit:
            build = edit.build
        return Sample(
            round=number,
            position=position,
            layout=cell.layout,
            edit=cell.edit,
            module=cell.module,
            seconds=build.finished.seconds,
            cpu_seconds=build.finished.cpu_seconds,
            compiled=build.work.compiled,
            emitted_modules=build.work.emitted_modules,
            links=build.work.links,
            settling_seconds=edit.settling.finished.seconds if edit.settling else None,
            largest_process_bytes=build.finished.largest_process_bytes,
            peak_memory_bytes=build.finished.peak_memory_bytes,
            conditions=edit.conditions,
        )
