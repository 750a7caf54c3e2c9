"""The seven kinds of records, each with its options, which are also those of the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, TypeAlias

from msgspec import Meta, Struct, field

from swiftmodules.observed import Count, Job
from swiftmodules.records.model import (
    BASELINE,
    Cell,
    CleanBuild,
    Instruments,
    PositiveSeconds,
    Record,
    Sample,
    Seconds,
    TimedRecord,
    Verification,
    place_name,
)

LAYOUTS = (BASELINE, "fused", "monolith")
# A live session in the layout `interface`.
LIVE = "live"

# Reports compare the others with the first.
Names = Annotated[tuple[str, ...], Meta(min_length=1)]


@dataclass(frozen=True, kw_only=True)
class RunOptions:
    """The choices of `run`."""

    layouts: Names = LAYOUTS  #: The layouts, without the control.
    edits: tuple[str, ...] = ()  #: The edits.
    modules: tuple[str, ...] = ()  #: The modules that are edited.
    rounds: int = 10  #: Rounds, fixed before the first sample.
    quick: bool = False  #: As many rounds as fit into about 5 minutes.
    seed: int = 0  #: Of the random orders, and of the bootstrap intervals in reports.
    control: str | None = None  #: The layout that is measured twice; `null` without an A/A control.
    jobs: int | None = None  #: Processes that a build starts at once (`swift build --jobs`).


class ModuleFacts(Struct, frozen=True, omit_defaults=True):
    """How many files of how many other modules import the interface of a module."""

    importing_files: Count  #: Files outside of the module that import its interface.
    importing_modules: Count  #: Modules, or targets that belong to none, with such files.
    #: The target that is edited where no module with an interface is: any target, or the path of a file; the counts are
    #: those of the target.
    target: str | None = None


class Rebuild(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One more build after an edit, job by job."""

    edit: str  #: The edit.
    module: str | None = None  #: Where it was made; absent for an edit in no module.
    seconds: Seconds  #: Wall-clock time of `swift build`, with the recording of its jobs.
    jobs: tuple[Job, ...]  #: Its jobs, in the order in which they began.


