"""Times the commands that CONTRIBUTING.md lists, in a clone of the checkout."""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timezone
from pathlib import Path

from buildspeed import interrupts, processes
from buildspeed.durations import DURATIONS, Duration, DurationRecord, commands_in, in_words, write_durations
from buildspeed.failures import InterruptedRunError, MeasurementError
from buildspeed.machine import this_machine
from buildspeed.toolchain import find_toolchain

REPOSITORY = Path(__file__).resolve().parent.parent.parent
DOCUMENT = Path("CONTRIBUTING.md")


def measure(repository: Path, progress: bool = True) -> DurationRecord:
    """Runs the commands of the document once, one after another, in a clone of what is committed.

    The clone is fresh, so the first command that builds finds nothing; each later one finds what those before it
    left. The libraries of the scripts are those of this checkout, and their installation is not timed.
    """
    commands = commands_in((repository / DOCUMENT).read_text(encoding="utf-8"), DOCUMENT)
    if not commands:
        raise MeasurementError(f"{DOCUMENT} has no table between '<!-- durations: begin -->' and its end.")
    started = datetime.now(timezone.utc).isoformat(timespec="seconds")
    with _clone(repository) as clone:
        commit = processes.read(["git", "rev-parse", "HEAD"], os.environ, clone).decode().strip()
        durations = []
        for command in commands:
            seconds = _run(command, clone)
            durations.append(Duration(command, round(seconds, 2)))
            if progress:
                print(f"{in_words(seconds):>9}  {command}", flush=True)
    return DurationRecord(started, commit, find_toolchain().version, this_machine(), tuple(durations))


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
    parser = argparse.ArgumentParser(
        prog="scripts/durations",
        description=f"Runs the commands that {DOCUMENT} lists between '<!-- durations: begin -->' and "
        "'<!-- durations: end -->', each once and in their order, in a clone of what is committed, and records how "
        f"long each takes. scripts/documents then writes that into {DOCUMENT}. Takes as long as all of them together; "
        "leave the machine alone meanwhile.",
    )
    parser.add_argument("--output", type=Path, default=REPOSITORY / DURATIONS, help=f"default: {DURATIONS}")
    options = parser.parse_args(arguments)
    try:
        with interrupts.raised():
            write_durations(measure(REPOSITORY), options.output)
    except (MeasurementError, InterruptedRunError) as error:
        print(f"error: {error}", file=sys.stderr)
        return error.exit_code
    return os.EX_OK


if __name__ == "__main__":
    sys.exit(main())
