"""The record of a measurement: a header, and a sample for each step that was taken in a place; and its files.

Fields that have their default are not written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, TypeVar

import msgspec
from msgspec import Meta, Struct, field

from swiftmodules.errors import UsageError
from swiftmodules.files import write_atomically
from swiftmodules.observed import Revision
from swiftmodules.options import End
from swiftmodules.swiftpm.config import ProgramRun, Setting

# Grows by one when a reader of older records would misread newer ones.
FORMAT: Final = 7
RESULTS, UNFINISHED = "results.json", "unfinished.json"
# The edit of a cell that is a clean build.
CLEAN: Final = "clean"
SOUND: Final = "sound"
UNSOUND: Final = "unsound"
NOT_VERIFIED: Final = "not verified"

Count = Annotated[int, Meta(ge=0)]
_Kind = TypeVar("_Kind", bound=Struct)
# The coordinates of a cell whose values are compared with the first one, in the same round.
Axis: TypeAlias = Literal["layout", "setting"]


class Variant(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What is built again and again: how code is grouped into targets, and how it is built."""

    layout: str = "interface"
    setting: str = "default"

    @property
    def name(self) -> str:
        """The values that are not the default, as text."""
        return _named(self)

    @property
    def variant(self) -> Variant:
        return Variant(layout=self.layout, setting=self.setting)


class Cell(Variant, frozen=True, kw_only=True, omit_defaults=True):
    """The coordinates of a sample: a variant, and the edit before the build with the module, or the file, in which it
    is made; with copies, the first copy of the module. A clean build has the edit `clean`, and a commit of a history
    the first digits of its identifier."""

    edit: str
    module: str | None = None

    @property
    def row(self) -> tuple[str, str | None]:
        return self.edit, self.module

    @property
    def name(self) -> str:
        return _named(self, self.edit, self.module)

    @property
    def cell(self) -> Cell:
        return Cell(**{name: getattr(self, name) for name in Cell.__struct_fields__})


class Rebuilt(Struct, frozen=True, omit_defaults=True):
    """What caches of targets rebuild for a step.

    The key of a target in a cache by source is made of its own inputs and the keys of the targets that it depends on.
    In a cache by interface, it is made of its own inputs and the compiled modules of these targets.
    """

    #: The targets that a cache by source rebuilds, tests aside, and their source files.
    targets: Count
    files: Count
    #: The source files of the targets that a cache by interface rebuilds; absent where no build has shown them.
    by_interface: Count | None = None
    #: The tests that must run with either cache, of so many; absent where the layout cannot have the tests.
    tests: Count | None = None
    of_tests: Count | None = None


class Step(Cell, frozen=True, kw_only=True, omit_defaults=True):
    """The step to a cell's edit in one round, in a place of its variant."""

    #: Samples of one round are pairs. Round 0 counts what is compiled, and takes no times.
    round: Count
    #: Whether it is taken in the second place of the baseline (A/A).
    control: bool = False

    @property
    def name(self) -> str:
        return f"{self.cell.name}{' (control)' * self.control}"


class Sample(Step, frozen=True, kw_only=True, omit_defaults=True):
    """A step that was taken to its end, with what it did, and how long it took."""

    #: Wall-clock time of `swift build`, or of the tests; absent where nothing was timed.
    seconds: Annotated[float, Meta(gt=0)] | None = None
    #: The compiled files, by their paths in the package, with the reasons of the compiler's driver, which are empty
    #: where it gave none; or only their number, where there are thousands.
    compiled: Mapping[str, str] | Count = {}
    #: The linked products.
    linked: tuple[str, ...] = ()
    rebuilt: Rebuilt | None = None

    @property
    def files(self) -> int:
        return len(self.compiled) if isinstance(self.compiled, Mapping) else self.compiled


class PlacedEdit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The place of an edit, with a description of the change."""

    edit: str
    module: str
    description: str


class Commit(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A commit of the package's history, which is the edit of that name, with the first line of its message, and the
    targets from which it moves files into new ones."""

    edit: str
    subject: str
    splits: tuple[str, ...] = ()


