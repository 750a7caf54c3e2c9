"""Builds each layout once more after an edit, job by job, for the timelines of the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path

from buildspeed.edited_build import edited
from buildspeed.edits import Placement
from buildspeed.job_times import QUESTION, TARGET, originals_of, read_job_times, times_recorder
from buildspeed.layouts import Layout
from buildspeed.rebuild import Job, Rebuild
from buildspeed.toolchain import Toolchain
from buildspeed.workspace import Workspace

# What runs for as long as other jobs, and what takes no noticeable time.
_LEFT_OUT = (TARGET, QUESTION)


def timed_rebuilds(
    layouts: Iterable[Layout],
    placement: Placement,
    folder: Path,
    toolchain: Toolchain,
    jobs: int,
    say: Callable[[str], None],
) -> dict[str, Rebuild]:
    """By layout, the build after an edit, with its jobs.

    In build folders of their own, as another recorder makes SwiftPM plan anew.
    """
    folder.mkdir()
    recorder = times_recorder(folder, toolchain)
    found = {}
    for layout in layouts:
        say(f"Timing the jobs of one rebuild of the layout '{layout.name}'")
        workspace = Workspace(layout, folder / layout.name, toolchain, jobs, environment={"SWIFT_EXEC": str(recorder)})
        workspace.build_clean()
        # The first edit after a clean build compiles more.
        with edited(workspace, placement, 1):
            pass
        with edited(workspace, placement, 2) as edit:
            began, seconds = edit.build.began, edit.build.finished.seconds
            timed = read_job_times(workspace.records, began, originals_of(workspace.package, workspace.originals))
        jobs_of_build = tuple(
            Job(each.kind, each.target, ", ".join(Path(file).name for file in each.files), each.began, each.finished)
            for each in timed
            if each.kind not in _LEFT_OUT
        )
        found[layout.name] = Rebuild(placement.edit, placement.module, seconds, jobs_of_build)
    return found
