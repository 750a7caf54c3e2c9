"""Why one module or target depends on another, and which targets a name or a file means."""

from __future__ import annotations

import os
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from swiftmodules.closure import reached
from swiftmodules.errors import ToolError, UsageError
from swiftmodules.graph.architecture import Architecture, suggestion
from swiftmodules.swiftpm.target import Target


@dataclass(frozen=True)
class Explanation:
    """The reason why one target depends on another: the shortest path, empty if none exists."""

    source: str
    target: str
    path: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    def __str__(self) -> str:
        return " → ".join(self.path) or f"{self.source} does not depend on {self.target}."


def why(architecture: Architecture, source: str, target: str) -> Explanation:
    """Explains by targets, also where modules are named: where Login uses Display in its implementation, users of
    Login's interface do not depend on Display."""
    if source == target:
        raise UsageError(f"'{source}' is named twice. Name what depends, then what it depends on.")
    starts, ends = architecture.targets_named(source), architecture.targets_named(target)
    # A module and one of its own targets: the others of the module are meant.
    if len(starts) > len(ends):
        starts = [each for each in starts if each not in ends]
    else:
        ends = [each for each in ends if each not in starts]
    found = reached(starts, lambda name: architecture.dependencies.get(name, ()))
    name = next((each for each in found if each in ends), None)
    path: list[str] = []
    while name is not None:
        path.insert(0, name)
        name = found[name]
    return Explanation(source, target, tuple(path))


def meant(architecture: Architecture, subject: str, folder: Path) -> list[Target]:
    """The targets that a module, a target or a file of the package in a folder means."""
    package = architecture.package
    if os.sep not in subject and not subject.endswith(".swift") and not (folder / subject).is_file():
        return [each for name in architecture.targets_named(subject) if (each := package.target(name))]
    root = folder.resolve()
    # Sources may be behind symbolic links.
    compiled: dict[Path, dict[str, Target]] = {}
    for target in (*package.targets, *package.others):
        for path in target.sources:
            compiled.setdefault((root / path).resolve(), {})[target.name] = target
    places = [(base / subject).resolve() for base in (Path.cwd(), root)]
    file = next((each for each in places if each in compiled or (each.is_file() and each.is_relative_to(root))), None)
    if file is None:
        known = [path.as_posix() for target in package.targets for path in target.sources]
        raise UsageError(f"There is no file '{subject}' in {folder}.{suggestion(subject, known)}")
    if file == root / package.manifest:
        raise ToolError(f"{package.manifest} is the graph itself: after an edit SwiftPM plans every target again.")
    # Headers of C are in no list of sources, and compiled with those that include them.
    headers = [each for each in package.others if file.is_relative_to((root / each.folder).resolve())]
    if file not in compiled and not headers:
        raise ToolError(f"No target compiles {subject}, so an edit there reaches nothing.")
    return [*compiled[file].values()] if file in compiled else headers