class LeftOut(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Cells that were not measured, with the reason. An absent coordinate stands for all its values."""

    layout: str | None = None
    setting: str | None = None
    edit: str | None = None
    module: str | None = None
    reason: str

    @property
    def name(self) -> str:
        """The coordinates that it has, as text."""
        return _named(self, self.edit, self.module)

    def covers(self, cell: Cell) -> bool:
        return all(getattr(self, name) in (None, getattr(cell, name)) for name in Cell.__struct_fields__)


def _named(cell: Variant | LeftOut, *more: str | None) -> str:
    """The values that are not the default, as text."""
    setting = None if cell.setting == "default" else cell.setting
    return " ".join(filter(None, [cell.layout, setting, *more]))


class Verdict(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Whether the builds of one cell are right: whether the program does after an incremental build what it does after
    a clean one. The reasons are what differed, or why nothing was compared."""

    cell: Cell
    result: Literal["sound", "unsound", "not verified"]
    reasons: tuple[str, ...] = ()


class Verification(Struct, kw_only=True, omit_defaults=True):
    """Whether what an incremental build makes is what a clean build makes."""

    #: Why nothing was verified, or not all; absent where all was.
    left_out: str | None = None
    #: The executable; absent where there is not exactly one.
    program: str | None = None
    #: The runs of it that are compared.
    session: tuple[ProgramRun, ...] = ()
    #: Whether the tests were run too; absent where the package has none.
    tests: bool | None = None
    verdicts: list[Verdict] = field(default_factory=list)

    @property
    def unsound(self) -> list[Verdict]:
        return [verdict for verdict in self.verdicts if verdict.result == UNSOUND]

    @property
    def is_sound(self) -> bool:
        """Whether cells were verified, and no program differs from that of a clean build."""
        return self.left_out is None and not self.unsound and self.counts()[SOUND] > 0

    def counts(self) -> dict[str, int]:
        results: list[str] = [verdict.result for verdict in self.verdicts]
        return {result: results.count(result) for result in (SOUND, UNSOUND, NOT_VERIFIED)}


class Record(Struct, kw_only=True, omit_defaults=True):
    """The header, and the samples in the order in which they were taken."""

    #: Records of another format are not read.
    format: Literal[7]
    package: str
    command: str
    #: The version that the compiler reports.
    toolchain: str
    revision: Revision = Revision()
    #: What each measured layout is, in the order of reports.
    layouts: Mapping[str, str]
    settings: tuple[Setting, ...]
    #: The copies of a module that the package was made to have, and the module; 0 for the package as it is.
    copies: Count = 0
    copied: str | None = None
    #: Rounds of which times are judged; 0 where nothing was timed.
    rounds: Count
    #: The end of each step, up to which it is timed.
    until: End = "built"
    #: Processes that a build starts at once (`swift build --jobs`).
    jobs: int
    #: Why the run ended before its last sample.
    incomplete: str | None = None
    #: When the run began, in UTC, and the seconds of all of it, where times were taken.
    started: str | None = None
    seconds: Annotated[float, Meta(ge=0)] | None = None
    machine: str | None = None
    placements: tuple[PlacedEdit, ...] = ()
    #: Of a history, the oldest first.
    commits: tuple[Commit, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    verification: Verification | None = None
    samples: list[Sample] = field(default_factory=list)

    @property
    def variants(self) -> list[Variant]:
        """Everything that was built, in the order of reports: first the baseline, which a timed run builds twice (A/A
        control)."""
        return [Variant(layout=layout, setting=each.name) for each in self.settings for layout in self.layouts]

    @property
    def rows(self) -> list[tuple[str, str | None]]:
        """The edits with their modules, in the order of reports."""
        commits = [(each.edit, None) for each in self.commits]
        return [(CLEAN, None), *commits, *((each.edit, each.module) for each in self.placements)]

    def values(self, axis: Axis) -> tuple[str, ...]:
        """The values of an axis, in the order of reports."""
        return tuple(self.layouts if axis == "layout" else (each.name for each in self.settings))


def record_bytes(record: Struct) -> bytes:
    """A record, of any kind, as its file holds it."""
    return msgspec.json.format(msgspec.json.encode(record), indent=1) + b"\n"


def read_record(path: Path) -> Record:
    """Reads a record, also of a run that has not ended: its file, or a folder with one.

    Raises `UsageError` with the place and the reason of what is wrong.
    """
    if path.is_dir():
        found = [path / name for name in (RESULTS, UNFINISHED) if (path / name).is_file()]
        if not found:
            raise UsageError(
                f"{path} holds no record: neither {RESULTS} nor {UNFINISHED}. Name the output folder of a run."
            )
        path = found[0]
    return decoded(path, Record)


def decoded(path: Path, kind: type[_Kind]) -> _Kind:
    """The record, of any kind, in a file. Raises `UsageError`."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=kind)
    except OSError as error:
        raise UsageError(f"cannot read {path}: {error.strerror}.") from error
    except msgspec.DecodeError as error:
        raise UsageError(f"{path} is not a record of this program: {str(error).rstrip('.')}.") from error


def keep(record: Record, folder: Path) -> None:
    """Writes the record of a run that has not ended, as a whole or not at all.

    It stands beside the complete record, so that no complete record is ever replaced by a part of another.
    """
    why = record.incomplete or f"the run was killed after sample {len(record.samples)} or later."
    write_atomically(folder / UNFINISHED, record_bytes(msgspec.structs.replace(record, incomplete=why)))


def finish(record: Record, folder: Path) -> None:
    """Writes the complete record, and removes that of the run."""
    write_atomically(folder / RESULTS, record_bytes(record))
    (folder / UNFINISHED).unlink(missing_ok=True)
