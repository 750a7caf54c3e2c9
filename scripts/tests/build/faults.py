"""Plants faults in a package, and asks the tests that `graph --since` does not select whether one of them notices.

PYTHONPATH=scripts/tool .build/python/*-test/bin/python scripts/tests/build/faults.py PACKAGE --faults 30
"""

from __future__ import annotations

import argparse
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
from pathlib import Path

from swiftmodules.closure import reached
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import Since, since
from swiftmodules.swiftpm.config import config_file, read_config
from swiftmodules.swiftpm.copy import copy_package
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.reader import Declaration, SourceFile, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

FAULT = b' if CommandLine.argc > 0 { fatalError("planted") }; '
# What never returns is no value to return.
_ENDS = re.compile(rb"(?:fatalError|preconditionFailure)\b")
_C_FAULT = b" __builtin_trap(); "
_C_FUNCTION = re.compile(rb"^\w[^;{}()]*\([^;{}]*\)\s*\{", re.M)
# A commit without what is planted.
_GIT = ("git", "-c", "user.name=A", "-c", "user.email=a@example.com", "-c", "commit.gpgsign=false")
_SECONDS = 900


@dataclass(frozen=True)
class Fault:
    """A fault in a file: at some places, or in all of it where there are none."""

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
    # For the faults in Swift: the test targets that the edges of the manifest alone would select.
    before: list[int]

    @property
    def faults(self) -> list[tuple[Group, Fault]]:
        return [(group, fault) for group in self.groups for fault in group.faults]

    @property
    def misses(self) -> int:
        return sum(len(each.faults) for each in self.groups if each.is_missed)

    def share(self, kinds: Sequence[str]) -> float:
        """The share of the test targets that ran, over the faults of some kinds."""
        shares = [len(group.selected) / self.tests for group, fault in self.faults if fault.kind in kinds]
        return sum(shares) / max(len(shares), 1)

    def __str__(self) -> str:
        kinds = sorted({fault.kind for _, fault in self.faults})
        counts = ", ".join(f"{sum(each.kind == kind for _, each in self.faults)} in {kind}" for kind in kinds)
        noticed = sum(len(each.faults) for each in self.groups if each.is_noticed)
        before = sum(self.before) / self.tests / max(len(self.before), 1)
        return (
            f"{self.name}: {len(self.faults)} faults ({counts}), {self.misses} missed; {self.share(kinds):.0%} of "
            f"{self.tests} test targets ran, {self.share(['Swift']):.0%} for Swift ({before:.0%} by declared edges); "
            f"{noticed} faults in groups that the selected tests notice"
        )


def functions(file: SourceFile) -> Iterator[Declaration]:
    """Those into whose body a statement can be put: before a `switch` that is returned without the word, none can."""
    for each, _ in file.walk():
        is_usual = each.kind == "func" and (each.accepts_statement or each.single_expression is not None)
        if is_usual and not {"inlinable", "_transparent", "_alwaysEmitIntoClient"} & {*each.attributes}:
            yield each


def possible(folder: Path, package: Package, sources: dict[Path, SourceFile]) -> dict[str, list[Fault]]:
    """The faults that can be planted in a package, by their kinds."""
    found: dict[str, list[Fault]] = defaultdict(list)
    for target in package.by_name.values():
        if target.is_test or target.kind not in ("library", "executable", "clang"):
            continue
        for path in target.sources:
            if path.suffix == ".c":
                text = (folder / path).read_bytes()
                found["C"] += [Fault(path, "C", ((each.end(), _C_FAULT),)) for each in _C_FUNCTION.finditer(text)]
            for each in functions(sources[path]) if path in sources else ():
                assert each.body_start is not None
                insertions = ((each.body_start, FAULT),)
                value = each.single_expression
                if value is not None and not _ENDS.match(sources[path].text, value):
                    insertions = (*insertions, (value, b"return "))
                found["Swift"].append(Fault(path, "Swift", insertions))
    # Documents, resources, snapshots and what else is below the folder of a target.
    for target in package.by_name.values():
        for path in (folder / target.folder).rglob("*"):
            inner = path.relative_to(folder)
            is_source = path.suffix in (".swift", ".c", ".h", ".S", ".modulemap") or inner in target.sources
            is_hidden = any(part.startswith(".") for part in inner.parts)
            if path.is_file() and not is_source and not is_hidden and package.target_of(inner) == target:
                found["other inputs"].append(Fault(inner, "other inputs"))
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
    config = read_config(config_file(checkout))
    package = read_package(checkout, toolchain, config.names)
    sources = read_sources(checkout, package, toolchain)
    chosen = drawn(possible(checkout, package, sources), count, random.Random(seed))
    tests = {each.imported_as for each in package.tests}
    groups: dict[frozenset[str], Group] = {}
    before = []
    known: dict[object, Since] = {}
    for fault in chosen:
        owner = package.target_of(fault.file)
        # The functions of a target select the same tests.
        key = owner.name if owner and fault.kind == "Swift" else fault.file
        if key not in known:
            texts = write(checkout, [fault])
            known[key] = since(Architecture(package), "HEAD", checkout, toolchain, config.changes)
            restore(checkout, texts)
        selected = frozenset(known[key].tests)
        groups.setdefault(selected, Group(selected)).faults.append(fault)
        if fault.kind == "Swift" and owner:
            before.append(len({each.name for each in package.tests} & {*by_edges(package, owner.name)}))
    found = Found(package.name, len(tests), [*groups.values()], before)
    build(checkout, toolchain, jobs)
    # What fails without a fault says nothing.
    failing = {each for each in tests if not passes(checkout, toolchain, {each})}
    print(f"fail without a fault: {', '.join(sorted(failing)) or 'none'}", flush=True)
    for group in found.groups:
        if others := tests - failing - group.selected:
            texts = write(checkout, group.faults)
            # A build notices what does not compile.
            if build(checkout, toolchain, jobs):
                selected = group.selected - failing
                group.is_noticed = bool(selected) and not passes(checkout, toolchain, selected)
                group.is_missed = not passes(checkout, toolchain, others)
            restore(checkout, texts)
        answer = f"noticed {group.is_noticed}, missed {group.is_missed}"
        print(f"{sorted(group.selected)}: {len(group.faults)} faults, {answer}", flush=True)
    return found


def build(checkout: Path, toolchain: Toolchain, jobs: int) -> bool:
    """Builds a package with its tests; what the compiler says is shown where that fails."""
    words = ["build", "--build-tests", "--package-path", str(checkout), "--jobs", str(jobs)]
    done = subprocess.run([toolchain.swift, *words], env=toolchain.environment, capture_output=True, text=True)
    if done.returncode:
        print(f"does not build:\n{done.stdout[-2000:]}", flush=True)
    return done.returncode == 0


def drawn(found: dict[str, list[Fault]], count: int, chance: random.Random) -> list[Fault]:
    """So many faults, a third of them outside of Swift where there are as many."""
    others = [each for kind, own in found.items() if kind != "Swift" for each in own]
    chance.shuffle(others)
    some = others[: count // 3]
    return some + chance.sample(found["Swift"], min(count - len(some), len(found["Swift"])))


def by_edges(package: Package, name: str) -> dict[str, str | None]:
    """What depends on a target by the edges of the manifest alone."""
    return reached([name], lambda each: (one.name for one in package.by_name.values() if each in one.dependencies))


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
    words = ["test", "--skip-build", "--package-path", str(checkout), "--filter", rf"^({'|'.join(sorted(tests))})\."]
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
