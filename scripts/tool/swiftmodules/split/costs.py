"""The last commits of a package: what each changes in its targets and in their declarations, and what that costs."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.split.graph import Graph
from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Commit, Repository
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.differences import Differences, is_manifest
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.target import Target
from swiftmodules.swiftpm.toolchain import Toolchain

# What saves less than this share is not worth it.
WORTH = 0.1


@dataclass(frozen=True)
class Commits:
    """Commits that change what is built, each after its parents and with the targets that it changes; `changes` has
    the declarations of all."""

    each: Sequence[tuple[Commit, Differences]]
    changes: Changes


@dataclass(frozen=True)
class Edit:
    """A commit that edits the target: the pieces that it changes, and the other targets."""

    pieces: frozenset[int]
    others: frozenset[str]


@dataclass(frozen=True)
class Cost:
    """What commits cost a cache by source: the files that it rebuilds, and the test targets that run."""

    files: int = 0
    tests: int = 0

    def after(self, rebuilt: Collection[Target]) -> Cost:
        """The cost with one commit more, after which some targets are rebuilt."""
        return Cost(
            self.files + sum(len(each.sources) for each in rebuilt), self.tests + sum(each.is_test for each in rebuilt)
        )

    def saved(self, other: Cost) -> float:
        """The share of the files that another cost saves."""
        return 1 - other.files / self.files if self.files else 0.0

    def compared(self, other: Cost) -> str:
        """What another cost saves, in words."""
        files, tests = f"{self.files} → {other.files} files", f"{self.tests} → {other.tests} test targets run"
        found = [f"a cache by source rebuilds {files} ({-self.saved(other):+.0%})"] if other.files != self.files else []
        return ", ".join([*found, *([tests] if other.tests != self.tests else [])]) or "nothing would have been saved"


def last_commits(
    repository: Repository, count: int, state: State, patterns: Patterns, work: Path, toolchain: Toolchain
) -> Commits:
    """At most so many of the last commits. The targets are those of the present state, or for a commit that changes a
    manifest, those before and after it."""
    differences: dict[str, Differences] = {}

    def with_effect(commit: Commit) -> Commit:
        changed = repository.changed(commit.parent, commit.identifier)
        old, new, unknown = None, state, tuple[str, ...]()
        if any(map(is_manifest, changed)):
            (old, before), (then, after) = (
                State.at(each, repository, state.package, toolchain) for each in (commit.parent, commit.identifier)
            )
            new, unknown = then or state, before + after
        found = Differences(old, new, changed, patterns, repository.aliases, unknown)
        differences[commit.name] = found
        return repository.without(commit, found.unbuilt)

    commits = repository.commits(count, narrowed=with_effect)
    changes = Changes(commits, repository, work / "compared", toolchain)
    return Commits([(each, differences[each.name]) for each in commits], changes)


def edits(graph: Graph, commits: Commits) -> list[Edit]:
    """The commits that edit a target, the oldest first. What they change counts where it is today."""
    found = []
    present: dict[Path, Path] = {}
    for commit, differences in reversed(commits.each):
        moved = commits.changes.moved(commit)
        pieces = set[int]()
        for file in commit.changed.keys() - moved.values():
            if (now := present.get(file, file)) in graph.of_file:
                names = commits.changes.names(commit, {file, moved.get(file, file)})
                pieces |= set(_changed(graph, now, names))
        present |= {former: present.get(file, file) for file, former in moved.items()}
        if pieces:
            found.append(Edit(frozenset(pieces), frozenset({*differences.targets} - {graph.target})))
    return found[::-1]


def _changed(graph: Graph, file: Path, names: Collection[str]) -> Iterator[int]:
    """The pieces of a file that have changed declarations: by their full names, or by the type that they were part of;
    all where neither is there, as where only comments differ."""
    known = graph.of_file[file]
    roots = {name.removeprefix("extension ").partition(".")[0] for name in names}
    found = [each for each in known if any(node.title in names for node in graph.pieces[each].nodes)]
    found = found or [each for each in known if any(one.name in roots for one in graph.pieces[each].declarations)]
    yield from found or known
