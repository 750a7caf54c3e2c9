"""Plants faults in a package, and asks the tests that `graph --since` does not select whether one of them notices.

Faults in code are planted in functions that tests run, as the compiler's coverage shows, so that a full run fails. Of
all these functions, those are counted that a test runs which is not selected. Where the selected tests notice a
fault in a function that no other test runs, the others are not run.

python=$(ls -td .build/python/*-test | head -1)/bin/python
PYTHONPATH=scripts/tool $python scripts/tests/build/faults.py PACKAGE --faults 30
"""

from __future__ import annotations

import argparse
import json
import os
import random
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import since
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.package import Package
from swiftmodules.swiftpm.reader import Declaration, SourceFile, read_sources
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

FAULT = b' if CommandLine.argc > 0 { fatalError("planted") }; '
# What never returns is no value to return.
_ENDS = re.compile(rb"(?:fatalError|preconditionFailure)\b")
_C_FAULT = b" __builtin_trap(); "
_C_FUNCTION = re.compile(rb"^\w[^;{}()]*\([^;{}]*\)\s*\{", re.M)
# A commit without what is planted.
_GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
_SECONDS = 900
# Debug information takes longer to build, and nothing reads it.
_OPTIONS = ("--enable-code-coverage", "-debug-info-format", "none")


@dataclass(frozen=True)
class Fault:
    """A fault in a file: at some places, or in all of it where there are none."""

    target: str
    file: Path
    kind: str
    insertions: tuple[tuple[int, bytes], ...] = ()


@dataclass
class Group:
    """The faults for which the same tests are selected."""

    selected: frozenset[str]
    faults: list[Fault] = field(default_factory=list)
    is_noticed: bool | None = None
    is_missed: bool | None = None


@dataclass
class Found:
    """What was found in a package."""

    name: str
    tests: int
    groups: list[Group]
    # For each function in Swift: the test targets that are selected, and those by the edges of the manifest alone.
    functions: list[tuple[int, int]]
    # The functions that tests run, and those of them that a test runs which is not selected.
    functions_run: int
    missed_functions: list[str]

    @property
    def faults(self) -> list[tuple[Group, Fault]]:
        return [(group, fault) for group in self.groups for fault in group.faults]

    @property
    def misses(self) -> int:
        return sum(len(each.faults) for each in self.groups if each.is_missed) + len(self.missed_functions)

    def __str__(self) -> str:
        kinds = sorted({fault.kind for _, fault in self.faults})
        counts = ", ".join(f"{sum(each.kind == kind for _, each in self.faults)} in {kind}" for kind in kinds)
        left_out = [each for each in self.groups if each.is_missed is not None]
        noticed = sum(len(each.faults) for each in left_out if each.is_noticed)
        share = sum(len(group.selected) for group, _ in self.faults) / self.tests / len(self.faults)
        now, before = (sum(each) / self.tests / len(self.functions) for each in zip(*self.functions, strict=True))
        return "\n  ".join(
            (
                f"{self.name}: {len(self.faults)} faults ({counts}), {self.misses} missed",
                f"tests were left out for {sum(len(each.faults) for each in left_out)} of these faults; the selected "
                f"tests notice {noticed} of them; {share:.0%} of {self.tests} test targets ran",
                f"a change in one of {len(self.functions)} functions in Swift selects {now:.0%} of the test targets on "
                f"average, and {before:.0%} by declared edges",
                f"of {self.functions_run} functions that tests run, a test that is left out runs "
                f"{len(self.missed_functions)} {self.missed_functions[:5]}",
            )
        )


@dataclass(frozen=True)
class Part:
    """A package of a checkout, with its folder there and its parsed files."""

    folder: Path
    package: Package
    sources: dict[Path, SourceFile]

    def owner(self, file: Path) -> Target | None:
        return self.package.target_of(file.relative_to(self.folder)) if file.is_relative_to(self.folder) else None


def functions(file: SourceFile) -> Iterator[Declaration]:
    """Those into whose body a statement can be put: before a `switch` that is returned without the word, none can."""
    for each, _ in file.walk():
        is_usual = each.kind == "func" and (each.accepts_statement or each.single_expression is not None)
        if is_usual and not {"inlinable", "_transparent", "_alwaysEmitIntoClient"} & {*each.attributes}:
            yield each


