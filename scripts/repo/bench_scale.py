"""Counts what a router of more and more modules takes, in a program that is generated and built in release.

Each size is a program of its own: Swift searches all conformances of a program where it first needs one, so that
modules which are only there would cost something too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from string import Template
from typing import NamedTuple

from swiftmodules.builds.machine import this_machine
from swiftmodules.measure.tables import Table
from swiftmodules.progress import to_errors
from swiftmodules.swiftpm.toolchain import Toolchain

from repo.bench import PACKAGE, Program, Verdict, build, find_valgrind, multiple
from repo.programs import write_changed

SIZES = (10, 50, 500)
FOLDER = Path(".build/generated/scale-benchmark")
_OPENINGS, _REPETITIONS = 100, 10
# By operation, the most by which it may grow from the fewest modules to fifty times as many.
BARS = {
    "start": 50.0,
    "validate": 50.0,
    "open one route": 1.1,
    "replace one module": 1.5,
    "restore two screens": 1.1,
}


class Growth(NamedTuple):
    """The processor instructions of operations, for each number of modules."""

    sizes: Sequence[int]
    counts: Mapping[str, Sequence[int]]

    @property
    def verdicts(self) -> dict[str, Verdict]:
        return {name: Verdict(row[-1] / row[0], BARS[name]) for name, row in self.counts.items()}

    @property
    def hold(self) -> bool:
        return all(verdict.holds for verdict in self.verdicts.values())

    def __str__(self) -> str:
        rows = []
        for name, verdict in self.verdicts.items():
            counts = (f"{count:,}" for count in self.counts[name])
            rows.append([name, *counts, multiple(verdict.value), f"≤ ×{verdict.limit:g}", verdict.word])
        columns = ["instructions", *(f"{size} modules" for size in self.sizes), "growth", "bar", "holds"]
        return f"{Table(columns, rows, 1)}\n\n{this_machine()}."


def write_package(repository: Path, sizes: Sequence[int]) -> Path:
    """Writes the package with a program for each size, and returns its folder."""
    templates = repository / PACKAGE / "scale"
    module = Template((templates / "Module.swift.template").read_text(encoding="utf-8"))
    manifest = Template((templates / "Package.swift.template").read_text(encoding="utf-8"))
    folder = repository / FOLDER
    write_changed(folder / "Package.swift", manifest.substitute(sizes=list(sizes)))
    shared = [
        templates / "main.swift",
        repository / PACKAGE / "Sources/RouterBenchmark/Fixtures/TopmostPresenter.swift",
    ]
    for size in sizes:
        sources = folder / "Sources" / f"Scale{size}"
        for file in shared:
            write_changed(sources / file.name, file.read_text(encoding="utf-8"))
        # Ten modules use a service of the first of them.
        modules = [module.substitute(number=number, other=number // 10 * 10) for number in range(size)]
        entries = ", ".join(f"Module{number}.Entry()" for number in range(size))
        write_changed(
            sources / "Modules.swift",
            "import HomeInterface\nimport RouterServiceInterface\n\n"
            f"@MainActor let modules: [any Module] = [{entries}]\n"
            f"@MainActor let (first, last) = (Module0.List(), Module{size - 1}.Detail(id: 1))\n\n" + "\n".join(modules),
        )
    return folder


def measure(repository: Path, toolchain: Toolchain, sizes: Sequence[int] = SIZES) -> Growth:
    """Builds the programs, and counts; progress goes to standard error."""
    valgrind = find_valgrind()
    package = write_package(repository, sizes).relative_to(repository)
    found = [counted(build(repository, toolchain, f"Scale{size}", package=package), valgrind) for size in sizes]
    return Growth(sizes, {operation: [each[operation] for each in found] for operation in BARS})


def counted(program: Program, valgrind: str) -> dict[str, int]:
    """The instructions of each operation: the first start and validation in a process, and an opening, a replacement
    and a restoration after others."""
    to_errors(f"Counting instructions of {program.path.name}")

    def count(step: str, repetitions: int = 1) -> int:
        return program.instructions(valgrind, "run", step, str(repetitions))

    def each(step: str, repetitions: int) -> int:
        return (count(step, 2 * repetitions) - count(step, repetitions)) // repetitions

    return {
        "start": count("start") - count("nothing"),
        "validate": count("validate") - count("create"),
        "open one route": each("open", _OPENINGS),
        "replace one module": each("replace", _REPETITIONS),
        "restore two screens": each("restore", _REPETITIONS),
    }
