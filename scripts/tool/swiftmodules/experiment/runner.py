"""The loop that runs every experiment: rounds of steps, each result kept at once; an interrupted run is resumed."""

from __future__ import annotations

import dataclasses
import hashlib
import os
import random
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Generic, TypeVar, cast

import msgspec
from msgspec import Struct

from swiftmodules.builds.conditions import NOISY_ABOVE, this_machine
from swiftmodules.builds.lock import run_folder
from swiftmodules.process import MEMORY_INTERVAL_SECONDS
from swiftmodules.builds.workspace import Build
from swiftmodules.edits.catalogue import EDITS
from swiftmodules.errors import InterruptedRunError, RecordError, ToolError, UsageError
from swiftmodules.experiment.progress import ProgressView
from swiftmodules.experiment.requests import Answer, Cluster
from swiftmodules.interrupts import interruptible
from swiftmodules.layouts.generate import SCALE_LAYOUTS
from swiftmodules.layouts.layout import Layout
from swiftmodules.records import model
from swiftmodules.records.files import RESULTS, SAMPLES, SampleLog, kind_of
from swiftmodules.records.kinds import LIVE, AnyRecord, Resumption
from swiftmodules.records.model import Cell, Instruments, Rerun, Sample
from swiftmodules.swiftpm.config import Config
from swiftmodules.swiftpm.copy import revision
from swiftmodules.swiftpm.package import MANIFEST
from swiftmodules.swiftpm.toolchain import Toolchain

_Item = TypeVar("_Item")
_Record = TypeVar("_Record", bound=model.Record)
_Options = TypeVar("_Options")
# The folder of a run in which the copies of the package and of those that it needs are.
COPY = "original"
# How conditions are read.
INSTRUMENTS = Instruments(MEMORY_INTERVAL_SECONDS, NOISY_ABOVE)
_LIVE = "a live session of the layout `interface`, in which modules are replaced in the running program"


@dataclass(frozen=True)
class Task:
    """The inputs of every experiment besides its options.

    `output` takes the results, and meanwhile the samples; `scratch` is where the work is done (`lock.scratch_folder`).
    `command` returns the command line that repeats a run with such options.
    """

    package: Path
    output: Path
    scratch: Path
    toolchain: Toolchain
    view: ProgressView
    command: Callable[[Any], str]
    config: Config = field(default_factory=Config)
    # Whether to resume the run whose samples are in `output`.
    resume: bool = False
    # Why no cell is verified, where none is.
    unverified: str | None = None
    # How the program is run to be verified, where that is not what the configuration names.
    session: Path | None = None
    # The machines that do the work, where that is not this one.
    cluster: Cluster | None = None
    # Summarises a record of `run` after the first round, for `--quick`.
    first_words: Callable[[AnyRecord], Iterable[str]] | None = None

    @property
    def session_file(self) -> Path | None:
        configured = self.config.measure.session
        return self.session or (self.package / configured if configured else None)


@dataclass(frozen=True)
class Step:
    """One thing that a round does. `take` is given the round and the position in it, and returns something of this
    `kind`: a sample, or a part of a record without samples; `is_meant` recognises it when a run is resumed."""

    name: str
    take: Callable[[int, int], Any]
    is_meant: Callable[[Any], bool]
    kind: type[Struct] = Sample


def shuffled(steps: Sequence[_Item], rounds: int, seed: object, control: Sequence[_Item] = ()) -> list[list[_Item]]:
    """All steps once in each round, in an order of its own, with the steps of an A/A control at random places.

    So a machine that grows slower or faster favours none of them. The same seed gives the same orders, which a control
    does not change.
    """
    generator, places = random.Random(seed), random.Random(f"control {seed}")  # type: ignore[arg-type]
    orders = [generator.sample(steps, len(steps)) for _ in range(rounds)]
    for order in orders:
        for step in control:
            order.insert(places.randint(0, len(order)), step)
    return orders


