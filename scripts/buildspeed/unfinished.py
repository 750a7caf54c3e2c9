"""The record of a run that goes on, or that has ended before its time: a file of its own beside the complete one, so
that nobody's complete record is ever replaced by a part of another."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Generic, TypeVar

from buildspeed.failures import InterruptedRunError, MeasurementError, RecordError, UsageError
from buildspeed.record import Record, read_record

UNFINISHED = "unfinished.json"

# A dataclass with the field `incomplete`, which says why a run ended early.
_Record = TypeVar("_Record")


@dataclass(frozen=True)
class Unfinished(Generic[_Record]):
    """Keeps the record of a run in the folder `output` until the run has come to its end.

    `count` tells how many `parts` (samples, for one) a record holds, and `advice` what to do with an unfinished one.
    """

    output: Path
    write: Callable[[_Record, Path], None]
    count: Callable[[_Record], int]
    parts: str
    advice: str

    @property
    def path(self) -> Path:
        return self.output / UNFINISHED

    def require_none(self) -> None:
        """Raises `UsageError` where the folder holds what an earlier run left, which this one would replace."""
        if self.path.exists():
            raise UsageError(
                f"{self.path} holds the {self.parts} of a run that has not come to its end. {self.advice}\n"
                "Remove it to begin anew."
            )

    def keep(self, record: _Record) -> None:
        """Saves what there is while the run goes on, for the case that it is killed."""
        reason = f"the run was killed after {self.count(record)} {self.parts} or later."
        self.write(replace(record, incomplete=reason), self.path)

    @contextmanager
    def until_done(self, so_far: Callable[[], _Record | None]) -> Iterator[None]:
        """Around a run: keeps what there is `so_far` when it ends before its time, and nothing once it is done.

        The run's folder belongs inside, so that it is gone by then and a disk that was full takes the record.
        """
        try:
            yield
        except (InterruptedRunError, MeasurementError, OSError) as reason:
            self.keep_interrupted(so_far(), reason)
            raise
        self.path.unlink(missing_ok=True)

    def keep_interrupted(self, record: _Record | None, reason: BaseException) -> None:
        """Saves what there is when the run has ended before its time, and tells what to do with it."""
        if record is None or not self.count(record):
            return
        first_line = str(reason).partition("\n")[0]
        ended = f"the run ended after {self.count(record)} {self.parts} ({first_line})."
        try:
            self.write(replace(record, incomplete=ended), self.path)
        except OSError as error:
            # What was kept before is there still.
            print(f"Cannot write {self.path}: {error.strerror}.", file=sys.stderr)
        if self.path.exists():
            print(f"The {self.count(record)} {self.parts} so far are in {self.path}. {self.advice}", file=sys.stderr)


def showable(
    output: Path, command: str, write: Callable[[_Record, Path], None], count: Callable[[_Record], int], parts: str
) -> Unfinished[_Record]:
    """For a run that cannot be resumed: the subcommand shows what there is."""
    show = shlex.join(["scripts/measure", command, "--report", str(output / UNFINISHED)])
    return Unfinished(output, write, count, parts, f"See what came of them: {show}")


def require_writable(output: Path) -> None:
    """Raises `UsageError` where a folder that the person has chosen cannot be written, before hours are spent."""
    nearest = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"the results cannot be written to {output}: {nearest} is no folder that can be written.")


def read_unfinished(path: Path) -> tuple[Record, Path]:
    """The record of a run that is to be resumed, and the folder where it goes on. `path` is the file or the folder."""
    file = path / UNFINISHED if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise RecordError(f"{path} holds no {UNFINISHED}, so no run can be resumed there.")
    record = read_record(file)
    if record.incomplete is None:
        raise RecordError(f"{file} is the record of a run that is complete; there is nothing to resume.")
    return record, file.parent
