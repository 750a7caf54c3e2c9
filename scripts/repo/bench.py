"""Times RouterService in a release build, and compares its counts of instructions with their bars."""

from __future__ import annotations

import json
import re
import shutil
import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct, field
from swiftmodules.builds.machine import this_machine
from swiftmodules.errors import ToolError
from swiftmodules.measure.tables import NOTHING, Table
from swiftmodules.observed import Revision
from swiftmodules.progress import to_errors
from swiftmodules.swiftpm.copy import revision
from swiftmodules.swiftpm.toolchain import Toolchain, read

from repo.programs import built

PACKAGE = Path("scripts/repo/benchmarks")


class BenchRecord(Struct, kw_only=True, omit_defaults=True):
    """How long single operations take."""

    command: str
    toolchain: str
    machine: str
    revision: Revision
    timings: dict[str, list[float]] = field(default_factory=dict)
    """By operation: nanoseconds for one repetition, a value for each batch, in the order in which they were taken."""
    instructions: Mapping[str, float] = {}
    """By operation: processor instructions for one repetition, where they were counted."""


# In each process, and about how long one takes.
_BATCHES, _BATCH_MILLISECONDS = 5, 20

_REGISTRATIONS = "register-1000-resolve-last-warm"
_TOTAL = re.compile(r"Collected\s*:\s*(\d+)")


class Bar(NamedTuple):
    """The most instructions that an operation may take: they are the same on all machines of one architecture (here
    x86_64). `peer` is the median time of the peers' best, on 2 cores, with Swift 6.3.1, in release."""

    instructions: float
    peer: str


class GrowthBar(NamedTuple):
    """Operations of which the second may take hardly longer than the first."""

    few: str
    many: str

    @property
    def name(self) -> str:
        return f"{self.many} ÷ {self.few.rpartition('-')[2]}"

    def ratio(self, counts: Mapping[str, float]) -> float | None:
        return counts[self.many] / counts[self.few] if {self.few, self.many} <= counts.keys() else None


# "None may grow": the margin is for the few more collisions of a larger table.
_GROWTH = 1.25
# By operation, in the order of the table.
BARS: Mapping[str, Bar] = {
    "resolve-singleton": Bar(800, "Needle 194 ns"),
    "resolve-transient-two-dependencies": Bar(1_700, "Needle 400 ns"),
    "resolve-transient-depth-5": Bar(3_000, "Resolver 1,073 ns"),
    "resolve-weak-held": Bar(1_400, "Resolver 323 ns"),
    "build-feature-three-dependencies": Bar(2_400, "RouterService 6,385 ns"),
    "open-feature-three-dependencies": Bar(49_000, ""),
    _REGISTRATIONS: Bar(1.5e6, "Resolver 311 µs"),
    "decode-any-route": Bar(61_000, "RouterService 6,857 ns"),
    "match-url-1": Bar(17_500, "URLMatcher 27 µs"),
    "match-url-1000": Bar(17_800, "URLMatcher 14.9 ms"),
}
GROWTH_BARS = (
    GrowthBar("resolve-singleton-among-10", "resolve-singleton-among-10000"),
    GrowthBar("resolve-transient-two-dependencies-among-10", "resolve-transient-two-dependencies-among-10000"),
    GrowthBar("resolve-weak-held-among-10", "resolve-weak-held-among-10000"),
    GrowthBar("broadcast-among-100", "broadcast-among-1000"),
    GrowthBar("ask-among-50", "ask-among-500"),
    GrowthBar("match-url-1", "match-url-1000"),
)


class Verdict(NamedTuple):
    """A number of instructions, or the ratio of two, and its limit. The value is None where nothing was counted."""

    value: float | None
    limit: float

    @property
    def holds(self) -> bool | None:
        return None if self.value is None else self.value <= self.limit

    @property
    def word(self) -> str:
        return {True: "yes", False: "NO", None: "not counted"}[self.holds]


def verdicts(record: BenchRecord) -> dict[str, Verdict]:
    """A verdict for each bar, by the bar's name."""
    counts = record.instructions
    found = {name: Verdict(counts.get(name), bar.instructions) for name, bar in BARS.items()}
    return found | {bar.name: Verdict(bar.ratio(counts), _GROWTH) for bar in GROWTH_BARS}


