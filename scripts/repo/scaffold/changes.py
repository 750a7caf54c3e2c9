"""Changes several files of a checkout: all of them or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.errors import ToolError
from swiftmodules.interrupts import deferred


class RefusedError(ToolError):
    """A change that is not safe; nothing was changed. The message has the reason and the remedy."""


@dataclass(frozen=True)
class Change:
    """A file before and after, None where it does not exist. The path is relative to the checkout."""

    path: str
    before: bytes | None
    after: bytes | None

    @property
    def verb(self) -> str:
        if self.before is None:
            return "write"
        return "edit" if self.after is not None else "remove"


def apply(checkout: Path, changes: Sequence[Change], emptied: Sequence[str] = ()) -> None:
    """Makes the changes, and removes what they leave empty in some folders; after an error, everything is as it was.

    Every new file is first written in full in `.build`, and then moved, so that what is left to fail is a move. A
    signal waits until all is done.

    Raises `RefusedError` where a file is no longer what it was when the changes were planned.
    """
    _refuse_stale(checkout, changes)
    build = checkout / ".build"
    try:
        build.mkdir(exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="scaffold-", dir=build) as work:
            files = [Path(work, str(number)) for number in range(len(changes))]
            for change, file in zip(changes, files, strict=True):
                if change.after is not None:
                    file.with_suffix(".new").write_bytes(change.after)
                if change.before is not None:
                    shutil.copy2(checkout / change.path, file.with_suffix(".old"))
            with deferred(), ExitStack() as undo:
                for change, file in zip(changes, files, strict=True):
                    _move(change, checkout / change.path, file, undo)
                for folder in emptied:
                    _remove_empty_folders(checkout / folder, undo)
                undo.pop_all()
    except OSError as error:
        raise RefusedError(f"{error}; nothing was changed.") from error


def _move(change: Change, place: Path, file: Path, undo: ExitStack) -> None:
    new = file.with_suffix(".new")
    if change.before is None:
        for folder in reversed([each for each in place.parents if not each.exists()]):
            folder.mkdir()
            undo.callback(folder.rmdir)
        new.rename(place)
        undo.callback(place.unlink)
        return
    # The file stays in its place until the new one is there.
    if change.after is None:
        place.unlink()
    else:
        shutil.copymode(place, new)
        new.replace(place)
    undo.callback(file.with_suffix(".old").replace, place)


def _remove_empty_folders(folder: Path, undo: ExitStack) -> None:
    """Removes the empty folders in a folder, inner ones first, and the folder itself where it is empty then."""
    for each in sorted([folder, *(path for path in folder.rglob("*") if path.is_dir())], reverse=True):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()
            undo.callback(each.mkdir)


def _refuse_stale(checkout: Path, changes: Sequence[Change]) -> None:
    for change in changes:
        place = checkout / change.path
        # A link would be replaced by a file, or lead out of the checkout.
        within = [place, *(each for each in place.parents if each != checkout and each.is_relative_to(checkout))]
        if any(each.is_symlink() for each in within):
            raise RefusedError(
                f"{change.path} is a symbolic link, or is reached through one. Replace the link by its target."
            )
        now = place.read_bytes() if place.is_file() else None
        if now != change.before or (now is None and place.exists()):
            raise RefusedError(f"{change.path} was changed by another program meanwhile. Try again.")