def possible(checkout: Path, parts: Sequence[Part]) -> dict[str, list[Fault]]:
    """The faults that can be planted in a checkout, by their kinds."""
    found: dict[str, list[Fault]] = defaultdict(list)
    for part in parts:
        for target in part.package.by_name.values():
            is_code = not target.is_test and target.kind in ("library", "executable", "clang")
            for path in target.sources if is_code else ():
                file = part.folder / path
                if path.suffix == ".c":
                    text = (checkout / file).read_bytes()
                    found["C"] += [
                        Fault(target.name, file, "C", ((each.end(), _C_FAULT),)) for each in _C_FUNCTION.finditer(text)
                    ]
                for each in functions(part.sources[path]) if path in part.sources else ():
                    assert each.body_start is not None
                    insertions = ((each.body_start, FAULT),)
                    value = each.single_expression
                    if value is not None and not _ENDS.match(part.sources[path].text, value):
                        insertions = (*insertions, (value, b"return "))
                    found["Swift"].append(Fault(target.name, file, "Swift", insertions))
            # Documents, resources, snapshots and what else is below the folder of a target.
            for place in (checkout / part.folder / target.folder).rglob("*"):
                file = place.relative_to(checkout)
                inner = file.relative_to(part.folder)
                is_source = file.suffix in (".swift", ".c", ".h", ".S", ".modulemap") or inner in target.sources
                is_hidden = any(each.startswith(".") for each in file.parts)
                is_of_tests = target.is_test and part.folder != Path()
                if place.is_file() and not (is_source or is_hidden or is_of_tests) and part.owner(file) == target:
                    found["other inputs"].append(Fault(target.name, file, "other inputs"))
    return found


def planted(text: bytes, faults: Sequence[Fault]) -> bytes:
    """A file with faults."""
    if any(not each.insertions for each in faults):
        return b"planted\n"
    for position, inserted in sorted({part for each in faults for part in each.insertions}, reverse=True):
        text = text[:position] + inserted + text[position:]
    return text


def missed(original: Path, count: int, seed: int, toolchain: Toolchain, folder: Path, jobs: int = 2) -> Found:
    """Plants faults in a copy of a package; all at once for which the same tests are selected."""
    checkout = folder / original.name
    copy_package(original, checkout)
    for words in (["init", "--quiet"], ["add", "--all", "--force"], ["commit", "--quiet", "--message", "All"]):
        subprocess.run([*_GIT, *words], cwd=checkout, check=True)
    (checkout / ".git/info/exclude").write_text(".build/\n")
    config = config_of(checkout)
    package = read_package(checkout, toolchain, config.names)
    parts = read_parts(checkout, package, toolchain)
    tests = {each.imported_as for each in package.tests}
    selections: dict[object, frozenset[str]] = {}

    def selected(fault: Fault) -> frozenset[str]:
        # The functions of a target select the same tests.
        key = fault.target if fault.insertions else fault.file
        if key not in selections:
            # Tests may have written into the checkout.
            for words in (["checkout", "--quiet", "."], ["clean", "-dff", "--quiet"]):
                subprocess.run([*_GIT, *words], cwd=checkout, check=True)
            texts = write(checkout, [fault])
            selections[key] = frozenset(since(Architecture(package), "HEAD", checkout, toolchain, config.changes).tests)
            restore(checkout, texts)
        return selections[key]

    faults = possible(checkout, parts)
    assert build(checkout, toolchain, jobs), f"{original} does not build"
    # What fails without a fault says nothing.
    runs = {each: functions_run(checkout, toolchain, each) for each in sorted(tests)}
    failing = {each for each, found in runs.items() if found is None}
    print(f"fail without a fault: {', '.join(sorted(failing)) or 'none'}", flush=True)
    running = {
        fault: {test for test, found in runs.items() if found and place_of(checkout, fault) in found}
        for fault in (*faults["Swift"], *faults["C"])
    }
    # Coverage is that of tests alone.
    programs = {each.name for part in parts for each in part.package.targets if each.is_executable}
    for kind in ("Swift", "C"):
        faults[kind] = [each for each in faults[kind] if running[each] or each.target in programs]
    missed_functions = [
        f"{each.file} {others}" for each, own in running.items() if own and (others := own - selected(each))
    ]
    groups: dict[frozenset[str], Group] = {}
    for fault in drawn(faults, count, random.Random(seed)):
        groups.setdefault(selected(fault), Group(selected(fault))).faults.append(fault)
    shares = [
        (len(selected(each)), len(by_edges(package, each.target)))
        for each in faults["Swift"]
        if each.target in package.by_name
    ]
    found = Found(
        package.name, len(tests), [*groups.values()], shares, sum(map(bool, running.values())), missed_functions
    )
    for group in found.groups:
        if others := tests - failing - group.selected:
            texts = write(checkout, group.faults)
            # A build notices what does not compile.
            if build(checkout, toolchain, jobs):
                some = group.selected - failing
                group.is_noticed = bool(some) and not passes(checkout, toolchain, some)
                # Coverage shows that no test that is left out runs a function.
                is_known = group.is_noticed and all(running.get(each) for each in group.faults)
                group.is_missed = not is_known and not passes(checkout, toolchain, others)
            restore(checkout, texts)
        answer = f"noticed {group.is_noticed}, missed {group.is_missed}"
        print(f"{sorted(group.selected)}: {len(group.faults)} faults, {answer}", flush=True)
    return found