class Runner(Generic[_Record, _Options]):
    """One run of an experiment, in a folder of its own.

    The record is there from `begin` on, and holds what was found so far. `options` are those of the run that is
    resumed, where one is, and `earlier` is its record.
    """

    def __init__(self, task: Task, kind: type[_Record], options: _Options) -> None:
        self.task = task
        self.view = task.view
        self.options: _Options = options
        self.folder = Path()
        self.earlier: _Record | None = None
        self._started = datetime.now(UTC).isoformat(timespec="seconds")
        self._start = time.monotonic()
        self._record: _Record | None = None
        self._count = 0
        self._is_resumed = False
        # Whether the log holds this run, and not another that began in the same folder meanwhile.
        self._is_logged = False
        # The results of earlier sessions that this one has not come to.
        self._before: list[Any] = []
        self._log = SampleLog(task.output / SAMPLES)
        _require_writable(task.output)
        if task.resume:
            self._log, found = SampleLog.resume(task.output)
            self._is_logged = True
            if not isinstance(found.record, kind):
                raise RecordError(f"{self._log.path} is of '{kind_of(found.record)}'; resume it with that command.")
            earlier: Any = found.record
            self.earlier = earlier
            self.options = _resumed_options(options, earlier.options)
            self._before = list(getattr(earlier, "samples", ())) or list(found.parts)
            if {sample.machine is None for sample in getattr(earlier, "samples", ())} == {task.cluster is not None}:
                raise UsageError(
                    f"The run in {task.output} was {'not ' if task.cluster else ''}begun on a cluster. Resume it "
                    f"{'without' if task.cluster else 'with'} --cluster: seconds of other machines are no part of it."
                )
            self._start -= getattr(earlier, "seconds", 0)
        elif self._log.path.exists():
            raise UsageError(
                f"{self._log.path} holds the results of an unfinished run. {self._advice} "
                "Remove the file to start over."
            )

    @property
    def record(self) -> _Record:
        assert self._record is not None
        return self._record

    @property
    def elapsed(self) -> float:
        """The seconds of the run so far, those of earlier sessions too."""
        return time.monotonic() - self._start

    def run(self, takes_times: bool = True) -> _Record:
        """Measures, writes the record, and returns it."""
        with self.running(takes_times):
            self.measure()
        return self.record

    def measure(self) -> None:
        """Begins the record and fills it, as each experiment does in its own way."""
        raise NotImplementedError

    def header(self, package: str, layouts: Iterable[Layout]) -> dict[str, Any]:
        """The fields of a record that every timed experiment fills alike."""
        return {
            "package": package,
            "command": self.task.command(self.options),
            "started": self._started,
            "machine": this_machine(),
            "toolchain": self.task.toolchain.version,
            "revision": revision(self.task.package),
            "options": self.options,
            "contents": contents_of(layouts),
            "meanings": meanings_of(self.options),
        }

    def begin(self, record: _Record) -> None:
        """Begins to fill a record, or that of the run that is resumed.

        Raises `RecordError` where that was another package, machine, toolchain, or another choice.
        """
        self._record = record
        if self.earlier is not None:
            _require_same(self.earlier, record)
            changes: dict[str, Any] = {name: [] for name in ("samples", "cells") if hasattr(record, name)}
            self._record = msgspec.structs.replace(self.earlier, incomplete=None, **changes)

    def planned(self, rounds: Iterable[Sequence[Step]]) -> None:
        """Shows how many steps are left to take in the rounds that come next."""
        before, left = len(self._before), 0
        for steps in rounds:
            left += len(steps) if before < len(steps) else 0
            before = max(before - len(steps), 0)
        self.view.planned(left)

    def take(self, steps: Sequence[Step], number: int = 1) -> list[Any]:
        """Takes a round, or returns what an earlier session found of it. An interrupted round is rerun as a whole,
        because its pairs would lie in two sessions, with another state of the machine and other build folders."""
        known = zip(steps, self._before, strict=False)
        before = [(step, msgspec.convert(entry, step.kind)) for step, entry in known]
        if not all(step.is_meant(entry) for step, entry in before):
            raise RecordError(
                f"the samples in {self._log.path} are in another order than this program takes them. Begin a new run."
            )
        found = [entry for _, entry in before]
        if found and len(found) == len(steps):
            self._before = self._before[len(steps) :]
            self._add(*found)
            return found
        if self.earlier is not None and not self._is_resumed:
            self._note_resumption(self.earlier, number, found)
        found = []
        for position, step in enumerate(steps, start=1):
            self.view.begins(step.name)
            entry = step.take(number, position)
            self._note_seconds()
            if not self._is_logged:
                SampleLog.begin(self._log.path, cast(AnyRecord, self.record))
                self._is_logged = True
            result = step.name
            if isinstance(entry, Sample):
                self._log.append(entry)
                result = f"round {number}: {step.name}: {entry.files} files, {entry.seconds:.2f} s"
            else:
                self._log.append_part(entry)
            self._add(entry)
            found.append(entry)
            self.view.finished(result)
        return found

    def offered(self) -> Cluster:
        """The machines of the cluster, which have the package that was copied."""
        assert self.task.cluster is not None
        self.task.cluster.offer(self.folder / COPY, self.task.package)
        return self.task.cluster

    def answered(self, answer: Answer, number: int) -> None:
        """Notes in the record which machine took a round, and which of them did not come to its end."""
        record = cast(Any, self.record)
        assert self.task.cluster is not None
        if answer.machine not in record.machines:
            record.machines = {**record.machines, answer.machine: self.task.cluster.machines[answer.machine]}
            self.keep()
        found = [Rerun(moment=lost.moment, round=number, machine=lost.machine) for lost in answer.lost]
        if new := tuple(each for each in found if each not in record.reruns):
            record.reruns = (*record.reruns, *new)
            self.keep()

    def keep(self) -> None:
        """Keeps what has changed in the record besides its samples."""
        self._note_seconds()
        if self._is_logged:
            self._log.keep(cast(AnyRecord, self.record))

    def _add(self, *entries: object) -> None:
        self._count += len(entries)
        getattr(self.record, "samples", []).extend(entries)

    def _note_resumption(self, earlier: _Record, number: int, torn: Sequence[Any]) -> None:
        """Notes that a run is resumed, in the first round that is not there as a whole."""
        self._is_resumed, self._before = True, []
        record = cast(Any, self.record)
        if hasattr(record, "resumptions"):
            resumption = Resumption(
                moment=self._started, round=number, reason=earlier.incomplete or "", torn=tuple(torn)
            )
            record.resumptions = (*record.resumptions, resumption)
        if hasattr(record, "samples"):
            self._log.replace(record)

    def _note_seconds(self) -> None:
        if isinstance(self._record, model.TimedRecord):
            self._record.seconds = self.elapsed

    @contextmanager
    def running(self, takes_times: bool = True) -> Iterator[None]:
        """Works in the run's folder, and in the end writes the record, or keeps what there is."""
        try:
            # On a cluster, the machines that take times hold their locks.
            takes_times = takes_times and self.task.cluster is None
            with interruptible(), run_folder(self.task.scratch, takes_times) as self.folder:
                yield
            self._note_seconds()
            self.record.format = model.FORMAT
            self._log.finish(cast(AnyRecord, self.record), self._log.path.with_name(RESULTS))
        # Outside of the folder, so that it is gone by then and a disk that was full takes the record.
        except (InterruptedRunError, ToolError, OSError) as reason:
            self._keep_interrupted(reason)
            raise

    def _keep_interrupted(self, reason: BaseException) -> None:
        if self._record is None or not self._is_logged or not self._log.path.exists():
            return
        found = f"{self._count} {'samples' if hasattr(self._record, 'samples') else 'parts'}"
        first_line = str(reason).partition("\n")[0]
        self._record.incomplete = f"the run ended after {found} ({first_line})."
        try:
            self._log.keep(cast(AnyRecord, self._record))
        except (ToolError, OSError) as error:
            # The parts that were kept before are still there.
            print(f"{error}", file=sys.stderr)
        print(f"The {found} so far are in {self._log.path}. {self._advice}", file=sys.stderr)

    @property
    def _advice(self) -> str:
        return f"Resume the run with --resume {self.task.output}, or show them with `measure report {self._log.path}`."


