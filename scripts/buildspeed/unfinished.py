"""The record of a run that goes on, or that has ended before its time: a file of its own beside the complete one, so
that nobody's complete record is ever replaced by a part of another."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from pathlib import Path

from buildspeed.failures import RecordError, UsageError
from buildspeed.record import Record, read_record, write_record

UNFINISHED = "unfinished.json"


def require_no_unfinished(output: Path, resuming: str) -> None:
    """Raises `UsageError` where a folder holds the samples of a run that has not ended; `resuming` is the command
    that goes on with it."""
    path = output / UNFINISHED
    if path.exists():
        raise UsageError(
            f"{path} holds the samples of a run that has not come to its end. Go on with it: {resuming}\n"
            "or remove it to begin anew."
        )


def require_writable(output: Path) -> None:
    """Raises `UsageError` where a folder that the person has chosen cannot be written, before hours are spent."""
    nearest = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"the results cannot be written to {output}: {nearest} is no folder that can be written.")


def keep(record: Record, output: Path) -> None:
    """Saves what there is while the run goes on, for the case that it is killed."""
    unfinished = replace(record, incomplete=f"the run was killed after {len(record.samples)} samples or later.")
    write_record(unfinished, output / UNFINISHED)


def keep_interrupted(record: Record | None, reason: BaseException, output: Path, resuming: str) -> None:
    """Saves what there is when the run has ended before its time, and tells how to go on."""
    if record is None or not record.samples:
        return
    first_line = str(reason).partition("\n")[0]
    record.incomplete = f"the run ended after {len(record.samples)} samples ({first_line})."
    try:
        write_record(record, output / UNFINISHED)
    except OSError as error:
        # What was kept after the last sample is there still.
        print(f"Cannot write {output / UNFINISHED}: {error.strerror}.", file=sys.stderr)
    if (output / UNFINISHED).exists():
        print(
            f"The {len(record.samples)} samples so far are in {output / UNFINISHED}. Go on from there: {resuming}",
            file=sys.stderr,
        )


def forget(output: Path) -> None:
    """Removes the unfinished record once the complete one is there."""
    (output / UNFINISHED).unlink(missing_ok=True)


def read_unfinished(path: Path) -> tuple[Record, Path]:
    """The record of a run that is to be resumed, and the folder where it goes on. `path` is the file or the folder."""
    file = path / UNFINISHED if path.is_dir() else path
    if path.is_dir() and not file.exists():
        raise RecordError(f"{path} holds no {UNFINISHED}, so no run can be resumed there.")
    record = read_record(file)
    if record.incomplete is None:
        raise RecordError(f"{file} is the record of a run that is complete; there is nothing to resume.")
    return record, file.parent