def read_parts(checkout: Path, package: Package, toolchain: Toolchain) -> list[Part]:
    """The package of a checkout, and those of its local packages that are in the checkout."""
    sources = read_sources(checkout, package, toolchain)
    state = State.read(package, sources, toolchain)
    inner = (each for each in state.packages if each.folder.is_relative_to(checkout))
    return [Part(each.folder.relative_to(checkout), each, read_sources(each.folder, each, toolchain)) for each in inner]


def functions_run(checkout: Path, toolchain: Toolchain, test: str) -> set[tuple[Path, int, int]] | None:
    """The lines and columns where the bodies of the functions begin that a test target runs; None where it fails."""
    if not passes(checkout, toolchain, {test}):
        return None
    (export,) = (checkout / ".build/debug/codecov").glob("*.json")
    found = set()
    for data in json.loads(export.read_bytes())["data"]:
        for each in data["functions"]:
            if each["count"] and (file := Path(each["filenames"][0])).is_relative_to(checkout):
                found.add((file.relative_to(checkout), *each["regions"][0][:2]))
    return found


def place_of(checkout: Path, fault: Fault) -> tuple[Path, int, int]:
    """The line and column of the brace before the first insertion of a fault."""
    before = (checkout / fault.file).read_bytes()[: fault.insertions[0][0] - 1]
    return fault.file, before.count(b"\n") + 1, len(before) - before.rfind(b"\n")


def build(checkout: Path, toolchain: Toolchain, jobs: int) -> bool:
    """Builds a package with its tests; what the compiler says is shown where that fails."""
    words = ["build", "--build-tests", *_OPTIONS, "--package-path", str(checkout), "--jobs", str(jobs)]
    done = subprocess.run([toolchain.swift, *words], env=toolchain.environment, capture_output=True, text=True)
    if done.returncode:
        print(f"does not build:\n{done.stdout[-2000:]}", flush=True)
    return done.returncode == 0


def drawn(found: dict[str, list[Fault]], count: int, chance: random.Random) -> list[Fault]:
    """So many faults, a third of them outside of Swift where there are as many; of each target in turn."""
    others = in_turn([each for kind, own in sorted(found.items()) if kind != "Swift" for each in own], chance)
    some = others[: count // 3]
    return some + in_turn(found["Swift"], chance)[: count - len(some)]


def in_turn(faults: Sequence[Fault], chance: random.Random) -> list[Fault]:
    by_target: dict[str, list[Fault]] = defaultdict(list)
    for each in chance.sample(faults, len(faults)):
        by_target[each.target].append(each)
    return [each for row in zip_longest(*by_target.values()) for each in row if each]


def by_edges(package: Package, name: str) -> set[str]:
    """The tests that depend on a target by the edges of the manifest alone."""
    users = reached([name], lambda each: (one.name for one in package.by_name.values() if each in one.dependencies))
    return {each.name for each in package.tests} & users.keys()


def write(checkout: Path, faults: Sequence[Fault]) -> dict[Path, bytes]:
    """Plants faults, and returns the files as they were."""
    texts = {each.file: (checkout / each.file).read_bytes() for each in faults}
    for file, text in texts.items():
        (checkout / file).write_bytes(planted(text, [each for each in faults if each.file == file]))
    return texts


def restore(checkout: Path, texts: dict[Path, bytes]) -> None:
    for file, text in texts.items():
        (checkout / file).write_bytes(text)


def passes(checkout: Path, toolchain: Toolchain, tests: Sequence[str] | set[str] | frozenset[str]) -> bool:
    """Whether no fault shows. SwiftPM would wait for programs that a test has started before it crashed."""
    words = [
        "test",
        "--skip-build",
        *_OPTIONS,
        "--package-path",
        str(checkout),
        "--filter",
        rf"^({'|'.join(sorted(tests))})\.",
    ]
    # As scripts/test does.
    few = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4", "ROUTER_SEQUENCES": "250"}
    environment, log = {**toolchain.environment, **few}, checkout.with_name("tests.log")
    with log.open("wb") as output:
        running = subprocess.Popen(
            [toolchain.swift, *words], stdout=output, stderr=output, env=environment, start_new_session=True
        )
        end = time.monotonic() + _SECONDS
        while running.poll() is None and b"Fatal error: planted" not in log.read_bytes() and time.monotonic() < end:
            time.sleep(1)
    if running.poll() is None:
        os.killpg(running.pid, signal.SIGKILL)
    return running.wait() == 0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("package", type=Path)
    parser.add_argument("--faults", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="faults-") as folder:
        toolchain = Toolchain.find()
        found = missed(
            chosen.package.resolve(), chosen.faults, chosen.seed, toolchain, Path(folder).resolve(), chosen.jobs
        )
        print(found)
    sys.exit(1 if found.misses else 0)


if __name__ == "__main__":
    main()
