"""The cut that is proposed for the monolith of this repository, whose modules are known."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from pathlib import Path

import pytest
from made_files import committed, git, repository, written
from msgspec.structs import replace
from repo_checkout import REPOSITORY
from runs import task, whole
from swiftmodules.layouts.generate import make_layout
from swiftmodules.measure.subject import Origin, read_subject
from swiftmodules.progress import ProgressView
from swiftmodules.split.costs import Commits, Edit, edits
from swiftmodules.split.declarations import Declarations
from swiftmodules.split.graph import Graph
from swiftmodules.split.parts import Parts
from swiftmodules.split.proposal import propose
from swiftmodules.split.tree import Tree
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Repository
from swiftmodules.swiftpm.config import config_of
from swiftmodules.swiftpm.description import read_package
from swiftmodules.swiftpm.differences import Differences
from swiftmodules.swiftpm.reader import read_sources
from swiftmodules.swiftpm.toolchain import Toolchain


def pairs(count: int) -> float:
    return count * (count - 1) / 2


def agreement(one: Sequence[Hashable], other: Sequence[Hashable]) -> float:
    """The adjusted Rand index of two partitions: 1 where they are the same, 0 as by chance."""
    both = sum(map(pairs, Counter(zip(one, other, strict=True)).values()))
    first, second = (sum(map(pairs, Counter(each).values())) for each in (one, other))
    expected, most = first * second / pairs(len(one)), (first + second) / 2
    return (both - expected) / (most - expected)


def check(graph: Graph, made: Sequence[Edit]) -> None:
    """Compares what is proposed with the modules: `Modules/Login/…` is a part of Login, and the rest of the App."""
    modules = [piece.file.parts[1] if piece.file.parts[0] == "Modules" else "App" for piece in graph.pieces]
    known = Parts(graph, [sorted(set(modules)).index(each) for each in modules])
    for count in (None, len(known.members)):
        proposal = propose(graph, made, count)
        assert agreement(modules, proposal.parts.part_of) >= 0.85
        assert not proposal.parts.is_cyclic
    # As many parts as there are modules.
    assert proposal.after.files <= 1.1 * known.cost(made[-proposal.unseen :]).files


def test_agreement_is_that_of_the_same_partition_and_of_chance() -> None:
    assert agreement("aabb", "ccdd") == 1
    assert agreement("aabb", "cdcd") == pytest.approx(-0.5)


@pytest.mark.slow
def test_parts_of_the_monolith_are_the_modules(tmp_path: Path) -> None:
    made = task(REPOSITORY)
    view = ProgressView(lambda text: None)
    subject = read_subject(Origin(REPOSITORY, tmp_path, made.toolchain, made.config, view))
    layout = subject.layout("monolith")
    tree = Tree(written(layout, tmp_path / "package"), tmp_path, made.toolchain)
    assert tree.build() is None
    originals = layout.originals
    found = ((originals[file], each) for file, each in tree.occurrences() if file in originals)
    graph = Graph("App", Declarations(subject.sources, found, layout.package), layout.package)
    repository = Repository(REPOSITORY)
    # The last thousand are too few: by them, parts have declarations of several modules.
    commits = repository.commits(10_000)
    changes = Changes(commits, repository, tmp_path / "compared", made.toolchain)
    assert subject.state is not None
    # By the targets as they are now: reading those of each commit that changes the manifest would take half an hour.
    differences = [
        Differences(None, subject.state, map(repository.path, each.changed), made.config.changes) for each in commits
    ]
    check(graph, edits(graph, Commits([*zip(commits, differences, strict=True)], changes)))


def monolith(folder: Path, toolchain: Toolchain) -> Path:
    """A repository with the monolith, and a commit for each of this repository's that edits files of it."""
    package = read_package(REPOSITORY, toolchain, config_of(REPOSITORY).names)
    # AppTests run the App in a terminal, and take times.
    package = replace(package, targets=tuple(each for each in package.targets if each.name != "AppTests"))
    layout = make_layout("monolith", package, read_sources(REPOSITORY, package, toolchain))
    texts = {
        path.as_posix(): content.decode() for path, content in layout.contents.items() if isinstance(content, bytes)
    }
    committed(repository(folder), "First", {".gitignore": ".build/\n", **texts})
    for commit in Repository(REPOSITORY).commits(300):
        edited = [layout.files[file].path.as_posix() for file in commit.changed if file in layout.files]
        for path in edited:
            texts[path] += f"// {commit.name}\n"
        if edited:
            committed(folder, commit.subject, {path: texts[path] for path in edited})
    return folder


@pytest.mark.slow
def test_monolith_is_cut_and_its_tests_pass(tmp_path: Path, toolchain: Toolchain) -> None:
    folder = monolith(tmp_path / "Monolith", toolchain)
    with whole(folder, "App") as built:
        done = built.cut("cut-app")
    assert done.tests.passed.total() > 300 and len(done.proposal.parts.below) > 1 and done.proposal.is_worth_it
    assert git(folder, "branch", "--format=%(refname:short)").splitlines() == ["cut-app", "main"]
