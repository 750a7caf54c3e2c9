"""Changes several files of a checkout, all of them or none."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from buildspeed import interrupts
from scaffolding.failures import RefusedError


@dataclass(frozen=True)
class Change:
    """A file as it is and as it is to be; None where there is none. The path is relative to the checkout."""

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

    Every new file is first written in full beside its place's tree, in `.build`, and then moved, so that what is
    left to fail is a move. A signal waits until all is done.

    Raises `RefusedError` where a file is no longer what it was when the changes were decided.
    """
    _refuse_stale(checkout, changes)
    build = checkout / ".build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scaffolding-", dir=build) as name:
        work = Path(name)
        for number, change in enumerate(changes):
            if change.after is not None:
                staged = work / f"{number}.new"
                staged.write_bytes(change.after)
                if change.before is not None:
                    shutil.copymode(checkout / change.path, staged)
        with interrupts.deferred():
            _move_all(checkout, changes, [checkout / folder for folder in emptied], work)


def _move_all(checkout: Path, changes: Sequence[Change], emptied: Sequence[Path], work: Path) -> None:
    undo: list[Callable[[], object]] = []
    try:
        for number, change in enumerate(changes):
            place = checkout / change.path
            staged, kept = work / f"{number}.new", work / f"{number}.old"
            if change.before is None:
                _make_folders(place.parent, undo)
                staged.rename(place)
                undo.append(place.unlink)
                continue
            # The file stays in its place until the new one is there.
            shutil.copy2(place, kept)
            if change.after is None:
                place.unlink()
            else:
                staged.replace(place)
            undo.append(partial(kept.replace, place))
        for folder in emptied:
            _remove_empty_folders(folder, undo)
    except BaseException:
        for step in reversed(undo):
            step()
        raise


def _make_folders(folder: Path, undo: list[Callable[[], object]]) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        undo.append(each.rmdir)


def _remove_empty_folders(folder: Path, undo: list[Callable[[], object]]) -> None:
    """Removes the empty folders in a folder, and the folder itself where it is empty then."""
    inner = [path for path in folder.rglob("*") if path.is_dir()]
    # The inner ones come first.
    for each in sorted([folder, *inner], reverse=True):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()
            undo.append(each.mkdir)


def _refuse_stale(checkout: Path, changes: Sequence[Change]) -> None:
    for change in changes:
        place = checkout / change.path
        # A link would be replaced by a file, or lead out of the checkout.
        if place.is_symlink() or any(parent.is_symlink() for parent in _parents_within(place, checkout)):
            raise RefusedError(
                f"{change.path} is, or stands behind, a symbolic link. Replace the link by what it names."
            )
        now = place.read_bytes() if place.is_file() else None
        if now != change.before or (now is None and place.exists()):
            raise RefusedError(f"{change.path} was changed by somebody else meanwhile. Try again.")


def _parents_within(place: Path, checkout: Path) -> list[Path]:
    return [parent for parent in place.parents if parent != checkout and parent.is_relative_to(checkout)]