def sample_of(build: Build, cell: Cell, number: int, position: int, more: Mapping[str, object]) -> Sample:
    """The sample of a build. `more` are fields of one experiment."""
    finished, work = build.finished, build.work
    fields: dict[str, Any] = {
        "compiled": work.compiled,
        "emitted_modules": work.emitted_modules,
        "links": len(work.linked),
        "settling_seconds": build.settling.seconds if build.settling else None,
        "largest_process_bytes": finished.largest_process_bytes,
        "peak_memory_bytes": finished.peak_memory_bytes,
        "conditions": build.conditions,
    }
    return Sample(
        **cell._asdict(),
        round=number,
        position=position,
        seconds=finished.seconds,
        cpu_seconds=finished.cpu_seconds,
        **(fields | dict(more)),
    )


def contents_of(layouts: Iterable[Layout]) -> str:
    """A digest (SHA-256) of all files that the builds of these layouts read."""
    digest = hashlib.sha256()
    for layout in layouts:
        files = {file.path.as_posix(): file.content() for file in layout.files.values()}
        for path, source in layout.copies.items():
            files[path.as_posix()] = os.fsencode(source.readlink()) if source.is_symlink() else source.read_bytes()
        files |= {path.as_posix(): text.encode() for path, text in layout.added.items()}
        if layout.manifest is not None:
            files[MANIFEST] = layout.manifest.encode()
        for name, content in sorted(files.items()):
            # With the lengths, so that no two sets of files have the same bytes.
            digest.update(f"{layout.name} {name} {len(content)}\n".encode() + content)
    return digest.hexdigest()


