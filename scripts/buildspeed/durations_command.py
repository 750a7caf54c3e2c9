"""Times the commands that CONTRIBUTING.md lists, in a clone of the checkout."""

from __future__ import annotations

import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timezone
from pathlib import Path

from buildspeed import processes
from buildspeed.command_line import REPOSITORY, Parser, run
from buildspeed.durations import (
    DURATIONS,
    Duration,
    DurationRecord,
    commands_in,
    in_words,
    read_durations,
    write_durations,
)
from buildspeed.failures import MeasurementError, UsageError
from buildspeed.machine import this_machine
from buildspeed.toolchain import find_toolchain

DOCUMENT = Path("CONTRIBUTING.md")

_DESCRIPTION = f"""\
Runs the commands that {DOCUMENT} lists between '<!-- durations: begin -->' and '<!-- durations: end -->', each once
and in their order, and records how long each takes. Those that write a record into docs/results are left out: it says
how long it took."""

_EPILOGUE = f"""\
how it works:
  What is committed is cloned into a temporary folder, so that the first command that builds finds nothing, and each
  later one what those before it left. The installation of the Python libraries is not timed. It takes as long as all
  commands together; leave the machine alone meanwhile. The record is written after each command, so an interrupted run
  leaves those before. scripts/documents then writes the durations into {DOCUMENT}.
  With --missing the others stay in the record, and only what it lacks is run, in a clone of its own.

exit codes:
  0 done; 1 a command failed and was left out; 64 a wrong option; 69 Swift or Python is missing;
  130, 143 interrupted."""


def measure(
    repository: Path,
    report: Callable[[str], None],
    keep: Callable[[DurationRecord], None],
    earlier: DurationRecord | None = None,
) -> DurationRecord:
    """Runs the commands of the document once, one after another, in a clone of what is committed.

    A command that fails is reported and left out, since the others are worth their time all the same. `keep` saves
    what is known after each command.
    The clone is fresh, so the first command that builds finds nothing; each later one finds what those before it
    left. The libraries of the scripts are those of this checkout, and their installation is not timed.
    With an `earlier` record, only the commands are run that it lacks. Raises `UsageError` where it is of another
    machine or toolchain.
    """
    commands = commands_in((repository / DOCUMENT).read_text(encoding="utf-8"), DOCUMENT)
    if not commands:
        raise MeasurementError(f"{DOCUMENT} has no table between '<!-- durations: begin -->' and its end.")
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    with _clone(repository) as clone:
        commit = processes.read(["git", "rev-parse", "HEAD"], os.environ, clone).decode().strip()
        fresh = DurationRecord(started, commit, find_toolchain().version, this_machine(), ())
        record = earlier or fresh
        if (record.toolchain, record.machine) != (fresh.toolchain, fresh.machine):
            raise UsageError("the record is of another machine or toolchain; time all commands, without --missing.")
        known = {each.command: each for each in record.durations if each.command in commands}
        for command in commands:
            if command in known:
                continue
            try:
                seconds = _run(command, clone)
            except MeasurementError as error:
                report(f"error: {error}")
            else:
                known[command] = Duration(command, round(seconds, 2), None if earlier is None else commit)
                in_order = tuple(known[each] for each in commands if each in known)
                record = replace(record, durations=in_order)
                keep(record)
                report(f"{in_words(seconds):>9}  {command}")
    return record


@contextmanager
def _clone(repository: Path) -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="durations-"))
    try:
        clone = folder / repository.name
        processes.read(["git", "clone", "--quiet", "--no-hardlinks", repository, clone], os.environ, folder)
        libraries = repository / ".build/python"
        if libraries.exists():
            (clone / ".build").mkdir()
            (clone / ".build/python").symlink_to(libraries.resolve())
        yield clone
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _run(command: str, clone: Path) -> float:
    """Runs a command without input; one that would ask for some, or fill the terminal, ends at once then."""
    log = clone.parent / "output.log"
    # The clone's scripts say themselves where their code is.
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    result = processes.run(["sh", "-c", command], environment, clone, log)
    if result.exit_code != 0:
        last = "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-15:])
        raise MeasurementError(f"'{command}' of {DOCUMENT} ended with status {result.exit_code}:\n{last}")
    return result.seconds


def main(arguments: Sequence[str] | None = None) -> int:
    parser = Parser("scripts/durations", _DESCRIPTION, _EPILOGUE)
    parser.add_argument(
        "--output", type=Path, default=REPOSITORY / DURATIONS, metavar="FILE", help=f"default: {DURATIONS}"
    )
    parser.add_argument(
        "--missing", action="store_true", help="run only the commands that the record lacks: new ones, and what failed"
    )
    options = parser.parse_args(arguments)

    def work() -> int:
        record = measure(
            REPOSITORY,
            lambda line: print(line, flush=True),
            lambda record: write_durations(record, options.output),
            read_durations(options.output) if options.missing else None,
        )
        listed = commands_in((REPOSITORY / DOCUMENT).read_text(encoding="utf-8"), DOCUMENT)
        return os.EX_OK if len(record.durations) == len(listed) else 1

    return run(work)


if __name__ == "__main__":
    sys.exit(main())
