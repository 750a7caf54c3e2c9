"""The cut that is proposed for the monolith of this repository, whose modules are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path

import pytest
from repo_checkout import REPOSITORY
from rich.console import Console
from runs import task
from swiftmodules.builds.index import occurrences
from swiftmodules.builds.workspace import Workspace
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Edit, Parts, edits
from swiftmodules.split.graph import Graph
from swiftmodules.split.proposal import propose
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.package import Package


def pairs(count: int) -> float:
    return count * (count - 1) / 2


def agreement(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """The adjusted Rand index of two partitions: 1 where they are the same, 0 as by chance."""
    both = sum(map(pairs, Counter(zip(one, other, strict=True)).values()))
    first, second = (sum(map(pairs, Counter(each).values())) for each in (one, other))
    expected, most = first * second / pairs(len(one)), (first + second) / 2
    return (both - expected) / (most - expected)


def check(graph: Graph, package: Package, made: Sequence[Edit]) -> None:
    """Compares what is proposed with the modules: `Modules/Login/…` is a part of Login, and the rest of the App."""
    modules = [piece.file.parts[1] if piece.file.parts[0] == "Modules" else "App" for piece in graph.pieces]
    proposal = propose(graph, package, made)
    assert agreement(modules, proposal.parts.part_of) >= 0.85
    known = Parts(graph, package, [sorted(set(modules)).index(each) for each in modules])
    assert proposal.after.files <= 1.1 * known.cost(made[-proposal.unseen :]).files
    assert not proposal.parts.is_cyclic


def test_agreement_is_that_of_the_same_partition_and_of_chance() -> None:
    assert agreement("aabb", "ccdd") == 1
    assert agreement("aabb", "cdcd") == pytest.approx(-0.5)


@pytest.mark.slow
def test_parts_of_the_monolith_are_the_modules(tmp_path: Path) -> None:
    made = task(REPOSITORY)
    view = ProgressView(Console(quiet=True))
    subject = read_subject(Origin(REPOSITORY, tmp_path, made.toolchain, made.config, view))
    layout = subject.layout("monolith")
    workspace = Workspace(layout, tmp_path / "built", tmp_path, made.toolchain, options=("--enable-index-store",))
    workspace.build()
    owners = {path: "App" for target in subject.package.code for path in target.sources}
    owners |= {path: target.name for target in subject.package.tests for path in target.sources}
    sources = {path: subject.sources[path] for path in owners}
    graph = Graph("App", sources, owners, occurrences(workspace, made.toolchain))
    repository = Repository(REPOSITORY)
    commits = repository.commits(1000)
    changes = Changes(commits, repository, tmp_path / "compared", made.toolchain)
    check(graph, layout.package, edits(graph, commits, changes))