def _require_same(earlier: model.Record, now: model.Record) -> None:
    """Raises `RecordError` where something is not as it was in the record of an interrupted run: samples of two
    sessions are mixed only where all that they depend on is the same."""
    facts: Mapping[str, Callable[[Any], object]] = {
        "the package": lambda record: record.package,
        "the commit": lambda record: record.revision.commit,
        "the digest of the code": lambda record: record.contents[:12] if record.contents else None,
        "the toolchain": lambda record: record.toolchain,
        "the machine": lambda record: record.machine.summary,
        "the list of places of the edits": lambda record: record.placements,
        "the way to read conditions": lambda record: record.instruments,
        "the list of options": lambda record: record.options,
    }
    differing = []
    for what, fact in facts.items():
        try:
            before, after = fact(earlier), fact(now)
        # Not every kind of record has all of these.
        except AttributeError:
            continue
        if before != after:
            differing.append(f"{what} was {before}, and is {after}")
    if differing:
        raise RecordError(
            "the run cannot be resumed, because samples of different things would be mixed: "
            + "; ".join(differing)
            + ". Begin a new run in another folder; it leaves this record as it is."
        )


def _resumed_options(given: Any, recorded: Any) -> Any:  # noqa: ANN401  options of one kind
    """The options of the run that is resumed. They may be repeated, but not changed."""
    for each in dataclasses.fields(given):
        value, before = getattr(given, each.name), getattr(recorded, each.name)
        # Without one, the command line draws a seed.
        if each.name != "seed" and value not in (each.default, before):
            shown = ",".join(map(str, before)) if isinstance(before, tuple) else before
            option = each.name.removesuffix("_minutes").replace("_", "-")
            raise UsageError(
                f"--{option} differs from that of the run that is resumed, which is {shown}. Leave it out."
            )
    return recorded


def meanings_of(options: object) -> dict[str, str]:
    """Describes the layouts and the edits of a run in words."""
    words = {**SCALE_LAYOUTS, LIVE: _LIVE, **{name: edit.changes for name, edit in EDITS.items()}}
    names = (*getattr(options, "layouts", ()), *getattr(options, "edits", ()))
    return {name: words[name] for name in names if name in words}


def _require_writable(output: Path) -> None:
    """Raises `UsageError` where the folder of the results cannot be written, before hours are spent."""
    nearest = next(folder for folder in (output, *output.absolute().parents) if folder.exists())
    if not nearest.is_dir() or not os.access(nearest, os.W_OK):
        raise UsageError(f"the results cannot be written to {output}: {nearest} is not a writable folder.")
