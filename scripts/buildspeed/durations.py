"""What the commands for contributors take: the record of it, and the column that tells it in a document.

    <!-- durations: begin -->
    | You want to | Command | Takes |
    | --- | --- | ---: |
    | Build | `swift build` | 1 min |
    <!-- durations: end -->

The first two columns are the document's own; the last one, and the sentence below the table, are written from the
record, which `scripts/durations` makes from the commands of such tables. A command that makes a record of its own in
docs/results is not run for it: it took what that record says.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from buildspeed.code_blocks import CodeBlock
from buildspeed.machine import Machine
from buildspeed.marked_parts import marked_parts
from buildspeed.record_file import json_text, read_versioned, write_atomically

DURATIONS = Path("docs/results/durations.json")

# Grows by one when a reader of older records would misread newer ones.
_SCHEMA_VERSION = 1
_ROW = re.compile(r"(?P<before>\|.*\|\s*`(?P<command>[^`]+)`[^|]*\|)[^|]*\|\s*")
_RECORD = re.compile(r"--output (docs/results/\w+)$")
_NOT_TIMED = "–"


@dataclass(frozen=True)
class Duration:
    """How long a command took, from its start to its end, where those before it in the record had run. `commit` is
    None but for a command that was timed later, in a clone of that commit."""

    command: str
    seconds: float
    commit: str | None = None


@dataclass(frozen=True)
class DurationRecord:
    """What was timed, where and when. `commit` is what was checked out."""

    started: str
    commit: str
    toolchain: str
    machine: Machine
    durations: tuple[Duration, ...]

    def by_command(self) -> Mapping[str, float]:
        return {each.command: each.seconds for each in self.durations}


def duration_tables(text: str, document: Path, repository: Path) -> list[CodeBlock]:
    """The tables of a document's text in their order; a command that was not timed has a dash."""
    parts = marked_parts(text, document, "durations", "table")
    if not parts:
        return []
    record = repository / DURATIONS
    timed = read_durations(record) if record.is_file() else None
    return [part.block(str(DURATIONS), _filled(part.lines, timed, repository)) for part in parts]


def commands_in(text: str, document: Path) -> list[str]:
    """The commands of such tables that are to be timed, in the order of the document."""
    parts = marked_parts(text, document, "durations", "table")
    commands = (row["command"] for part in parts for _, row in _rows(part.lines) if row)
    return [command for command in commands if not _RECORD.search(command)]


def read_durations(path: Path) -> DurationRecord:
    """Reads the record."""
    return read_versioned(path, DurationRecord, (_SCHEMA_VERSION,), "scripts/durations")


def write_durations(record: DurationRecord, path: Path) -> None:
    """Writes the record."""
    write_atomically(path, json_text({"schema_version": _SCHEMA_VERSION} | asdict(record)))


def in_words(seconds: float) -> str:
    """A duration as a person would tell it: `under 1 s`, `20 s`, `4 min`."""
    if seconds < 1:
        return "under 1 s"
    if seconds < 10:
        return f"{seconds:.0f} s"
    if seconds < 90:
        return f"{round(seconds, -1):.0f} s"
    return f"{seconds / 60:.0f} min"


def _filled(lines: Sequence[str], record: DurationRecord | None, repository: Path) -> list[str]:
    seconds = record.by_command() if record else {}
    table = []
    for line, row in _rows(lines):
        if row:
            known = _seconds_of_record(row["command"], repository) or seconds.get(row["command"])
            line = f"{row['before']} {_NOT_TIMED if known is None else in_words(known)} |"
        if line.startswith("|"):
            table.append(line)
    return ["", *table, "", _conditions(record), ""]


def _seconds_of_record(command: str, repository: Path) -> float | None:
    """How long the run took of whose record the command makes a new one."""
    folder = _RECORD.search(command)
    file = repository / folder[1] / "results.json" if folder else None
    return json.loads(file.read_text(encoding="utf-8")).get("seconds") if file and file.is_file() else None


def _conditions(record: DurationRecord | None) -> str:
    if record is None:
        return "None of these has been timed yet; `scripts/durations` does it."
    later = [f"`{each.command}`" for each in record.durations if each.commit is not None]
    return (
        f"Each timed once, in this order, in a fresh clone on {record.machine.summary}, with {record.toolchain}: a "
        "command finds what those before it have built. "
        + (f"Timed later, in another clone: {', '.join(later)}. " if later else "")
        + "What writes into docs/results took as long as is said there. `scripts/durations` repeats it."
    )


def _rows(lines: Sequence[str]) -> Iterator[tuple[str, re.Match[str] | None]]:
    """Each line, with its parts where it is a row that has a command before its last column."""
    return ((line, _ROW.fullmatch(line)) for line in lines)
