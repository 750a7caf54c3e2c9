"""Whether a test that `graph --since` does not name ever notices a fault: `scripts/test --since` leaves these out."""

from __future__ import annotations

import subprocess
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import pytest
from made_files import git, ran
from repo_checkout import REPOSITORY
from swiftmodules.graph.architecture import Architecture
from swiftmodules.graph.since import since
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.package import Package, read_package
from swiftmodules.swiftpm.reader import Declaration, SourceFile, path, read_files, read_sources
from swiftmodules.swiftpm.toolchain import Toolchain

COMMITS = 30
FAULT = b' if CommandLine.argc > 0 { fatalError("planted") }; '


def functions(file: SourceFile) -> Iterator[tuple[str, Declaration]]:
    """Those into whose body a statement can be put: before a `switch` that is returned without the word, none can."""
    for each, owners in file.walk():
        if each.kind == "func" and (each.accepts_statement or each.single_expression is not None):
            yield path(each, owners).removesuffix(each.name) + each.title, each


def bodies(file: SourceFile) -> dict[str, bytes]:
    return {name: file.text[each.body_start : each.body_end] for name, each in functions(file)}


def changed_functions(folder: Path, toolchain: Toolchain, package: Package) -> dict[Path, set[str]]:
    """The functions that stand in the package and were changed by its last commits, of which each changed some."""
    repository = Repository(REPOSITORY)
    found: dict[Path, set[str]] = defaultdict(set)
    sources = {file for target in package.targets if not target.is_test for file in target.sources}
    here = read_files(REPOSITORY, sources, toolchain)
    count = 0
    for commit in reversed(repository.commits(10 * COMMITS)):
        versions = []
        for identifier in (commit.parent, commit.identifier):
            for file in commit.changed:
                (folder / identifier / file).parent.mkdir(parents=True, exist_ok=True)
                (folder / identifier / file).write_bytes(repository.text(identifier, file))
            versions.append(read_files(folder / identifier, commit.changed, toolchain))
        before, after = versions
        changed = {
            file: {name for name, body in bodies(after[file]).items() if bodies(before[file]).get(name, body) != body}
            & bodies(here[file]).keys()
            for file in commit.changed.keys() & sources
        }
        for file, names in changed.items():
            found[file] |= names
        count += any(changed.values())
        if count == COMMITS:
            break
    assert count == COMMITS
    return {file: names for file, names in found.items() if names}


def planted(file: SourceFile, names: set[str]) -> bytes:
    """A file with a fault in some of its functions."""
    insertions = {}
    for name, each in functions(file):
        if name in names:
            assert each.body_start is not None
            insertions[each.body_start] = FAULT
            if each.single_expression is not None:
                insertions[each.single_expression] = b"return "
    text = file.text
    for position in sorted(insertions, reverse=True):
        text = text[:position] + insertions[position] + text[position:]
    return text


@pytest.mark.slow
def test_faults_in_functions_that_commits_changed_are_noticed_by_no_other_tests(
    toolchain: Toolchain, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """All faults of a target at once, as the same tests are selected for each."""
    checkout = tmp_path / "checkout"
    git(tmp_path, "clone", "--quiet", str(REPOSITORY), str(checkout))
    package = read_package(checkout, toolchain)
    sources = read_sources(checkout, package, toolchain)
    faults = changed_functions(tmp_path_factory.mktemp("commits"), toolchain, package)
    tests = {each.name for each in package.tests}
    by_target: dict[str, list[Path]] = defaultdict(list)
    for file in faults:
        target = package.target_of(file)
        assert target is not None
        by_target[target.name].append(file)
    unnoticed: set[str] = set()
    # By target, what the tests print.
    missed: dict[str, str] = {}
    for target, changed in by_target.items():
        for file in changed:
            (checkout / file).write_bytes(planted(sources[file], faults[file]))
        reached = since(Architecture(package), "HEAD", checkout, toolchain)
        assert [each.target for each in reached.changed] == [target]
        # Where all tests are selected, there are no others.
        if others := tests - set(reached.tests):
            ran(toolchain, "swift", "build", "--build-tests", "--package-path", checkout)
            # Those of the App take long.
            if passes(checkout, toolchain, tests - others - {"AppTests"}):
                unnoticed.add(target)
            if not passes(checkout, toolchain, others):
                missed[target] = log_of(checkout).read_text(errors="replace")
        git(checkout, "checkout", "--", ".")
    assert not missed
    # Otherwise nothing was planted.
    assert len(unnoticed) < len(by_target) / 2


def log_of(checkout: Path) -> Path:
    return checkout.with_name("tests.log")


def passes(checkout: Path, toolchain: Toolchain, tests: set[str]) -> bool:
    """Whether no fault shows. SwiftPM would wait for programs that a test has started before it crashed."""
    if not tests:
        return True
    words = ["test", "--skip-build", "--package-path", str(checkout), "--filter", rf"^({'|'.join(sorted(tests))})\."]
    # As scripts/test does.
    few = {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": "4", "ROUTER_SEQUENCES": "250"}
    environment = {**toolchain.environment, **few}
    with log_of(checkout).open("wb") as log:
        running = subprocess.Popen([toolchain.swift, *words], stdout=log, stderr=log, env=environment)
        while running.poll() is None and b"Fatal error: planted" not in log_of(checkout).read_bytes():
            time.sleep(1)
    subprocess.run(["pkill", "-KILL", "-f", str(checkout)])
    return running.wait() == 0
