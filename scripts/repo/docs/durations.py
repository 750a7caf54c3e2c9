"""The durations of the commands that CONTRIBUTING.md lists: timed by hand, and shown in the table.

    <!-- durations: begin -->
    | You want to | Command | Takes |
    | --- | --- | ---: |
    | Build | `swift build` | 1 min |
    <!-- durations: end -->

The first two columns are the document's own; the last one, and the sentence below the table, are written from the
record.
"""

from __future__ import annotations

import os
import re
import tempfile
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import msgspec
from msgspec import Struct
from swiftmodules import process
from swiftmodules.builds.conditions import this_machine
from swiftmodules.errors import RecordError, ToolError
from swiftmodules.files import write_atomically
from swiftmodules.observed import Machine
from swiftmodules.swiftpm.toolchain import Toolchain, read

RECORD = Path("docs/results/durations.json")
DOCUMENT = Path("CONTRIBUTING.md")

_ROW = re.compile(r"(?P<before>\|.*\|\s*`(?P<command>[^`]+)`[^|]*\|)[^|]*\|\s*")
_SHOWN = re.compile(r"<!-- durations: begin -->\n(.*?)<!-- durations: end -->", re.DOTALL)


class Duration(Struct, frozen=True):
    """Seconds that a command took, where those before it in the record had run."""

    command: str
    seconds: float


class Durations(Struct, frozen=True):
    """The record. `commit` is what was checked out."""

    started: str
    commit: str
    toolchain: str
    machine: Machine
    durations: tuple[Duration, ...] = ()


def read_durations(path: Path) -> Durations:
    """Reads the record."""
    try:
        return msgspec.json.decode(path.read_bytes(), type=Durations)
    except (OSError, msgspec.DecodeError) as error:
        raise RecordError(
            f"{path} is not a record of durations: {error}. Make one with scripts/docs --durations."
        ) from error


def commands_in(lines: Sequence[str]) -> list[str]:
    """The commands of a table's lines that are to be timed, in their order."""
    return [row["command"] for line in lines if (row := _ROW.fullmatch(line))]


def table(lines: Sequence[str], repository: Path) -> list[str]:
    """The lines of a table with its last column, and the conditions; a command that was not timed has a dash."""
    record = read_durations(repository / RECORD) if (repository / RECORD).is_file() else None
    seconds = {each.command: each.seconds for each in record.durations} if record else {}
    filled = []
    for line in lines:
        row = _ROW.fullmatch(line)
        if row:
            known = seconds.get(row["command"])
            line = f"{row['before']} {'–' if known is None else in_words(known)} |"
        if line.startswith("|"):
            filled.append(line)
    return ["", *filled, "", _conditions(record), ""]


def in_words(seconds: float) -> str:
    """A duration in round numbers: `under 1 s`, `20 s`, `4 min`."""
    if seconds < 1:
        return "under 1 s"
    if seconds < 10:
        return f"{seconds:.0f} s"
    if seconds < 90:
        return f"{round(seconds, -1):.0f} s"
    return f"{seconds / 60:.0f} min"


def measure_durations(repository: Path, toolchain: Toolchain) -> int:
    """Runs the commands of the document once, one after another, in a clone of what is committed; writes the record
    after each, and returns an exit code.

    The clone is fresh, so the first command that builds finds nothing; each later one finds what those before it left.
    The libraries of the scripts are those of this checkout, and their installation is not timed. A command that fails
    is reported and left out, since the others are worth their time all the same.
    """
    shown = _SHOWN.search((repository / DOCUMENT).read_text(encoding="utf-8"))
    if shown is None:
        raise ToolError(f"{DOCUMENT} has no table between '<!-- durations: begin -->' and its end.")
    commands, failures = commands_in(shown[1].splitlines()), 0
    with tempfile.TemporaryDirectory(prefix="durations-", ignore_cleanup_errors=True) as folder:
        clone = _clone(repository, Path(folder))
        commit = read(["git", "rev-parse", "HEAD"], os.environ, clone).decode().strip()
        record = Durations(datetime.now(UTC).isoformat(timespec="seconds"), commit, toolchain.version, this_machine())
        for command in commands:
            try:
                seconds = _run(command, clone)
            except ToolError as error:
                print(f"error: {error}", flush=True)
                failures += 1
                continue
            durations = (*record.durations, Duration(command, round(seconds, 2)))
            record = msgspec.structs.replace(record, durations=durations)
            content = msgspec.json.encode(record)
            write_atomically(repository / RECORD, msgspec.json.format(content, indent=1) + b"\n")
            print(f"{in_words(seconds):>9}  {command}", flush=True)
    return 1 if failures else 0


def _clone(repository: Path, folder: Path) -> Path:
    clone = folder / repository.name
    read(["git", "clone", "--quiet", "--no-hardlinks", repository, clone], os.environ, folder)
    libraries = repository / ".build/python"
    if libraries.exists():
        (clone / ".build").mkdir()
        (clone / ".build/python").symlink_to(libraries.resolve())
    return clone


def _run(command: str, clone: Path) -> float:
    """Runs a command without input; one that would ask for some, or fill the terminal, ends at once then."""
    # The clone's scripts find their code on their own.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    log = clone.parent / "output.log"
    finished = process.run(["sh", "-c", command], environment, clone, log)
    if finished.exit_code != 0:
        last = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise ToolError(f"'{command}' of {DOCUMENT} ended with status {finished.exit_code}:\n{last}")
    return finished.seconds


def _conditions(record: Durations | None) -> str:
    if record is None:
        return "None of these has been timed yet; `scripts/docs --durations` does it."
    return (
        f"Each timed once, in this order, in a fresh clone on {record.machine.summary}, with {record.toolchain}: a "
        "command finds what those before it have built. `scripts/docs --durations` repeats it."
    )
