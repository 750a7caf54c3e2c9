"""The record of a measurement: a header, and samples with their coordinates on the axes.

Fields that have their default are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from msgspec import Meta, Struct, field

from swiftmodules.observed import Conditions, Kind, Machine, Revision

# Grows by one when a reader of older records would misread newer ones.
FORMAT = 4
# The edit of a cell that is a clean build, and the one that changes nothing.
CLEAN, NOTHING = "clean", "noop"
BUILT: Final = "built"
SCREEN: Final = "screen"
BY_HAND: Final = "by-hand"
SOUND: Final = "sound"
UNSOUND: Final = "unsound"
NOT_VERIFIED: Final = "not verified"

Seconds: TypeAlias = Annotated[float, Meta(ge=0)]
Value: TypeAlias = str | int


class Variant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is built again and again in a folder of its own: some coordinates of a sample."""

    layout: Annotated[str, Meta(description="How the code is grouped into targets.")] = "interface"
    copies: Annotated[
        int, Meta(ge=0, description="How many copies of a module the package has; 0 for the package as it is.")
    ] = 0
    setting: Annotated[str, Meta(description="How it is built.")] = "default"

    @property
    def name(self) -> str:
        """The values that are not the default, as text."""
        copies = f"{self.copies} copies" if self.copies else None
        setting = None if self.setting == "default" else self.setting
        return " ".join(filter(None, [self.layout, copies, setting]))

    @property
    def variant(self) -> Variant:
        return Variant(layout=self.layout, copies=self.copies, setting=self.setting)


class Cell(Variant, frozen=True, kw_only=True, omit_defaults=True):
    """The coordinates of a sample: one value on each axis."""

    edit: Annotated[str, Meta(description="The edit before the build; `clean` for a clean build.")]
    module: Annotated[
        str | None,
        Meta(description="The module, or the file, that was edited; with copies, the first copy of the module."),
    ] = None
    until: Annotated[
        Literal["built", "screen", "by-hand"],
        Meta(
            description="Where the time ends: when `swift build` has ended, when the change is on the screen, or when "
            "the compiler's own commands for the same work, run again by hand, have ended."
        ),
    ] = "built"

    @property
    def row(self) -> tuple[str, str | None]:
        """The edit and its module."""
        return self.edit, self.module

    @property
    def name(self) -> str:
        until = None if self.until == BUILT else self.until
        return " ".join(filter(None, [self.variant.name, self.edit, self.module, until]))


class Sample(Cell, frozen=True, kw_only=True, omit_defaults=True):
    """One build after one edit, with what it did, and how long it took."""

    round: Annotated[int, Meta(ge=0, description="From 1; samples of one round are pairs. 0 where nothing was timed.")]
    position: Annotated[int, Meta(ge=1, description="In the round; samples of the same position are of the same edit.")]
    control: Annotated[bool, Meta(description="Whether it belongs to the second build of the baseline (A/A).")] = False
    machine: Annotated[str | None, Meta(description="On a cluster: the machine that took it.")] = None
    seconds: Annotated[float, Meta(gt=0, description="Wall-clock time; absent where nothing was timed.")] | None = None
    cpu_seconds: (
        Annotated[float, Meta(ge=0, description="User and system time of the build with all its descendants.")] | None
    ) = None
    compiled: (
        Annotated[
            Mapping[str, str] | int,
            Meta(
                description="The files that were compiled, by their paths in the package, with the reasons of the "
                "compiler's driver, which are empty where they were not recorded; or only the number of the files."
            ),
        ]
        | None
    ) = None
    smallest: (
        Annotated[
            tuple[str, ...],
            Meta(description="The files that any build would have to compile, as far as names show."),
        ]
        | None
    ) = None
    emitted_modules: Annotated[int, Meta(ge=0, description="`emit-module` jobs of the compiler.")] | None = None
    linked: Annotated[tuple[str, ...] | int, Meta(description="The linked products, or only their number.")] | None = (
        None
    )
    settling_seconds: (
        Annotated[float, Meta(ge=0, description="Wall-clock time of the build after the edit was undone.")] | None
    ) = None
    phases: Annotated[
        Mapping[str, float],
        Meta(
            description="Seconds by phase. Of `swift build`: start, planning, compile, emit-module, wrap, link and "
            "rest; until the screen: build and start, or compile, link, load and rest of a live session. These add up "
            "to `seconds`. By hand: each step alone."
        ),
    ] = {}
    product_bytes: Annotated[int, Meta(ge=0, description="The size of what a clean build linked.")] | None = None
    conditions: Conditions | None = None
    failure: Annotated[str | None, Meta(description="Why the build failed; then its time means nothing.")] = None

    @property
    def cell(self) -> Cell:
        return Cell(**{name: getattr(self, name) for name in Cell.__struct_fields__})

    @property
    def files(self) -> int | None:
        """The number of compiled files, where it is known."""
        return len(self.compiled) if isinstance(self.compiled, Mapping) else self.compiled

    @property
    def links(self) -> int | None:
        """The number of linked products, where it is known."""
        return len(self.linked) if isinstance(self.linked, tuple) else self.linked

    @property
    def stale(self) -> tuple[str, ...]:
        """Files that mention what has changed, and were not compiled."""
        compiled = self.compiled if isinstance(self.compiled, Mapping) else {}
        return tuple(file for file in self.smallest or () if file not in compiled)

    @property
    def is_noisy(self) -> bool | None:
        return self.conditions.noisy if self.conditions else None


