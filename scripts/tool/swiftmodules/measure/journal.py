"""The record of a run as it is filled: each sample is kept at once, and an interrupted run is resumed."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import asdict
from msgspec.structs import replace as changed

from swiftmodules.errors import InterruptedRunError, RecordError, ToolError, UsageError
from swiftmodules.measure.plan import Step, step_of
from swiftmodules.measure.record import BY_HAND, Record, Refusal, Resumption, Sample
from swiftmodules.measure.store import Origin, SampleLog, read_samples
from swiftmodules.options import program


class Journal:
    """Keeps the record of a run in a folder, from `begin` on. `earlier` is that of the run that is resumed."""

    def __init__(self, folder: Path, origin: Origin, resume: bool) -> None:
        self.earlier: Record | None = None
        self.started = datetime.now(UTC).isoformat(timespec="seconds")
        self._origin = origin
        self._record: Record | None = None
        self._start = time.monotonic()
        self._log = SampleLog(folder)
        # Whether the log holds this run, and not another that began in the same folder meanwhile.
        self._is_logged = resume
        report = program("measure report")
        self._advice = f"Resume the run with --resume {folder}, or show them with `{report} {self._log.path}`."
        _require_writable(folder)
        if resume:
            self.earlier = read_samples(self._log.path)
            self._start -= self.earlier.seconds or 0
        else:
            self._require_none()

    def _require_none(self) -> None:
        if self._log.path.exists():
            raise UsageError(
                f"{self._log.path} holds the samples of an unfinished run. {self._advice} "
                "Remove the file to start over."
            )

    @property
    def record(self) -> Record:
        assert self._record is not None
        return self._record

    @property
    def elapsed(self) -> float:
        """The seconds of the run so far, those of earlier sessions too."""
        return time.monotonic() - self._start

    def begin(self, record: Record) -> None:
        """Begins to fill a record, or that of the run that is resumed.

        Raises `RecordError` where that was another package, machine, toolchain, or another choice.
        """
        if self.earlier is not None:
            _require_same(self.earlier, record)
            record = changed(self.earlier, incomplete=None, samples=[])
        self._record = record

    def left(self, orders: Iterable[tuple[int, Sequence[Step]]]) -> tuple[list[tuple[int, list[Step]]], set[Step]]:
        """Keeps what an earlier session has taken of some rounds, and returns the steps that are left, and those that
        have failed.

        A round that was interrupted is rerun, because its pairs would lie in two sessions, with another state of the
        machine and other build folders. Without times, steps are no pairs.
        """
        failed: set[Step] = set()
        left = []
        for number, order in orders:
            found = [each for each in self.earlier.samples if each.round == number] if self.earlier else []
            missing = set(order) - failed - {step_of(each) for each in found}
            if found and missing and number:
                self._note_resumption(number)
                found, missing = [], set(order) - failed
            failed |= failures(found)
            self.record.samples += found
            left += [(number, [step for step in order if step in missing])] if missing else []
        if self._is_logged:
            self._log.begin(self.record, self._origin)
        return left, failed

    def _note_resumption(self, number: int) -> None:
        reason = (self.earlier.incomplete if self.earlier else None) or ""
        resumption = Resumption(moment=self.started, round=number, reason=reason)
        self.record.resumptions = (*self.record.resumptions, resumption)

    def add(self, samples: Sequence[Sample]) -> list[Sample]:
        """Keeps what a step gave. Returns the samples that tell of a failure for the first time."""
        record = self.record
        if record.rounds == 0:
            samples = [changed(each, position=len(record.samples) + 1) for each in samples]
        new = [each for each in samples if each.failure and record.refusal(each.cell) is None]
        for each in new:
            record.refused = (*record.refused, Refusal(**asdict(each.cell), reason=each.failure or ""))
        self._note_seconds()
        if not self._is_logged:
            self._require_none()
            self._log.begin(record, self._origin)
            self._is_logged = True
        self._log.append(*samples)
        record.samples += samples
        if new:
            self.keep()
        return new

    def keep(self) -> None:
        """Keeps what has changed in the record besides its samples."""
        self._note_seconds()
        if self._is_logged:
            self._log.keep(self.record)

    def _note_seconds(self) -> None:
        if self._record is not None and self._record.rounds:
            self._record.seconds = self.elapsed

    @contextmanager
    def kept(self) -> Iterator[None]:
        """Writes the record in the end, or keeps what there is where the run is interrupted."""
        try:
            yield
            self._note_seconds()
            self._log.finish(self.record)
        except (InterruptedRunError, ToolError, OSError) as reason:
            self._keep_interrupted(reason)
            raise

    def _keep_interrupted(self, reason: BaseException) -> None:
        record = self._record
        if record is None or not self._is_logged or not self._log.path.exists():
            return
        first_line = str(reason).partition("\n")[0]
        record.incomplete = f"the run ended after sample {len(record.samples)} ({first_line})."
        try:
            self._log.keep(record)
        except (ToolError, OSError) as error:
            # The parts that were kept before are still there.
            print(f"{error}", file=sys.stderr)
        print(f"The samples so far are in {self._log.path}. {self._advice}", file=sys.stderr)


def failures(samples: Iterable[Sample]) -> set[Step]:
    """The steps whose build has failed."""
    return {step_of(each) for each in samples if each.failure is not None and each.until != BY_HAND}


def _require_same(earlier: Record, now: Record) -> None:
    """Raises `RecordError` where something is not as it was in the record of an interrupted run: samples of two
    sessions are mixed only where all that they depend on is the same."""
    facts: Mapping[str, Callable[[Record], object]] = {
        "the package": lambda record: record.package,
        "the commit": lambda record: record.revision.commit,
        "the digest of the code": lambda record: record.contents[:12] if record.contents else None,
        "the toolchain": lambda record: record.toolchain,
        "the machine": lambda record: record.machine.summary if record.machine else None,
        "the places of the edits": lambda record: record.placements,
        "the way to read conditions": lambda record: record.noisy_above,
        "the axes": lambda record: record.axes,
    }
    differing = [
        f"{what} differ" if isinstance(fact(now), tuple | dict) else f"{what} was {fact(earlier)}, and is {fact(now)}"
        for what, fact in facts.items()
        if fact(earlier) != fact(now)
    ]
    if differing:
        raise RecordError(
            "the run cannot be resumed, because samples of different things would be mixed: "
            + "; ".join(differing)
            + ". Begin a new run in another folder; it leaves this record as it is."
        )


def _require_writable(output: Path) -> None:
    """Raises `UsageError` where the folder of the results cannot be written, before hours are spent."""
    nearest = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"the results cannot be written to {output}: {nearest} is not a writable folder.")