class Resumption(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An interrupted run that was resumed."""

    moment: str  #: When the run was resumed, in UTC.
    round: int  #: The first round that was taken then.
    reason: str  #: Why the run had ended.
    #: The samples of the interrupted round. It was rerun, so that all pairs of a round are of one session; these count
    #: in no calculation.
    torn: tuple[Sample, ...] = ()


class RunRecord(TimedRecord, kw_only=True, omit_defaults=True, tag="run"):
    """The record of `measure run`: each edit in each module and layout, timed in every round."""

    options: RunOptions  #: The choices of the run.
    #: In words, where each edit was made; the key is `edit module`, or `edit` where there is no module.
    placements: Mapping[str, str] = {}
    missing: Mapping[str, str] = {}  #: In words, why an edit has no place in a module; keys as in `placements`.
    modules: Mapping[str, ModuleFacts] = {}  #: By module: who imports it.
    clean_builds: Mapping[str, CleanBuild] = {}  #: By layout, with `control` where there is one.
    instruments: Instruments | None = None  #: How the conditions of the samples were read.
    #: SHA-256 of the files that the builds of all layouts read; a run is resumed only where it is the same.
    contents: str | None = None
    #: Whether the layout `interface` is a copy of the package with its own manifest, and no generated package.
    is_copy: bool = False
    #: Whether every build includes the tests (`swift build --build-tests`), because an edit is made in them.
    with_tests: bool = False
    refused_layouts: Mapping[str, str] = {}  #: By layout: in words, why it could not be generated or built.
    resumptions: tuple[Resumption, ...] = ()  #: The interruptions of the run.
    rebuilds: Mapping[str, Rebuild] = {}  #: By layout: a build after an edit, job by job.
    #: Whether the builds that were timed are right; absent where nothing was asked.
    verification: Verification | None = None
    samples: list[Sample] = field(default_factory=list)  #: In the order in which they were taken.


@dataclass(frozen=True, kw_only=True)
class MatrixOptions:
    """The choices of `matrix`."""

    layouts: Names = LAYOUTS  #: The layouts.
    edits: tuple[str, ...] = ()  #: The edits.
    modules: tuple[str, ...] = ()  #: The modules that are edited.


class MatrixCell(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The build after one edit."""

    edit: str  #: The edit.
    module: str | None = None  #: The module that was edited; absent for edits that belong to none.
    layout: str  #: The layout.
    compiled: Mapping[str, str] = {}  #: The reason for each compiled file, by its path in the package.
    smallest: tuple[str, ...] = ()  #: The files that a build would have to compile at least, as far as names show.
    emitted_modules: Count = 0  #: `emit-module` jobs of the compiler.
    linked: tuple[str, ...] = ()  #: Linked products.

    @property
    def cell(self) -> Cell:
        return Cell(self.layout, self.edit, self.module)

    @property
    def ratio(self) -> float | None:
        """Compiled files to those of the smallest set; None where that is empty."""
        return round(len(self.compiled) / len(self.smallest), 2) if self.smallest else None

    @property
    def stale(self) -> tuple[str, ...]:
        """Files that mention what has changed, and were not compiled."""
        return tuple(file for file in self.smallest if file not in self.compiled)


class ProgramRun(Struct, frozen=True, omit_defaults=True):
    """One run of the program whose behaviour is compared."""

    arguments: tuple[str, ...] = ()  #: Its arguments.
    input: str = ""  #: What is typed into it.


class MatrixRecord(Record, kw_only=True, omit_defaults=True, tag="matrix"):
    """The record of `measure matrix`: what each edit compiles in each module and layout, and why. It holds no time and
    nothing of the machine, so that the same code gives the same record everywhere, but for `command`."""

    options: MatrixOptions  #: The choices of the run.
    targets: Mapping[str, str] = {}  #: The folder of each target of the package.
    #: In words, where each edit was made; the key is `edit module`, or `edit` where there is no module.
    placements: Mapping[str, str] = {}
    missing: Mapping[str, str] = {}  #: In words, why an edit has no place in a module; keys as in `placements`.
    program: str | None = None  #: With `--verify`: the executable; absent where the package has not exactly one.
    session: tuple[ProgramRun, ...] = ()  #: With `--verify`: the runs of the program that are compared.
    #: With `--verify`: by layout and target, the targets that it reaches but does not name in its manifest.
    gaps: Mapping[str, Mapping[str, tuple[str, ...]]] = {}
    verification: Verification | None = None  #: With `--verify`: whether the builds are right.
    #: SHA-256 of the files that the builds read; a run is resumed only where it is the same. Absent in a complete
    #: record.
    contents: str | None = None
    cells: list[MatrixCell] = field(default_factory=list)  #: The builds.


@dataclass(frozen=True, kw_only=True)
class ScaleOptions:
    """The choices of `scale`."""

    sizes: tuple[int, ...] = (5, 10, 20, 40, 80, 160)  #: Numbers of copies.
    layouts: Names = (*LAYOUTS, "packages")  #: The layouts, without the control.
    edits: tuple[str, ...] = ()  #: The edits.
    modules: tuple[str, ...] = ()  #: The modules that are edited.
    rounds: int = 3  #: Rounds at each size.
    seed: int = 0  #: Of the random orders, and of the bootstrap intervals in reports.
    jobs: int | None = None  #: Processes that a build starts at once (`swift build --jobs`).
    budget_minutes: float = 60  #: Minutes; a size that would take longer is skipped.


class MeasuredSize(Struct, kw_only=True, omit_defaults=True):
    """One size, whose samples are in `samples`."""

    size: int  #: How many copies the package has.
    control: str | None = None  #: The layout that was measured twice at this size; absent without an A/A control.
    clean_builds: Mapping[str, CleanBuild] = {}  #: By layout, with `control` where there is one.
    seconds: Seconds = 0  #: What this size took as a whole, without the others in between.
    #: Whether its builds are right; by default only the smallest size is verified.
    verification: Verification | None = None


class SkippedSize(Struct, frozen=True):
    """A size that did not fit into the budget."""

    size: int  #: The number of copies.
    estimated_seconds: float  #: How long it would have taken, judged by what was measured before.
    seconds_left: float  #: What was left of the budget.


class ScaleRecord(TimedRecord, kw_only=True, omit_defaults=True, tag="scale"):
    """The record of `measure scale`: what rebuilds cost in packages of growing size."""

    options: ScaleOptions  #: The choices of the run.
    instruments: Instruments | None = None  #: How the conditions of the samples were read.
    #: In words, where each edit was made, the same at every size; keys as in a record of `run`.
    placements: Mapping[str, str] = {}
    missing: Mapping[str, str] = {}  #: In words, why an edit has no place in a module.
    #: SHA-256 of the files that the builds read; a run is resumed only where it is the same.
    contents: str | None = None
    sizes: list[MeasuredSize] = field(default_factory=list)  #: What was measured, in the order in which it was begun.
    skipped: list[SkippedSize] = field(default_factory=list)  #: What did not fit into the budget.
    #: By size, and within one in the order in which they were taken.
    samples: list[Sample] = field(default_factory=list)


@dataclass(frozen=True, kw_only=True)
class LiveOptions(ScaleOptions):
    """The choices of `live`."""

    sizes: tuple[int, ...] = (5, 40, 160)  #: Numbers of copies.
    layouts: Names = (LIVE, *LAYOUTS)  #: `live`, and the layouts that are built again, without the control.
    edits: tuple[str, ...] = ("body", "private-top", "stored-property")  #: The edits.
    rounds: int = 6  #: Rounds at each size.
    rebuild_up_to: int = 40  #: The largest number of copies that the other layouts are measured with.
    budget_minutes: float = 240  #: Minutes; a size that would take longer is skipped.

    def layouts_at(self, size: int) -> Names:
        """The layouts that are measured at a size."""
        is_live_only = size > self.rebuild_up_to and LIVE in self.layouts
        return (LIVE,) if is_live_only else self.layouts


class LiveRecord(ScaleRecord, kw_only=True, omit_defaults=True, tag="live"):
    """The record of `measure live`, with the fields of one of `scale`: the time from a save to the changed text on the
    screen, in a live session, and with a build, a restart and the way back to the screen."""

    options: LiveOptions  #: The choices of the run.


@dataclass(frozen=True, kw_only=True)
class FloorOptions:
    """The choices of `floor`."""

    settings: Names = ()  #: The settings of the compiler, of which the first is what the others are compared with.
    layouts: Names = (BASELINE,)  #: The layouts.
    edits: Names = ("body",)  #: The edits; the work of the first is done by hand as well.
    module: str | None = None  #: The module that is edited.
    rounds: int = 20  #: Rounds of builds after the edits.
    clean_rounds: int = 3  #: Rounds of clean builds.
    seed: int = 0  #: Of the random orders, and of the bootstrap intervals in reports.
    control: str | None = None  #: The setting that is measured twice; `null` without an A/A control.
    jobs: int | None = None  #: Processes that a build starts at once (`swift build --jobs`).


def variant(setting: str, layout: str) -> str:
    """The name of a setting in a layout, as samples have it: `lld`, or `lld in fused`."""
    return setting if layout == BASELINE else f"{setting} in {layout}"


class FloorRecord(TimedRecord, kw_only=True, omit_defaults=True, tag="floor"):
    """The record of `measure floor`: how close `swift build` comes to the unavoidable work after an edit."""

    options: FloorOptions  #: The choices of the run.
    placement: str = ""  #: In words, where the edit was made; only in older records, of one edit.
    #: In words, where each edit was made; the key is `edit module`, or `edit` where there is no module.
    placements: Mapping[str, str] = {}
    #: SHA-256 of the files that the builds read; a run is resumed only where it is the same.
    contents: str | None = None
    #: By setting: the options of `swift build`; `{folder}` stands for a folder that outlives the build.
    words: Mapping[str, tuple[str, ...]] = {}
    sources: Mapping[str, str] = {}  #: By setting: the address of the text that recommends it.
    #: In words, why a setting cannot be used. The key is the setting as in a sample, then the edit and its module where
    #: only the build after that edit fails, or makes another program.
    broken: Mapping[str, str] = {}
    timelines: Mapping[str, tuple[Job, ...]] = {}  #: By setting: the jobs of the last build after the edit.
    #: First the clean builds (without `edit`), then the builds after the edits.
    samples: list[Sample] = field(default_factory=list)

    @property
    def clean_samples(self) -> list[Sample]:
        return [sample for sample in self.samples if sample.edit is None and not sample.failed]

    @property
    def edit_samples(self) -> list[Sample]:
        return [sample for sample in self.samples if sample.edit is not None and not sample.failed]

    @property
    def places(self) -> Mapping[str, str]:
        """The placements, those of older records too."""
        return self.placements or {place_name(self.options.edits[0], self.options.module): self.placement}


@dataclass(frozen=True, kw_only=True)
class SimulateOptions:
    """The choices of `simulate`."""

    packages: tuple[str, ...] = ()  #: The name of the folder, or such as `10 copies`.
    layouts: Names = LAYOUTS  #: The layouts.
    #: The edits; the clean build is always there.
    edits: tuple[str, ...] = ("body", "private-top", "interface-extension-member")
    modules: tuple[str, ...] = ()  #: The modules that are edited.
    rounds: int = 3  #: How often everything is measured.
    seed: int = 0  #: Of the bootstrap intervals in reports.
    jobs: tuple[int, ...] = ()  #: The jobs of the real builds that predictions are checked against.


class Contention(Struct, frozen=True):
    """How a compiler job slows down beside others; some samples in each round."""

    alone: PositiveSeconds  #: Wall seconds of a compiler job alone.
    together: PositiveSeconds  #: Wall seconds of as many at once as there are cores.


class GraphCommand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A command of SwiftPM's build engine, which prefers the command whose name is last in the alphabet."""

    name: str  #: Its name in the engine's manifest.
    kind: str = ""  #: That of its job (`target`, `wrap`, `link`); absent where it starts no compiler.
    target: str = ""  #: That of its job.
    after: tuple[str, ...] = ()  #: The commands that it waits for.


class FileCosts(Struct, frozen=True):
    """How a wave is divided among processes."""

    files: Mapping[str, float]  #: The seconds of each file.
    fixed: Mapping[str, float]  #: By target: the seconds that each process takes before its first file.


class Wave(Struct, frozen=True):
    """Files that the driver sends to be compiled together."""

    files: tuple[str, ...]  #: Their paths.
    seconds: float  #: Of one process that compiles them all.


class CommandCosts(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One command of the engine with one job at a time. Of a command that is not a target, everything is `plan`."""

    kind: str  #: As in the graph.
    target: str  #: As in the graph.
    plan: float  #: Seconds of the driver before its first job.
    emit: float | None = None  #: Seconds of emitting the module; absent where that was not done.
    waves: tuple[Wave, ...] = ()  #: What was compiled, in this order.
    wrap: float | None = None  #: Seconds of wrapping the module.
    rest: float = 0  #: Seconds of the rest of the driver.


class BuildCosts(Struct, frozen=True):
    """A build with one job at a time."""

    start: float  #: Seconds before the first command.
    end: float  #: Seconds after the last.
    gap: float  #: Seconds between two.
    commands: tuple[CommandCosts, ...]  #: The commands that ran.


class SharedWork(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What the first process to need it does once in a clean build: reading the toolchain's modules."""

    target: str  #: Of the process that did it.
    kind: str  #: Of that process.
    seconds: float  #: How long it took.
    not_needed_by: tuple[str, ...] = ()  #: The processes that ended before.


class MeasuredBuild(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One build: clean, or after an edit."""

    edit: str | None = None  #: The edit; absent for the clean build.
    module: str | None = None  #: The module that was edited.
    #: For each time that it was made (once a round of a clean build, twice after an edit).
    costs: Annotated[tuple[BuildCosts, ...], Meta(min_length=1)]
    shared: tuple[SharedWork, ...] = ()  #: What one process did for others too.
    #: By number of jobs, for each of these times: the wall seconds of a real build, which predictions do not use.
    checks: Mapping[int, Annotated[tuple[PositiveSeconds, ...], Meta(min_length=1)]]
    timeline: tuple[Job, ...] = ()  #: The jobs of the last of these real builds with most jobs.

    @property
    def name(self) -> str:
        return place_name(self.edit or "clean", self.module)


class MeasuredLayout(Struct, frozen=True, kw_only=True):
    """One layout of one package."""

    package: str  #: The package.
    layout: str  #: The layout.
    targets: Count  #: Targets of the layout.
    files: Count  #: Source files of the layout.
    graph: tuple[GraphCommand, ...]  #: What a plain `swift build` asks the engine for.
    file_costs: FileCosts  #: How a wave is divided among processes.
    null_seconds: tuple[float, ...]  #: Seconds of builds with nothing to do.
    builds: tuple[MeasuredBuild, ...]  #: What was built.


class SimulateRecord(TimedRecord, kw_only=True, omit_defaults=True, tag="simulate"):
    """The record of `measure simulate`: what builds cost job by job. Predictions are calculated from it."""

    options: SimulateOptions  #: The choices of the run.
    #: SHA-256 of the files that the builds read; a run is resumed only where it is the same.
    contents: str | None = None
    contention: tuple[Contention, ...] = ()  #: How jobs slow each other down.
    layouts: list[MeasuredLayout] = field(default_factory=list)  #: Each layout of each package.


@dataclass(frozen=True, kw_only=True)
class BenchOptions:
    """The choices of `bench`."""

    rounds: int = 5  #: Processes for each operation.
    batches: int = 5  #: Batches in each process.
    batch_milliseconds: int = 20  #: About how long a batch takes, in milliseconds.


class BenchRecord(TimedRecord, kw_only=True, omit_defaults=True, tag="bench"):
    """The record of `bench`: how long single operations of a program take."""

    options: BenchOptions  #: The choices of the run.
    #: By operation: nanoseconds for one repetition, a value for each batch, in the order in which they were taken.
    timings: dict[str, Annotated[list[PositiveSeconds], Meta(min_length=1)]] = field(default_factory=dict)
    #: By operation: processor instructions for one repetition, where they were counted.
    instructions: Mapping[str, float] = {}
    counter: str | None = None  #: What counted them.
    failed_bars: tuple[str, ...] = ()  #: The names of the limits that were exceeded.


AnyRecord: TypeAlias = RunRecord | MatrixRecord | ScaleRecord | LiveRecord | FloorRecord | SimulateRecord | BenchRecord
# Records with samples, which are taken one after another.
SampledRecord: TypeAlias = RunRecord | ScaleRecord | LiveRecord | FloorRecord