@dataclass(frozen=True)
class Program:
    """The built program. Each call is a process of its own, so that no operation finds the heap of another."""

    path: Path
    environment: Mapping[str, str]

    def operations(self) -> list[str]:
        return self.ask("list").split()

    def measure(self, operation: str) -> list[float]:
        """The nanoseconds of one repetition, for each batch of one round."""
        printed = self.ask("measure", operation, str(_BATCHES), str(_BATCH_MILLISECONDS))
        return [float(value) for value in json.loads(printed)["nanosecondsPerOperation"]]

    def count(self, operation: str, valgrind: str) -> float:
        """The processor instructions of one repetition, which hardly differ from run to run on one machine.

        Two runs of different length differ by repetitions only: starting the program, setting up, and what a first
        use costs are in both.
        """
        repetitions = 2 if operation == _REGISTRATIONS else 1000
        twice = self.instructions(valgrind, "run", operation, str(2 * repetitions))
        return (twice - self.instructions(valgrind, "run", operation, str(repetitions))) / repetitions

    def ask(self, *arguments: str) -> str:
        return read([self.path, *arguments], self.environment, self.path.parent).decode()

    def instructions(self, valgrind: str, *arguments: str) -> int:
        command: list[str | Path] = [valgrind, "--tool=callgrind", "--callgrind-out-file=/dev/null", "--log-fd=1"]
        command += [self.path, *arguments]
        # A dictionary's order of keys would differ from run to run, and with it the number of collisions.
        environment = {**self.environment, "SWIFT_DETERMINISTIC_HASHING": "1"}
        output = read(command, environment, self.path.parent).decode()
        found = _TOTAL.search(output)
        if found is None:
            raise ToolError(f"callgrind printed no number of instructions:\n{output.strip()}")
        return int(found[1])


def build(
    repository: Path,
    toolchain: Toolchain,
    product: str = "RouterBenchmark",
    package: Path = PACKAGE,
) -> Program:
    """Builds a program of a package, into a folder of `.build` with the package's name."""
    scratch = repository / ".build" / package.name
    return Program(built(product, repository / package, scratch, toolchain, "release"), toolchain.environment)


def measure(
    repository: Path,
    toolchain: Toolchain,
    rounds: int,
    command: str,
    *,
    counts: bool = False,
) -> BenchRecord:
    """Builds the router's program, and times its operations; progress goes to standard error."""
    valgrind = find_valgrind() if counts else ""
    program = build(repository, toolchain)
    record = BenchRecord(
        command=command,
        machine=this_machine(),
        toolchain=toolchain.version,
        revision=revision(repository),
        timings={name: [] for name in program.operations()},
    )
    for round in range(rounds):
        to_errors(f"Round {round + 1} of {rounds}")
        for name, times in record.timings.items():
            times += program.measure(name)
    if valgrind:
        to_errors("Counting instructions")
        record.instructions = {name: program.count(name, valgrind) for name in record.timings}
    return record


def find_valgrind() -> str:
    """The program that counts instructions. Raises `ToolError`."""
    if valgrind := shutil.which("valgrind"):
        return valgrind
    raise ToolError(
        "instructions are counted by valgrind, which is not in PATH. Install it (Debian and Ubuntu: apt install "
        "valgrind)."
    )


def table(record: BenchRecord) -> str:
    """The operations with bars, and what they were measured with."""
    decided, counted = verdicts(record), ["instructions"] if record.instructions else []
    rows = []
    for name, bar in BARS.items():
        times = record.timings.get(name)
        row = [duration(statistics.median(times)), duration(min(times))] if times else [NOTHING, NOTHING]
        row += [f"{record.instructions[name]:,.0f}" if name in record.instructions else NOTHING for _ in counted]
        rows.append([name, *row, f"≤ {bar.instructions:,.0f}", decided[name].word, bar.peer])
    for growth in GROWTH_BARS:
        counts = [multiple(growth.ratio(record.instructions)) for _ in counted]
        rows.append([growth.name, NOTHING, NOTHING, *counts, f"≤ ×{_GROWTH}", decided[growth.name].word, ""])
    columns = ["operation", "median", "minimum", *counted, "bar", "holds", "best peer"]
    return f"{Table(columns, rows, 1)}\n\n{_caption(record)}"


def report(record: BenchRecord) -> str:
    return f"# What the router costs\n\n{table(record)} `{record.command}` repeats it.\n"


def duration(nanoseconds: float) -> str:
    """Three significant digits or more, in the unit that fits."""
    if nanoseconds < 10:
        return f"{nanoseconds:.1f} ns"
    if nanoseconds < 10_000:
        return f"{nanoseconds:,.0f} ns"
    if nanoseconds < 1e6:
        return f"{nanoseconds / 1e3:.3g} µs"
    return f"{nanoseconds / 1e6:.2f} ms"


def multiple(ratio: float | None) -> str:
    return NOTHING if ratio is None else f"×{ratio:.2f}"


def _caption(record: BenchRecord) -> str:
    batches = max(map(len, record.timings.values()), default=0)
    return (
        f"Time for one repetition: median and minimum of {batches} batches. Bars limit instructions, and in the last "
        f"rows ratios of them: times swing with other work of the machine, counts do not. {record.machine}; "
        f"{record.toolchain}."
    )
