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


def edit_and_build(workspace: Workspace, placement: Placement | None, number: int) -> EditedBuild:
    """Makes an edit, which stays in force, and builds. Without a placement nothing is edited.

    No two edits of a workspace may have the same number. Raises `MeasurementError` where the build did not compile the
    changed file, so that its records cannot be trusted.
    """
    if placement is not None:
        workspace.apply(placement, number)
    watch = ConditionsWatch()
    try:
        build = workspace.build()
    except BuildFailedError as error:
        if placement is None:
            raise
        raise BuildFailedError(f"after the edit '{placement.edit}' ({placement.description}), {error}") from error
    result = EditedBuild(build, watch.conditions(build.finished))
    if placement is not None:
        _require_compiled(workspace, placement, build, is_undone=False)
    return result


@contextmanager
def edited(workspace: Workspace, placement: Placement | None, number: int) -> Iterator[EditedBuild]:
    """The same, but hands over the build while the edit is in force, then undoes the edit and builds again."""
    result = edit_and_build(workspace, placement, number)
    yield result
    if placement is None:
        return
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
