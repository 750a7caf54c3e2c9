"""The command line of `scripts/bench-router`."""

from __future__ import annotations

import argparse
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from datetime import datetime, timezone
from pathlib import Path

from rich.console import Console

from buildspeed.command_line import REPOSITORY, Parser, names, positive, run
from buildspeed.failures import UsageError
from buildspeed.machine import this_machine
from buildspeed.private_copy import revision
from buildspeed.record_file import write_atomically
from buildspeed.run_folder import only_one_that_takes_times
from buildspeed.toolchain import Toolchain, find_toolchain
from routerbench.bars import COLD_REGISTRATION, GROWTH_BARS, in_order
from routerbench.counting import instruction_counter
from routerbench.program import Program, build
from routerbench.record import Options, Record
from routerbench.report import terminal_table
from routerbench.verdicts import failed, verdicts

DEFAULT_ROUNDS = 5
DEFAULT_BATCHES = 5
DEFAULT_MILLISECONDS = 20

_DESCRIPTION = """\
Times what RouterService does, in a release build, and compares it with the bars that it is held to."""

_EPILOG = f"""\
how it works:
  The program in scripts/benchmarks is built into .build/benchmarks. In each round every operation is run in a
  process of its own: it is repeated until it is warm, then timed in batches of about {DEFAULT_MILLISECONDS} ms each.
  {COLD_REGISTRATION} is timed once for each process, so there are as many processes as
  batches. scripts/benchmarks/README.md tells what each operation does.

bars:
  A bar holds where the median of all batches is not above it. An operation among 10,000 services may take no
  longer than among 10, but for a margin of {GROWTH_BARS[0].ratio - 1:.0%}. For trustworthy times leave the machine
  alone meanwhile.

counts:
  --counts runs each operation under valgrind's callgrind as well, twice with different numbers of
  repetitions, and divides the difference. The counts do not depend on what else the machine does, so they
  show small changes that times hide. They belong to one processor and toolchain, and do not foretell times:
  an atomic instruction, as in every retain and release, takes as long as dozens of others.

exit codes:
  0 done, also where bars do not hold; 1 with --check where one does not, or was not timed though all
  operations were asked for, or something failed; 64 a wrong option or name; 69 Swift or Python is missing;
  75 another run takes times on this machine; 130, 143 interrupted.

examples:
  scripts/bench-router
  scripts/bench-router --counts --output docs/results/router/results.json
  scripts/bench-router --operations resolve-singleton,resolve-transient-depth-5 --check
"""


def main(arguments: Sequence[str]) -> int:
    """Runs the command and returns its exit code."""
    return run(lambda: _benchmark(_parser().parse_args(arguments), ["scripts/bench-router", *arguments]))


def _parser() -> argparse.ArgumentParser:
    parser = Parser("scripts/bench-router", _DESCRIPTION, _EPILOG)
    effort = parser.add_mutually_exclusive_group()
    effort.add_argument(
        "--rounds",
        type=positive("rounds"),
        default=DEFAULT_ROUNDS,
        metavar="N",
        help=f"rounds of {DEFAULT_BATCHES} batches for each operation (default: {DEFAULT_ROUNDS})",
    )
    effort.add_argument(
        "--smoke",
        action="store_true",
        help="one round of a few very short batches: proves that everything runs, and measures nothing",
    )
    parser.add_argument("--operations", type=names("operation"), default=(), metavar="A,B", help="default: all")
    parser.add_argument("--counts", action="store_true", help="count instructions as well; needs valgrind")
    parser.add_argument("--check", action="store_true", help="end with exit code 1 where a bar does not hold")
    parser.add_argument("--json", action="store_true", help="print the record in place of the table")
    parser.add_argument("--output", type=Path, metavar="FILE", help="write the record, with every batch, to a file")
    return parser


def _benchmark(options: argparse.Namespace, command: Sequence[str]) -> int:
    if options.smoke and options.check:
        raise UsageError("--smoke measures nothing that --check could judge. Leave one of the two out.")
    # Progress is no result: with --json, only the record is printed on standard output.
    progress = Console(stderr=True)
    toolchain = find_toolchain()
    with nullcontext() if options.smoke else only_one_that_takes_times():
        record = _measured(options, command, toolchain, progress)
    record.failed_bars = failed(record)
    return _tell(record, options)


def _measured(options: argparse.Namespace, command: Sequence[str], toolchain: Toolchain, progress: Console) -> Record:
    with _told(progress, "building scripts/benchmarks in release"):
        program = build(REPOSITORY, toolchain)
    operations = _chosen(options.operations, [*program.operations(), COLD_REGISTRATION])
    record = Record(
        command=shlex.join(command),
        started=datetime.now(timezone.utc).isoformat(timespec="seconds"),
        machine=this_machine(),
        toolchain=toolchain.version,
        revision=revision(REPOSITORY),
        options=Options(1, 2, 1) if options.smoke else Options(options.rounds, DEFAULT_BATCHES, DEFAULT_MILLISECONDS),
    )
    for round in range(record.options.rounds):
        with _told(progress, f"round {round + 1} of {record.options.rounds}"):
            _measure(program, operations, record)
    if options.counts:
        with _told(progress, "counting instructions"):
            counter = instruction_counter(program)
            record.counter = counter.version
            record.instructions = {name: counter.count(name) for name in operations}
    return record


def _measure(program: Program, operations: Sequence[str], record: Record) -> None:
    """One round: some batches of every operation."""
    for operation in operations:
        if operation == COLD_REGISTRATION:
            for _ in range(record.options.batches):
                record.add(program.measure_cold())
        else:
            record.add(program.measure(operation, record.options.batches, record.options.batch_milliseconds))


def _tell(record: Record, options: argparse.Namespace) -> int:
    if options.output:
        write_atomically(options.output, record.as_text())
    if options.json:
        print(record.as_text(), end="")
    else:
        Console(width=None if sys.stdout.isatty() else 140).print(terminal_table(record))
    complaints = _complaints(record, everything=not options.operations) if options.check else []
    for complaint in complaints:
        print(f"error: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def _complaints(record: Record, everything: bool) -> list[str]:
    """Why the check fails: a bar that does not hold, and, where everything was to be timed, one that was not."""
    decided = verdicts(record)
    failures = [f"the bar of {name} does not hold." for name in record.failed_bars]
    missing = [f"{name} was not timed." for name, verdict in decided.items() if verdict.holds is None]
    return failures + (missing if everything else [])


def _chosen(names: Sequence[str], known: Sequence[str]) -> list[str]:
    for name in names:
        if name not in known:
            raise UsageError(f"no operation is called '{name}'. Choose from: {', '.join(in_order(list(known)))}.")
    return in_order(list(names or known))


@contextmanager
def _told(console: Console, stage: str) -> Iterator[None]:
    """Tells a stage, with a sign of life on a terminal."""
    if console.is_terminal:
        with console.status(stage):
            yield
    else:
        console.print(f"{stage} ...", highlight=False)
        yield
