"""The parts that all records share: the header, the machine, and one timed build.

The comment of a field that begins with `#:` is its description in ResultsFormat.md. Fields that have their default
are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from msgspec import Meta, Struct, field

from swiftmodules.observed import Conditions, Count, Machine, Number, Revision

# Grows by one when a reader of older records would misread newer ones.
FORMAT = 3
# The layout whose samples the others are compared with, and the one that repeats the first layout (A/A control).
BASELINE, CONTROL = "interface", "control"
# Stands in `missing` for an edit that was asked for in other files only.
NOT_ASKED_FOR = "it was not asked for"
SOUND, UNSOUND, NOT_VERIFIED = "sound", "unsound", "not verified"

Seconds = Annotated[float, Meta(ge=0)]
# Of what is divided by.
PositiveSeconds = Annotated[float, Meta(gt=0)]


class Cell(NamedTuple):
    """One thing to build: an edit, in a module where the edit is made in one, in a layout. A clean build has no
    edit."""

    layout: str
    edit: str | None
    module: str | None

    @property
    def name(self) -> str:
        return " ".join(part for part in (self.layout, self.edit, self.module) if part)


def place_name(edit: str, module: str | None) -> str:
    """The name of an edit in its module, such as `body Login`: its key in `placements` and `missing`."""
    return f"{edit} {module}" if module else edit


class Sample(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One timed build."""

    round: Number  #: From 1; samples of one round are pairs.
    position: Number  #: In the round, from 1.
    #: The layout, or `control`: the layout named in the options as `control`, measured a second time. In a record of
    #: `floor`, the setting or `control`, with ` in fused` for example where the layout is not `interface`.
    layout: str
    edit: str | None = None  #: The edit; absent for a clean build.
    module: str | None = None  #: The module that was edited; absent for edits that belong to none.
    machine: str | None = None  #: In a run on a cluster: the machine that took it.
    size: int | None = None  #: In a record of `scale` or `live`: the number of copies.
    #: Wall-clock time of `swift build`; in a record of `live`, from the save to the changed text on the screen.
    seconds: PositiveSeconds
    cpu_seconds: Seconds  #: User and system time of that process and of all descendants that it waited for (`wait4`).
    #: The files that the compiler compiled, by their paths in the package; in a record of `scale` or `live`, their
    #: number.
    compiled: tuple[str, ...] | int | None = None
    emitted_modules: Count | None = None  #: `emit-module` jobs of the compiler.
    links: Count | None = None  #: Linked products.
    #: Wall-clock time of the build after the edit was undone; absent where nothing was edited.
    settling_seconds: Seconds | None = None
    #: The most memory of the largest process of the build (`ru_maxrss` of `wait4`); absent where it was not more than
    #: the measuring program's own, which is inherited.
    largest_process_bytes: int | None = None
    #: The most memory of all processes of the build together, as seen at regular intervals: the private pages of each,
    #: and the shared pages of the process that has most; a peak between two looks is missed.
    peak_memory_bytes: int | None = None
    conditions: Conditions | None = None  #: What else the machine did.
    null_seconds: Seconds | None = None  #: In a record of `floor`: `swift build` with nothing to do, just before.
    #: In a record of `floor`: the unavoidable jobs run again by hand: compiling and emitting the module side by side
    #: (with more than one job), then the link. In a record of `live`, of the layout `live`: the same commands that
    #: compile and link the module, run again by hand.
    by_hand_seconds: PositiveSeconds | None = None
    #: In a record of `floor`: seconds by phase (`start`, `planning`, `compile`, `emit-module`, `wrap`, `link`, `rest`),
    #: which add up to `seconds`; a moment at which several things ran belongs to the first of compile, emit-module,
    #: wrap, link, planning. In a record of `live`: `compile`, `link`, `load` and `rest` of the layout `live`, `build`
    #: and `start` (the program, and the way to its screen) of the others.
    phases: Mapping[str, float] | None = None
    #: In a record of `floor`: seconds by hand of each of `compile`, `emit-module` and `link` alone.
    steps: Mapping[str, float] | None = None
    #: In a record of `floor`: whether the build failed, which says nothing about how long it takes.
    failed: bool = False
    #: In a record of `floor`, of a clean build: whether results of earlier builds could be reused, as with a filled
    #: cache.
    kept_results: bool | None = None
    product_bytes: Count | None = None  #: In a record of `floor`, of a clean build: the size of what was linked.

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)

    @property
    def files(self) -> int:
        """The number of compiled files."""
        return self.compiled if isinstance(self.compiled, int) else len(self.compiled or ())

    @property
    def is_noisy(self) -> bool | None:
        return self.conditions.noisy if self.conditions else None

    @property
    def memory_bytes(self) -> int | None:
        """The memory of the whole process tree, or where that could not be seen, of the largest process.

        The tree has at least what its largest process has, which the system counts exactly, while a peak of the tree
        may fall between two looks.
        """
        known = [each for each in (self.peak_memory_bytes, self.largest_process_bytes) if each is not None]
        return max(known, default=None)


