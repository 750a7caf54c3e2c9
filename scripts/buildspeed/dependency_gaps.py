"""Finds targets that depend on another one only through a third.

SwiftPM starts the compiler for a target when a module that the target names in its manifest has changed. A module that
it reaches only through others may change the layout of a type that it uses, and nobody notices
(https://github.com/swiftlang/swift-package-manager/issues/10502).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


def dependency_gaps(dependencies: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """For each target the targets that it reaches but does not name, where there are any."""
    gaps = {target: tuple(sorted(_reached(target, dependencies) - {*named})) for target, named in dependencies.items()}
    return {target: missing for target, missing in sorted(gaps.items()) if missing}


def _reached(target: str, dependencies: Mapping[str, Sequence[str]]) -> set[str]:
    reached: set[str] = set()
    waiting = list(dependencies[target])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += dependencies[name]
    return reached