class Place(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Where an edit is made."""

    edit: str
    module: str | None = None
    description: Annotated[str, Meta(description="In words, what is changed, and where.")]
    file: Annotated[str | None, Meta(description="The path of the file; absent for an edit of the manifest.")] = None


class Missing(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An edit that is not made in a module."""

    edit: str
    module: str | None = None
    reason: str


class Commit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A commit of the package's history, which is the edit of that name."""

    edit: Annotated[str, Meta(description="The first digits of its identifier.")]
    subject: Annotated[str, Meta(description="The first line of its message.")]
    kind: Annotated[
        Kind,
        Meta(
            description="The widest of what it changes: tests only, bodies only, declarations of an implementation or "
            "of an interface, files that are added or removed, the manifest."
        ),
    ]
    files: Annotated[int, Meta(ge=1, description="The Swift files that it changes.")]


class Refusal(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cells that were not measured; those of all values of an axis that is absent."""

    layout: str | None = None
    copies: int | None = None
    setting: str | None = None
    edit: str | None = None
    module: str | None = None
    until: str | None = None
    reason: Annotated[str, Meta(description="In words, why they could not be built, or are left out.")]

    def covers(self, cell: Cell) -> bool:
        """Whether a cell is one of these."""
        values = {name: getattr(self, name) for name in Cell.__struct_fields__}
        return all(value in (None, getattr(cell, name)) for name, value in values.items())


class ModuleFacts(Struct, frozen=True, omit_defaults=True):
    """How many files of how many other modules import the interface of a module."""

    importing_files: Annotated[int, Meta(description="Files outside of the module that import its interface.")]
    importing_modules: Annotated[int, Meta(description="Modules, or targets of none, that have such files.")]
    target: Annotated[
        str | None, Meta(description="The target whose importers are counted, where it is not a module's interface.")
    ] = None


class SettingFacts(Struct, frozen=True, omit_defaults=True):
    """What a setting adds to the command line of a build."""

    words: Annotated[
        tuple[str, ...], Meta(description="Variables and options; `{folder}` is a folder that outlives the build.")
    ] = ()
    source: Annotated[str, Meta(description="The address of the text that recommends it.")] = ""

    @property
    def keeps_results(self) -> bool:
        """Whether a later clean build finds the results of the first."""
        return any("{folder}" in word for word in self.words)


class ProgramRun(Struct, frozen=True, omit_defaults=True):
    """One run of the program whose behaviour is compared."""

    arguments: tuple[str, ...] = ()
    input: Annotated[str, Meta(description="What is typed into it.")] = ""


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the builds of one cell are right."""

    cell: Cell
    result: Annotated[
        Literal["sound", "unsound", "not verified"],
        Meta(description="Whether the program does after an incremental build what it does after a clean one."),
    ]
    reasons: Annotated[
        tuple[str, ...], Meta(description="What differed, by the runs of the program; or why nothing was compared.")
    ] = ()


class Verification(Struct, kw_only=True, omit_defaults=True):
    """Whether the program that an incremental build makes is that of a clean build. Cells with copies are verified at
    the smallest number of them."""

    left_out: Annotated[str | None, Meta(description="Why nothing was verified; absent where it was.")] = None
    program: Annotated[str | None, Meta(description="The executable; absent where there is not exactly one.")] = None
    session: Annotated[tuple[ProgramRun, ...], Meta(description="The runs of it that are compared.")] = ()
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def unsound(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.result == UNSOUND]

    def counts(self) -> dict[str, int]:
        """Counts the cells with each result."""
        results: list[str] = [verdict.result for verdict in self.verdicts]
        return {result: results.count(result) for result in (SOUND, UNSOUND, NOT_VERIFIED)}


class Resumption(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """An interrupted run that was resumed."""

    moment: Annotated[str, Meta(description="When it was resumed, in UTC.")]
    round: Annotated[int, Meta(description="The first round that was taken then.")]
    reason: Annotated[str, Meta(description="Why the run had ended.")]


class Record(Struct, kw_only=True, omit_defaults=True):
    """The header, and the samples in the order in which they were taken."""

    format: Annotated[int, Meta(description="The version of this format.")]
    package: Annotated[str, Meta(description="The name in the package's manifest.")]
    command: Annotated[str, Meta(description="The command that repeats the run.")]
    toolchain: Annotated[str, Meta(description="The version that the compiler reports.")]
    revision: Annotated[Revision, Meta(description="The code that was measured.")] = Revision()
    axes: Annotated[
        Mapping[str, tuple[Value, ...]],
        Meta(description="By the name of a coordinate: its values that were measured, in the order of reports."),
    ]
    rounds: Annotated[int, Meta(ge=0, description="Rounds, fixed before the first sample; 0 for no times.")]
    seed: Annotated[int, Meta(description="Of the random orders.")] = 0
    control: Annotated[tuple[Variant, ...], Meta(description="What is built and measured twice (A/A control).")] = ()
    jobs: Annotated[int | None, Meta(description="Processes that a build starts at once (`swift build --jobs`).")] = (
        None
    )
    quick: Annotated[bool, Meta(description="Whether as many rounds were taken as fit into 5 minutes.")] = False
    incomplete: Annotated[str | None, Meta(description="Why the run ended before its last sample.")] = None
    started: Annotated[str | None, Meta(description="When the run began, in UTC, where times were taken.")] = None
    seconds: Annotated[float | None, Meta(description="The whole run, with all that was not timed.")] = None
    machine: Annotated[Machine | None, Meta(description="Where times were taken, or a cluster was called from.")] = None
    machines: Annotated[Mapping[str, Machine], Meta(description="By name, the machines of a cluster.")] = {}
    noisy_above: Annotated[
        float, Meta(description="The share of one core, used by other programs, above which a sample is noisy.")
    ] = 0.1
    contents: Annotated[str | None, Meta(description="SHA-256 of the files that the builds read.")] = None
    is_copy: Annotated[
        bool, Meta(description="Whether the layout `interface` is the package with its own manifest.")
    ] = False
    with_tests: Annotated[bool, Meta(description="Whether every build includes the tests.")] = False
    meanings: Annotated[Mapping[str, str], Meta(description="By layout, edit or setting: what it is.")] = {}
    settings: Mapping[str, SettingFacts] = {}
    modules: Mapping[str, ModuleFacts] = {}
    copied: Annotated[str | None, Meta(description="With copies: the module that is copied.")] = None
    targets: Annotated[Mapping[str, str], Meta(description="The folder of each target of the package.")] = {}
    gaps: Annotated[
        Mapping[str, Mapping[str, tuple[str, ...]]],
        Meta(description="By layout and target, the targets that it reaches but does not name in its manifest."),
    ] = {}
    placements: tuple[Place, ...] = ()
    commits: Annotated[tuple[Commit, ...], Meta(description="Of a history: its commits, the oldest first.")] = ()
    missing: tuple[Missing, ...] = ()
    refused: tuple[Refusal, ...] = ()
    verification: Verification | None = None
    resumptions: tuple[Resumption, ...] = ()
    samples: list[Sample] = field(default_factory=list)

    def values(self, axis: str) -> tuple[Any, ...]:
        """The values of an axis, in the order of reports."""
        return self.axes.get(axis, ())

    def refusal(self, cell: Cell) -> str | None:
        """Why a cell was not measured, where that is noted."""
        return next((each.reason for each in self.refused if each.covers(cell)), None)
