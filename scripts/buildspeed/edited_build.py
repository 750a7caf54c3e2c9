"""One edit made, built and undone, which every command does again and again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from buildspeed.conditions import Conditions, ConditionsWatch
from buildspeed.edits import Placement
from buildspeed.failures import BuildFailedError, MeasurementError
from buildspeed.workspace import Build, Workspace


@dataclass
class EditedBuild:
    """The build after an edit, with its conditions, and the build after the edit was undone, which is None before
    that and where nothing is edited."""

    build: Build
    conditions: Conditions
    settling: Build | None = None


@contextmanager
def edited(workspace: Workspace, placement: Placement | None, number: int) -> Iterator[EditedBuild]:
    """Makes an edit and builds, hands over the build while the edit is in force, then undoes it and builds again.

    No two edits of a workspace may have the same number. Without a placement nothing is edited, and there is one
    build. Raises `MeasurementError` where a build did not compile the changed file, so that its records cannot be
    trusted.
    """
    if placement is None:
        watch = ConditionsWatch()
        build = workspace.build()
        yield EditedBuild(build, watch.conditions(build.finished))
        return
    workspace.apply(placement, number)
    watch = ConditionsWatch()
    try:
        build = workspace.build()
    except BuildFailedError as error:
        raise BuildFailedError(f"after the edit '{placement.edit}' ({placement.description}), {error}") from error
    result = EditedBuild(build, watch.conditions(build.finished))
    _require_compiled(workspace, placement, build, is_undone=False)
    yield result
    workspace.undo(placement)
    result.settling = workspace.build()
    _require_compiled(workspace, placement, result.settling, is_undone=True)


def _require_compiled(workspace: Workspace, placement: Placement, build: Build, is_undone: bool) -> None:
    file = placement.change.compiled(after_undoing=is_undone)
    if file is not None and file.as_posix() not in build.work.compiled:
        moment = "after undoing the edit" if is_undone else "after the edit"
        raise MeasurementError(
            f"the build of '{workspace.layout.name}' {moment} '{placement.edit}' did not compile {file}, so its "
            "records cannot be trusted. Is SWIFT_EXEC honoured by this toolchain?"
        )
