"""The last commits of a package: what each changes in the targets, and in the declarations of its files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from swiftmodules.steps.changes import Changes
from swiftmodules.steps.history import Commit, Repository
from swiftmodules.swiftpm.config import Patterns
from swiftmodules.swiftpm.differences import Differences, is_manifest
from swiftmodules.swiftpm.state import State
from swiftmodules.swiftpm.toolchain import Toolchain


@dataclass(frozen=True)
class Commits:
    """Commits that change what is built, each after its parents and with the targets that it changes; `changes` has
    the declarations of all."""

    each: Sequence[tuple[Commit, Differences]]
    changes: Changes


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