class CleanBuild(Struct, frozen=True):
    """The first build of a layout; timed once, so an orientation and no measurement."""

    targets: Count  #: Targets of the layout.
    files: Count  #: Source files of the layout.
    seconds: Seconds  #: Wall-clock time of the clean build.
    cpu_seconds: Seconds  #: Processor time of that build.


class Instruments(Struct, frozen=True):
    """How the conditions of the samples were read."""

    #: Between two looks at the memory of all processes; `null` where it could not be seen.
    memory_interval_seconds: float | None
    noisy_above: float  #: The share of one core, used by other programs, above which a sample is noisy.


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the builds of one cell are right."""

    layout: str  #: The layout.
    edit: str  #: The edit.
    module: str | None = None  #: The module that was edited; absent for edits that belong to none.
    #: `sound`: the program does after an incremental build what it does after a clean one; `unsound`: it does not; `not
    #: verified`.
    result: str
    reasons: tuple[str, ...] = ()  #: What differed, a line for each run of the program; or why nothing was compared.

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)


class Verification(Struct, omit_defaults=True):
    """Whether the program that an incremental build makes is that of a clean build, cell by cell."""

    left_out: str | None = None  #: Why nothing was verified; absent where it was.
    #: One for each cell, but none for the control, in the order in which they were found.
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def unsound(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.result == UNSOUND]

    @property
    def unsound_cells(self) -> frozenset[Cell]:
        return frozenset(verdict.cell for verdict in self.unsound)

    def counts(self) -> dict[str, int]:
        """Counts the cells with each result."""
        results = [verdict.result for verdict in self.verdicts]
        return {result: results.count(result) for result in (SOUND, UNSOUND, NOT_VERIFIED)}


class Record(Struct, kw_only=True, omit_defaults=True, tag_field="kind"):
    """The header: what every record begins with, after `kind`, which names the experiment."""

    format: int = 0  #: The version of this format.
    package: str  #: The name in the package's manifest.
    command: str  #: The command that repeats the run.
    toolchain: str  #: The version that the compiler reports.
    incomplete: str | None = None  #: Why the run ended before its last sample; absent for a complete run.
    meanings: Mapping[str, str] = {}  #: By layout, edit or setting: what it is, in words.


class Rerun(Struct, frozen=True):
    """A round that was rerun as a whole, because the worker that was taking it went away."""

    moment: str  #: When that was seen, in UTC.
    round: int  #: The round.
    machine: str  #: The machine of that worker.


class TimedRecord(Record, kw_only=True, omit_defaults=True):
    """What records with times add to the header."""

    started: str  #: When the run began, in UTC, as in ISO 8601.
    machine: Machine  #: Where it was measured; of a run on a cluster, where the command ran.
    revision: Revision  #: The code that was measured.
    seconds: Seconds = 0  #: The whole run, with all that was not timed.
    machines: Mapping[str, Machine] = {}  #: By name, the machines of a cluster that took samples.
    reruns: tuple[Rerun, ...] = ()  #: The rounds that a cluster has rerun.
