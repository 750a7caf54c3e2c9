"""Changes several files of a checkout: all of them or none."""

from __future__ import annotations

import shutil
import signal
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from swiftmodules.errors import ToolError


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
    try:
        _apply(checkout, changes, emptied)
    except OSError as error:
        raise RefusedError(f"{error}; nothing was changed.") from error


def _apply(checkout: Path, changes: Sequence[Change], emptied: Sequence[str]) -> None:
    build = checkout / ".build"
    build.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="scaffold-", dir=build) as name:
        work = Path(name)
        for number, change in enumerate(changes):
            if change.after is not None:
                (work / f"{number}.new").write_bytes(change.after)
            if change.before is not None:
                shutil.copy2(checkout / change.path, work / f"{number}.old")
        undo: list[Callable[[], object]] = []
        with _signals_deferred():
            try:
                for number, change in enumerate(changes):
                    _move(change, checkout / change.path, work / f"{number}.new", work / f"{number}.old", undo)
                for folder in emptied:
                    _remove_empty_folders(checkout / folder, undo)
            except BaseException:
                for step in reversed(undo):
                    step()
                raise


def _move(change: Change, place: Path, new: Path, old: Path, undo: list[Callable[[], object]]) -> None:
    if change.before is None:
        _make_folders(place.parent, undo)
        new.rename(place)
        undo.append(place.unlink)
    else:
        # The file stays in its place until the new one is there.
        if change.after is None:
            place.unlink()
        else:
            shutil.copymode(place, new)
            new.replace(place)
        undo.append(partial(old.replace, place))


def _make_folders(folder: Path, undo: list[Callable[[], object]]) -> None:
    missing = [each for each in (folder, *folder.parents) if not each.exists()]
    for each in reversed(missing):
        each.mkdir()
        undo.append(each.rmdir)


def _remove_empty_folders(folder: Path, undo: list[Callable[[], object]]) -> None:
    """Removes the empty folders in a folder, inner ones first, and the folder itself where it is empty then."""
    for each in sorted([folder, *(path for path in folder.rglob("*") if path.is_dir())], reverse=True):
        if each.is_dir() and not any(each.iterdir()):
            each.rmdir()
            undo.append(each.mkdir)


def _refuse_stale(checkout: Path, changes: Sequence[Change]) -> None:
    for change in changes:
        place = checkout / change.path
        # A link would be replaced by a file, or lead out of the checkout.
        within = [place, *(each for each in place.parents if each != checkout and each.is_relative_to(checkout))]
        if any(each.is_symlink() for each in within):
            raise RefusedError(
                f"{change.path} is, or stands behind, a symbolic link. Replace the link by what it names."
            )
        now = place.read_bytes() if place.is_file() else None
        if now != change.before or (now is None and place.exists()):
            raise RefusedError(f"{change.path} was changed by another program meanwhile. Try again.")


@contextmanager
def _signals_deferred() -> Iterator[None]:
    """Lets signals that end the program wait, so that a set of moves is never torn."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
